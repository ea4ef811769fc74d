import { writeFileSync } from 'node:fs';
import { askedOf } from '#almanac/ask/asked.ts';
import { type AskedField, countAsked } from '#almanac/ask/asked-fields.ts';
import { type Entry, isStatement, toEntries } from '#almanac/ask/entries.ts';
import { stemsOf } from '#almanac/ask/lexicon.ts';
import { wordsOfNames } from '#almanac/ask/sections.ts';
import { datasets } from '#almanac/datasets/index.ts';

/** The questions that a record is kept with, each with its words besides the name and the field that answers. */
function readAsked(entry: Entry): AskedField[] {
  const ofName = wordsOfNames(entry);
  return askedOf(entry).flatMap(({ ask, say: [field = ''] }) =>
    ask.map((one) => ({ stems: [...new Set(stemsOf(one))].filter((stem) => !ofName.has(stem)), field })),
  );
}

const counted = toEntries(datasets)
  .filter((entry) => !isStatement(entry) && askedOf(entry).length > 0)
  .map((entry) => ({ dataset: entry.dataset, asks: readAsked(entry) }));
const byDataset = Object.groupBy(counted, ({ dataset }) => dataset);
const lines = Object.entries(byDataset).map(([dataset, own = []]) => {
  const { fields, words } = countAsked(own.flatMap(({ asks }) => asks));
  const rows = Object.keys(words)
    .sort()
    .map((word) => `   ${JSON.stringify(word)}: ${JSON.stringify(words[word])}`);
  return ` ${JSON.stringify(dataset)}: {\n  "fields": ${JSON.stringify(fields)},\n  "words": {\n${rows.join(',\n')}\n  }\n }`;
});
writeFileSync(new URL('../almanac/ask/data/asked-fields.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
