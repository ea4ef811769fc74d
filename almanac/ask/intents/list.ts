import { findConditions, findNoun } from '../conditions.ts';
import { type Fact, readFact } from '../entries.ts';
import { formatList } from '../format.ts';
import { explain, type Intent, matchPatterns } from '../intent.ts';

const opening = / (which|what|list|show|name|give|how many|number of|count( of)?|are there|any|find|all|do you know) /;
const verbs =
  / (operate[sd]?|operated by|run(s)?|run by|made by|make(s)?|belong(s)? to|from|by|of|built by|created by|owned by|publish(es|ed)?|have|has|with|that|which|are|is|currently|(do|does) (you|the almanac) (know|list|hold|have|cover)|in the almanac|do you list|exist) /;

const plurals: Readonly<Record<string, readonly [one: string, many: string]>> = {
  crawlers: ['crawler', 'crawlers'],
  models: ['model', 'models'],
  protocols: ['protocol', 'protocols'],
  glossary: ['term', 'terms'],
  'state-of-the-agentic-web': ['statement', 'statements'],
};

const MAX_NAMED = 40;

/** Which records have a property, and how many. */
export const list: Intent = {
  id: 'list',
  read(question, index) {
    const noun = findNoun(question);
    const opened = matchPatterns(question, [opening]);
    const isAboutOne = question.mentions.some(
      ({ isGeneral, links }) => !isGeneral && links[0]?.entry.dataset === noun?.dataset,
    );
    if (noun === null || isAboutOne) {
      return null;
    }
    const { dataset, pattern } = noun;
    const found = findConditions(question, dataset, index);
    if (found === null) {
      return null;
    }
    const { conditions, patterns } = found;
    const matched = matchPatterns(question, [opening, pattern, verbs, ...patterns]) ?? [];
    const isCount = / (how many|number of|count) /.test(question.plain);
    const isTotal = conditions.length === 0;
    if (isTotal && !isCount) {
      return null;
    }
    const records = index.of(dataset).filter((entry) => conditions.every((condition) => condition.test(entry)));
    const [one, many] = plurals[dataset] ?? ['record', 'records'];
    const fields = [...new Set(conditions.map((condition) => condition.field))];
    const facts = records.flatMap((entry) => fields.flatMap((field) => readFact(entry, field) ?? []));
    const clauses = conditions.map((condition) => condition.clause).join(', ');
    const named = records.slice(0, MAX_NAMED).map((entry) => entry.title);
    const rest = records.length > named.length ? ', among them ' : ': ';
    const clausesOfOne = toSingular(clauses);
    const text = isTotal
      ? `The almanac holds ${records.length} ${many}.`
      : `The almanac lists ${records.length} ${records.length === 1 ? `${one} ${clausesOfOne}` : `${many} ${clauses}`}${rest}${formatList(named)}.`;
    const covered = isTotal ? toDatasetFact(index.datasets.find(({ id }) => id === dataset)) : facts;
    return {
      intent: isCount ? 'count' : 'list',
      certainty: isTotal ? 0.86 : opened === null ? 0.86 : 0.96,
      strength: 1,
      explained: explain(matched, question.values),
      text: records.length === 0 ? `The almanac lists no ${one} ${clausesOfOne}.` : text,
      facts: records.length === 0 ? [] : covered,
      notes: records.length === 0 || isTotal ? [] : ['Records in which the field is unconfirmed are not counted.'],
      unconfirmed: [],
    };
  },
};

/** The clauses after a noun in the singular: "that follow robots.txt" becomes "that follows robots.txt". */
const toSingular = (clauses: string): string =>
  clauses.replace(/\bthat do /g, 'that does ').replace(/\bthat (follow|support|read)\b/g, 'that $1s');

/** A count of a whole dataset is cited from the dataset itself, under the path of its page. */
function toDatasetFact(
  dataset: { id: string; path: string; title: string; records: readonly unknown[] } | undefined,
): Fact[] {
  if (dataset === undefined) {
    return [];
  }
  const { id, path, title, records } = dataset;
  const entry = { dataset: id, id, title, path: `/${path}`, record: { records: records.length } };
  return [{ entry, field: 'records', value: records.length, caveat: null }];
}
