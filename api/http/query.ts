import type { Request } from 'express';

/** The query of a request. It's cut from the target as it came, which need not be a URL. */
export function queryOf({ originalUrl }: Request): URLSearchParams {
  const mark = originalUrl.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : originalUrl.slice(mark + 1));
}

/** Names of parameters that only tell where a visitor comes from, as links in mails, advertisements and chats add them. */
export const trackingNames = 'utm_\\w*|ref|fbclid|gclid';

const tracking = new RegExp(`^(?:${trackingNames})$`, 'i');

export const isTracking = (name: string): boolean => tracking.test(name);
