import {
  attributeOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  parseHtmlTree,
  shortTextOf,
  templateOf,
} from '../html-tree.ts';

/** How text is put out of sight of people who look at the page. */
export type HiddenBy = 'hidden' | 'aria-hidden' | 'style';

/** What an element is inside of. */
export interface Surroundings {
  label: HtmlElement | null;
  form: HtmlElement | null;
  hidden: boolean;
  /** Inside an element that takes the landmark role from header and footer. */
  sectioned: boolean;
  /** Inside nav, header, footer or aside, around the content. */
  margin: boolean;
  drawing: boolean;
  /** Inside a dialog, which people see when they open it. */
  dialog: boolean;
}

/** A page taken apart once, for all that is read of it. */
export interface WalkedPage {
  html: string;
  /** In the order of the source. */
  elements: HtmlElement[];
  comments: string[];
  hidden: ReadonlyMap<HtmlElement, HiddenBy>;
  byId: ReadonlyMap<string, HtmlElement>;
  around(element: HtmlElement): Surroundings | undefined;
  all(tag: string): HtmlElement[];
  first(tag: string): HtmlElement | undefined;
  /** An address of the page, resolved against its base element; null when it is none. */
  absolute(address: string): string | null;
  /** What relative addresses are resolved against. */
  base: string;
}

const sectioning = new Set(['article', 'aside', 'main', 'nav', 'section']);
const marginal = new Set(['nav', 'header', 'footer', 'aside']);
const hidingStyle =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{4,}/i;

const hiddenBy = (element: HtmlElement): HiddenBy | null => {
  if (attributeOf(element, 'hidden') !== null) {
    return 'hidden';
  }
  if (attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true') {
    return 'aria-hidden';
  }
  return hidingStyle.test((attributeOf(element, 'style') ?? '').slice(0, 2000)) ? 'style' : null;
};

/**
 * React streams late parts of a page as `<div hidden id="S:1">` and moves each to the place of its `<template id="B:1">`.
 * They are content of the first response.
 */
const isStreamed = (element: HtmlElement, templates: ReadonlySet<string>): boolean => {
  const part = /^S:([\da-f]+)$/i.exec(attributeOf(element, 'id') ?? '')?.[1];
  return part !== undefined && templates.has(`B:${part}`);
};

const root: Surroundings = {
  label: null,
  form: null,
  hidden: false,
  sectioned: false,
  margin: false,
  drawing: false,
  dialog: false,
};

const isDialog = (element: HtmlElement): boolean =>
  element.tagName === 'dialog' || /^(?:alert)?dialog$/i.test(attributeOf(element, 'role')?.trim() ?? '');

/** What the children of an element are inside of: the same object where the element changes nothing. */
function within(element: HtmlElement, around: Surroundings, isHidden: boolean): Surroundings {
  const { tagName } = element;
  const hidden = around.hidden || isHidden;
  const sectioned = around.sectioned || sectioning.has(tagName);
  const margin = around.margin || marginal.has(tagName);
  const drawing = around.drawing || tagName === 'svg';
  const dialog = around.dialog || isDialog(element);
  const isSame =
    hidden === around.hidden &&
    sectioned === around.sectioned &&
    margin === around.margin &&
    drawing === around.drawing &&
    dialog === around.dialog &&
    tagName !== 'label' &&
    tagName !== 'form';
  return isSame
    ? around
    : {
        label: tagName === 'label' ? element : around.label,
        form: tagName === 'form' ? element : around.form,
        hidden,
        sectioned,
        margin,
        drawing,
        dialog,
      };
}

/** Parses and walks a page that came from `url`. Throws PageTooComplex. */
export function walkPage(html: string, url: string): WalkedPage {
  const elements: HtmlElement[] = [];
  const comments: string[] = [];
  const hidden = new Map<HtmlElement, HiddenBy>();
  const byId = new Map<string, HtmlElement>();
  const surroundings = new Map<HtmlElement, Surroundings>();
  const templates = new Set<string>();
  const visit = (element: HtmlElement, around: Surroundings): void => {
    elements.push(element);
    surroundings.set(element, around);
    const id = attributeOf(element, 'id');
    if (id !== null && !byId.has(id)) {
      byId.set(id, element);
    }
    if (id !== null && element.tagName === 'template') {
      templates.add(id);
    }
    const how = isStreamed(element, templates) ? null : hiddenBy(element);
    if (how !== null) {
      hidden.set(element, how);
    }
    collect(templateOf(element)?.childNodes ?? element.childNodes, within(element, around, how !== null));
  };
  const collect = (nodes: HtmlNode[], around: Surroundings): void => {
    for (const node of nodes) {
      if (node.nodeName === '#comment' && 'data' in node) {
        comments.push(node.data);
      } else if (isElement(node)) {
        visit(node, around);
      }
    }
  };
  collect(parseHtmlTree(html).childNodes, root);
  const first = (tag: string): HtmlElement | undefined => elements.find((element) => element.tagName === tag);
  const baseElement = first('base');
  const baseHref = baseElement === undefined ? null : attributeOf(baseElement, 'href');
  const base = baseHref !== null && URL.canParse(baseHref, url) ? new URL(baseHref, url).href : url;
  return {
    html,
    elements,
    comments,
    hidden,
    byId,
    around: (element) => surroundings.get(element),
    all: (tag) => elements.filter((element) => element.tagName === tag),
    first,
    absolute: (address) => (URL.canParse(address, base) ? new URL(address, base).href : null),
    base,
  };
}

/** True for an element that nobody meets: it or something around it is hidden. */
export const isOutOfSight = (page: WalkedPage, element: HtmlElement): boolean =>
  page.hidden.has(element) || page.around(element)?.hidden === true;

/** The parts of an attribute that is a list, as written. */
export const listOf = (value: string | null): string[] => (value ?? '').split(/\s+/).filter(Boolean).slice(0, 50);

/** Makes a reader of short texts that reads each element once: many can be named by the same one. */
export function createTextCache(skip?: (element: HtmlElement) => boolean): (element: HtmlElement) => string {
  const known = new Map<HtmlElement, string>();
  return (element) => {
    const text = known.get(element) ?? shortTextOf(element, skip);
    known.set(element, text);
    return text;
  };
}
