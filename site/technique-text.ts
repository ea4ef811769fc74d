import { crawlers, protocols, state } from '#almanac/datasets/index.ts';
import type { Statement } from '#almanac/datasets/state.ts';
import { type TechniqueId, techniqueIds } from '#almanac/techniques.ts';
import { type ContentFile, readContentFile } from './content-file.ts';

const sources = import.meta.glob<string>('./content/techniques/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A line of the table "Who reads it?". */
export interface Reading {
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  date: string;
  statement: string;
  publisher: string;
  path: string;
}

export interface TechniqueText {
  /** Markdown, from the introduction to the sources. */
  markdown: string;
  readings: Reading[];
  protocols: { id: string; name: string }[];
}

const toReading = ({ date, statement, publisher, id }: Statement): Reading => ({
  date,
  statement,
  publisher,
  path: `/state/${id}`,
});

/** How many crawler records say what about a field, as one sentence. */
const countCrawlers: Record<NonNullable<ContentFile<'technique'>['head']['counts']>, () => string> = {
  respects_robots: () => {
    const having = (value: boolean | 'partial' | null): number =>
      crawlers.records.filter(({ respects_robots }) => respects_robots === value).length;
    return `Of ${crawlers.records.length} crawlers and tokens in our dataset, ${having(true)} are documented to follow robots.txt, ${having('partial')} in part and ${having(false)} not at all; for ${having(null)} no document that we read says.`;
  },
  supports_web_bot_auth: () => {
    const signing = crawlers.records.filter(({ supports_web_bot_auth }) => supports_web_bot_auth === true);
    return `Of ${crawlers.records.length} crawlers and tokens in our dataset, ${signing.length} are known to sign their requests: ${signing.map(({ name }) => name).join(', ')}.`;
  },
};

function textOf(id: TechniqueId): TechniqueText {
  const path = `techniques/${id}.md`;
  const { head, markdown } = readContentFile('technique', path, sources[`./content/${path}`]);
  const { evidence, protocols: named, counts } = head;
  const readings = evidence.map((each) => {
    const statement = state.records.find((record) => record.id === each);
    if (statement === undefined) {
      throw new Error(`site/content/${path}: the state dataset has no statement ${each}`);
    }
    return toReading(statement);
  });
  if (counts !== undefined) {
    readings.push({
      date: crawlers.updated,
      statement: countCrawlers[counts](),
      publisher: 'our crawlers dataset',
      path: '/crawlers',
    });
  }
  return {
    markdown,
    readings,
    protocols: named.map((each) => {
      const protocol = protocols.records.find((record) => record.id === each);
      if (protocol === undefined) {
        throw new Error(`site/content/${path}: the protocols dataset has no record ${each}`);
      }
      return { id: each, name: protocol.name };
    }),
  };
}

/** The text of each technique with the records that it rests on. Throws an Error that names the file and what is wrong. */
export const techniqueTexts: ReadonlyMap<TechniqueId, TechniqueText> = new Map(
  techniqueIds.map((id) => [id, textOf(id)]),
);
