import { type AlmanacDataset, datasets } from '#almanac/datasets/index.ts';
import { rowsOf } from '#almanac/record-fields.ts';
import { quotedValue } from './answer-blocks.ts';
import { type Piece, viewField } from './field-view.ts';
import { lineOfItems } from './quoted-items.ts';

/** A citation of a record, or of a whole dataset by its own id. */
export interface CitedRecord {
  dataset: string;
  id: string;
  fields: readonly string[];
  quote: string;
}

/** What a citation quotes as the record has it, where the quote is the whole of a value that is no text to quote. */
function valueCited(dataset: AlmanacDataset, { id, fields: [field = ''], quote }: CitedRecord): unknown {
  const value = rowsOf(dataset).find((row) => row.id === id)?.[field];
  return quotedValue(quote) ?? (value !== undefined && String(value) === quote ? value : null);
}

/** What a citation says in the words of the record's page; null where it is a text, which is quoted. `at` is that page. */
export function citedPieces(cited: CitedRecord, answer: string, at: string): Piece[] | null {
  const dataset = datasets.find(({ id }) => id === cited.dataset);
  const [field = ''] = cited.fields;
  const value = dataset === undefined ? null : valueCited(dataset, cited);
  if (dataset === undefined || value === null) {
    return null;
  }
  const view = viewField(dataset.path, field, value, 'not confirmed');
  if (view.as === 'list' && view.items.length > 0) {
    return lineOfItems(view.items, answer, at);
  }
  if (view.as !== 'line') {
    return typeof value === 'object' ? [cited.quote] : null;
  }
  return view.pieces.length === 1 && view.pieces[0] === cited.quote ? null : view.pieces;
}

/** How many records a dataset has, where a citation is of the whole of it; null elsewhere. */
export const citedCount = ({ dataset, id, quote }: CitedRecord): string | null =>
  dataset === id && datasets.some((each) => each.id === id) ? `${Number(quote).toLocaleString('en')} records` : null;
