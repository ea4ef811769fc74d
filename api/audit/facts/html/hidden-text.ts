import type { HiddenText } from '../html.ts';
import { type HtmlElement, textOf } from '../html-tree.ts';
import type { WalkedPage } from './walk.ts';

// Tag characters, which render as nothing and spell ASCII. After a black flag they are the flag of a region: an emoji.
const tagCharacters = /[\u{e0020}-\u{e007e}]{4,}/gu;
const flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;
const override =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines)\b|\bdo not (?:tell|inform|mention|reveal)\b.{0,40}\b(?:user|human)\b|\byou are now (?:an? |the )?(?:ai|assistant|dan\b|developer mode|unrestricted)/i;
const address =
  /\bif you are an? (?:ai|llm|language model|agent|assistant|chatbot)\b|\bas an? (?:ai|llm|language model)\b|\b(?:ai|llm|language model)s?\b.{0,30}\b(?:must|should|shall|need to|have to)\b|\byour system prompt\b/i;

const maxFound = 50;

/** Text that the source holds and a sighted reader does not see, and whether it speaks to models. */
export function readHiddenText(page: WalkedPage): HiddenText[] {
  const found: HiddenText[] = [];
  const add = (how: HiddenText['how'], text: string): void => {
    const clean = text.slice(0, 20_000).replace(/\s+/g, ' ').trim();
    if (clean.length >= 20 && found.length < maxFound) {
      const overrides = override.test(clean);
      found.push({ how, text: clean.slice(0, 300), instruction: overrides || address.test(clean), overrides });
    }
  };
  const outermost = [...page.hidden].filter(([element]: [HtmlElement, unknown]) => !page.around(element)?.hidden);
  for (const [element, how] of outermost) {
    add(how, textOf(element, undefined, 500));
  }
  for (const comment of page.comments) {
    const text = comment.slice(0, 20_000);
    if (override.test(text) || address.test(text)) {
      add('comment', text);
    }
  }
  for (const [run] of page.html.replace(flag, '').matchAll(tagCharacters)) {
    const spelled = [...run]
      .map((character) => String.fromCharCode((character.codePointAt(0) ?? 0) - 0xe0000))
      .join('');
    found.push({ how: 'invisible-characters', text: spelled.slice(0, 300), instruction: true, overrides: true });
    if (found.length >= maxFound) {
      break;
    }
  }
  return found;
}
