import type { APIRoute } from 'astro';
import { type AlmanacDataset, type AlmanacRecord, datasets } from '#almanac/datasets/index.ts';
import { pairs } from '../../almanac/pairs.ts';
import { absolute, site } from '../../site.ts';
import { pageAt, sitePages, twinPaths } from '../../site-map.ts';

export const getStaticPaths = () =>
  datasets.map((dataset) => ({ params: { dataset: dataset.path }, props: { dataset } }));

/** More than this is more than an agent reads at once: the notes of a long dataset are shorter. */
const longestIndex = 44_000;
const longestName = 90;
const shortestNote = 24;

/** A text cut between words to this many characters at most. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 2).replace(/[\s,;:]+\S*$/, '')} …`;

/** What an entry says besides its name: a statement is its own name, so there it's who says it and when. */
const noteOf = (record: AlmanacRecord, description: string): string =>
  'statement' in record ? `${record.publisher}, ${record.date}` : description;

/** The entries of the index, with notes as long as there is room for. */
function entriesOf(dataset: AlmanacDataset): string[] {
  const entries = dataset.records.map((record: AlmanacRecord) => {
    const { path, title, description } = pageAt(`/${dataset.path}/${record.id}`);
    const link = `- [${cut(title, longestName)}](${absolute(twinPaths(path).markdown)})`;
    return { link, note: noteOf(record, description) };
  });
  const room = longestIndex - entries.reduce((sum, { link }) => sum + link.length + 3, 0);
  const most = Math.max(shortestNote, Math.floor(room / entries.length));
  return entries.map(({ link, note }) => `${link}: ${cut(note, most)}`);
}

/** What is made of the dataset's records: the comparisons of two, and tables with pages of their own. */
function viewsOf(dataset: AlmanacDataset): string[] {
  const compared = pairs.filter((pair) => pair.dataset === dataset.path).map(({ path }) => path);
  const tables = sitePages.filter(({ path, kind }) => kind === 'model-prices' && path.startsWith(`/${dataset.path}/`));
  const paths = [...tables.map(({ path }) => path), ...(compared.length > 0 ? ['/compare'] : []), ...compared];
  const lines = paths.map(pageAt).map(({ path, title, description }) => {
    return `- [${title}](${absolute(twinPaths(path).markdown)}): ${cut(description, longestName)}`;
  });
  return lines.length === 0 ? [] : ['## Comparisons and tables', '', ...lines, ''];
}

/** The index of one dataset for language models: a file covers its subpath (llmstxt.org, version 2). */
export const GET: APIRoute<{ dataset: AlmanacDataset }> = ({ props: { dataset } }) => {
  return new Response(
    [
      `# ${site.name}: ${dataset.title}`,
      '',
      `> ${dataset.description}`,
      '',
      `The index of the whole site is [llms.txt](${absolute('/llms.txt')}).`,
      '',
      '## Records',
      '',
      ...entriesOf(dataset),
      '',
      ...viewsOf(dataset),
    ].join('\n'),
  );
};
