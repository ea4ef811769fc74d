import type { AlmanacIndex } from './almanac-index.ts';
import { type ConditionRule, conditionRules } from './condition-rules.ts';
import { type Entry, readFact, readText, STATE } from './entries.ts';
import { formatList } from './format.ts';
import type { Question } from './link.ts';
import { matchesWords } from './patterns.ts';
import { negations } from './polarity.ts';
import { isOfFamily } from './values.ts';

/** What lists and superlatives filter by: a test of one field, and the clause that says so. */
export interface Condition {
  dataset: string;
  field: string;
  clause: string;
  test(entry: Entry): boolean;
}

const nouns: readonly (readonly [dataset: string, RegExp])[] = [
  [
    'crawlers',
    / (web |ai |llm )*(crawlers?|bots?|spiders?|scrapers?|fetchers?|user agents|agentic browsers?|opt out tokens) /,
  ],
  ['models', / (ai |large |language |llm )*(models?|llms) /],
  [
    'protocols',
    / (agent |agentic |ai |web )*(protocols?|standards?|specs?|specifications?|governance (bodies|organi[sz]ations)) /,
  ],
  ['glossary', / (glossary )?(terms?|glossary entries|definitions) /],
  [STATE, / (statistics|stats|statements|figures|data points|measurements) /],
];

/** The dataset that the noun of a question asks for ("which bots …"), with the words that say so. */
export function findNoun(question: Question): { dataset: string; pattern: RegExp } | null {
  let first: { dataset: string; pattern: RegExp; at: number } | null = null;
  for (const [dataset, pattern] of nouns) {
    const at = question.masked.search(pattern);
    if (at >= 0 && (first === null || at < first.at)) {
      first = { dataset, pattern, at };
    }
  }
  return first;
}

/**
 * The conditions a question sets on records of a dataset, with the patterns that found them. Null when it asks for an
 * opposite and it is not clear of which condition, or that condition has none.
 */
export function findConditions(
  question: Question,
  dataset: string,
  index: AlmanacIndex,
): { conditions: Condition[]; patterns: RegExp[] } | null {
  const conditions: Condition[] = [];
  const patterns: RegExp[] = [];
  const reversible: ConditionRule[] = [];
  for (const rule of conditionRules) {
    const isTaken = conditions.some((condition) => condition.field === rule.field);
    if (rule.dataset === dataset && !isTaken && matchesWords(rule.words, question.plain)) {
      const { opposite } = rule;
      reversible.push(...(opposite === undefined ? [] : [rule]));
      const { clause, test } = question.polarity === 'inverted' ? (opposite ?? rule) : rule;
      const { field } = rule;
      conditions.push({ dataset, field, clause, test: (entry) => test(readFact(entry, field)?.value) });
      patterns.push(rule.words, ...(question.polarity === 'inverted' && opposite !== undefined ? negations : []));
    }
  }
  if (question.polarity === 'undecided' || (question.polarity === 'inverted' && reversible.length !== 1)) {
    return null;
  }
  const families = dataset === 'models' ? question.values.filter(({ facet }) => facet === 'family') : [];
  for (const { value } of families) {
    const test = (entry: Entry) => isOfFamily(entry, value);
    conditions.push({ dataset, field: 'family', clause: `of the family ${value}`, test });
  }
  const organisations = question.values.filter((value) => !families.includes(value));
  const byOrganisation = toOrganisationCondition(dataset, organisations, index);
  if (byOrganisation !== null) {
    conditions.push(byOrganisation);
  }
  const year = /\b(?:in|during|from|of) (19[89]\d|20[0-4]\d)\b/.exec(question.plain)?.[1];
  const field = { models: 'released', protocols: 'launch_date' }[dataset];
  if (year !== undefined && field !== undefined) {
    const verb = dataset === 'models' ? 'released' : 'first published';
    conditions.push({
      dataset,
      field,
      clause: `${verb} in ${year}`,
      test: (entry) => readText(entry, field).startsWith(year),
    });
    patterns.push(
      / (released|launched|published|introduced|from|came out|appeared|new)?( in| during| from| of)? (19[89]\d|20[0-4]\d) /,
      / (released|launched|published|introduced|came out|appeared) /,
    );
  }
  return { conditions, patterns };
}

const organisationFields: Readonly<Record<string, readonly [field: string, clause: string]>> = {
  crawlers: ['operator', 'operated by'],
  models: ['provider', 'made by'],
  protocols: ['creator', 'whose creator names'],
};

/** Records of any of the organisations. The clause writes them as the records do. */
function toOrganisationCondition(
  dataset: string,
  organisations: readonly { spellings: readonly string[] }[],
  index: AlmanacIndex,
): Condition | null {
  const [field, verb] = organisationFields[dataset] ?? [];
  if (field === undefined || organisations.length === 0) {
    return null;
  }
  const texts = index.of(dataset).map((entry) => readText(entry, field));
  const isHeld = (text: string, spelling: string): boolean =>
    dataset === 'protocols' ? holdsWord(text, spelling) : text === spelling;
  const named = organisations.map(({ spellings }) => {
    const held = spellings.filter((spelling) => texts.some((text) => isHeld(text, spelling)));
    return held.length > 0 ? held : spellings;
  });
  const all = named.flat();
  return {
    dataset,
    field,
    clause: `${verb} ${formatList(
      named.flatMap(([first]) => first ?? []),
      'or',
    )}`,
    test: (entry) => all.some((spelling) => isHeld(readText(entry, field), spelling)),
  };
}

/** Whether a text holds the words as words of their own: "Meta" is not in "Metadata". */
export function holdsWord(text: string, words: string): boolean {
  const at = text.indexOf(words);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(text[at + words.length] ?? ' ');
}
