import type { HtmlFacts } from '../html.ts';
import { attributeOf, folded, type HtmlElement, isElement, shortTextOf } from '../html-tree.ts';
import { createTextCache, isOutOfSight, listOf, type WalkedPage } from './walk.ts';

/** Names elements as browsers do (Accessible Name and Description Computation 1.2), as far as the source tells. */
export interface AccessibleNames {
  /** The name of a control; empty when it has none. */
  nameOf(element: HtmlElement): string;
  /** True when a label, aria-label, aria-labelledby or title names a field: a placeholder is a name, and no label. */
  isLabelled(element: HtmlElement): boolean;
}

const maxUnnamed = 100;

const isSilent = (element: HtmlElement): boolean =>
  attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true' || attributeOf(element, 'hidden') !== null;

/** The names of the pictures inside an element, to the depth that a button or link usually has. */
const picturesIn = (parent: HtmlElement, depth: number): string =>
  parent.childNodes
    .slice(0, 50)
    .filter(isElement)
    .filter((child) => !isSilent(child))
    .map((child) => {
      const own = attributeOf(child, 'alt') ?? attributeOf(child, 'aria-label') ?? '';
      const title = child.tagName === 'title' ? shortTextOf(child) : '';
      return own || title || (depth < 5 ? picturesIn(child, depth + 1) : '');
    })
    .join(' ');

const typeOf = (element: HtmlElement): string => (attributeOf(element, 'type') ?? 'text').trim().toLowerCase();

/** True for an element that takes input, one that only sends or clears it left out. */
export const isField = (element: HtmlElement): boolean =>
  element.tagName === 'select' ||
  element.tagName === 'textarea' ||
  (element.tagName === 'input' && !['hidden', 'submit', 'reset', 'button', 'image'].includes(typeOf(element)));

/** Types of fields whose placeholder is shown, and is a name where there is no other. */
const withPlaceholder = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);

/** Makes the names of a page's elements. */
export function createAccessibleNames(page: WalkedPage): AccessibleNames {
  const content = createTextCache(isSilent);
  const whole = createTextCache();
  const labels = new Map<string, HtmlElement>();
  for (const label of page.all('label')) {
    const target = attributeOf(label, 'for');
    if (target !== null && !labels.has(target)) {
      labels.set(target, label);
    }
  }
  const fromContent = (element: HtmlElement): string => folded(`${content(element)} ${picturesIn(element, 0)}`);
  const fromAria = (element: HtmlElement): string => {
    const referenced = listOf(attributeOf(element, 'aria-labelledby'))
      .slice(0, 10)
      .map((id) => page.byId.get(id))
      .map((one) => (one === undefined ? '' : whole(one) || (attributeOf(one, 'aria-label') ?? '')));
    return folded(referenced.join(' ')) || folded(attributeOf(element, 'aria-label') ?? '');
  };
  const fromLabel = (element: HtmlElement): string => {
    const named = labels.get(attributeOf(element, 'id') ?? '');
    const around = page.around(element)?.label ?? null;
    return (named === undefined ? '' : fromContent(named)) || (around === null ? '' : fromContent(around));
  };
  const title = (element: HtmlElement): string => folded(attributeOf(element, 'title') ?? '');
  const native = (element: HtmlElement): string => {
    if (element.tagName !== 'input' && !isField(element)) {
      return fromContent(element);
    }
    const type = element.tagName === 'input' ? typeOf(element) : element.tagName;
    if (type === 'submit' || type === 'reset') {
      return attributeOf(element, 'value') ?? type;
    }
    if (type === 'button' || type === 'image') {
      return attributeOf(element, type === 'image' ? 'alt' : 'value') ?? '';
    }
    return fromLabel(element);
  };
  const fallback = (element: HtmlElement): string =>
    element.tagName === 'textarea' || (element.tagName === 'input' && withPlaceholder.has(typeOf(element)))
      ? folded(attributeOf(element, 'placeholder') ?? '')
      : '';
  return {
    nameOf: (element) => fromAria(element) || folded(native(element)) || title(element) || fallback(element),
    isLabelled: (element) => (fromAria(element) || fromLabel(element) || title(element)) !== '',
  };
}

