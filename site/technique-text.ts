import { parse } from 'yaml';
import { z } from 'zod';
import { crawlers, protocols, state } from '#almanac/datasets/index.ts';
import type { Statement } from '#almanac/datasets/state.ts';
import { type TechniqueId, techniqueIds } from '#almanac/techniques.ts';

const sources = import.meta.glob<string>('./content/techniques/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What the head of a technique's text names: records that say who reads what the technique publishes. */
const Head = z.strictObject({
  /** Ids of statements, the most telling first. */
  evidence: z.array(z.string()).min(1),
  /** Ids of protocols whose record has more. */
  protocols: z.array(z.string()),
  /** The field of the crawler records that is counted, if one bears on the technique. */
  counts: z.enum(['respects_robots', 'supports_web_bot_auth']).optional(),
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
const countCrawlers: Record<NonNullable<z.infer<typeof Head>['counts']>, () => string> = {
  respects_robots: () => {
    const having = (value: boolean | 'partial' | null): number =>
      crawlers.records.filter(({ respects_robots }) => respects_robots === value).length;
    return `Of ${crawlers.records.length} crawlers and tokens in our dataset, ${having(true)} are documented to follow robots.txt, ${having('partial')} in part and ${having(false)} not at all; for ${having(null)} no source says.`;
  },
  supports_web_bot_auth: () => {
    const signing = crawlers.records.filter(({ supports_web_bot_auth }) => supports_web_bot_auth === true);
    return `Of ${crawlers.records.length} crawlers and tokens in our dataset, ${signing.length} are known to sign their requests: ${signing.map(({ name }) => name).join(', ')}.`;
  },
};

function textOf(id: TechniqueId): TechniqueText {
  const file = `./content/techniques/${id}.md`;
  const [, head, markdown] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(sources[file] ?? '') ?? [];
  if (head === undefined || markdown === undefined) {
    throw new Error(`site/${file.slice(2)} is missing, or has no head between two lines of ---`);
  }
  const { evidence, protocols: named, counts } = Head.parse(parse(head));
  const readings = evidence.map((each) => {
    const statement = state.records.find((record) => record.id === each);
    if (statement === undefined) {
      throw new Error(`site/${file.slice(2)}: the state dataset has no statement ${each}`);
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
        throw new Error(`site/${file.slice(2)}: the protocols dataset has no record ${each}`);
      }
      return { id: each, name: protocol.name };
    }),
  };
}

/** The text of each technique with the records that it rests on. Throws an Error that names the file and what is wrong. */
export const techniqueTexts: ReadonlyMap<TechniqueId, TechniqueText> = new Map(
  techniqueIds.map((id) => [id, textOf(id)]),
);
