import type { Request } from 'express';

/** The query of a request. It's cut from the target as it came, which need not be a URL. */
export function queryOf({ originalUrl }: Request): URLSearchParams {
  const mark = originalUrl.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : originalUrl.slice(mark + 1));
}

/** Whether a parameter only tells where a visitor comes from, as links in mails, advertisements and chats add them. */
export const isTracking = (name: string): boolean => /^(?:utm_\w*|ref|fbclid|gclid)$/i.test(name);
