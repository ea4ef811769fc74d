import {
  attributeOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  PageTooComplex,
  parseHtmlTree,
  shortTextOf,
  textOf,
} from './html-tree.ts';
import { toJson } from './json.ts';
import { oncePerExchange } from './once-per-exchange.ts';

/** A form control that takes input. */
export interface HtmlField {
  tag: 'input' | 'select' | 'textarea';
  name: string | null;
  type: string;
  required: boolean;
  /** True when a label, aria-label, aria-labelledby or title names it. */
  labelled: boolean;
  /** The `toolparamdescription` attribute of WebMCP. */
  toolParameter: string | null;
}

export interface HtmlForm {
  /** Absolute address. */
  action: string;
  method: string;
  fields: HtmlField[];
  /** The `toolname` and `tooldescription` attributes of WebMCP. */
  toolName: string | null;
  toolDescription: string | null;
}

/** Text that the source holds and a sighted reader does not see. */
export interface HiddenText {
  how: 'hidden' | 'aria-hidden' | 'style' | 'comment' | 'invisible-characters';
  /** At most 300 characters. */
  text: string;
  /** True when it speaks to a model or agent as an instruction would. */
  instruction: boolean;
  /** True when that instruction sets itself above others, or keeps something from the reader. */
  overrides: boolean;
}

/** What a page's HTML says without running its scripts. Addresses are absolute; text has its white space folded. */
export interface HtmlFacts {
  /** Why the page could not be read, or null. All else is empty then. */
  problem: string | null;
  lang: string | null;
  title: string | null;
  description: string | null;
  /** Absolute address of rel=canonical. */
  canonical: string | null;
  /** Content of meta elements by lower-case name or property, the first of each; `robots` and `og:title` among them. */
  meta: Record<string, string>;
  headings: { level: number; text: string }[];
  /** How many there are of each landmark, by element or role. */
  landmarks: Record<'main' | 'navigation' | 'banner' | 'contentinfo' | 'complementary' | 'search', number>;
  /** Links of the body that have an address. */
  links: { href: string; text: string; rel: string[] }[];
  /** link elements of the page: alternates, describedby, feeds. Types in lower case without parameters. */
  headLinks: { href: string; rel: string[]; type: string | null; hreflang: string | null }[];
  forms: HtmlForm[];
  /** Interactive elements without an accessible name: the opening tag of each, at most 120 characters. */
  unnamedControls: string[];
  images: { src: string | null; alt: string | null }[];
  scripts: { src: string | null; type: string | null; text: string }[];
  jsonLd: { value: unknown; problem: string | null }[];
  /** Readable text of main (or of body where there is no main), without noscript and hidden parts. */
  text: string;
  /** Characters of readable text in the body. */
  textLength: number;
  /** Text of noscript elements. */
  noscript: string;
  /** Characters of source before main, or before the first heading of level 1; null when the page has neither. */
  contentStartsAt: number | null;
  characters: number;
  /** Whether the page looks like an empty shell that scripts fill, and what speaks for it. */
  shell: { likely: boolean; reasons: string[] };
  hidden: HiddenText[];
}

const empty = (problem: string | null, characters: number): HtmlFacts => ({
  problem,
  lang: null,
  title: null,
  description: null,
  canonical: null,
  meta: {},
  headings: [],
  landmarks: { main: 0, navigation: 0, banner: 0, contentinfo: 0, complementary: 0, search: 0 },
  links: [],
  headLinks: [],
  forms: [],
  unnamedControls: [],
  images: [],
  scripts: [],
  jsonLd: [],
  text: '',
  textLength: 0,
  noscript: '',
  contentStartsAt: null,
  characters,
  shell: { likely: false, reasons: [] },
  hidden: [],
});

const landmarkOf: Record<string, keyof HtmlFacts['landmarks']> = {
  main: 'main',
  nav: 'navigation',
  aside: 'complementary',
  search: 'search',
};

const sectioning = new Set(['article', 'aside', 'main', 'nav', 'section']);
const hidingStyle =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{4,}/i;
// Tag characters, which render as nothing and spell ASCII.
const tagCharacters = /[\u{e0020}-\u{e007e}]{4,}/gu;
const override =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines)\b|\bdo not (?:tell|inform|mention|reveal)\b.{0,40}\b(?:user|human)\b|\byou are now (?:an? |the )?(?:ai|assistant|dan\b|developer mode|unrestricted)/i;
const address =
  /\bif you are an? (?:ai|llm|language model|agent|assistant|chatbot)\b|\bas an? (?:ai|llm|language model)\b|\b(?:ai|llm|language model)s?\b.{0,30}\b(?:must|should|shall|need to|have to)\b|\byour system prompt\b/i;
