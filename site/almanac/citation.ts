import type { AlmanacDataset, AlmanacRecord } from '#almanac/datasets/index.ts';
import { absolute, site } from '../site.ts';

/** What is cited: a dataset or one of its records. */
export interface Cited {
  title: string;
  /** Path of the page. */
  path: string;
  /** The edition that is cited, and the path that answers it for ever. */
  snapshot: { version: string; path: string };
}

/** BibTeX reads braces, percent signs and the like as commands. */
const escapeBibtex = (text: string): string =>
  text.replace(/[\\{}$&#%_~^]/g, (sign) => (sign === '\\' ? '/' : `\\${sign}`));

/** A citation in the style of APA (7th edition, data set) and as an entry of BibTeX. */
export function citationOf({ title, path, snapshot }: Cited): { apa: string; bibtex: string } {
  const { version } = snapshot;
  const [year = ''] = version.split('-');
  const url = absolute(snapshot.path);
  const key = `${site.name}-${path.slice(1).replaceAll('/', '-')}-${version}`.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  const subject = title.replace(/\.$/, '');
  return {
    apa: `${site.name}. (${year}). ${subject} (Version ${version}) [Data set]. ${url}`,
    bibtex: [
      `@misc{${key},`,
      `  author  = {{${escapeBibtex(site.name)}}},`,
      `  title   = {{${escapeBibtex(subject)}}},`,
      `  year    = {${year}},`,
      `  version = {${version}},`,
      `  url     = {${url}},`,
      `  note    = {Page: ${absolute(path)}},`,
      '}',
    ].join('\n'),
  };
}

/** From the oldest to the newest day that the records of a dataset speak of, as an interval of ISO 8601. */
export function coverageOf({ records }: AlmanacDataset): string | undefined {
  const days = (records as readonly AlmanacRecord[])
    .flatMap((record) =>
      'date' in record ? [record.date] : 'released' in record ? [record.released] : [record.source_as_of],
    )
    .filter((day) => day !== null)
    .toSorted();
  return days.length === 0 ? undefined : `${days[0]}/${days.at(-1)}`;
}