/** The simple selectors of a page's own style elements that take an element out of sight, outside media queries. */
function hiddenSelectors(page: WalkedPage): Set<string> {
  const found = new Set<string>();
  for (const style of page.all('style')) {
    const css = textOfStyle(style).slice(0, 200_000);
    let depth = 0;
    let from = 0;
    for (let at = 0; at < css.length; at += 1) {
      if (css[at] === '{') {
        const close = css.indexOf('}', at);
        if (depth === 0 && close !== -1 && !css.slice(at + 1, close).includes('{')) {
          const selectors = css.slice(from, at).split(',');
          if (/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(css.slice(at, close))) {
            selectors.map((one) => one.trim()).forEach((one) => void (one.length < 200 && found.add(one)));
          }
        }
        depth += 1;
      } else if (css[at] === '}') {
        depth = Math.max(0, depth - 1);
        from = at + 1;
      }
    }
  }
  return found;
}

const textOfStyle = (element: HtmlElement): string =>
  element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');

/** True when a style element of the page hides an element or one around it. */
function isHiddenByStyle(element: HtmlElement, selectors: ReadonlySet<string>): boolean {
  const isMeant = (one: HtmlElement): boolean =>
    selectors.has(`#${attributeOf(one, 'id') ?? ''}`) ||
    listOf(attributeOf(one, 'class')).some((name) => selectors.has(`.${name}`));
  for (let one: HtmlElement | null = element; one !== null; ) {
    if (isMeant(one)) {
      return true;
    }
    const parent: unknown = one.parentNode;
    one = isParentElement(parent) ? parent : null;
  }
  return false;
}

const isParentElement = (node: unknown): node is HtmlElement =>
  typeof node === 'object' && node !== null && 'tagName' in node;

/**
 * Makes a test for switches of the page's own styles: checkboxes that an empty label operates. Whether they are exposed,
 * CSS decides.
 */
function createStyleSwitchTest(page: WalkedPage): (element: HtmlElement) => boolean {
  const operated = new Set(
    page
      .all('label')
      .filter((label) => shortTextOf(label) === '')
      .map((label) => attributeOf(label, 'for')),
  );
  return (element) =>
    element.tagName === 'input' &&
    ['checkbox', 'radio'].includes(typeOf(element)) &&
    attributeOf(element, 'id') !== null &&
    operated.has(attributeOf(element, 'id'));
}

const isControl = (element: HtmlElement): boolean =>
  isField(element) ||
  element.tagName === 'button' ||
  (element.tagName === 'a' && attributeOf(element, 'href') !== null) ||
  (element.tagName === 'input' && ['button', 'image'].includes(typeOf(element)));

const tagOf = (element: HtmlElement): string => {
  const attributes = element.attrs.map(({ name, value }) => ` ${name}="${value}"`).join('');
  return `<${element.tagName}${attributes}>`.slice(0, 120);
};

/** The interactive elements of a page: how many are exposed, and the opening tags of those without a name. */
export function readControls(
  page: WalkedPage,
  names: AccessibleNames,
): Pick<HtmlFacts, 'controls' | 'unnamedControls' | 'possiblyUnnamed'> {
  const selectors = hiddenSelectors(page);
  const isStyleSwitch = createStyleSwitchTest(page);
  const found: ReturnType<typeof readControls> = { controls: 0, unnamedControls: [], possiblyUnnamed: [] };
  for (const element of page.elements) {
    if (!isControl(element) || isOutOfSight(page, element)) {
      continue;
    }
    if (names.nameOf(element) !== '') {
      found.controls += 1;
    } else if (!isHiddenByStyle(element, selectors)) {
      found.controls += 1;
      const list = isStyleSwitch(element) ? found.possiblyUnnamed : found.unnamedControls;
      if (list.length < maxUnnamed) {
        list.push(tagOf(element));
      }
    }
  }
  return found;
}
