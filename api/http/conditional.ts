/** Whether If-None-Match names this entity tag; the comparison is weak (RFC 9110 section 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === '*' ||
      (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag))
  );
}

/** Whether If-Match allows this entity tag; the comparison is strong (RFC 9110 section 13.1.1). */
export function isAllowed(ifMatch: string | undefined, etag: string): boolean {
  const tags: readonly string[] = ifMatch?.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return ifMatch === undefined || ifMatch.trim() === '*' || tags.includes(etag);
}
