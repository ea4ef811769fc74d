import type { HtmlFacts } from '../html.ts';
import { attributeOf, folded, type HtmlElement, isElement, shortTextOf, textOf } from '../html-tree.ts';
import { listOf, type WalkedPage } from './walk.ts';

type Metadata = Pick<
  HtmlFacts,
  | 'lang'
  | 'innerLang'
  | 'title'
  | 'description'
  | 'canonical'
  | 'meta'
  | 'headLinks'
  | 'generators'
  | 'refresh'
  | 'microdata'
  | 'frames'
  | 'marked'
>;

/** The content of meta elements by lower-case name or property, the first of each, and all generators. */
function readMeta(page: WalkedPage): Pick<Metadata, 'meta' | 'generators'> {
  const meta = new Map<string, string>();
  const generators: string[] = [];
  for (const element of page.all('meta')) {
    const name = (attributeOf(element, 'name') ?? attributeOf(element, 'property') ?? '').toLowerCase();
    const content = folded(attributeOf(element, 'content') ?? '');
    if (name !== '' && !meta.has(name)) {
      meta.set(name, content);
    }
    if (name === 'generator' && generators.length < 10) {
      generators.push(content.slice(0, 200));
    }
  }
  return { meta: Object.fromEntries(meta), generators };
}

function readHeadLinks(page: WalkedPage): Pick<Metadata, 'headLinks' | 'canonical'> {
  const headLinks = page.all('link').flatMap((element): Metadata['headLinks'] => {
    const written = attributeOf(element, 'href');
    const href = written === null ? null : page.absolute(written);
    const type = attributeOf(element, 'type')?.split(';')[0]?.trim().toLowerCase() || null;
    const rel = listOf(attributeOf(element, 'rel')?.toLowerCase() ?? null);
    return href === null ? [] : [{ href, rel, type, hreflang: attributeOf(element, 'hreflang') }];
  });
  return { headLinks, canonical: headLinks.find(({ rel }) => rel.includes('canonical'))?.href ?? null };
}

/** A redirect by meta element (HTML Standard, "refresh state"), whatever its delay. */
function readRefresh(page: WalkedPage): Metadata['refresh'] {
  for (const element of page.all('meta')) {
    if (attributeOf(element, 'http-equiv')?.trim().toLowerCase() === 'refresh') {
      const match = /^\s*([\d.]{1,10})\s*[;,]?\s*(?:url\s*=\s*)?(["']?)(.{1,2048}?)\2\s*$/i.exec(
        (attributeOf(element, 'content') ?? '').slice(0, 2100),
      );
      const href = match?.[3] === undefined ? null : page.absolute(match[3]);
      if (href !== null) {
        return { seconds: Number(match?.[1] ?? 0), href };
      }
    }
  }
  return null;
}

/** The types of schema.org that elements have, by microdata or RDFa. */
function readMicrodata(page: WalkedPage): string[] {
  const types = new Set<string>();
  for (const element of page.elements) {
    const written = attributeOf(element, 'itemscope') === null ? null : attributeOf(element, 'itemtype');
    const inMicrodata = /^https?:\/\/schema\.org\/(\w{1,60})\/?$/.exec(written?.trim() ?? '')?.[1];
    const inRdfa = /schema\.org/.test(attributeOf(element, 'vocab') ?? '')
      ? /^\w{1,60}$/.exec(attributeOf(element, 'typeof')?.trim() ?? '')?.[0]
      : undefined;
    const type = inMicrodata ?? inRdfa;
    if (type !== undefined && types.size < 50) {
      types.add(type);
    }
  }
  return [...types];
}

/** How many nodes of a part are read to see how much of the text it holds. */
const mostNodes = 20_000;

/** The language of the element that holds most of the text: the body, one of its parts, or main; null when it names none. */
function innerLangOf(page: WalkedPage): string | null {
  const body = page.first('body');
  if (body === undefined) {
    return null;
  }
  const lengthOf = (element: HtmlElement): number => textOf(element, undefined, mostNodes).length;
  const named = [body, ...body.childNodes.filter(isElement), ...page.all('main')].filter((element) =>
    attributeOf(element, 'lang')?.trim(),
  );
  const all = named.length === 0 ? 0 : lengthOf(body);
  const most = named.slice(0, 5).find((element) => lengthOf(element) * 2 >= all);
  return most === undefined ? null : (attributeOf(most, 'lang')?.trim() ?? null);
}

/** What the head of a page, and the types of its elements, say of it. */
export function readMetadata(page: WalkedPage): Metadata {
  const html = page.first('html');
  const title = page.elements.find((element) => element.tagName === 'title' && !page.around(element)?.drawing);
  const { meta, generators } = readMeta(page);
  const lang = (html === undefined ? null : attributeOf(html, 'lang'))?.trim() || null;
  return {
    lang,
    innerLang: lang === null ? innerLangOf(page) : null,
    title: title === undefined ? null : shortTextOf(title) || null,
    description: meta['description'] || null,
    meta,
    generators,
    ...readHeadLinks(page),
    refresh: readRefresh(page),
    microdata: readMicrodata(page),
    frames: page.all('frame').length,
    marked: { code: page.all('pre').length, dates: page.all('time').length },
  };
}
