import type { APIRoute } from 'astro';
import { type AlmanacDataset, datasets } from '#almanac/datasets/index.ts';
import { absolute, site } from '../../site.ts';
import { pageAt, twinPaths } from '../../site-map.ts';

export const getStaticPaths = () =>
  datasets.map((dataset) => ({ params: { dataset: dataset.path }, props: { dataset } }));

/** The index of one dataset for language models: a file covers its subpath (llmstxt.org, version 2). */
export const GET: APIRoute<{ dataset: AlmanacDataset }> = ({ props: { dataset } }) => {
  const lines = dataset.records.map((record) => {
    const { path, title, description } = pageAt(`/${dataset.path}/${record.id}`);
    return `- [${title}](${absolute(twinPaths(path).markdown)}): ${description}`;
  });
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
      ...lines,
      '',
    ].join('\n'),
  );
};
