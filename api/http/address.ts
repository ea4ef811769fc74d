/** The path of a request without its percent-encoding; as it came when that is not UTF-8, which no file's name is. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The path of the page that an address with a slash or `.html` at its end means. */
const bareAddress = (path: string): string => (path === '/index.html' ? '/' : path.replace(/(?:\/|\.html)$/, ''));

/**
 * Where an address leads that nothing is at: to the page that it means with a slash or `.html` at its end, or to what is there
 * in lower case, which all addresses of the site are in. Null for neither.
 */
export function meantAddress(
  path: string,
  { isPage, isThere }: Record<'isPage' | 'isThere', (path: string) => boolean>,
): string | null {
  const [bare, lower] = [bareAddress(path).toLowerCase(), path.toLowerCase()];
  if (bare !== path && isPage(bare)) {
    return bare;
  }
  return lower !== path && isThere(lower) ? lower : null;
}
