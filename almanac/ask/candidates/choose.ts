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
  block: string;
  allow: string;
  negate: string;
  outside: string;
  line: string;
  around: string;
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
/** What asks to block the crawler that comes next, or to let it in, and what turns that round: "don't …", "keep … out". */
const block = new RegExp(patterns.block);
const allow = new RegExp(patterns.allow);
const negate = new RegExp(patterns.negate);
const outside = new RegExp(patterns.outside);
/** What a line of robots.txt is called, and what stands around all that in such questions. */
const line = new RegExp(patterns.line);
const around = new RegExp(patterns.around);

/** How many crawlers of a kind are named. */
const MAX_KEPT = 2;
/** How far before a word "not" turns it round, and how far behind a product "search" belongs to it. */
const NEGATED = 3;
const NEAR = 2;

/** What crawlers that stay are for, by their type: of one of them, and of several. */
const purposes: Readonly<Record<string, readonly [one: string, several: string]>> = {
  'search-index': [', which is for search,', ', which are for search,'],
  'user-action-fetcher': [', which opens what a user asks for,', ', which open what a user asks for,'],
  training: [', which is for training,', ', which are for training,'],
};

/** The operators that a question names, each by itself, a product, a line of models or one of its crawlers, and where. */
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

/** The crawlers of an operator that follow what robots.txt says of them. */
const obedientOf = ({ of, records }: Askable, operator: string): Entry[] =>
  of('crawlers').filter(
    (entry) =>
      readText(entry, 'operator') === operator &&
      readText(entry, 'status') === 'active' &&
      records.read(entry, 'respects_robots')?.value === true &&
      records.read(entry, 'robots_token') !== null,
  );

const ofType = (entries: readonly Entry[], type: string): Entry[] =>
  entries.filter((entry) => readText(entry, 'bot_type') === type).slice(0, MAX_KEPT);

/** What is to be blocked and what is to be let in, and the words that say so. */
interface Choice {
  refused: readonly Entry[];
  kept: readonly Entry[];
  at: readonly number[];
}

/** For each word whether what it names is to be blocked (true) or let in (false), by the last word that asks for either. */
function readWishes({ words }: Question): (boolean | null)[] {
  const wishes: (boolean | null)[] = [];
  let wish: boolean | null = null;
  let asked = 0;
  for (const { word, position } of words) {
    const isNegated = words.slice(Math.max(0, position - NEGATED), position).some((before) => negate.test(before.word));
    if (block.test(word) || allow.test(word)) {
      wish = block.test(word) !== isNegated;
      asked = position;
    } else if (wish === false && word === 'only' && block.test(words[asked]?.word ?? '')) {
      // "Don't block Googlebot, only Google-Extended".
      wish = true;
    } else if (wish === false && outside.test(word)) {
      wish = true;
      wishes.fill(true, asked);
    }
    wishes.push(wish);
  }
  return wishes;
}

/** "Block GPTBot but keep ChatGPT search": crawlers by their names, or a product's by what they're for. */
function chooseNamed(askable: Askable, question: Question): Choice | null {
  const wishes = readWishes(question);
  const named = question.mentions.flatMap((mention) => {
    const entry = mention.entries[0]?.entry;
    return entry?.dataset === 'crawlers' ? [{ entry, at: positionsOf(mention), isRefused: wishes[mention.from] }] : [];
  });
  const taken = new Set(named.flatMap(({ at }) => at));
  const ofProducts = question.words.flatMap(({ word, position }) => {
    const operator = taken.has(position) ? undefined : products.get(word);
    const next = question.words.slice(position + 1, position + 1 + NEAR);
    const types = [
      ...(next.some((one) => search.test(one.word)) ? ['search-index'] : []),
      ...(next.some((one) => user.test(one.word)) ? ['user-action-fetcher'] : []),
    ];
    const entry =
      operator === undefined || wishes[position] !== false
        ? undefined
        : types.flatMap((type) => ofType(obedientOf(askable, operator), type))[0];
    return entry === undefined ? [] : [{ entry, at: [position], isRefused: false }];
  });
  const all = [...named, ...ofProducts];
  const refused = all.filter(({ isRefused }) => isRefused === true).map(({ entry }) => entry);
  const kept = all.filter(({ entry, isRefused }) => isRefused === false && !refused.includes(entry));
  return refused.length * kept.length === 0
    ? null
    : {
        refused: [...new Set(refused)],
        kept: [...new Set(kept.map(({ entry }) => entry))],
        at: [...all.flatMap(({ at }) => at), ...positionsLike(question, block), ...positionsLike(question, allow)],
      };
}

