/** The page with every part in every state: its picture shows all of it. */
export const partsPath = '/colophon/parts';

/** The pages whose pictures are compared: each template and each part that a style could break. */
export const picturePaths: readonly string[] = [
  '/',
  '/audit',
  partsPath,
  '/techniques',
  '/techniques/markdown-negotiation',
  '/almanac',
  '/crawlers?bot_type=training',
  '/crawlers/gptbot',
  '/protocols',
  '/state',
  '/ask?q=Who+runs+GPTBot',
  '/guestbook',
  '/directory',
  '/playbook',
  '/developers/writing',
  '/404-nothing-is-here',
];

export const pictureWidths = [390, 1440] as const;
export const pictureSchemes = ['light', 'dark'] as const;
