import type { HtmlFacts } from '../html.ts';
import { attributeOf } from '../html-tree.ts';
import { toJson } from '../json.ts';
import type { WalkedPage } from './walk.ts';

const executable = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/;

/** Sets the address of the page to a literal: the only thing that the script of a redirect does. */
const navigation =
  /\blocation(?:\.href)?\s*=\s*["'`]([^"'`\s]{1,500})["'`]|\blocation\.(?:replace|assign)\(\s*["'`]([^"'`\s]{1,500})["'`]/;

/** Scripts longer than this in all do more than redirect. */
const maxStub = 4000;

/** The rest isn't read: no real page has this many, and they would fill the memory. */
const maxScripts = 2000;

/** The scripts that a browser would run, and the blocks of JSON-LD. */
export function readScripts(page: WalkedPage): Pick<HtmlFacts, 'scripts' | 'jsonLd'> {
  const found: Pick<HtmlFacts, 'scripts' | 'jsonLd'> = { scripts: [], jsonLd: [] };
  for (const element of page.all('script').slice(0, maxScripts)) {
    const type = attributeOf(element, 'type')?.split(';')[0]?.trim().toLowerCase() || null;
    const source = attributeOf(element, 'src');
    const text = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
    if (type === 'application/ld+json') {
      found.jsonLd.push(toJson(text));
    } else {
      const isRun = type === null || executable.test(type);
      found.scripts.push({ src: source === null ? null : page.absolute(source), type, isRun, text });
    }
  }
  return found;
}

/** Where the scripts of a page that is nothing but a redirect lead; null for every other page. */
export function scriptRedirectOf(page: WalkedPage, scripts: HtmlFacts['scripts'], textLength: number): string | null {
  const inline = scripts.filter(({ src, isRun }) => src === null && isRun).map(({ text }) => text);
  if (textLength > 200 || inline.join('').length > maxStub) {
    return null;
  }
  const match = inline.map((text) => navigation.exec(text)).find((found) => found !== null);
  const written = match?.[1] ?? match?.[2];
  return written === undefined || /^(?:javascript|#)/i.test(written) ? null : page.absolute(written);
}
