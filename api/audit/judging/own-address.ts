/** An address by which pages are compared: without query, fragment and the name of an index file. Throws for none. */
export const addressOf = (href: string): string => {
  const { origin, pathname } = new URL(href);
  return `${origin}${pathname.replace(/(?:^|(?<=\/))index\.(?:x?html?|php)$/, '')}`;
};
