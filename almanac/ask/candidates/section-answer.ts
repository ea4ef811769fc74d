import type { PagePart } from '../../pages.ts';
import type { PageCitation } from '../answer.ts';
import { bestSentences, type Composed, sentencesOf } from '../candidate.ts';
import type { Question } from '../question.ts';
import type { Section } from '../sections.ts';
import { lengthOf } from './chosen-parts.ts';
import { type Asking, asksForCode, fromBestSentence } from './weighed-parts.ts';

const MAX_SENTENCES = 5;
const MAX_CODE_LENGTH = 420;
/** Who asks how to do something gets longer code. */
const MAX_HOW_CODE_LENGTH = 2600;
/** How many times as long as its text the code of a section is that leads to lines to paste. */
const RECIPE = 1.2;

export const endSentence = (text: string): string => (/[.!?:]$|\n/.test(text) ? text : `${text}.`);

/** The parts of a section as the page has them, under its title and heading. */
export function composeSection(asking: Asking, section: Section, parts: readonly PagePart[]): Composed | null {
  const { question } = asking;
  if (parts.length === 0) {
    return null;
  }
  const { blocks, isRestSaid } = blocksOf(question, section, parts);
  let left = MAX_SENTENCES;
  const said = parts
    .filter(({ isCode }) => !isCode)
    .flatMap((part) => {
      const text = left <= 0 ? '' : bestSentences(question, fromBestSentence(asking, section, part), left);
      left -= Math.max(1, sentencesOf(text).length);
      return text === '' ? [] : [{ part, text: endSentence(text) }];
    });
  const paste = blocks.filter((part) => !said.some((one) => one.part === part));
  const rest = `${blocks.length === 0 ? 'The code' : 'The rest of the code'} is on ${section.path}, under “${section.heading}”.`;
  return {
    text: [
      `${titleOf(section)}: ${said.map(({ text }) => text).join(' ')}`,
      ...paste.map(({ text }) => text),
      ...(isRestSaid ? [rest] : []),
    ].join('\n'),
    citations: [...said.map(({ part }) => part), ...paste].map((part) => toCitation(section, part)),
  };
}

/**
 * The lines to paste of a section: all that an answer has room for where they are what is asked for, each block after what
 * says where it belongs, else a short one that was chosen for the question. And whether it has to be said where the rest is.
 */
function blocksOf(
  question: Question,
  section: Section,
  chosen: readonly PagePart[],
): { blocks: PagePart[]; isRestSaid: boolean } {
  const isLead = (part: PagePart | undefined): part is PagePart => part?.isCode === false && part.text.endsWith(':');
  const isForRecipe = isRecipe(question, section);
  // What only leads to lines to paste says nothing without them.
  const most = isLead(chosen[0]) ? MAX_HOW_CODE_LENGTH : MAX_CODE_LENGTH;
  const short = chosen.find(({ isCode, text }) => isCode && text.length <= most);
  if (short !== undefined && !isForRecipe) {
    const isLeft = asksForCode(question) && section.parts.some((part) => part.isCode && part !== short);
    return { blocks: [short], isRestSaid: isLeft };
  }
  if (!isForRecipe && !asksForCode(question)) {
    return { blocks: [], isRestSaid: false };
  }
  const all = section.parts.filter(({ isCode }) => isCode);
  const fitting = all.filter((_, at) => lengthOf(all.slice(0, at + 1)) <= MAX_HOW_CODE_LENGTH);
  const taken = short === undefined || fitting.includes(short) ? fitting : [short];
  const blocks = taken.flatMap((part) => {
    const before = section.parts[section.parts.indexOf(part) - 1];
    return isLead(before) ? [before, part] : [part];
  });
  return { blocks, isRestSaid: taken.length < all.length };
}

/** A section that is mostly lines to paste leads to them, unless it's asked about: "Why does Caddy …?", "Which module …?" */
const isRecipe = ({ wants, plain }: Question, { entry, parts }: Section): boolean =>
  entry === null &&
  !wants.has('why') &&
  !/^(is|are|does|do|did|can|could|will|would|should|may|must|which|who|when|what)\b/.test(plain) &&
  lengthOf(parts.filter(({ isCode }) => isCode)) > RECIPE * lengthOf(parts.filter(({ isCode }) => !isCode));

const titleOf = ({ page, heading }: Section): string => (heading === page ? page : `${page}, ${heading}`);

export const pathOf = ({ path, anchor }: Section): string => `${path}${anchor === null ? '' : `#${anchor}`}`;

const toCitation = (section: Section, { quote }: PagePart): PageCitation => ({
  ...{ page: section.path, title: titleOf(section), anchor: section.anchor, path: pathOf(section), quote },
});
