import { readFileSync } from 'node:fs';
import type { CauseId } from '../causes.ts';
import type { AuditReport, CheckResult } from '../report.ts';
import { elementsToChange, footerLine, headToAdd, type PageChange } from './page-changes.ts';
import { type PlatformId, platforms } from './platforms/index.ts';
import type { Configuration, FixFile, ServerNeeds } from './platforms/platform.ts';
import type { SiteBrief } from './site-brief.ts';
import {
  defaultChoices,
  type RobotsChoices,
  siteFile,
  toLlmsTxt,
  toNotFoundMarkdown,
  toRobotsTxt,
  toSecurityTxt,
  toSitemapMarkdown,
  toSitemapXml,
} from './site-files.ts';

/** All that puts a report right, for one platform. */
export interface Fixes {
  platform: PlatformId;
  /** The one configuration that holds every change of the server; null when the server needs none. */
  configuration: Configuration | null;
  /** Files for the document root, and the script that makes the markdown. */
  files: FixFile[];
  /** The lines for the head of the page template, filled in for the home page; null when nothing is missing there. */
  head: string | null;
  /** The line for the footer of the page template; null when the pages already show where agents find more. */
  footer: string | null;
  /** Elements of pages to change, before and after. */
  elements: PageChange[];
  /** What has to be done by hand: what to do and an example, for findings that nothing above puts right. */
  byHand: { check: CheckResult['id']; title: string; text: string; snippet: string; language: string }[];
}

export interface FixOptions {
  platform: PlatformId;
  robots?: RobotsChoices;
  now: Date;
}

let script: string | undefined;

/** The script that makes twins. It's read when a report asks for it: the site's build bundles this module without the file. */
export function makeTwins(): FixFile {
  script ??= readFileSync(new URL('./make-twins.mjs', import.meta.url), 'utf8');
  return { path: 'make-twins.mjs', place: 'project', language: 'js', text: script };
}

const isOpen = ({ status }: CheckResult): boolean => status === 'fail' || status === 'partial';

/** Causes that the server's configuration removes. */
const serverCauses = {
  negotiation: ['no-markdown', 'negotiation', 'no-markdown-address'],
  headers: ['response-headers'],
  missingPages: ['bare-404', 'soft-404'],
} as const satisfies Record<string, CauseId[]>;

/** Which changes of the server a report asks for. */
export function serverNeedsOf(report: Pick<AuditReport, 'checks' | 'final_url'>): ServerNeeds {
  const open = new Set(report.checks.filter(isOpen).map(({ cause }) => cause));
  const has = (wanted: readonly string[]): boolean => wanted.some((cause) => open.has(cause));
  return {
    negotiation: has(serverCauses.negotiation),
    headers: has(serverCauses.headers),
    hsts: report.final_url.startsWith('https:'),
    missingPages: has(serverCauses.missingPages),
  };
}

/** The open checks that the server's configuration puts right, in the order of the report. */
export function clearedByServer(report: Pick<AuditReport, 'checks'>): CheckResult['id'][] {
  const inServer = new Set<string>(Object.values(serverCauses).flat());
  return report.checks
    .filter((check) => isOpen(check) && check.cause !== null && inServer.has(check.cause))
    .map(({ id }) => id);
}

/** The files that each cause asks for. */
function filesFor(cause: string, site: SiteBrief, { robots = defaultChoices, now }: FixOptions): FixFile[] {
  const llmsTxt = siteFile('llms.txt', 'markdown', toLlmsTxt(site));
  const robotsTxt = siteFile('robots.txt', 'text', toRobotsTxt(site, robots));
  const sitemapXml = siteFile('sitemap.xml', 'xml', toSitemapXml(site));
  const sitemapMd = siteFile('sitemap.md', 'markdown', toSitemapMarkdown(site));
  const files: Partial<Record<CauseId, FixFile[]>> & Record<string, FixFile[]> = {
    'no-llms-txt': [llmsTxt],
    'llms-txt-flawed': [llmsTxt],
    'no-robots-txt': [robotsTxt],
    'robots-txt-silent': [robotsTxt],
    'no-sitemap': [sitemapXml, sitemapMd],
    'sitemap-flawed': site.sitemap === null ? [sitemapXml, sitemapMd] : [sitemapMd],
    'no-security-txt': [siteFile('.well-known/security.txt', 'text', toSecurityTxt(site, now))],
    ...(serverCauses.negotiation.some((each) => each === cause) ? { [cause]: [makeTwins()] } : {}),
    'bare-404': [siteFile('404.md', 'markdown', toNotFoundMarkdown(site))],
  };
  return files[cause] ?? [];
}

