/** Pages that show live data: the sidecar renders them again when their data changes. */
export const livePaths: readonly string[] = ['/', '/guestbook', '/ask', '/audit', '/directory'];

/** The addresses at which a live page answers: its own and those of its twins. */
export const liveAddresses = (path: string): string[] => {
  const stem = path === '/' ? '/index' : path;
  return [path, `${stem}.md`, `${stem}.json`];
};
