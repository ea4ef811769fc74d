/**
 * True when an address is on the site's own host, with or without `www.`, or on one below it. What a site says of other
 * hosts is not followed up: nobody can have a stranger's host visited by having their own audited.
 */
export function isSameSite(base: URL, address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const url = new URL(address);
  const own = base.hostname.replace(/^www\./, '');
  return /^https?:$/.test(url.protocol) && (url.hostname === own || url.hostname.endsWith(`.${own}`));
}
