import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import { isSameSite } from '../../evidence/same-site.ts';
import type { Evidence } from '../../evidence.ts';
import { isSuccess } from '../../facts/headers.ts';
import type { HtmlFacts } from '../../facts/html.ts';
import { find, findStrings } from '../../facts/json.ts';
import { isHtml } from '../../judging/gates.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { contentPages, type ReadPage } from '../../judging/sampled-pages.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';
import { aboutWords, contactWords, createWordTest } from '../../judging/words.ts';

type Link = HtmlFacts['links'][number];

const isAboutText = createWordTest(aboutWords);
const isContactText = createWordTest(contactWords);

/** The last part of a link's path, as words: `/about-us.html` is "about us". */
const lastPart = (href: string): string => {
  const part = new URL(href).pathname.split('/').filter(Boolean).at(-1) ?? '';
  return decoded(part)
    .replace(/\.[a-z]{2,5}$/i, '')
    .replaceAll(/[-_+]/g, ' ');
};

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Makes a test for links of the site that speak of something: by their whole text, or the last part of their path. */
const speaksOf =
  (isMeant: (text: string) => boolean, base: URL) =>
  ({ href, text }: Link, page: ReadPage): boolean =>
    isSameSite(base, href) &&
    isElsewhere(href, new URL(page.exchange.url)) &&
    (isMeant(text) || isMeant(lastPart(href)));

/** What a site calls itself: in its metadata, or as a part of the title of its home page, in lower case. */
function siteNames(pages: ReadPage[]): string[] {
  const home = pages.find(({ page }) => page.html === 'home')?.facts;
  const parts = (home?.title ?? '').split(/\s+[-–—|·:»]\s+/);
  return [...parts, home?.meta['og:site_name'] ?? '', home?.meta['application-name'] ?? '']
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name.length > 1);
}

/** "About Harbour wiki" is "about" where the site is called Harbour wiki. */
function withoutName(text: string, names: readonly string[]): string {
  const words = text.trim().toLowerCase();
  const name = names.find((each) => words.endsWith(` ${each}`));
  return name === undefined ? text : words.slice(0, -name.length);
}

/** Where the projects of public code hosts, and lists of mail, take questions. */
const tracker =
  /^https:\/\/(?:(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\/[^/]+\/[^/]+\/(?:-\/)?(?:issues|discussions)\b|groups\.google\.com\/)/;

/** True for a link that leads to another page, or to a named place on its own one: "#" leads nowhere. */
const isElsewhere = (href: string, page: URL): boolean => {
  const { pathname, hash } = new URL(href);
  return hash.length > 1 || pathname !== page.pathname;
};

/** Whether a reader can find out who speaks. */
export const aboutAndContact = defineCheck({
  id: 'about-and-contact',
  technique: 'ax-trust',
  topic: 'About and contact',
  titles: {
    pass: 'Who is behind the site, and how to reach them',
    partial: 'Either an about page or a contact is missing',
    fail: 'Neither an about page nor a contact is linked',
  },
  causes: ['no-contact'],
  why: 'Whoever cites a source weighs who it is. An agent that meets a fault needs somebody to tell.',
  reference: {
    title: 'Google Search Central: who made the content',
    url: 'https://developers.google.com/search/docs/fundamentals/creating-helpful-content',
  },
  fix: ({ origin }) => ({
    text: 'Link a page about you and a way to reach you from the home page, as text that says so.',
    snippet: `<footer>\n  <a href="${origin}/about">About</a>\n  <a href="mailto:hello@${new URL(origin).hostname}">Contact</a>\n</footer>`,
    language: 'html',
  }),
  judge(evidence) {
    const pages = contentPages(evidence);
    const firstLink = (isWanted: (link: Link, page: ReadPage) => boolean) => {
      const page = pages.find((one) => one.facts.links.some((link) => isWanted(link, one)));
      const link = page?.facts.links.find((each) => isWanted(each, page));
      return page === undefined || link === undefined
        ? null
        : { exchange: page.exchange, excerpt: `${link.text} → ${link.href}` };
    };
    const base = new URL(evidence.home);
    const names = siteNames(pages);
    const isAbout = (text: string): boolean => isAboutText(text) || isAboutText(withoutName(text, names));
    const about = firstLink(speaksOf(isAbout, base)) ?? organizationOf(pages);
    const contact =
      firstLink(({ href }) => /^(?:mailto|tel):/i.test(href)) ??
      firstLink(speaksOf(isContactText, base)) ??
      firstLink(({ href }) => tracker.test(href)) ??
      contactOfSecurityTxt(evidence);
    const lines = [
      about === null
        ? bareLine(evidence, 'Neither a link nor structured data of the sampled pages says who is behind the site.')
        : lineOf(about.exchange, 'This says who is behind the site.', about),
      contact === null
        ? bareLine(evidence, 'Neither a link nor security.txt leads to a contact.')
        : lineOf(contact.exchange, 'This leads to a contact.', contact),
    ];
    return about !== null && contact !== null
      ? pass(...lines)
      : about === null && contact === null
        ? fail(...lines)
        : partial(...lines);
  },
});

/** Structured data that names who is behind the site, with an address or a way to reach them. */
function organizationOf(pages: ReadPage[]): { exchange: Exchange; excerpt: string } | null {
  for (const { exchange, facts } of pages) {
    for (const { value } of facts.jsonLd) {
      const things = [value, ...find(value, '*'), ...find(value, '@graph', '*'), ...find(value, 'publisher')];
      const named = things.find(
        (thing) =>
          findStrings(thing, '@type').some((type) => /Organization|Person|Business|Store|Corporation/.test(type)) &&
          findStrings(thing, 'name').length > 0 &&
          ['contactPoint', 'address', 'email', 'telephone', 'sameAs'].some((key) => find(thing, key).length > 0),
      );
      if (named !== undefined) {
        return { exchange, excerpt: JSON.stringify(named).slice(0, 200) };
      }
    }
  }
  return null;
}

function contactOfSecurityTxt(evidence: Evidence): { exchange: Exchange; excerpt: string } | null {
  const exchange = evidence.exchanges['security-txt'] ?? null;
  const contact =
    isSuccess(exchange) && !isHtml(exchange) ? /^contact:[ \t]*(\S+)/im.exec(exchange.body)?.[0] : undefined;
  return contact === undefined || exchange === null ? null : { exchange, excerpt: contact };
}
