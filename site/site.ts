import { readConfig } from '#api/config.ts';

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

/** The absolute address of a path of this site. */
export const absolute = (path: string): string => `${site.origin}${path}`;

interface NavigationEntry {
  path: string;
  label: string;
}

/** The main navigation, in its order. It is short: what comes before the content is read before it. */
export const navigation: readonly NavigationEntry[] = [
  { path: '/audit', label: 'Audit' },
  { path: '/techniques', label: 'Techniques' },
  { path: '/almanac', label: 'Almanac' },
  { path: '/guestbook', label: 'Guestbook' },
  { path: '/developers', label: 'Developers' },
];

/** The columns of the footer: what to do here, what to read, what machines fetch, and who we are. */
export const footColumns: readonly { title: string; entries: readonly NavigationEntry[] }[] = [
  {
    title: 'Do',
    entries: [
      { path: '/audit', label: 'Audit a site' },
      { path: '/directory', label: 'Join the directory' },
      { path: '/guestbook', label: 'Sign the guestbook' },
      { path: '/ask', label: 'Ask a question' },
      { path: '/robots', label: 'Write a robots.txt' },
      { path: '/playbook', label: 'Get the playbook' },
    ],
  },
  {
    title: 'Read',
    entries: [
      { path: '/techniques', label: 'Twelve techniques' },
      { path: '/crawlers', label: 'Crawlers' },
      { path: '/protocols', label: 'Protocols' },
      { path: '/models', label: 'Models' },
      { path: '/glossary', label: 'Glossary' },
      { path: '/state', label: 'State of the agentic web' },
    ],
  },
  {
    title: 'For machines',
    entries: [
      { path: '/llms.txt', label: 'llms.txt' },
      { path: '/.well-known/agents.json', label: 'agents.json' },
      { path: '/openapi.json', label: 'OpenAPI' },
      { path: '/mcp/server-card', label: 'MCP server' },
      { path: '/tools', label: 'Tools' },
      { path: '/sitemap.md', label: 'Sitemap' },
      { path: '/changes', label: 'What changed' },
      { path: '/feed.atom', label: 'Changes (Atom)' },
    ],
  },
  {
    title: 'About',
    entries: [
      { path: '/about', label: 'About' },
      { path: '/trust', label: 'Trust rules' },
      { path: '/audit/scoring', label: 'How we score' },
      { path: '/colophon', label: 'Colophon' },
      { path: '/problems', label: 'Error types' },
      { path: '/developers/reading#representations', label: 'Markdown and JSON twins' },
    ],
  },
];

/** Pages that a visitor finds under an entry of the main navigation although their address lies elsewhere. */
const homes: Record<string, string> = {
  '/ask': '/almanac',
  '/crawlers': '/almanac',
  '/protocols': '/almanac',
  '/models': '/almanac',
  '/glossary': '/almanac',
  '/state': '/almanac',
  '/directory': '/audit',
  '/playbook': '/techniques',
  '/tools': '/developers',
  '/problems': '/developers',
};

/** The entry of the main navigation that a page belongs to, or null. */
export function placeOf(path: string): string | null {
  const first = `/${path.split('/')[1] ?? ''}`;
  const home = homes[first] ?? first;
  return navigation.some((entry) => entry.path === home) ? home : null;
}
