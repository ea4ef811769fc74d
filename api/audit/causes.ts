/** What an owner changes in one go. Findings with the same cause disappear together. */
export interface CauseDefinition {
  /** What was found, as the heading of an item of the plan. */
  title: string;
  /** The same as a clause that follows "what costs most is that …" in the diagnosis, where it isn't the title's own words. */
  clause?: string;
  /** A practised owner's time in minutes, for a site of ordinary size. */
  minutes: number;
  /** The file or setting to change. */
  where: string;
}

/** The causes that findings go back to, in the order in which an agent meets them. */
export const causes = {
  'no-page': {
    title: 'The home address answers with something that is not a page',
    clause: 'the home address does not answer with a page',
    minutes: 30,
    where: 'Server: the content type and the file of the home page',
  },
  'agents-refused': {
    title: 'Agents are refused what browsers get',
    minutes: 30,
    where: 'Firewall, CDN or server rules that match the User-Agent',
  },
  'bot-challenge': {
    title: 'A bot challenge blocks the pages',
    minutes: 30,
    where: 'Bot protection of the CDN or firewall',
  },
  'login-wall': {
    title: 'Public pages ask for a login',
    minutes: 60,
    where: 'Login middleware of the application',
  },
  'content-needs-scripts': {
    title: 'Pages are empty until scripts run',
    minutes: 480,
    where: 'Rendering mode of the site: server or build time',
  },
  'script-redirect': {
    title: 'The home page is only a redirect written in HTML or script',
    clause: 'the home page is only a redirect that HTTP clients do not follow',
    minutes: 15,
    where: 'Server: a 301 or 308 redirect at the home address',
  },
  'hidden-instructions': {
    title: 'Hidden text gives instructions to models',
    minutes: 60,
    where: 'Page template, and any text that visitors can write',
  },
  'soft-404': {
    title: 'Missing pages answer as if they existed',
    minutes: 20,
    where: 'Server or router: the fallback for unknown addresses',
  },
  noindex: {
    title: 'Pages ask to be kept out of indexes',
    minutes: 10,
    where: 'Page template (meta robots) or the X-Robots-Tag header',
  },
  'no-https': {
    title: 'The site is not fully on HTTPS',
    minutes: 30,
    where: 'Server: certificate and redirect from http',
  },
  redirects: {
    title: 'Pages are reached through detours',
    minutes: 30,
    where: 'Server redirects, and the addresses in links and sitemap',
  },
  'no-markdown': {
    title: 'No markdown when an agent asks for it',
    clause: 'there is no markdown for agents',
    minutes: 90,
    where: 'Build: one markdown file for each page; server: the Accept header',
  },
  negotiation: {
    title: 'The Accept header is not honoured as it should be',
    clause: 'the Accept header is not honoured',
    minutes: 45,
    where: 'Server: content negotiation and the Vary header',
  },
  'no-markdown-address': {
    title: 'Markdown has no address of its own',
    clause: 'the markdown has no address of its own',
    minutes: 30,
    where: 'Server: a .md address for each page, served as text/markdown',
  },
  'markdown-differs': {
    title: 'The markdown is not a faithful copy of the page',
    clause: 'the markdown is not a faithful copy of the pages',
    minutes: 60,
    where: 'The build step that writes the markdown',
  },
  'no-llms-txt': {
    title: 'There is no llms.txt',
    minutes: 20,
    where: '/llms.txt',
  },
  'llms-txt-flawed': {
    title: 'llms.txt is there and has faults',
    clause: 'llms.txt has faults',
    minutes: 20,
    where: '/llms.txt',
  },
  'not-linked': {
    title: 'Pages do not point to what is there for agents',
    minutes: 15,
    where: 'Page template: head and footer',
  },
  'no-sitemap': {
    title: 'There is no sitemap',
    minutes: 15,
    where: '/sitemap.xml',
  },
  'sitemap-flawed': {
    title: 'The sitemap is incomplete',
    minutes: 15,
    where: '/sitemap.xml and /sitemap.md',
  },
  'no-robots-txt': {
    title: 'There is no robots.txt',
    minutes: 10,
    where: '/robots.txt',
  },
  'robots-txt-silent': {
    title: 'robots.txt leaves questions open',
    minutes: 10,
    where: '/robots.txt',
  },
  'page-structure': {
    title: 'Pages lack structure: headings, landmarks, language',
    clause: 'pages lack headings, landmarks or a language',
    minutes: 30,
    where: 'Page template',
  },
  'unnamed-elements': {
    title: 'Controls or pictures have no name',
    minutes: 30,
    where: 'Page template and components',
  },
  'forms-need-scripts': {
    title: 'Forms need scripts to be sent',
    minutes: 60,
    where: 'Form markup and the address that takes it',
  },
  'page-metadata': {
    title: 'Pages do not say what they are: title, description, canonical address',
    clause: 'pages lack a title, a description or a canonical address',
    minutes: 30,
    where: 'Page template: head',
  },
  'structured-data': {
    title: 'There is no usable structured data',
    minutes: 30,
    where: 'Page template: a JSON-LD block in the head',
  },
  'page-weight': {
    title: 'Pages are too long, or their content starts late',
    clause: 'pages are too long or their content starts late',
    minutes: 120,
    where: 'Page template: inline styles, scripts and data',
  },
  'bare-404': {
    title: 'A missing page leads nowhere',
    minutes: 20,
    where: 'The 404 page',
  },
  'response-headers': {
    title: 'Response headers are missing',
    minutes: 15,
    where: 'Server: response headers',
  },
  'no-contact': {
    title: 'It is not clear who is behind the site',
    minutes: 15,
    where: 'Page template: footer',
  },
  'no-security-txt': {
    title: 'There is no valid security.txt',
    minutes: 5,
    where: '/.well-known/security.txt',
  },
  'api-description': {
    title: 'The API is not described so that a program can use it',
    minutes: 120,
    where: '/openapi.json and /.well-known/api-catalog',
  },
  'api-errors': {
    title: 'Errors of the API are not structured',
    minutes: 60,
    where: 'Error handler of the API',
  },
  mcp: {
    title: 'The MCP server that is announced does not work as announced',
    clause: 'the announced MCP server does not work as announced',
    minutes: 60,
    where: 'MCP endpoint and its server card',
  },
  'agent-files': {
    title: 'Files for agents are announced or served with faults',
    clause: 'files for agents have faults',
    minutes: 30,
    where: 'The files under /.well-known/',
  },
  webmcp: {
    title: 'In-page tools are announced or annotated with faults',
    clause: 'in-page tools have faults',
    minutes: 60,
    where: 'Scripts and forms of the home page',
  },
  payment: {
    title: 'A demand for payment does not say how to pay',
    minutes: 60,
    where: 'The 402 answer of the priced endpoint',
  },
  signing: {
    title: 'Signing of requests is announced with faults',
    minutes: 60,
    where: '/.well-known/http-message-signatures-directory and the manifest',
  },
  oauth: {
    title: 'It is not clear where to get a token',
    minutes: 45,
    where: '/.well-known/oauth-protected-resource and the 401 answer',
  },
  feed: {
    title: 'The feed that pages name does not work',
    minutes: 20,
    where: 'The feed file',
  },
} as const satisfies Record<string, CauseDefinition>;

export type CauseId = keyof typeof causes;

/** The ids of all causes, in the order in which an agent meets them. */
export const causeIds = Object.keys(causes) as [CauseId, ...CauseId[]];

/** What was found as a clause of the diagnosis. */
export function clauseOf(id: CauseId): string {
  const { title, clause }: CauseDefinition = causes[id];
  return clause ?? title.charAt(0).toLowerCase() + title.slice(1);
}
