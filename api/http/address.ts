/** The path of a request without its percent-encoding; as it came when that is not UTF-8, which no file's name is. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The path of the page that an address with a slash or `.html` at its end means. */
export const bareAddress = (path: string): string =>
  path === '/index.html' ? '/' : path.replace(/(?:\/|\.html)$/, '');
