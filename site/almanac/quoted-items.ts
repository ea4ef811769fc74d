import type { Piece } from './field-view.ts';

/** How many items of a list a source shows. */
const MOST = 4;

/** Whether an answer names a record that an item links to. */
const isSaid = (item: readonly Piece[], answer: string): boolean =>
  item.some((piece) => typeof piece === 'object' && 'href' in piece && answer.includes(piece.text));

/** An item without the full stop at its end, which no semicolon may follow. */
const unstopped = (item: readonly Piece[]): Piece[] =>
  item.map((piece, at) => (at === item.length - 1 && typeof piece === 'string' ? piece.replace(/\.$/, '') : piece));

/**
 * The items of a list in a line: those that an answer names come first, and how many there are besides comes last, as a link
 * to where all of them are.
 */
export function lineOfItems(items: readonly Piece[][], answer: string, allAt: string): Piece[] {
  const said = items.filter((item) => isSaid(item, answer));
  const shown = [...said, ...items.filter((item) => !said.includes(item))].slice(0, MOST);
  const more = items.length - shown.length;
  const line = shown.flatMap((item, at): Piece[] => [...(at === 0 ? [] : ['; ']), ...unstopped(item)]);
  return more > 0 ? [...line, '; and ', { href: allAt, text: `${more} more` }] : line;
}
