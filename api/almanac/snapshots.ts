import { z } from 'zod';
import { Day } from '#almanac/dataset.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { EditionEntry, EditionVersion, editionsOf } from '#almanac/edition-list.ts';
import { EditionData, editionAt, readEdition } from '#almanac/editions.ts';
import { Problem } from '../contract/problem.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';

const paths = datasets.map(({ path }) => path);

const listAddress = (baseUrl: string, path: string): string => `${baseUrl}/api/snapshots?dataset=${path}`;

/** What answers for ever may be kept for ever, and what a later edition can still change for five minutes. */
const caching = { fixed: 'public, max-age=31536000, immutable', open: 'public, max-age=300' } as const;

const when = z
  .string()
  .max(20)
  .refine(
    (value) => Day.safeParse(value).success || EditionVersion.safeParse(value).success,
    'is neither a day, such as 2026-11-22, nor the version of an edition, such as 2026-11-22.1',
  );

const EditionAnswer = EditionEntry.extend({ dataset: z.string().describe('Its name in paths.') });

export const listSnapshots = defineTool({
  name: 'list_snapshots',
  title: 'Editions of the datasets',
  description:
    'Lists the editions of the datasets, newest first: day, digest, and the address that answers each for ever.',
  method: 'GET',
  path: '/api/snapshots',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({ dataset: z.enum(paths as [string, ...string[]]).optional() }),
  output: z.object({ count: z.int(), editions: z.array(EditionAnswer.extend({ url: z.url() })) }),
  example: { dataset: 'models' },
  run: ({ dataset }, { config: { baseUrl } }: Pick<AlmanacContext, 'config'>) => {
    const editions = paths
      .filter((path) => dataset === undefined || path === dataset)
      .flatMap((path) =>
        editionsOf(path).map((edition) => ({
          dataset: path,
          ...edition,
          url: `${baseUrl}/api/${path}/snapshots/${edition.version}`,
        })),
      )
      .toSorted((one, other) => other.date.localeCompare(one.date));
    return { count: editions.length, editions };
  },
});

/** Why no edition answers to a day or a version, and what to ask for instead. */
function noEdition(path: string, asked: string, today: string, baseUrl: string): Problem {
  const [first, newest] = [editionsOf(path)[0], editionsOf(path).at(-1)];
  const reason = asked.includes('.')
    ? `${path} has no edition ${asked}.`
    : asked > today
      ? `${asked} is still to come. The newest edition of ${path} is ${newest?.version}.`
      : `The first edition of ${path} is of ${first?.date}: there is none of ${asked} or before.`;
  return new Problem('not-found', `${reason} ${listAddress(baseUrl, path)} lists the editions.`);
}

/** The data of an edition with one of its records alone. */
function onlyRecord(data: EditionData, id: string, { version }: EditionEntry): EditionData {
  const records = data.records.filter((record) => record['id'] === id);
  if (records.length === 0) {
    throw new Problem(
      'not-found',
      `The edition ${version} has no record "${id.slice(0, 100)}". Without id you get all ${data.records.length} of them.`,
    );
  }
  return { ...data, records };
}

export const readSnapshot = defineTool({
  name: 'read_snapshot',
  title: 'A dataset as it was',
  description:
    'Returns a dataset, or one record of it, as it was on a day or in an edition. The version in a citation answers the same for ever.',
  method: 'GET',
  path: '/api/{dataset}/snapshots/{date}',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    dataset: z.string().max(100),
    date: when.describe('A day, 2026-11-22, or a version, 2026-11-22.1.'),
    id: z.string().min(1).max(200).optional(),
  }),
  output: z.object({
    edition: EditionAnswer,
    data: EditionData,
  }),
  example: { dataset: 'models', date: editionsOf('models')[0]?.version ?? '', id: 'gpt-4o' },
  run: async (
    { dataset: path, date: asked, id },
    { config: { baseUrl }, now }: Pick<AlmanacContext, 'config' | 'now'>,
  ) => {
    if (!paths.includes(path as (typeof paths)[number])) {
      throw new Problem('not-found', `No dataset is called "${path}". There are: ${paths.join(', ')}.`);
    }
    const today = now().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const edition = editionAt(path, asked);
    if (edition === undefined || (!asked.includes('.') && asked > today)) {
      throw noEdition(path, asked, today, baseUrl);
    }
    const data = await readEdition(path, edition);
    // Editions are written in the order of their days, so a day before the newest one has its last edition.
    const isFixed = asked.includes('.') || asked < (editionsOf(path).at(-1)?.date ?? '');
    return new ToolAnswer(
      {
        edition: { dataset: path, ...edition },
        data: id === undefined ? data : onlyRecord(data, id, edition),
      },
      { headers: { 'Cache-Control': isFixed ? caching.fixed : caching.open } },
    );
  },
});
