import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Root as HtmlRoot } from 'hast';
import type { Root as MarkdownRoot } from 'mdast';
import rehypeParse from 'rehype-parse';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

const html = unified().use(rehypeParse);
const markdown = unified().use(remarkParse).use(remarkGfm);

/** Address → the files that link to it. */
const links = new Map<string, Set<string>>();
/** Path of a page → the ids of its elements. */
const ids = new Map<string, Set<string>>();
const notAbsolute: string[] = [];

function add(href: string, file: string, base: string): void {
  if (!URL.canParse(href, base)) {
    links.set(href, (links.get(href) ?? new Set()).add(file));
    return;
  }
  const url = new URL(href, base);
  if (url.origin === siteUrl) {
    links.set(url.href, (links.get(url.href) ?? new Set()).add(file));
  }
}

/** The address of a built file; of a page, the address without its ending. */
const addressOf = (file: string): string => {
  const path = `/${file}`.replace(/\.html$/, '');
  return `${siteUrl}${path === '/index' ? '/' : path}`;
};

const addresses = ['href', 'src', 'action', 'poster', 'cite', 'data'];

function readHtml(file: string, source: string): void {
  const base = addressOf(file);
  const found = new Set<string>();
  visit(html.parse(source) as HtmlRoot, 'element', ({ tagName, properties }) => {
    if (properties['id'] !== undefined) {
      assert.ok(!found.has(String(properties['id'])), `${file} has two elements with the id ${properties['id']}`);
      found.add(String(properties['id']));
    }
    for (const name of addresses) {
      if (typeof properties[name] === 'string') {
        add(properties[name], `${file} <${tagName}>`, base);
      }
    }
  });
  ids.set(new URL(base).pathname, found);
}

function readMarkdown(file: string, source: string): void {
  visit(markdown.parse(source) as MarkdownRoot, (node) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') {
      if (!/^[a-z][a-z\d+.-]*:/i.test(node.url)) {
        notAbsolute.push(`${file}: ${node.url}`);
      }
      add(node.url, file, addressOf(file));
    }
  });
}

/** Every string in a JSON document that is an address of this site; templates such as {id} are no addresses. */
function readJson(file: string, value: unknown): void {
  if (typeof value === 'string') {
    if (value.startsWith(siteUrl) && !/[\s{}<>]/.test(value)) {
      add(value, file, siteUrl);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      // The id of an item of a feed names it and need not lead anywhere (JSON Feed 1.1, as in RFC 4287).
      if (file === 'feed.json' && name === 'id') {
        continue;
      }
      // In the sample of a 402 this names an address that is posted to, as the action of a form does.
      readJson(name === 'pay_url' ? `${file}<form>` : file, each);
    }
  }
}

/** Asks for an address as a client of its own, so that the allowance of one client is not used up. */
async function statusOf(address: string, client: number): Promise<number> {
  const response = await fetch(address, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': `10.0.${client >> 8}.${client & 255}` },
  });
  await response.body?.cancel();
  return response.status;
}

/** What an address that is linked may answer. A form may post to an address that takes no GET, and a price is an answer. */
function expectedStatuses(address: string): (number | string)[] {
  // The error page and its twins are found at their own addresses, and say there too that nothing is.
  if (/\/404(?:\.md|\.json)?$/.test(address)) {
    return [404];
  }
  // A report is kept once the form has asked for the audit; until then its address says that there is none.
  if (address.startsWith(`${siteUrl}/audit?url=`)) {
    return [200, 404];
  }
  const isFormOnly = [...(links.get(address) ?? [])].every((file) => file.endsWith('<form>'));
  return isFormOnly && links.has(address) ? [200, 402, 405] : [200, 402];
}

const linkedFrom = (address: string): string => {
  const files = [...(links.get(address) ?? [])];
  return `${address} is linked from ${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
};

/** Declares the tests of the links in some built files. */
export function testLinks(files: readonly string[]): void {
  for (const file of files) {
    const read = (): string => readFileSync(join(clientDir, file), 'utf8');
    if (file.endsWith('.html')) {
      readHtml(file, read());
    } else if (file.endsWith('.md') || file.endsWith('.txt')) {
      readMarkdown(file, file.endsWith('llms.txt') || file.endsWith('.md') ? read() : '');
    } else if (file.endsWith('.json') || file.endsWith('api-catalog')) {
      readJson(file, JSON.parse(read()));
    } else if (file.endsWith('.xml') || file.endsWith('.atom')) {
      // The id of an entry names it and need not lead anywhere (RFC 4287 section 4.2.6).
      for (const [, href] of read().matchAll(/(?:<(?:loc|uri)>|href=")([^<"]+)[<"]/g)) {
        add(String(href).replaceAll('&amp;', '&'), file, siteUrl);
      }
    }
  }

  test('every internal link of pages, twins and discovery files leads somewhere', async (t) => {
    const targets = Map.groupBy(links.keys(), (address) => address.split('#')[0] ?? '');
    t.diagnostic(`${links.size} links to ${targets.size} addresses`);
    assert.ok(targets.size > 100);
    const broken: string[] = [];
    const queue = [...targets].entries();
    const worker = async (): Promise<void> => {
      for (const [index, [target, linked]] of queue) {
        const status = await statusOf(target, index).catch((error: unknown) => String(error));
        if (!expectedStatuses(target).includes(status)) {
          broken.push(`${status}: ${linkedFrom(linked[0] ?? target)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    assert.deepEqual(broken.sort(), []);
  });

  test('every fragment of an internal link names an element of its page', () => {
    const missing = [...links.keys()].filter((address) => {
      if (!URL.canParse(address)) {
        return false;
      }
      const { pathname, hash } = new URL(address);
      // A twin has the fragments of its page.
      const page = pathname.replace(/\.(?:md|json)$/, '').replace(/^\/index$/, '/');
      return hash !== '' && ids.has(page) && !ids.get(page)?.has(decodeURIComponent(hash.slice(1)));
    });
    assert.deepEqual(missing.map(linkedFrom), []);
  });

  test('links in markdown are absolute', () => {
    assert.deepEqual(notAbsolute, []);
  });
}
