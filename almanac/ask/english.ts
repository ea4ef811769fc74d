import dictionary from 'dictionary-en';
import { lazily } from './lazily.ts';

/** The words of a dictionary, a line each, by their first two letters: one text takes a tenth of the room of a set. */
const wordsByStart = lazily(() => {
  const entries = new TextDecoder().decode(dictionary.dic).toLowerCase().split('\n');
  const words = Map.groupBy(
    entries.map((entry) => entry.split('/', 1)[0] ?? '').filter((word) => word !== ''),
    startOf,
  );
  return new Map([...words].map(([start, list]) => [start, `\n${list.join('\n')}\n`]));
});

const startOf = (word: string): string => word.slice(0, 2);

/** What a word may be a form of: "grapes" of "grape", "dressing" of "dress", "making" of "make", "stopped" of "stop". */
function basesOf(word: string): string[] {
  const [, stem = word] = /^(.{2,}?)(?:e?s|e?d|ing|e?rs?|e?st|ly)$/.exec(word) ?? [];
  return [word, word.replace(/s$/, ''), stem, `${stem}e`, stem.replace(/(.)\1$/, '$1'), stem.replace(/i$/, 'y')];
}

/** Whether a lower-case word is English, in any of its forms. */
export const isEnglish = (word: string): boolean =>
  basesOf(word).some((base) => wordsByStart().get(startOf(base))?.includes(`\n${base}\n`) === true);
