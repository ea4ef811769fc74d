import type { Askable } from '../askable.ts';
import { type Candidate, type Composed, explain, nothingExplained, positionsLike, positionsOf } from '../candidate.ts';
import document from '../data/choices.json' with { type: 'json' };
import { type Entry, readText } from '../entries.ts';
import { formatList } from '../format.ts';
import type { Question } from '../question.ts';
import { isOfFamily } from '../values.ts';

const { products: listed, ...patterns } = document as {
  products: Record<string, string>;
  training: string;
  refuse: string;
  contrast: string;
  search: string;
  user: string;
};
const products = new Map(Object.entries(listed));
/** The words that ask to be left out of training, and those that ask to stay for search and users. */
const training = new RegExp(patterns.training);
const refuse = new RegExp(patterns.refuse);
const contrast = new RegExp(patterns.contrast);
const search = new RegExp(patterns.search);
const user = new RegExp(patterns.user);

/** How many crawlers of a kind are named. */
const MAX_KEPT = 2;

/** The operator that a question names, by itself, a product, a line of models or one of its crawlers, and where. */
function findOperators(askable: Askable, question: Question): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const add = (operator: string, at: readonly number[]): void => {
    found.set(operator, [...(found.get(operator) ?? []), ...at]);
  };
  for (const value of question.values) {
    const [model] = value.facet === 'family' ? askable.of('models').filter((one) => isOfFamily(one, value.value)) : [];
    for (const name of model === undefined ? value.spellings : [readText(model, 'provider')]) {
      add(name, positionsOf(value));
    }
  }
  for (const mention of question.mentions) {
    const [first] = mention.entries;
    if (first?.entry.dataset === 'crawlers') {
      add(readText(first.entry, 'operator'), positionsOf(mention));
    }
  }
  for (const { word, position } of question.words) {
    const operator = products.get(word);
    if (operator !== undefined) {
      add(operator, [position]);
    }
  }
  return found;
}

/** Whether blocking a record keeps pages out of training, and nothing else. */
const isForTraining = (entry: Entry): boolean =>
  readText(entry, 'bot_type') === 'training' ||
  (readText(entry, 'bot_type') === 'opt-out-token' && /\btrain/.test(readText(entry, 'blocking_effect')));

/**
 * "Out of GPT training, but still in ChatGPT search": of one operator the tokens to disallow and those to leave allowed, by
 * what its crawlers are for.
 */
export function chooseCandidates(askable: Askable, question: Question): Candidate[] {
  const trains = positionsLike(question, training);
  const searches = positionsLike(question, search);
  const users = positionsLike(question, user);
  const refuses = positionsLike(question, refuse);
  if (trains.length * refuses.length * (searches.length + users.length) === 0 || !contrast.test(question.plain)) {
    return [];
  }
  return [...findOperators(askable, question)].flatMap(([operator, at]): Candidate[] => {
    const own = askable
      .of('crawlers')
      .filter(
        (entry) =>
          readText(entry, 'operator') === operator &&
          readText(entry, 'status') === 'active' &&
          askable.records.read(entry, 'respects_robots')?.value === true &&
          askable.records.read(entry, 'robots_token') !== null,
      );
    const refused = own.filter(isForTraining);
    const ofType = (type: string): Entry[] =>
      own.filter((entry) => readText(entry, 'bot_type') === type).slice(0, MAX_KEPT);
    const forSearch = searches.length > 0 || users.length === 0 ? ofType('search-index').slice(0, 1) : [];
    const forUsers = users.length > 0 ? ofType('user-action-fetcher') : [];
    const [first] = refused;
    if (first === undefined || forSearch.length + forUsers.length === 0) {
      return [];
    }
    const explained = nothingExplained(question);
    const kept = positionsLike(
      question,
      /^(los(e|ing)|leaving|dropping|vanishing|disappearing|hurting|stay\w*|remain\w*)$/,
    );
    explain(explained, [...at, ...trains, ...searches, ...users, ...refuses, ...kept], 1);
    explain(
      explained,
      positionsLike(
        question,
        /^(which|bots?|crawlers?|line|lines|robots|txt|allow\w*|pages?|site|blog|articles?|texts?|content|posts?|recipes|turn|show\w*|appear\w*|up|ai)$/,
      ),
      0.9,
    );
    return [
      {
        intent: 'choose:crawlers',
        entry: null,
        explained,
        features: { isChoice: 1 },
        compose: () => composeChoice(askable, operator, refused, { forSearch, forUsers }),
      },
    ];
  });
}

const namesOf = (entries: readonly Entry[]): string =>
  formatList(entries.map((entry) => readText(entry, 'robots_token')));

function composeChoice(
  { records }: Askable,
  operator: string,
  refused: readonly Entry[],
  { forSearch, forUsers }: { forSearch: readonly Entry[]; forUsers: readonly Entry[] },
): Composed {
  const kept = [
    ...(forSearch.length === 0 ? [] : [`${namesOf(forSearch)}, which is for search`]),
    ...(forUsers.length === 0
      ? []
      : [`${namesOf(forUsers)}, which ${forUsers.length > 1 ? 'open' : 'opens'} what a user asks for`]),
  ];
  const effects = refused.flatMap((entry) => records.format(entry, 'blocking_effect') ?? []);
  const rules = refused.flatMap((entry) => records.format(entry, 'robots_snippet') ?? []);
  return {
    text: [
      `Disallow ${namesOf(refused)} in robots.txt, which is for training at ${operator}. Leave ${kept.join(', and ')}, allowed. ${effects.join(' ')}`,
      `The rule in robots.txt is:\n\n${rules.join('\n\n')}`,
    ].join('\n'),
    citations: [
      ...refused.flatMap((entry) =>
        records.cite(entry, ['robots_token', 'bot_type', 'operator', 'blocking_effect', 'robots_snippet']),
      ),
      ...[...forSearch, ...forUsers].flatMap((entry) => records.cite(entry, ['robots_token', 'bot_type'])),
    ],
  };
}