/**
 * Everything that puts a report right on one platform. Pure but for the script, which is read once. The configuration, the
 * files and the lines for the head work together: bring in all of them.
 */
export function fixesOf(report: AuditReport, options: FixOptions): Fixes {
  const { site } = report;
  const open = report.checks.filter(isOpen);
  const needs = serverNeedsOf(report);
  const wantsServer = needs.negotiation || needs.headers || needs.missingPages;
  const files = new Map(
    open
      .flatMap(({ cause }) => (cause === null ? [] : filesFor(cause, site, options)))
      .map((file) => [file.path, file]),
  );
  const head = headToAdd(report.checks, site);
  const elements = elementsToChange(report.checks, site);
  const inHead = new Set(head?.checks ?? []);
  const inServer = new Set<string>(clearedByServer(report));
  // What is wrong with markdown that isn't there is settled by making it.
  const byScript = new Set<string>(
    files.has('make-twins.mjs') ? open.filter(({ cause }) => cause === 'markdown-differs').map(({ id }) => id) : [],
  );
  // What the fixes themselves bring for agents has to be shown, too: nobody could find it missing before it's there.
  const needsFooter = open.some(({ id }) => id === 'machine-layer-shown') || !site.has_llms_txt;
  const covered = ({ id, cause }: CheckResult): boolean =>
    inHead.has(id) ||
    id === 'machine-layer-shown' ||
    byScript.has(id) ||
    elements.some(({ check }) => check === id) ||
    inServer.has(id) ||
    (cause !== null && filesFor(cause, site, options).length > 0);
  return {
    platform: options.platform,
    configuration: wantsServer ? platforms[options.platform].configure(site, needs) : null,
    files: [...files.values()],
    head: head?.html ?? null,
    footer: needsFooter ? footerLine : null,
    elements,
    byHand: open
      .filter((check) => !covered(check))
      .flatMap(({ id, title, fix }) =>
        fix === null ? [] : [{ check: id, title, text: fix.text, snippet: fix.snippet, language: fix.language }],
      ),
  };
}

/** Every file of the fixes by the path under which it is written to disk or into an archive. */
export function filesByPath(fixes: Fixes): Map<string, string> {
  const all = [...fixes.files, ...(fixes.configuration?.files ?? [])];
  return new Map(all.map(({ path, place, text }) => [`${place}/${path}`, text]));
}

/** The command that proves a cause gone, in a POSIX shell; null where only another audit does. */
export function proofOf(cause: string, site: SiteBrief): string | null {
  const { home, origin } = site;
  const proofs: Partial<Record<CauseId, string>> & Record<string, string> = {
    'no-markdown': `curl -sI -H 'Accept: text/markdown' ${home} | grep -i '^content-type'   # text/markdown`,
    negotiation: `curl -sI -H 'Accept: text/html, text/markdown;q=0.5' ${home} | grep -iE '^(content-type|vary)'   # text/html, and Accept`,
    'no-llms-txt': `curl -s ${origin}/llms.txt | head -3   # a heading and a summary`,
    'llms-txt-flawed': `curl -s ${origin}/llms.txt | head -20`,
    'no-robots-txt': `curl -s ${origin}/robots.txt`,
    'robots-txt-silent': `curl -s ${origin}/robots.txt | grep -iE '^(user-agent|content-signal|sitemap)'`,
    'no-sitemap': `curl -s ${origin}/sitemap.xml | grep -c '<loc>'   # the number of your pages`,
    'no-security-txt': `curl -s ${origin}/.well-known/security.txt   # Contact and Expires`,
    'response-headers': `curl -sI ${home} | grep -iE '^(link|x-content-type-options|cache-control|strict-transport)'`,
    'bare-404': `curl -s -o /dev/null -w '%{http_code} %{content_type}\\n' -H 'Accept: text/markdown' ${origin}/no-such-page   # 404 text/markdown`,
    'soft-404': `curl -s -o /dev/null -w '%{http_code}\\n' ${origin}/no-such-page   # 404`,
    'structured-data': `curl -s ${home} | grep -c 'application/ld+json'   # at least 1`,
    'page-metadata': `curl -s ${home} | grep -iE '<title|rel="canonical"|name="description"'`,
  };
  return proofs[cause] ?? null;
}
