import { defineCheck } from '../../check.ts';
import { type HeaderLink, isSuccess, linkHeaderOf } from '../../facts/headers.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { machineResource } from '../../judging/machine-layer.ts';
import { sitemapExchanges } from '../../judging/sitemaps.ts';
import { absent, fail, partial, pass, requireFile, requireVisible } from '../../judging/verdicts.ts';

const machineRels = [
  'describedby',
  'service-desc',
  'service-doc',
  'service-meta',
  'api-catalog',
  'ai-catalog',
  'llms-txt',
  'describes',
  'index',
  'sitemap',
  'search',
  'agent-card',
  'mcp-server-card',
];

/** True for a link that a program follows. An alternate in another language is for people. */
const isForMachines = ({ rel, type }: HeaderLink): boolean =>
  rel.some((one) => machineRels.includes(one)) || (rel.includes('alternate') && type !== null && type !== 'text/html');

/** Whether a HEAD request is enough to find what is for machines. */
export const linkHeaders = defineCheck({
  id: 'link-headers',
  technique: 'machine-discovery',
  topic: 'Link headers',
  titles: {
    pass: 'Link headers name what is for machines',
    partial: 'Link headers are missing on HEAD',
    fail: 'No Link header names what is for machines',
  },
  causes: ['response-headers'],
  why: 'One HEAD request tells a client of the twin, the index and the API, before it reads a page.',
  reference: { title: 'RFC 8288, section 3: Link header', url: 'https://www.rfc-editor.org/rfc/rfc8288#section-3' },
  fix: ({ origin }) => ({
    text: 'Send a Link header with each page.',
    snippet: `add_header Link '<${origin}/llms.txt>; rel="describedby"; type="text/markdown", <${origin}/sitemap.xml>; rel="sitemap"; type="application/xml"' always;`,
    language: 'nginx',
  }),
  judge(evidence) {
    const home = requireVisible(evidence, 'home');
    const head = evidence.exchanges['home-head'] ?? null;
    const named = linkHeaderOf(home).filter(isForMachines);
    const line = lineOf(
      home,
      named.length === 0
        ? 'No Link header leads to anything for machines.'
        : `${counted(named.length, 'link')}: ${named.map((link) => link.rel.join(' ')).join(', ')}.`,
      { header: 'link' },
    );
    if (named.length === 0) {
      const hasNothing = machineResource(evidence) === null && sitemapExchanges(evidence).length === 0;
      if (hasNothing) {
        requireFile(evidence, 'llms-txt');
        return absent('llms-txt-valid', line);
      }
      return fail(line);
    }
    return isSuccess(head) && linkHeaderOf(head).length === 0
      ? partial(line, lineOf(head, 'HEAD does not bring the header.', { header: 'link' }))
      : pass(line);
  },
});
