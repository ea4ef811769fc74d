import { customaryTwin } from '../evidence/twin-addresses.ts';
import type { Evidence } from '../evidence.ts';

/** A sampled page as it is written into a snippet. */
export interface OwnPage {
  url: string;
  /** Where its markdown is, or would be by custom. */
  twin: string;
  /** A name made of the last part of the path. */
  name: string;
}

// Of the address alone: a title is text of the site, and a snippet is read as ours.
function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '';
  const words = last
    .replace(/\.[a-z]{1,5}$/i, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, 40);
  return words === '' ? 'Home' : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** The sampled pages, the home page first, for snippets that list pages. */
export const ownPages = ({ home, pages }: Evidence): OwnPage[] =>
  (pages.length === 0 ? [home] : pages.map(({ url }) => url)).map((url) => ({
    url,
    twin: pages.find((page) => page.url === url)?.twin?.url ?? customaryTwin(url),
    name: nameOf(url),
  }));

/** The pages as items of a markdown list that leads to their markdown. */
export const listOfPages = (evidence: Evidence): string =>
  ownPages(evidence)
    .map(({ name, twin }) => `- [${name}](${twin}): what the page says, in a few words`)
    .join('\n');

/** An address made fit for an XML or HTML text. */
export const toMarkup = (address: string): string => address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
