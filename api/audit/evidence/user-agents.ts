/** What browsers send for a page, in the parts that servers choose by. */
export const browserAccept = 'text/html,application/xhtml+xml,*/*;q=0.8';

// A browser's User-Agent, so that filters see one, and our own after it, so that nobody is deceived.
export const asBrowser = (userAgent: string): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 ${userAgent}`;

/** The User-Agent of a crawler, with our own after it. */
export const asCrawler = (token: string, userAgent: string): string =>
  `Mozilla/5.0 (compatible; ${token}/1.0) ${userAgent}`;
