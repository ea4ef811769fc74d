import { writeFileSync } from 'node:fs';
import { createAskable } from '#almanac/ask/askable.ts';
import { toEntries } from '#almanac/ask/entries.ts';
import { stemsOf } from '#almanac/ask/lexicon.ts';
import { createRecords } from '#almanac/ask/records.ts';
import { isAside, readSections, type Section } from '#almanac/ask/sections.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { readBuiltPassages } from '#api/almanac/passages.ts';
import { readConfig } from '#api/config.ts';
import { type Leading, learnMeanings } from './support/learn-meanings.ts';

/** How many parts of a section lead to it beside its questions: more where it has few of them. */
const MOST_PARTS = 3;
const MOST_PARTS_OF_UNASKED = 8;
const FEW_ASKS = 3;
/** Shorter parts are labels. */
const LEAST_WORDS = 5;
const MOST_WORDS = 40;

function toLeading({ facts, parts, page, heading, place: to }: Section): Leading[] {
  const asks = facts.flatMap((fact) => fact.asks.map(stemsOf));
  const texts = parts
    .filter((part) => !part.isCode && !isAside(part))
    .map(({ text }) => stemsOf(text).slice(0, MOST_WORDS))
    .filter(({ length }) => length >= LEAST_WORDS)
    .slice(0, asks.length < FEW_ASKS ? MOST_PARTS_OF_UNASKED : MOST_PARTS);
  return [...asks, stemsOf(`${page} ${heading}`), ...texts].map((stems) => ({ stems, to }));
}

const content = await readBuiltPassages(readConfig().distDir);
const sections = readSections(content, createAskable(createRecords(toEntries(datasets))));
const meanings = learnMeanings(sections.flatMap(toLeading), sections.length, (round) =>
  process.stderr.write(`learning what words mean, round ${round}\n`),
);
writeFileSync(new URL('../almanac/ask/data/meanings.json', import.meta.url), `${JSON.stringify(meanings, null, 1)}\n`);
