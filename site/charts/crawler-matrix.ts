import type { Crawler } from '#almanac/datasets/crawlers.ts';
import { atLeast } from './at-least.ts';
import { round } from './round.ts';

type BotType = Crawler['bot_type'];

/** A row of counts. */
export interface MatrixRow {
  label: string;
  /** One operator, or several that run the same small number of bots, or bots without a known operator. */
  kind: 'operator' | 'group' | 'unattributed';
  /** One count for each type, in the order of the types. */
  counts: number[];
  total: number;
}

/** The counts: what the table shows and the picture draws. */
export interface CrawlerMatrix {
  types: readonly BotType[];
  rows: MatrixRow[];
  totals: number[];
  total: number;
}

/** A cell that is not empty. */
export interface MatrixDot {
  x: number;
  y: number;
  radius: number;
  count: number;
  /** Where the count is written; null for a single bot, which is a dot alone. */
  textX: number | null;
}

/** The matrix as drawn, in the units of its view box. */
export interface MatrixPicture {
  width: number;
  height: number;
  columns: { lines: string[]; x: number; total: number }[];
  rows: { label: string; kind: MatrixRow['kind']; y: number; total: number; dots: MatrixDot[] }[];
  /** The rules above the rows, above the gathered rows and above the totals, and x of the column of row totals. */
  rules: number[];
  totalX: number;
  totalY: number;
}

const rowsMost = 14;
/** What stands for an operator where there is none to name. */
const unattributed: ReadonlySet<string> = new Set(['Unknown', 'Open source, run by anyone']);

const numberWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Counts crawlers by operator and by type. Operators with few crawlers are gathered by how many they run. */
export function toCrawlerMatrix(
  types: readonly BotType[],
  records: readonly Pick<Crawler, 'operator' | 'bot_type'>[],
): CrawlerMatrix {
  const counts = new Map<string, number>();
  for (const { operator } of records) {
    if (!unattributed.has(operator)) {
      counts.set(operator, (counts.get(operator) ?? 0) + 1);
    }
  }
  const { names, threshold } = atLeast(counts, rowsMost);
  const toRow = (label: string, kind: MatrixRow['kind'], isIn: (operator: string) => boolean): MatrixRow => {
    const own = records.filter(({ operator }) => isIn(operator));
    const row = types.map((type) => own.filter(({ bot_type }) => bot_type === type).length);
    return { label, kind, counts: row, total: own.length };
  };
  const gathered = Array.from({ length: threshold - 1 }, (_, index) => threshold - 1 - index).map((each) => {
    const operators = new Set([...counts].flatMap(([name, count]) => (count === each ? [name] : [])));
    const label = `${operators.size} operators, ${numberWords[each] ?? each} each`;
    return toRow(label, 'group', (operator) => operators.has(operator));
  });
  const rows = [
    ...names.map((name) => toRow(name, 'operator', (operator) => operator === name)),
    ...gathered,
    toRow('no known operator', 'unattributed', (operator) => unattributed.has(operator)),
  ].filter(({ total }) => total > 0);
  const totals = types.map((_, index) => rows.reduce((sum, row) => sum + (row.counts[index] ?? 0), 0));
  return { types, rows, totals, total: records.length };
}

const width = 760;
const labelWidth = 168;
const headHeight = 58;
const rowPitch = 30;
const gatheredPitch = 40;

/** Draws the matrix: a dot for each cell, its area in proportion to the count. */
export function layoutCrawlerMatrix({ types, rows, totals }: CrawlerMatrix): MatrixPicture {
  const pitch = (width - labelWidth) / (types.length + 1);
  const columnX = (index: number): number => round(labelWidth + (index + 0.5) * pitch);
  const most = Math.max(1, ...rows.flatMap(({ counts }) => counts));
  const unit = Math.min(3.4, (gatheredPitch / 2 - 3) / Math.sqrt(most));
  const rules = [headHeight];
  let y = headHeight + 4;
  const drawn = rows.map(({ label, kind, counts, total }, index) => {
    if (kind !== 'operator' && rows[index - 1]?.kind === 'operator') {
      rules.push(y + 4);
      y += 8;
    }
    const height = kind === 'operator' ? rowPitch : gatheredPitch;
    const middle = y + height / 2;
    y += height;
    const dots = counts.flatMap((count, column): MatrixDot[] => {
      const radius = round(unit * Math.sqrt(count));
      const x = columnX(column);
      return count === 0 ? [] : [{ x, y: middle, radius, count, textX: count === 1 ? null : round(x + radius + 4) }];
    });
    return { label, kind, y: middle, total, dots };
  });
  rules.push(y + 4);
  return {
    width,
    height: y + 40,
    columns: types.map((type, index) => ({ lines: toLines(type), x: columnX(index), total: totals[index] ?? 0 })),
    rows: drawn,
    rules,
    totalX: width - 6,
    totalY: y + 26,
  };
}

/** The last word of a type is on a line of its own: "user-action fetcher" in two lines. */
function toLines(type: BotType): string[] {
  const at = type.lastIndexOf('-');
  return at === -1 ? [type] : [type.slice(0, at), type.slice(at + 1)];
}
