import { setImmediate as turn } from 'node:timers/promises';

/** Bytes that are put together before other work gets its turn. */
const pieceLength = 64 * 1024;

/** Levels that are taken apart: a snapshot, its state, the lists in it. What lies deeper is written whole. */
const levels = 3;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The text of `JSON.stringify(value, null, 2)` in parts. `value` is made of plain objects, lists and primitives. */
function* toParts(value: unknown, indent: string, depth: number): Generator<string> {
  const isList = Array.isArray(value);
  const members = isContainer(value)
    ? Object.entries(value).filter(([, member]) => isList || member !== undefined)
    : [];
  if (depth === levels || members.length === 0) {
    // A line break in JSON is never part of a string.
    yield JSON.stringify(value ?? null, null, 2).replaceAll('\n', `\n${indent}`);
    return;
  }
  let before = isList ? '[' : '{';
  for (const [key, member] of members) {
    yield `${before}\n${indent}  ${isList ? '' : `${JSON.stringify(key)}: `}`;
    yield* toParts(member, `${indent}  `, depth + 1);
    before = ',';
  }
  yield `\n${indent}${isList ? ']' : '}'}`;
}

/**
 * A JSON document as `JSON.stringify(document, null, 2)` writes it, with a line break at the end, in pieces of UTF-8. Other
 * work gets its turn after each piece, so that a state of many megabytes does not hold it up; the document must not change
 * meanwhile.
 */
export async function toJsonPieces(document: unknown): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let text = '';
  for (const part of toParts(document, '', 0)) {
    text += part;
    if (text.length >= pieceLength) {
      pieces.push(Buffer.from(text));
      text = '';
      await turn();
    }
  }
  pieces.push(Buffer.from(`${text}\n`));
  return pieces;
}
