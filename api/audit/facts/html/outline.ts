import type { HtmlFacts } from '../html.ts';
import { attributeOf, type HtmlElement, shortTextOf } from '../html-tree.ts';
import { isOutOfSight, listOf, type WalkedPage } from './walk.ts';

type Outline = Pick<HtmlFacts, 'headings' | 'landmarks' | 'links' | 'images'>;

/** More are not read: their texts would fill the memory, and no check looks further. */
const maxLinks = 5000;

const landmarkOf: Record<string, keyof HtmlFacts['landmarks']> = {
  main: 'main',
  nav: 'navigation',
  aside: 'complementary',
  search: 'search',
};

function levelOf(element: HtmlElement): number | null {
  const own = /^h([1-6])$/.exec(element.tagName)?.[1];
  const role = attributeOf(element, 'role')?.trim().toLowerCase();
  const level = own ?? (role === 'heading' ? attributeOf(element, 'aria-level') : null);
  return level === null ? null : Number(level);
}

function landmarkNameOf(page: WalkedPage, element: HtmlElement): keyof HtmlFacts['landmarks'] | null {
  const role = attributeOf(element, 'role')?.trim().toLowerCase() ?? null;
  if (role !== null) {
    return Object.values<string>(landmarkOf).concat('banner', 'contentinfo').includes(role)
      ? (role as keyof HtmlFacts['landmarks'])
      : null;
  }
  if (element.tagName === 'header' || element.tagName === 'footer') {
    const isOfPage = page.around(element)?.sectioned !== true;
    return isOfPage ? (element.tagName === 'header' ? 'banner' : 'contentinfo') : null;
  }
  return Object.hasOwn(landmarkOf, element.tagName) ? (landmarkOf[element.tagName] ?? null) : null;
}

/** The headings, landmarks, links and pictures of a page, in their order. */
export function readOutline(page: WalkedPage): Outline {
  const outline: Outline = {
    headings: [],
    landmarks: { main: 0, navigation: 0, banner: 0, contentinfo: 0, complementary: 0, search: 0 },
    links: [],
    images: [],
  };
  for (const element of page.elements) {
    const level = levelOf(element);
    if (level !== null && !isOutOfSight(page, element) && page.around(element)?.dialog !== true) {
      const isMargin = page.around(element)?.margin === true;
      outline.headings.push({ level, text: shortTextOf(element), isMargin });
    }
    const landmark = landmarkNameOf(page, element);
    if (landmark !== null) {
      outline.landmarks[landmark] += 1;
    }
    const href = element.tagName === 'a' && outline.links.length < maxLinks ? attributeOf(element, 'href') : null;
    const target = href === null ? null : page.absolute(href);
    if (target !== null) {
      const rel = listOf(attributeOf(element, 'rel')?.toLowerCase() ?? null);
      const type = attributeOf(element, 'type')?.split(';')[0]?.trim().toLowerCase() || null;
      const isMargin = page.around(element)?.margin === true;
      outline.links.push({ href: target, text: shortTextOf(element), rel, type, isMargin });
    }
    if (element.tagName === 'img') {
      outline.images.push({
        src: page.absolute(attributeOf(element, 'src') ?? ''),
        alt: attributeOf(element, 'alt') ?? (attributeOf(element, 'aria-hidden') === 'true' ? '' : null),
      });
    }
  }
  return outline;
}
