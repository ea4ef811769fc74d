import { readConfig } from '#api/config.ts';
import content from './content/navigation.json' with { type: 'json' };

const config = readConfig();

/** Whose Porchlight this is and where it's served, from the owner's configuration. */
export const site = {
  name: config.siteName,
  owner: config.ownerName,
  contact: config.contact,
  sourceUrl: config.sourceUrl,
  /** Origin without a trailing slash. */
  origin: config.baseUrl,
  language: 'en',
  license: 'CC BY 4.0',
  licenseUrl: 'https://creativecommons.org/licenses/by/4.0/',
  tagline: 'An almanac of the agentic web, written for people and readable by machines.',
  description:
    'A reference site that serves the same content to people and to AI agents, explains twelve techniques of agent-readiness and practises every one of them.',
} as const;

/** Title of the feed of the site: of each part it holds the newest edition. */
export const feedTitle = `${site.name}: new editions`;

/** The absolute address of a path of this site. */
export const absolute = (path: string): string => `${site.origin}${path}`;

interface NavigationEntry {
  path: string;
  label: string;
}

interface Navigation {
  /** The main navigation, in its order. It is short: what comes before the content is read before it. */
  main: readonly NavigationEntry[];
  /** The columns of the footer: what to do here, what to read, what machines fetch, and who we are. */
  foot: readonly { title: string; entries: readonly NavigationEntry[] }[];
  /** Pages that a visitor finds under an entry of the main navigation although their address lies elsewhere. */
  homes: Readonly<Record<string, string>>;
}

const { homes } = content as Navigation;

export const { main: navigation, foot: footColumns } = content as Navigation;

/** The entry of the main navigation that a page belongs to, or null. */
export function placeOf(path: string): string | null {
  const first = `/${path.split('/')[1] ?? ''}`;
  const home = homes[first] ?? first;
  return navigation.some((entry) => entry.path === home) ? home : null;
}
