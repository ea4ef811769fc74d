import { readContent } from './html/content.ts';
import { createAccessibleNames, readControls } from './html/controls.ts';
import { readForms } from './html/forms.ts';
import { readHiddenText } from './html/hidden-text.ts';
import { readMetadata } from './html/metadata.ts';
import { readOutline } from './html/outline.ts';
import { readScripts, scriptRedirectOf } from './html/scripts.ts';
import { walkPage } from './html/walk.ts';
import { PageTooComplex } from './html-tree.ts';
import { oncePerContent } from './once-per-exchange.ts';

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
  /** Absolute address; the page's own where the form names none. */
  action: string;
  /** True when the form names an address, and not a place on the page. */
  hasAction: boolean;
  /** True when a hidden field holds a value, as servers write it against forgery or to know their form again. */
  hasToken: boolean;
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
  /** The language that an element inside names for most of the text, where the html element names none. */
  innerLang: string | null;
  title: string | null;
  description: string | null;
  /** Absolute address of rel=canonical. */
  canonical: string | null;
  /** Content of meta elements by lower-case name or property, the first of each; `robots` and `og:title` among them. */
  meta: Record<string, string>;
  /** All contents of meta elements named generator. */
  generators: string[];
  /** A redirect by meta element: after how many seconds, and where to. */
  refresh: { seconds: number; href: string } | null;
  /** Where the script of a page that is nothing but a redirect leads. */
  scriptRedirect: string | null;
  headings: {
    level: number;
    text: string;
    /** True inside nav, header, footer or aside, around the content. */
    isMargin: boolean;
  }[];
  /** How many there are of each landmark, by element or role. */
  landmarks: Record<'main' | 'navigation' | 'banner' | 'contentinfo' | 'complementary' | 'search', number>;
  /** Links of the body that have an address. */
  links: {
    href: string;
    text: string;
    rel: string[];
    /** Lower-case media type without parameters, or null. */
    type: string | null;
    /** True inside nav, header, footer or aside. */
    isMargin: boolean;
  }[];
  /** link elements of the page: alternates, describedby, feeds. Types in lower case without parameters. */
  headLinks: { href: string; rel: string[]; type: string | null; hreflang: string | null }[];
  forms: HtmlForm[];
  /** Fields that belong to no form, switches of the page itself left out. */
  looseFields: HtmlField[];
  /** How many links, buttons and fields are exposed. */
  controls: number;
  /** Interactive elements without an accessible name: the opening tag of each, at most 120 characters. */
  unnamedControls: string[];
  /** Those of which only CSS tells whether they are exposed. */
  possiblyUnnamed: string[];
  images: { src: string | null; alt: string | null }[];
  /** Scripts and data blocks; `isRun` for those that a browser runs. */
  scripts: { src: string | null; type: string | null; isRun: boolean; text: string }[];
  jsonLd: { value: unknown; problem: string | null }[];
  /** Types of schema.org in microdata and RDFa, each once, at most 50. */
  microdata: string[];
  /** How many frames of a frameset the page is made of. */
  frames: number;
  /** How many blocks of code, and how many dates, are marked up as such. */
  marked: { code: number; dates: number };
  /** Readable text of main (or of body where there is no main), without noscript and hidden parts. */
  text: string;
  /** The same without what leads about the site or the page: navigation, buttons, and links to places on the page. */
  prose: string;
  /** Characters of readable text in the body. */
  textLength: number;
  /** Text of noscript elements. */
  noscript: string;
  /** Characters of source before main, else before the first h1, article or long paragraph; null when there is none. */
  contentStartsAt: number | null;
  characters: number;
  /** Whether the page looks like an empty shell that scripts fill, and what speaks for it. */
  shell: { likely: boolean; reasons: string[] };
  hidden: HiddenText[];
}

const empty = (problem: string | null, characters: number): HtmlFacts => ({
  problem,
  lang: null,
  innerLang: null,
  title: null,
  description: null,
  canonical: null,
  meta: {},
  generators: [],
  refresh: null,
  scriptRedirect: null,
  headings: [],
  landmarks: { main: 0, navigation: 0, banner: 0, contentinfo: 0, complementary: 0, search: 0 },
  links: [],
  headLinks: [],
  forms: [],
  looseFields: [],
  controls: 0,
  unnamedControls: [],
  possiblyUnnamed: [],
  images: [],
  scripts: [],
  jsonLd: [],
  microdata: [],
  frames: 0,
  marked: { code: 0, dates: 0 },
  text: '',
  prose: '',
  textLength: 0,
  noscript: '',
  contentStartsAt: null,
  characters,
  shell: { likely: false, reasons: [] },
  hidden: [],
});

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
  const page = walkPage(html, url);
  const names = createAccessibleNames(page);
  const scripts = readScripts(page);
  const content = readContent(page, scripts.scripts);
  return {
    problem: null,
    characters: html.length,
    ...readMetadata(page),
    ...readOutline(page),
    ...readForms(page, names),
    ...readControls(page, names),
    ...scripts,
    ...content,
    scriptRedirect: scriptRedirectOf(page, scripts.scripts, content.textLength),
    hidden: readHiddenText(page),
  };
}

/** The body of an exchange as HTML, read against the address that gave it. */
export const htmlOf = oncePerContent((exchange) => toHtmlFacts(exchange.body, exchange.url));
