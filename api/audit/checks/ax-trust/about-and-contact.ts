import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import type { Evidence } from '../../evidence.ts';
import { isSuccess } from '../../facts/headers.ts';
import type { HtmlFacts } from '../../facts/html.ts';
import { isHtml } from '../../judging/gates.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { pagesToJudge } from '../../judging/sampled-pages.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

type Link = HtmlFacts['links'][number];

const aboutWords = /^(?:about|imprint|impressum|über uns|à propos|acerca de|who we are|company|team|our team)\b/i;
const contactWords = /^(?:contact|kontakt|contacto|support|get in touch|imprint|impressum|write to us)\b/i;

/** True when a link's text begins with such words, or the last part of its path does. */
const speaksOf =
  (words: RegExp) =>
  ({ href, text }: Link): boolean =>
    words.test(text) ||
    words.test(new URL(href).pathname.split('/').filter(Boolean).at(-1)?.replaceAll(/[-_]/g, ' ') ?? '');

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
    const pages = pagesToJudge(evidence);
    const firstLink = (isWanted: (link: Link) => boolean) => {
      const page = pages.find(({ facts }) => facts.links.some(isWanted));
      const link = page?.facts.links.find(isWanted);
      return page === undefined || link === undefined
        ? null
        : { exchange: page.exchange, excerpt: `${link.text} → ${link.href}` };
    };
    const about = firstLink(speaksOf(aboutWords));
    const contact =
      firstLink(({ href }) => /^(?:mailto|tel):/i.test(href)) ??
      firstLink(speaksOf(contactWords)) ??
      contactOfSecurityTxt(evidence);
    const lines = [
      about === null
        ? bareLine(evidence, 'No link of the sampled pages says who is behind the site.')
        : lineOf(about.exchange, 'A link says who is behind the site.', about),
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

function contactOfSecurityTxt(evidence: Evidence): { exchange: Exchange; excerpt: string } | null {
  const exchange = evidence.exchanges['security-txt'] ?? null;
  const contact =
    isSuccess(exchange) && !isHtml(exchange) ? /^contact:[ \t]*(\S+)/im.exec(exchange.body)?.[0] : undefined;
  return contact === undefined || exchange === null ? null : { exchange, excerpt: contact };
}
