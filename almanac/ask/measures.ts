import { monthNames } from './format.ts';
import { stemsOf } from './lexicon.ts';
import type { Question } from './question.ts';

/** Whether a text has the measure that a question asks for: a number of that thing, a span of time, a sum, a day, a share. */
export type Measure = (text: string) => boolean;

const numeral =
  /\d|\b(no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|billions?|none|single|half|only|all|any number)\b/i;
const kinds: { asked: RegExp; said: RegExp }[] = [
  {
    asked: /\b(how (long|fast|soon|quickly)|until when|for how many (seconds|minutes|hours|days|weeks|months|years))\b/,
    said: /\b(\d+|an?|one|two|three|five|ten|thirty|few) ?(ms|milliseconds?|seconds?|minutes?|hours?|h|min|days?|weeks?|months?|years?)\b|\b(until|forever|at once|immediately|(19|20)\d\d)\b/i,
  },
  {
    asked: /\b(how much (does|do|is|are|will|would|for|did|it|you|to)|how expensive|(price|cost|fee|charge)s?)\b/,
    said: /\d[\d.,]* ?(US )?(dollars?|USD|cents?|euros?)|\b(free|nothing|no money|dollars?|USD|prices?|costs?)\b|\$/i,
  },
  {
    asked: /^(and )?when\b|\b(since when|what (day|date|year)|which (day|date|year|month)|date (of|when))\b/,
    said: new RegExp(`\\b((19|20)\\d\\d|${monthNames.join('|')}|after|as soon as|within|until|every|before)\\b`),
  },
  {
    asked: /\b(per ?cent(age)?|what share|which share|proportion|fraction|how common)\b/,
    said: /%|\b(per ?cent|one in|half|third|quarter|share|of \d)/i,
  },
];

/** How many words a number is at most from what it counts. */
const NEAR = 5;

/** What a question asks to be told in numbers; null where it doesn't. */
export function measureOf({ plain }: Pick<Question, 'plain'>): Measure | null {
  const [, first = '', second = ''] = /\bhow many (?:of (?:the|your) )?(\p{L}+)(?: (\p{L}+))?/u.exec(plain) ?? [];
  if (first !== '') {
    const nouns = new Set(stemsOf(`${first} ${second}`));
    const isNoun = (word: string): boolean => stemsOf(word).some((stem) => nouns.has(stem));
    return (text) =>
      text.split(/(?<=[.;:])\s/).some((sentence) => {
        const words = sentence.split(/\s+/);
        return words.some(
          (word, at) => numeral.test(word) && words.slice(Math.max(0, at - NEAR), at + NEAR + 1).some(isNoun),
        );
      });
  }
  const kind = kinds.find(({ asked }) => asked.test(plain));
  return kind === undefined ? null : (text) => kind.said.test(text);
}
