import { readConfig } from '#api/config.ts';

const config = readConfig();

/** Whose Porchlight this is and where it stands, from the owner's configuration. */
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

/** The absolute address of a path of this site. */
export const absolute = (path: string): string => `${site.origin}${path}`;

interface NavigationEntry {
  path: string;
  label: string;
}

/** The main navigation, in its order. It is short: what stands before the content is read before it. */
export const navigation: readonly NavigationEntry[] = [
  { path: '/techniques', label: 'Techniques' },
  { path: '/almanac', label: 'Almanac' },
  { path: '/ask', label: 'Ask' },
  { path: '/audit', label: 'Audit' },
  { path: '/guestbook', label: 'Guestbook' },
  { path: '/tools', label: 'Tools' },
  { path: '/developers', label: 'Developers' },
];

/** What the foot of the page leads to besides. */
export const footNavigation: readonly NavigationEntry[] = [
  { path: '/directory', label: 'Directory' },
  { path: '/playbook', label: 'Playbook' },
  { path: '/trust', label: 'Trust rules' },
  { path: '/about', label: 'About' },
  { path: '/problems', label: 'Error types' },
  { path: '/colophon', label: 'Colophon' },
];
