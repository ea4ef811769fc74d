import { type AlmanacDataset, datasets } from '#almanac/datasets/index.ts';
import { recordFields, rowsOf } from '#almanac/record-fields.ts';
import { listRecords } from '#almanac/record-list.ts';
import type { AnswerBlock } from './answer-blocks.ts';
import { narrowedPath } from './narrowing.ts';

/** A piece of an answer: text, the number of a citation from 1, or a link. */
export type AnswerPiece = string | { note: number } | { href: string; text: string };

/** A block of an answer; one of text is in pieces, with the numbers of its citations among them. */
export interface NotedBlock extends AnswerBlock {
  pieces: AnswerPiece[];
}

/** What a citation says, and of which record or page. */
interface Cited {
  dataset?: string;
  id?: string;
  title: string;
  fields?: readonly string[];
  quote: string;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Where a name ends in a text: rather as a whole item of a list than as the start of a longer name; -1 where it isn't. */
function endOf(name: string, text: string): number {
  const whole = `(?<![\\w-])${escaped(name)}`;
  const found =
    new RegExp(`${whole}(?=[,.;:](?:\\s|$)| and | or |$)`).exec(text) ?? new RegExp(`${whole}(?![\\w-])`).exec(text);
  return found === null ? -1 : found.index + found[0].length;
}

/** Whether two citations are of the same field in two records: the answer lists these records. */
const isBeside = (one: Cited, other: Cited): boolean =>
  one.fields !== undefined &&
  one.dataset === other.dataset &&
  one.id !== other.id &&
  one.fields.join() === other.fields?.join();

/** Whether a part of an answer lists records by this field, and the one that a citation is of is among them. */
const isListed = (cited: Cited, all: readonly Cited[], text: string): boolean =>
  endOf(cited.title, text) >= 0 &&
  (!text.includes(cited.quote) || all.some((other) => isBeside(cited, other) && other.quote === cited.quote)) &&
  all.some((other) => isBeside(cited, other) && endOf(other.title, text) >= 0);

const isOfSameRecord = (one: Cited, other: Cited): boolean =>
  one.id !== undefined && one.dataset === other.dataset && one.id === other.id;

/**
 * Where a citation belongs: behind the name of its record in a list, else at the end of the block that holds its words, that
 * holds those of another field of the record, or that names it; at worst at the end of the text.
 */
function placeOf(
  cited: Cited,
  all: readonly Cited[],
  texts: readonly AnswerBlock[],
): { block: AnswerBlock; at: number } | null {
  const listing = texts.find(({ text }) => isListed(cited, all, text));
  if (listing !== undefined) {
    return { block: listing, at: endOf(cited.title, listing.text) };
  }
  const kin = all.filter((other) => isOfSameRecord(cited, other));
  const block =
    texts.find(({ text }) => text.includes(cited.quote)) ??
    texts.find(({ text }) => kin.some(({ quote }) => text.includes(quote))) ??
    texts.find(({ text }) => endOf(cited.title, text) >= 0) ??
    texts.at(-1);
  return block === undefined ? null : { block, at: block.text.length };
}

/** The values of a field that a list can be narrowed down by: those of a list one by one. */
const valuesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : value === null || value === undefined ? [] : [String(value)];

/** The page with every record of a list that an answer gives `count` of, when the value that they share finds as many. */
function wholeList(dataset: AlmanacDataset, field: string, ids: readonly string[], count: number): string | null {
  const listed = rowsOf(dataset).filter(({ id }) => ids.includes(id));
  const shared = valuesOf(listed[0]?.[field]).filter((value) =>
    listed.every((row) => valuesOf(row[field]).includes(value)),
  );
  const finds = (value: string): boolean =>
    listRecords(dataset, { equals: { [field]: value }, limit: 1 }).matched === count;
  const value = recordFields(dataset).some(({ name }) => name === field) ? shared.find(finds) : undefined;
  return value === undefined ? null : narrowedPath(dataset, [], field, value);
}

/** How many records a list leaves out, and where they are. */
function findRest(text: string, listed: readonly Cited[]): { start: number; text: string; href: string } | null {
  const [first] = listed;
  const rest = /(?<= and )(\d+) more(?=\.)/.exec(text);
  const dataset = datasets.find(({ id }) => id === first?.dataset);
  const field = first?.fields?.[0];
  if (rest === null || dataset === undefined || field === undefined) {
    return null;
  }
  const ids = listed.flatMap(({ id }) => id ?? []);
  const href = wholeList(dataset, field, ids, ids.length + Number(rest[1]));
  return href === null ? null : { start: rest.index, text: rest[0], href };
}

/**
 * Puts the numbers of citations where the answer says what they say, and a link on the records that a list leaves out.
 * Code has no numbers. Pure.
 */
export function withNotes(blocks: readonly AnswerBlock[], citations: readonly Cited[]): NotedBlock[] {
  const texts = blocks.filter(({ isCode }) => !isCode);
  const places = citations.map((cited) => placeOf(cited, citations, texts));
  return blocks.map((block) => {
    const { text } = block;
    const notes = places.flatMap((place, index) =>
      place?.block === block ? [{ at: place.at, piece: { note: index + 1 } }] : [],
    );
    const listed = citations.filter(
      (_cited, index) => places[index]?.block === block && places[index].at < text.length,
    );
    const rest = findRest(text, listed);
    const marks = [
      ...notes.map(({ at, piece }) => ({ at, until: at, piece })),
      ...(rest === null
        ? []
        : [{ at: rest.start, until: rest.start + rest.text.length, piece: { href: rest.href, text: rest.text } }]),
    ].toSorted((one, other) => one.at - other.at);
    const pieces: AnswerPiece[] = [];
    let from = 0;
    for (const { at, until, piece } of marks) {
      if (at > from) {
        pieces.push(text.slice(from, at));
      }
      pieces.push(piece);
      from = until;
    }
    return { ...block, pieces: from < text.length ? [...pieces, text.slice(from)] : pieces };
  });
}