const asksForScripts =
  /\b(?:enable|turn on|requires?|needs?|without)\b.{0,30}\bjava\s?script\b|\bjava\s?script\b.{0,40}\b(?:disabled|required|enabled?)\b/i;
const mountIds = new Set([
  'root',
  'app',
  '__next',
  '__nuxt',
  '___gatsby',
  'svelte',
  'ember-application',
  'application',
]);

/** What an element stands in. */
interface Surroundings {
  label: HtmlElement | null;
  form: HtmlElement | null;
  hidden: boolean;
  /** Inside an element that takes the landmark role from header and footer. */
  sectioned: boolean;
  drawing: boolean;
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

const isHiddenBy = (element: HtmlElement): HiddenText['how'] | null => {
  if (attributeOf(element, 'hidden') !== null) {
    return 'hidden';
  }
  if (attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true') {
    return 'aria-hidden';
  }
  return hidingStyle.test((attributeOf(element, 'style') ?? '').slice(0, 2000)) ? 'style' : null;
};

/** The names of the pictures inside an element, to the depth that a button or link has in earnest. */
const picturesIn = (parent: HtmlElement, depth: number): string =>
  parent.childNodes
    .slice(0, 50)
    .filter(isElement)
    .map((child) => {
      const own = attributeOf(child, 'alt') ?? attributeOf(child, 'aria-label') ?? '';
      const title = child.tagName === 'title' ? shortTextOf(child) : '';
      return own || title || (depth < 5 ? picturesIn(child, depth + 1) : '');
    })
    .join(' ');

const tokensAsWritten = (value: string | null): string[] => (value ?? '').split(/\s+/).filter(Boolean).slice(0, 10);

const tokens = (value: string | null): string[] => (value ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Reads a page. `url` is the address it came from; a base element is honoured. Never throws: a page that is too complex
 * has `problem` set.
 */
export function toHtmlFacts(html: string, url: string): HtmlFacts {
  try {
    return readPage(html, url);
  } catch (error) {
    if (error instanceof PageTooComplex) {
      return empty(error.message, html.length);
    }
    throw error;
  }
}

function readPage(html: string, url: string): HtmlFacts {
  const facts = empty(null, html.length);
  const tree = parseHtmlTree(html);
  const elements: HtmlElement[] = [];
  const comments: string[] = [];
  const hiddenElements = new Map<HtmlElement, HiddenText['how']>();
  const surroundings = new Map<HtmlElement, Surroundings>();
  const collect = (nodes: HtmlNode[], around: Surroundings): void => {
    for (const node of nodes) {
      if (node.nodeName === '#comment' && 'data' in node) {
        comments.push(node.data);
      } else if (isElement(node)) {
        elements.push(node);
        surroundings.set(node, around);
        const how = isHiddenBy(node);
        if (how !== null) {
          hiddenElements.set(node, how);
        }
        collect(node.childNodes, {
          label: node.tagName === 'label' ? node : around.label,
          form: node.tagName === 'form' ? node : around.form,
          hidden: around.hidden || how !== null,
          sectioned: around.sectioned || sectioning.has(node.tagName),
          drawing: around.drawing || node.tagName === 'svg',
        });
      }
    }
  };
  collect(tree.childNodes, { label: null, form: null, hidden: false, sectioned: false, drawing: false });
  const around = (element: HtmlElement): Surroundings | undefined => surroundings.get(element);

  const all = (tag: string): HtmlElement[] => elements.filter((element) => element.tagName === tag);
  const first = (tag: string): HtmlElement | undefined => elements.find((element) => element.tagName === tag);
  // Many elements can be named by the same one: its text is gathered once.
  const names = new Map<HtmlElement, string>();
  const nameText = (element: HtmlElement): string => {
    const known = names.get(element) ?? shortTextOf(element);
    names.set(element, known);
    return known;
  };
  const attributeOfFirst = (tag: string, name: string): string | null => {
    const element = first(tag);
    return element === undefined ? null : attributeOf(element, name);
  };
  const baseHref = attributeOfFirst('base', 'href');
  const base = baseHref !== null && URL.canParse(baseHref, url) ? new URL(baseHref, url).href : url;
  const absolute = (address: string): string | null =>
    URL.canParse(address, base) ? new URL(address, base).href : null;
  // What is out of sight of eyes but in reach of a reader of the source; aria-hidden text is seen, so it counts as read.
  const isUnread = (element: HtmlElement): boolean =>
    element.tagName === 'noscript' || !['aria-hidden', undefined].includes(hiddenElements.get(element));
  facts.lang = attributeOfFirst('html', 'lang')?.trim() || null;
  const title = elements.find((element) => element.tagName === 'title' && !around(element)?.drawing);
  facts.title = title === undefined ? null : shortTextOf(title) || null;
  const meta = new Map<string, string>();
  for (const element of all('meta')) {
    const name = (attributeOf(element, 'name') ?? attributeOf(element, 'property') ?? '').toLowerCase();
    if (name !== '' && !meta.has(name)) {
      meta.set(name, folded(attributeOf(element, 'content') ?? ''));
    }
  }
  facts.meta = Object.fromEntries(meta);
  facts.description = meta.get('description') || null;

  for (const element of all('link')) {
    const href = absolute(attributeOf(element, 'href') ?? '');
    const rel = tokens(attributeOf(element, 'rel'));
    if (href !== null && attributeOf(element, 'href') !== null) {
      const type = attributeOf(element, 'type')?.split(';')[0]?.trim().toLowerCase() || null;
      facts.headLinks.push({ href, rel, type, hreflang: attributeOf(element, 'hreflang') });
      if (rel.includes('canonical')) {
        facts.canonical ??= href;
      }
    }
  }

  for (const element of elements) {
    const role = attributeOf(element, 'role')?.trim().toLowerCase() ?? null;
    const isHidden = hiddenElements.has(element);
    const level =
      /^h([1-6])$/.exec(element.tagName)?.[1] ?? (role === 'heading' ? attributeOf(element, 'aria-level') : null);
    if (level !== null && level !== undefined && !isHidden) {
      facts.headings.push({ level: Number(level), text: shortTextOf(element) });
    }
    if (role !== null) {
      if (Object.hasOwn(facts.landmarks, role)) {
        facts.landmarks[role as keyof HtmlFacts['landmarks']] += 1;
      }
    } else if (Object.hasOwn(landmarkOf, element.tagName)) {
      facts.landmarks[landmarkOf[element.tagName] ?? 'main'] += 1;
    } else if (element.tagName === 'header' || element.tagName === 'footer') {
      if (!around(element)?.sectioned) {
        facts.landmarks[element.tagName === 'header' ? 'banner' : 'contentinfo'] += 1;
      }
    }
    const href = element.tagName === 'a' ? attributeOf(element, 'href') : null;
    const target = href === null ? null : absolute(href);
    if (target !== null) {
      facts.links.push({ href: target, text: shortTextOf(element), rel: tokens(attributeOf(element, 'rel')) });
    }
    if (element.tagName === 'img') {
      facts.images.push({ src: absolute(attributeOf(element, 'src') ?? ''), alt: attributeOf(element, 'alt') });
    }
  }

  for (const element of all('script')) {
    const type = attributeOf(element, 'type')?.split(';')[0]?.trim().toLowerCase() || null;
    const source = attributeOf(element, 'src');
    const text = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
    if (type === 'application/ld+json') {
      facts.jsonLd.push(toJson(text));
    } else {
      facts.scripts.push({ src: source === null ? null : absolute(source), type, text });
    }
  }

  const ids = new Map(
    elements.flatMap((element) => {
      const id = attributeOf(element, 'id');
      return id === null ? [] : [[id, element] as const];
    }),
  );
  const labelled = new Set(
    all('label').flatMap((label) => (nameText(label) === '' ? [] : (attributeOf(label, 'for') ?? []))),
  );
  const nameOf = (element: HtmlElement): string => {
    const referenced = tokensAsWritten(attributeOf(element, 'aria-labelledby')).map((id) => ids.get(id));
    return folded(
      [
        ...referenced.map((one) => (one === undefined ? '' : nameText(one))),
        attributeOf(element, 'aria-label') ?? '',
        ['input', 'select', 'textarea'].includes(element.tagName)
          ? ''
          : `${nameText(element)} ${picturesIn(element, 0)}`,
        attributeOf(element, 'title') ?? '',
      ].join(' '),
    );
  };
  const hasText = (element: HtmlElement | null): boolean => element !== null && nameText(element) !== '';
  const isLabelled = (element: HtmlElement): boolean =>
    nameOf(element) !== '' || labelled.has(attributeOf(element, 'id') ?? '') || hasText(around(element)?.label ?? null);
  const isField = (element: HtmlElement): boolean =>
    element.tagName === 'select' ||
    element.tagName === 'textarea' ||
    (element.tagName === 'input' &&
      !['hidden', 'submit', 'reset', 'button', 'image'].includes(
        (attributeOf(element, 'type') ?? 'text').toLowerCase(),
      ));

  for (const element of elements) {
    const type = (attributeOf(element, 'type') ?? 'text').toLowerCase();
    let named = true;
    if (
      isField(element) ||
      element.tagName === 'button' ||
      (element.tagName === 'a' && attributeOf(element, 'href') !== null)
    ) {
      named = isLabelled(element);
    } else if (element.tagName === 'input' && (type === 'button' || type === 'image')) {
      named = nameOf(element) !== '' || (attributeOf(element, type === 'image' ? 'alt' : 'value') ?? '') !== '';
    }
    if (!named && facts.unnamedControls.length < 100 && !hiddenElements.has(element) && !around(element)?.hidden) {
      const attributes = element.attrs.map(({ name, value }) => ` ${name}="${value}"`).join('');
      facts.unnamedControls.push(`<${element.tagName}${attributes}>`.slice(0, 120));
    }
  }

  const fieldsByForm = new Map<HtmlElement | undefined, HtmlField[]>();
  for (const element of elements.filter(isField)) {
    const owner = attributeOf(element, 'form');
    const form = owner === null ? (around(element)?.form ?? undefined) : ids.get(owner);
    const fields = fieldsByForm.get(form) ?? [];
    fieldsByForm.set(form, fields);
    fields.push({
      tag: element.tagName as HtmlField['tag'],
      name: attributeOf(element, 'name') || null,
      type: element.tagName === 'input' ? (attributeOf(element, 'type') ?? 'text').toLowerCase() : element.tagName,
      required: attributeOf(element, 'required') !== null,
      labelled: isLabelled(element),
      toolParameter: attributeOf(element, 'toolparamdescription'),
    });
  }
  for (const form of all('form')) {
    facts.forms.push({
      action: absolute(attributeOf(form, 'action') ?? '') ?? base,
      method: (attributeOf(form, 'method') ?? 'get').toLowerCase(),
      fields: fieldsByForm.get(form) ?? [],
      toolName: attributeOf(form, 'toolname'),
      toolDescription: attributeOf(form, 'tooldescription'),
    });
  }

  const body = first('body');
  const main = elements.find((element) => element.tagName === 'main' || attributeOf(element, 'role') === 'main');
  const bodyText = body === undefined ? '' : textOf(body, isUnread);
  facts.text = main === undefined ? bodyText : textOf(main, isUnread);
  facts.textLength = bodyText.length;
  facts.noscript = all('noscript')
    .map((element) => shortTextOf(element))
    .join(' ')
    .trim()
    .slice(0, 20_000);
  facts.contentStartsAt = (main ?? first('h1'))?.sourceCodeLocation?.startOffset ?? null;
  facts.shell = toShell(facts, elements);
  const outermost = [...hiddenElements].filter(([element]) => !around(element)?.hidden);
  facts.hidden = toHidden(html, comments, outermost);
  return facts;
}

/** An application shell: next to no text, scripts that would bring it, and a place for them to put it. */
function toShell(facts: HtmlFacts, elements: HtmlElement[]): HtmlFacts['shell'] {
  const reasons: string[] = [];
  const mount = elements.find(
    (element) => mountIds.has(attributeOf(element, 'id') ?? '') && shortTextOf(element) === '',
  );
  if (facts.textLength < 200) {
    reasons.push(`The body has ${facts.textLength} characters of text without scripts.`);
  }
  if (mount !== undefined) {
    reasons.push(`The element #${attributeOf(mount, 'id')} is empty until scripts fill it.`);
  }
  if (asksForScripts.test(facts.noscript.slice(0, 2000))) {
    reasons.push(`A noscript element says: "${facts.noscript.slice(0, 120)}".`);
  }
  const hasScripts = facts.scripts.some((script) => script.src !== null || script.text.trim() !== '');
  const likely = hasScripts && facts.textLength < 200 && (reasons.length > 1 || facts.textLength < 50);
  return { likely, reasons: likely ? reasons : [] };
}

function toHidden(html: string, comments: string[], elements: [HtmlElement, HiddenText['how']][]): HiddenText[] {
  const found: HiddenText[] = [];
  const add = (how: HiddenText['how'], text: string): void => {
    const clean = folded(text.slice(0, 20_000));
    if (clean.length >= 20 && found.length < 50) {
      const overrides = override.test(clean);
      found.push({ how, text: clean.slice(0, 300), instruction: overrides || address.test(clean), overrides });
    }
  };
  for (const [element, how] of elements) {
    add(how, textOf(element, undefined, 500));
  }
  for (const comment of comments) {
    const text = comment.slice(0, 20_000);
    if (override.test(text) || address.test(text)) {
      add('comment', comment);
    }
  }
  for (const match of html.matchAll(tagCharacters)) {
    const spelled = [...match[0]]
      .map((character) => String.fromCharCode((character.codePointAt(0) ?? 0) - 0xe0000))
      .join('');
    found.push({ how: 'invisible-characters', text: spelled.slice(0, 300), instruction: true, overrides: true });
    if (found.length >= 50) {
      break;
    }
  }
  return found;
}

/** The body of an exchange as HTML, read against the address that gave it. */
export const htmlOf = oncePerExchange((exchange) => toHtmlFacts(exchange.body, exchange.url));
