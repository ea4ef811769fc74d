import type { CheckResult } from '../report.ts';
import type { SiteBrief } from './site-brief.ts';
import { toJsonLd } from './site-files.ts';

/** A change in the HTML of a page: the owner's own element, and what takes its place. */
export interface PageChange {
  check: CheckResult['id'];
  /** The page where the element was found. */
  page: string;
  before: string | null;
  after: string;
}

/** An address as an attribute value. */
const inAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const withAttribute = (tag: string, attribute: string): string | null =>
  /^<[a-z][\w-]*[^>]*>/i.test(tag) ? tag.replace(/^(<[a-z][\w-]*)/i, `$1 ${attribute}`) : null;

const twinOf = (page: string): string => {
  const { origin, pathname } = new URL(page);
  return `${origin}${pathname.endsWith('/') ? `${pathname}index` : pathname.replace(/\.html?$/i, '')}.md`;
};

/** How the element of an evidence line is changed, by check. */
const elementChanges: Partial<Record<CheckResult['id'], (tag: string, site: SiteBrief) => string | null>> = {
  language: (tag, site) => withAttribute(tag.replace(/\slang="[^"]*"/i, ''), `lang="${site.language ?? 'en'}"`),
  'image-alternatives': (tag) => withAttribute(tag, 'alt="What the picture shows, or nothing if it only decorates"'),
  'named-controls': (tag) => withAttribute(tag, 'aria-label="What it does"'),
};

/** The lines that the head of every page needs, by the check that misses them. Filled in for the home page. */
const headLines: Partial<Record<CheckResult['id'], (site: SiteBrief) => string>> = {
  'title-and-description': (site) =>
    `<title>${inAttribute(site.pages[0]?.title ?? site.name)}</title>\n<meta name="description" content="${inAttribute(site.summary || 'What this page says, in a sentence or two.')}">`,
  canonical: (site) => `<link rel="canonical" href="${inAttribute(site.home)}">`,
  'twin-advertised': (site) => `<link rel="alternate" type="text/markdown" href="${inAttribute(twinOf(site.home))}">`,
  'llms-txt-linked': (site) =>
    `<link rel="describedby" type="text/markdown" href="${inAttribute(`${site.origin}/llms.txt`)}">`,
  'json-ld-parses': toJsonLd,
  'json-ld-describes': toJsonLd,
};

/** The line for the footer of every page, for people and for agents that read what people see. */
export const footerLine = '<a href="/llms.txt">For AI agents: llms.txt</a>';

const isOpen = ({ status }: CheckResult): boolean => status === 'fail' || status === 'partial';

/** The elements to change, each once, at most three a check. Pure. */
export const elementsToChange = (checks: readonly CheckResult[], site: SiteBrief): PageChange[] =>
  checks.filter(isOpen).flatMap((check) => {
    const change = elementChanges[check.id];
    const seen = new Set<string>();
    return check.evidence
      .flatMap(({ request, excerpt }): PageChange[] => {
        const page = /https?:\S+/.exec(request)?.[0];
        return (
          (excerpt ?? '').match(/<[a-z][^<>]{0,200}>/gi)?.flatMap((tag): PageChange[] => {
            const after = change?.(tag, site) ?? null;
            const isNew = after !== null && page !== undefined && !seen.has(tag);
            seen.add(tag);
            return isNew ? [{ check: check.id, page, before: tag, after }] : [];
          }) ?? []
        );
      })
      .slice(0, 3);
  });

/** What to add to the head of the page template, as it reads on the home page; null when nothing is missing. */
export function headToAdd(
  checks: readonly CheckResult[],
  site: SiteBrief,
): { checks: CheckResult['id'][]; html: string } | null {
  const missing = checks.filter((check) => isOpen(check) && headLines[check.id] !== undefined);
  // A page that has no markdown yet names none, so nobody could find that it isn't named: it is added with the markdown.
  const needsTwin = checks.some(
    ({ id, status }) => id === 'markdown-on-request' && (status === 'fail' || status === 'partial'),
  );
  const ids = [
    ...new Set([
      ...missing.map(({ id }) => id),
      ...(needsTwin ? (['twin-advertised'] as const) : []),
      ...(site.has_llms_txt ? [] : (['llms-txt-linked'] as const)),
    ]),
  ];
  const lines = [...new Set(ids.flatMap((id) => headLines[id]?.(site) ?? []))];
  return lines.length === 0 ? null : { checks: ids, html: lines.join('\n') };
}