/**
 * "Out of GPT training, but still in ChatGPT search": of one operator or several the tokens to disallow and those to leave
 * allowed, by what their crawlers are for. "Out of training at OpenAI and Google" leaves the others unmentioned.
 */
function chooseByPurpose(askable: Askable, question: Question): Choice | null {
  const trains = positionsLike(question, training);
  if (trains.length === 0) {
    return null;
  }
  const refuses = positionsLike(question, refuse);
  const operators = [...findOperators(askable, question)].flatMap(([operator, at]) => {
    const own = obedientOf(askable, operator);
    const refused = own.filter(isForTraining);
    return refused.length === 0 ? [] : [{ own, refused, at }];
  });
  const searches = positionsLike(question, search);
  const users = positionsLike(question, user);
  const isContrast = refuses.length > 0 && searches.length + users.length > 0 && contrast.test(question.plain);
  const isOfSeveral = operators.length > 1 && refuses.length + positionsLike(question, line).length > 0;
  const kept = operators.flatMap(({ own }) =>
    isContrast
      ? [
          ...(searches.length > 0 || users.length === 0 ? ofType(own, 'search-index').slice(0, 1) : []),
          ...(users.length > 0 ? ofType(own, 'user-action-fetcher') : []),
        ]
      : [],
  );
  return kept.length === 0 && !isOfSeveral
    ? null
    : {
        refused: operators.flatMap(({ refused }) => refused),
        kept,
        at: [
          ...operators.flatMap(({ at }) => at),
          ...trains,
          ...refuses,
          ...(isContrast ? [...searches, ...users] : []),
        ],
      };
}

/** Which crawlers to block and which to let in. */
export function chooseCandidates(askable: Askable, question: Question): Candidate[] {
  const choice = chooseNamed(askable, question) ?? chooseByPurpose(askable, question);
  if (choice === null) {
    return [];
  }
  const explained = nothingExplained(question);
  explain(explained, choice.at, 1);
  explain(explained, [...positionsLike(question, line), ...positionsLike(question, around)], 0.9);
  return [
    {
      intent: 'choose:crawlers',
      entry: null,
      explained,
      features: { isChoice: 1 },
      answersAll: true,
      compose: () => composeChoice(askable, choice),
    },
  ];
}

const namesOf = (entries: readonly Entry[]): string =>
  formatList(entries.map((entry) => readText(entry, 'robots_token')));

function composeChoice({ records }: Askable, { refused, kept }: Choice): Composed {
  const { obedient = [], others = [] } = Object.groupBy(refused, (entry) =>
    records.read(entry, 'respects_robots')?.value === true ? 'obedient' : 'others',
  );
  const operators = new Set(obedient.map((entry) => readText(entry, 'operator')));
  const isOfTraining = operators.size === 1 && obedient.every(isForTraining);
  const disallowed =
    operators.size > 1
      ? formatList(obedient.map((entry) => `${readText(entry, 'robots_token')} (${readText(entry, 'operator')})`))
      : namesOf(obedient);
  const stays = [...Map.groupBy(kept, (entry) => readText(entry, 'bot_type'))].map(
    ([type, own]) => `${namesOf(own)}${purposes[type]?.[own.length > 1 ? 1 : 0] ?? ''}`,
  );
  const say = (entries: readonly Entry[], field: string): string[] =>
    entries.flatMap((entry) => records.format(entry, field) ?? []);
  const lead = [
    ...(obedient.length === 0
      ? []
      : [
          `Disallow ${disallowed} in robots.txt${isOfTraining ? `, which is for training at ${[...operators][0]}` : ''}.`,
        ]),
    ...say(others, 'opt_out_mechanism'),
    ...(stays.length === 0 ? [] : [`Leave ${stays.join(' and ')} allowed.`]),
    ...say(refused, 'blocking_effect'),
  ];
  const rules = say(obedient, 'robots_snippet');
  return {
    text: [
      lead.join(' '),
      ...(rules.length === 0 ? [] : [`The rule${rules.length > 1 ? 's' : ''} in robots.txt:\n\n${rules.join('\n\n')}`]),
    ].join('\n'),
    citations: [
      ...obedient.flatMap((entry) =>
        records.cite(entry, ['robots_token', 'bot_type', 'operator', 'blocking_effect', 'robots_snippet']),
      ),
      ...others.flatMap((entry) => records.cite(entry, ['opt_out_mechanism', 'blocking_effect'])),
      ...kept.flatMap((entry) => records.cite(entry, ['robots_token', 'bot_type'])),
    ],
  };
}
