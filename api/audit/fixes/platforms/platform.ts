import type { SiteBrief } from '../site-brief.ts';

/** What the server has to do that it does not do yet. */
export interface ServerNeeds {
  /** Choose between HTML and markdown by Accept, and serve `.md` addresses as text/markdown. */
  negotiation: boolean;
  /** Link headers, nosniff, cache lifetimes. */
  headers: boolean;
  /** Strict-Transport-Security; only where the site is on https. */
  hsts: boolean;
  /** A missing page answers 404 and leads on, in markdown when that was asked for. */
  missingPages: boolean;
}

/** A file of a fix, as it is written to disk. */
export interface FixFile {
  /** Relative to what `place` says. */
  path: string;
  /** Where it goes: the document root or output folder, the root of the project, or the configuration of the server. */
  place: 'site' | 'project' | 'server';
  /** The language, as a code fence names it. */
  language: string;
  text: string;
}

/** Everything for one platform in one go: files that work together, the steps to bring them in, and what it can't do. */
export interface Configuration {
  files: FixFile[];
  /** In order, one sentence each. */
  steps: string[];
  /** What the platform can't do, or does in part. */
  limits: string[];
}

/** A server, host or framework, and how it is set up for agents. */
export interface Platform {
  name: string;
  /** Versions that the configuration was run with, or null when it could only be read against documentation. */
  testedWith: string | null;
  configure(site: SiteBrief, needs: ServerNeeds): Configuration;
}

/** A path made safe for a quoted string of any configuration file: quotes, variables and blocks are percent-encoded. */
const safePath = (address: string): string =>
  new URL(address).pathname.replace(
    /['"$;{}\\`<>%](?![0-9A-F]{2})/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** The value of the Link header that leads from every page to the files for agents. Relative, so it holds for every host. */
export const siteLinks = (site: SiteBrief): string =>
  [
    '</llms.txt>; rel="describedby"; type="text/markdown"',
    `<${site.sitemap === null ? '/sitemap.xml' : safePath(site.sitemap)}>; rel="sitemap"; type="application/xml"`,
  ].join(', ');

/** How long pages may be kept without asking. Names of assets that change with their content keep their own lifetime. */
export const pageLifetime = 'public, max-age=300, must-revalidate';

export const hstsValue = 'max-age=31536000';

/** The step that brings in the script which makes the markdown files, before any that runs it. */
export const twinScriptStep =
  'Save make-twins.mjs in the root of the project, and run `npm install --save-dev unified rehype-parse rehype-remark remark-gfm remark-stringify` there once. It needs Node.js 20 or later.';

/** The steps that make the markdown files, which every static platform begins with. */
export const twinsSteps = (folder: string, site: SiteBrief): string[] => [
  twinScriptStep,
  `After each build, run \`node make-twins.mjs ${folder} ${site.origin}\`: it writes a .md file next to each .html file and points llms.txt to them.`,
];

/** A host name that is safe in a configuration file and a file name. */
export const hostName = (site: SiteBrief): string => new URL(site.origin).hostname;
