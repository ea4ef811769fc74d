import type { Askable, AskableField } from '../askable.ts';
import {
  answerFirst,
  bestSentences,
  type Candidate,
  type Composed,
  explain,
  type Features,
  inShort,
  joinSentences,
  matchPhrases,
  nothingExplained,
  type Phrase,
  positionsLike,
  positionsOf,
  sentencesOf,
  weightAt,
} from '../candidate.ts';
import { type Entry, readText } from '../entries.ts';
import { formatList, monthNames } from '../format.ts';
import { emptyStems, shareSaid, stemsOf } from '../lexicon.ts';
import { measureOf } from '../measures.ts';
import type { Mention, Question } from '../question.ts';
import { countOf, fillSentence, labelOf, type Records } from '../records.ts';
import { type SaidField, sayFields } from '../said.ts';
import { sayingOf } from '../sections.ts';
import { isOfFamily } from '../values.ts';
import type { Want } from '../wants.ts';
import { composeSums, sayCheaper } from './compare.ts';
import { asksOfLong, boundsIn, readBought, sayCost } from './cost.ts';

/** A record that fields are asked of, and how the question leads to it. */
export interface Subject {
  entry: Entry;
  /** 0 to 1: how surely the question means it. */
  strength: number;
  /** Positions of the words that lead to it. */
  taken: ReadonlySet<number>;
  isFirst: boolean;
  /** Whether the question only describes it: then the answer says what it is. */
  isDescribed?: boolean;
  /** What has to be said before: "The newest model of X is Y." */
  via: Composed | null;
}

interface ScoredField {
  field: AskableField;
  at: Set<number>;
  longest: number;
  fits: boolean;
  isByValue: boolean;
  /** 1 where the name is on the side that the field wants it, -1 where it is on the other one. */
  side: number;
  score: number;
}

/** Of how many records of a group each is told. */
export const MAX_GROUP = 4;
/** How many fields one answer gives at most. */
const MAX_FIELDS = 4;

/** Words that may stay unexplained in a question about a record because the record has them. */
const IN_RECORD = 0.4;

/** What is said explains its words nearly as well as a field's name does, and what is said beside it a little less. */
const SAID = 0.9;
const SAID_BESIDE = 0.8;
/** What the open words in another field weigh at least for it to be said too, and how many such fields are. */
const LEAST_GAIN = 0.45;
const MAX_FURTHER = 2;
const MAX_SENTENCES = 2;
/** What the words of the question that are in a note weigh at least for the note to be an answer. */
const LEAST_NOTED = 0.35;
/** How a sentence begins and ends on what nobody states. */
const UNCONFIRMED = 'The almanac does not confirm';
const UNSTATED = ': no source states it.';
/** How many sentences of a note are told where a field has no value; of a longer one only what is asked is told with a field. */
const MAX_NOTED = 3;
/** What each word of a field's label counts in a sentence of the note, where the field has no value. */
const OF_LABEL = 0.3;
/** From this weight on a word that nothing explains calls for what the record is about. */
const OPEN = 0.3;
/** Below this share a word is open where "yes" and "no" are concerned. */
const DECIDED = 0.6;

/** The fields of a record that have most of the words of the question that the answer leaves open. */
function findFurther(askable: Askable, question: Question, entry: Entry, explained: number[]): SaidField[] {
  const further: SaidField[] = [];
  while (further.length < MAX_FURTHER) {
    const open = question.words.filter(({ weight, position }) => (explained[position] ?? 0) <= 0.6 && weight >= 0.25);
    const gainOf = (shares: readonly number[]): number =>
      open.reduce((sum, { weight, position }) => sum + weight * (shares[position] ?? 0), 0);
    const [best] = (open.length === 0 ? [] : sayFields(askable, entry))
      .filter(({ isAside }) => !isAside)
      .map((said) => ({ said, gain: gainOf(sayingOf(question).ofPart(said)) }))
      .sort((a, b) => b.gain - a.gain);
    if (best === undefined || best.gain < LEAST_GAIN) {
      break;
    }
    further.push(best.said);
    explainWords(question, explained, best.said, SAID_BESIDE);
  }
  return further;
}

function explainWords(question: Question, explained: number[], said: SaidField, share: number): void {
  sayingOf(question)
    .ofPart(said)
    .forEach((own, position) => {
      explained[position] = Math.max(explained[position] ?? 0, share * own);
    });
}

/** Whether a word of the question that counts is explained by less than `share`. */
const isOpen = (question: Question, explained: readonly number[], share: number): boolean =>
  question.words.some(({ weight, position }) => weight > OPEN && (explained[position] ?? 0) < share);

function scoreField(
  question: Question,
  taken: ReadonlySet<number>,
  field: AskableField,
  isByValue: boolean,
): ScoredField {
  const phrases = isByValue ? field.values.flatMap((value) => value.phrases) : field.phrases;
  const { at, longest } = matchPhrases(question, phrases, taken);
  const { fits: kinds, name } = field.words;
  const fits = [kinds ?? []].flat().some((kind) => question.wants.has(kind as Want));
  // "What's governed by X" asks as "what X governs" does.
  const named = Math.min(...taken);
  const before = question.words.slice(Math.max(0, named - 2), named).map(({ word }) => word);
  const isBefore = /\bby( the| an?)?$/.test(before.join(' ')) || named < Math.min(...at);
  const side = name === undefined || at.size === 0 || taken.size === 0 ? 0 : isBefore === (name === 'before') ? 1 : -1;
  const score = weightAt(question, at) + 0.3 * Math.max(0, longest - 1) + (fits ? 0.25 : 0) + 0.3 * side;
  return { field, at, longest, fits, isByValue, side, score };
}

/** All fields by how well the question asks for them. A value asks for its field only where no field is named. */
function scoreFields(askable: Askable, question: Question, { entry, taken }: Subject): ScoredField[] {
  const fields = askable.fieldsOf(entry.dataset);
  const named = fields.map((field) => scoreField(question, taken, field, false));
  const explained = new Set(named.flatMap(({ at }) => [...at]));
  const byValue =
    question.wants.has('yesno') || question.wants.has('compare')
      ? fields
          .filter(({ words }) => words.values !== undefined)
          .map((field) => scoreField(question, taken, field, true))
          .filter(({ at }) => [...at].some((position) => !explained.has(position)))
      : [];
  return [...named, ...byValue];
}

/** Candidates for the fields of one record: what it is, one field, several fields in one answer. */
export function fieldCandidates(askable: Askable, question: Question, subject: Subject): Candidate[] {
  const { entry, taken } = subject;
  const scored = scoreFields(askable, question, subject);
  const note = sayFields(askable, entry).find(({ field }) => field === 'note');
  // A note is asked for by what it says: "how many parameters", where it has "parameters", and not "many" alone.
  const isHeld = ({ field, at }: ScoredField): boolean => {
    const content = [...at].filter((position) => question.words[position]?.isEmpty === false);
    const own = content.length > 0 ? content : [...at];
    return (
      field.field !== 'note' ||
      (note !== undefined && own.some((position) => (sayingOf(question).ofPart(note)[position] ?? 0) > 0))
    );
  };
  // What a term stands for is what it means, where it's no abbreviation.
  const isOfTerm = ({ field }: ScoredField): boolean =>
    entry.dataset !== 'glossary' || askable.records.read(entry, field.field) !== null;
  const bought = readBought(question, taken).amounts.length + boundsIn(question, taken).length > 0;
  const isSum = bought && scored.some(({ field, at }) => field.words.member !== undefined && at.size > 0);
  // Who asks what so many tokens cost doesn't ask how many fit.
  const isOfSum = ({ field }: ScoredField): boolean => !isSum || field.words.unit !== 'tokens';
  const asked = scored
    .filter((one) => one.at.size > 0 && isHeld(one) && isOfTerm(one) && isOfSum(one))
    .sort((a, b) => b.score - a.score);
  const matching = asked.length > 0 ? asked : askedByMaker(askable, question, subject, scored);
  const lead = scored.find(({ field }) => field.words.lead);
  // "Cotoyogi purpose operator": key words alone.
  const isJoined =
    /\b(and|or|also|plus|with)\b|,|;|\?/.test(question.text.toLowerCase().replace(/[?.!\s]+$/, '')) ||
    question.words.every(({ isEmpty }) => !isEmpty);
  const chosen: { fields: ScoredField[]; isLead: boolean }[] = [
    ...(lead === undefined || subject.via !== null ? [] : [{ fields: [lead], isLead: true }]),
    ...matching.slice(0, MAX_FIELDS).map((one) => ({ fields: [one], isLead: false })),
  ];
  const several = isJoined && !isSum ? chooseSeveral(question, matching) : [];
  if (several.length > 1) {
    chosen.push({ fields: several, isLead: false });
    if (lead !== undefined && question.wants.has('define')) {
      chosen.push({ fields: [lead, ...several.slice(0, 2)], isLead: false });
    }
  }
  const base = nothingExplained(question);
  const stems = askable.stemsOf(entry);
  explain(
    base,
    question.words.filter(({ stem }) => stems.has(stem)).map(({ position }) => position),
    IN_RECORD,
  );
  explain(base, matchPhrases(question, askable.nounsOf(entry.dataset)).at, 0.9);
  explain(base, taken, 1);
  const best = matching[0]?.score ?? 0;
  // "What goes well with AP2" asks for a field, though its words are small.
  const isFieldAsked = matching.some(({ longest, fits }) => longest > 1 || fits);
  // "Which tools have adopted it?" asks for its adopters as well as for how many use it.
  const isAlone = (own: ScoredField | undefined): boolean =>
    own !== undefined &&
    !matching.some(
      (other) =>
        other !== own && own.at.isSubsetOf(other.at) && askable.records.read(entry, other.field.field) !== null,
    );
  return chosen.map(({ fields, isLead }) =>
    toCandidate(
      askable,
      question,
      { ...subject, isFieldAsked, isAlone: isAlone(fields[0]) },
      fields,
      isLead,
      base,
      isLead ? 0 : best - (fields[0]?.score ?? 0),
    ),
  );
}

/** "Is GPTBot from OpenAI?" asks who operates it. */
function askedByMaker(
  askable: Askable,
  question: Question,
  { entry }: Subject,
  scored: readonly ScoredField[],
): ScoredField[] {
  const { organisation } = askable.wordsOf(entry.dataset);
  const at = new Set(question.values.filter(({ facet }) => facet === 'organisation').flatMap(positionsOf));
  const field = scored.find((one) => one.field.field === organisation[0]);
  const isNamed = question.mentions.some(({ entries }) => entries.some((link) => link.entry === entry));
  return field === undefined || at.size === 0 || !isNamed || !question.wants.has('yesno')
    ? []
    : [{ ...field, at, score: weightAt(question, at) }];
}

/** "version and maintainer": what stands in a list is asked for, however ordinary its word. */
const isListed = ({ words }: Question, at: readonly number[]): boolean =>
  at.some(
    (position) =>
      words[position]?.isEmpty === false &&
      (/^(and|plus)$/.test(words[position - 1]?.word ?? '') || words[position]?.gap.startsWith(',') === true),
  );

/** What the words weigh that another field has to add to be said too. */
const LEAST_ADDED = 0.2;

/** Fields in the order in which a question asks for them; what the record is comes first. */
const inOrder = (chosen: readonly ScoredField[]): AskableField[] => {
  const placeOf = ({ field, at }: ScoredField): number => (field.words.lead === true ? -1 : Math.min(...at));
  return chosen.toSorted((a, b) => placeOf(a) - placeOf(b)).map(({ field }) => field);
};

/** The fewest fields that explain most: each next one has to explain words that are still open. */
function chooseSeveral(question: Question, matching: readonly ScoredField[]): ScoredField[] {
  const chosen: ScoredField[] = [];
  for (const other of matching) {
    const used = new Set(chosen.flatMap(({ at }) => [...at]));
    const added = [...other.at].filter((position) => !used.has(position));
    // "release date": two common words that are the name of a field together.
    const isName = other.longest > 1 && added.length > 1;
    if (
      chosen.length < MAX_FIELDS &&
      (chosen.length === 0 || isName || isListed(question, added) || weightAt(question, added) > LEAST_ADDED)
    ) {
      chosen.push(other);
    }
  }
  return chosen;
}

/** Words that ask whether it stays as it is. */
const later =
  /^(afterwards|later|future|soon|stay\w*|remain\w*|holds?|keeps?|lasts|until|permanent\w*|temporary|introductory|promotional|expires?|rises?)$/;

/** A price that ends is told with what comes after it where the question is about then. */
const nextYear = /\bnext (year|month)\b|\bin (\w+ )?(202[7-9]|20[3-9]\d)\b/;

/** Words of a day to come: "from December on", "in January 2027". */
const ahead = new RegExp(`^(${monthNames.join('|').toLowerCase()}|20\\d\\d|from|on|after|then|next|year|month)$`);

/** The sentence that says what a price is later. */
const saysLater = /\.afterwards\}/;
/** And the one that says what it is in long prompts, which goes on with the usual price where it isn't the first. */
const saysLong = /\.long_context\}/;
const ofLong = /^It costs (\S+ for input and \S+ for output)/;

function toCandidate(
  askable: Askable,
  question: Question,
  subject: Subject & { isFieldAsked: boolean; isAlone: boolean },
  chosen: readonly ScoredField[],
  isLead: boolean,
  base: readonly number[],
  behind: number,
): Candidate {
  const { entry, strength, isFirst, via } = subject;
  const { records } = askable;
  const explained = [...base];
  for (const { at } of chosen) {
    explain(explained, at, 1);
  }
  const [first] = chosen;
  const { amounts, times } =
    first?.field.words.member === undefined ? { amounts: [], times: [] } : readBought(question, subject.taken);
  for (const { at } of [...amounts, ...times]) {
    explain(explained, at, 1);
  }
  if (first !== undefined && asksOfLong(records, entry, first.field, question, subject.taken)) {
    explain(explained, boundsIn(question, subject.taken), 1);
  }
  // "From December on": a price that ends says what comes after.
  const price = first?.field.words.member === undefined ? null : first.field.field.split('.')[0];
  if (price !== null && records.read(entry, `${price}.afterwards`) !== null) {
    explain(explained, [...positionsLike(question, ahead), ...positionsLike(question, later)], 1);
  }
  if (amounts.length > 1) {
    explain(explained, positionsLike(question, /^plus$/), 1);
  }
  const names = new Set(chosen.flatMap(({ field }) => [field.field, ...(field.words.lead === true ? ['note'] : [])]));
  for (const said of sayFields(askable, entry)) {
    if (!said.isAside && names.has(said.field)) {
      explainWords(question, explained, said, SAID);
    }
  }
  const isDecided = !isOpen(question, explained, DECIDED);
  const further = via === null ? findFurther(askable, question, entry, explained) : [];
  if (via === null && !isLead && (subject.isDescribed === true || isOpen(question, explained, 0.5))) {
    // Words that no field explains: what the record is about, or what is noted of it, may be the answer.
    const said = sayFields(askable, entry).filter(({ isLead, field }) => isLead || field === 'note');
    further.push(...said.filter((one) => !further.includes(one)));
  }
  const all = chosen.flatMap(({ at }) => [...at]);
  const isBare = question.words.every(({ position, weight }) => weight < 0.05 || subject.taken.has(position));
  const fields = chosen.map(({ field }) => field);
  const isNull = !isLead && fields.some(({ field }) => records.read(entry, field) === null);
  const note = isNull ? findNote(askable, question, subject, fields) : undefined;
  // A relation that isn't there is none, and nothing that is missing.
  const isMissing = subject.isAlone && first?.field.field.startsWith('rel:') === false;
  const wants = (...kinds: ('who' | 'when' | 'where')[]): boolean => kinds.some((kind) => question.wants.has(kind));
  // "What replaced X, and what does the new one cost?"
  const [next] = fields.some(({ field }) => field === 'replaced_by') ? records.follow(entry, 'replaced_by') : [];
  return {
    ...(next === undefined ? {} : { subject: next.title, successor: next.title }),
    intent: `${isLead ? 'lead' : 'field'}:${entry.dataset}.${chosen.map(({ field }) => field.field).join('+')}`,
    entry,
    explained,
    features: {
      [isLead ? 'isLead' : 'isField']: 1,
      strength,
      attribute: isLead ? 0 : Math.min(1.5, weightAt(question, all)),
      longest: Math.min(3, Math.max(0, ...chosen.map(({ longest }) => longest))),
      fits: chosen.some(({ fits }) => fits) ? 1 : 0,
      misfits: wants('who', 'when', 'where') && !chosen.some(({ fits }) => fits) ? 1 : 0,
      misnumber:
        question.wants.has('number') && first?.field.type !== 'number' && !chosen.some(({ fits }) => fits) ? 1 : 0,
      boolean: first?.field.type === 'boolean' && question.wants.has('yesno') ? 1 : 0,
      fields: chosen.length > 1 ? 1 : 0,
      isGlossary: entry.dataset === 'glossary' ? 1 : 0,
      first: isFirst ? 1 : 0,
      isNull: isNull && note === undefined ? 1 : 0,
      isMissing: isNull && note === undefined && isMissing ? 1 : 0,
      isHop: via === null ? 0 : 1,
      behindBest: Math.min(1.5, behind),
      byValue: chosen.some(({ isByValue }) => isByValue) ? 1 : 0,
      side: first?.side ?? 0,
      bare: isLead && isBare && subject.isDescribed !== true && !subject.isFieldAsked ? 1 : 0,
      amounts: amounts.length > 0 ? 1 : 0,
      further: further.length,
    },
    compose: () => {
      const main =
        sayMeasured(askable, question, entry, fields) ??
        composeFields(records, question, subject, inOrder(chosen), isDecided && !isLead);
      const noted =
        main === null ? null : addStanding(askable, question, entry, fields, addNote(askable, entry, note, main));
      const composed = noted === null ? null : addFurther(records, question, entry, noted, further);
      if (composed === null || via === null) {
        // What a record is comes first only where that's asked for.
        const isAsked = first?.field.words.lead !== true || question.wants.has('define') || question.wants.has('who');
        // That a note is asked for doesn't tell which of its sentences: "How many parameters …?"
        const isNote = first?.field.field === 'note';
        const asked = isAsked && !isNote ? weightAt(question, all) + LEAST_NOTED : 0;
        return composed === null || isNull
          ? composed
          : { ...composed, text: answerFirst(question, composed.text, entry.title, { taken: subject.taken, asked }) };
      }
      return { text: `${via.text} ${composed.text}`, citations: [...via.citations, ...composed.citations] };
    },
  };
}

/** "How many parameters?" is asked of the note, and what a record is says it where the note doesn't. */
function sayMeasured(
  askable: Askable,
  question: Question,
  entry: Entry,
  [first, ...others]: readonly AskableField[],
): Composed | null {
  const measure = first?.field !== 'note' || others.length > 0 ? null : measureOf(question);
  const said = sayFields(askable, entry);
  const note = said.find(({ field }) => field === 'note');
  const lead = said.find(({ isLead }) => isLead);
  return measure === null || lead === undefined || (note !== undefined && measure(note.text)) || !measure(lead.text)
    ? null
    : { text: lead.text, citations: askable.records.cite(entry, lead.fields) };
}

/** That nobody saw a value is no answer to who asks for it. */
const unseen = /\b(not|never|no|nobody)\b.*\b(seen|read|found|stated?|given|confirmed|documented|published|known)\b/;

/** The words of the labels of fields. */
const labelStems = (fields: readonly AskableField[]): Set<string> =>
  new Set(fields.flatMap(({ field }) => stemsOf(labelOf(field))).filter((stem) => !emptyStems.has(stem)));

/** The phrases by which a text speaks of a field: "… as the model to move to" of what replaces it. Small words alone are none. */
const phrasesIn = ({ phrases }: AskableField, stems: ReadonlySet<string>): Phrase[] =>
  phrases.filter((phrase) => phrase.every((stem) => stems.has(stem)) && phrase.some((stem) => !emptyStems.has(stem)));

/**
 * Where a value isn't confirmed, the note of the record may be the answer: "Firecrawl documents that it has no fixed
 * addresses." It is where it has words of the question, or speaks of the field.
 */
function findNote(
  askable: Askable,
  question: Question,
  { entry, taken }: Subject,
  asked: readonly AskableField[],
): SaidField | undefined {
  const note = sayFields(askable, entry).find(({ field }) => field === 'note');
  const shares = note === undefined ? [] : sayingOf(question).ofPart(note);
  const said = question.words
    .filter(({ position }) => !taken.has(position))
    .reduce((sum, { position, weight }) => sum + weight * (shares[position] ?? 0), 0);
  const label = labelStems(asked);
  const isMeant = (stems: ReadonlySet<string>): boolean =>
    asked.some((field) => phrasesIn(field, stems).some(({ length }) => length > 1));
  const isOfField = (sentence: string): boolean => {
    const stems = new Set(stemsOf(sentence));
    return !unseen.test(sentence) && (!stems.isDisjointFrom(label) || isMeant(stems));
  };
  if (note === undefined || (said < LEAST_NOTED && !sentencesOf(note.text).some(isOfField))) {
    return undefined;
  }
  // "Sarvam prices it in rupees alone" comes before what else is noted.
  const shareOf = (sentence: string): number => {
    const stems = new Set(stemsOf(sentence));
    const ofField = stems.intersection(label).size + (isMeant(stems) ? 1 : 0);
    return question.words.reduce(
      (sum, { stem, weight, position }) => sum + (taken.has(position) ? 0 : weight * shareSaid(stems, stem)),
      unseen.test(sentence) ? 0 : ofField * OF_LABEL,
    );
  };
  const sentences = sentencesOf(note.text).map((sentence) => sentence.trim());
  const [best] = sentences.toSorted((a, b) => shareOf(b) - shareOf(a));
  const others = sentences.filter((sentence) => sentence !== best);
  // Of several fields each is told in short.
  return { ...note, text: [best, ...others].slice(0, asked.length > 1 ? 1 : MAX_NOTED).join(' ') };
}

function addNote(askable: Askable, entry: Entry, note: SaidField | undefined, main: Composed): Composed {
  if (note === undefined) {
    return main;
  }
  // What is noted may be a source's word on it: "names A or B as the model to move to".
  const others = sentencesOf(main.text)
    .map((sentence) => sentence.trim().replace(UNSTATED, '.'))
    .filter((sentence) => !note.quote.includes(sentence));
  // Of several fields the note goes on with the one that has no value.
  const at = others.findLastIndex((sentence) => sentence.startsWith(UNCONFIRMED));
  return {
    text: others.toSpliced(at === -1 ? others.length : at + 1, 0, note.text).join(' '),
    citations: [...main.citations, ...askable.records.cite(entry, note.fields)],
  };
}

/** What has ended, and what came after it. */
const ended = /^(retired|superseded|merged|deprecated)$/;

/** What came after something that has ended, and what was before it. */
const replacements = /^replace(d_by|s)$/;

/** "Can we still make clips with it?" asks first of all whether it's there. */
const asksWhetherThere =
  /\b(still|any ?more|no longer|available|(can|may|could) (i|we|one|you) (still )?(use|call|make|get|run|have))\b/;

/** Whatever is asked of something that has ended, an owner needs to know that; what took its place is an answer where it's asked for. */
function addStanding(
  askable: Askable,
  { plain }: Question,
  entry: Entry,
  asked: readonly AskableField[],
  main: Composed,
): Composed {
  const cited = new Set(main.citations.flatMap((citation) => ('fields' in citation ? citation.fields : [])));
  const standing = ended.test(readText(entry, 'status'))
    ? sayFields(askable, entry).filter(
        ({ field }) => (field === 'status' || field === 'replaced_by') && !cited.has(field),
      )
    : [];
  const isFirst = asksWhetherThere.test(plain) && standing.some(({ field }) => field === 'status');
  if (isFirst) {
    return {
      text: joinSentences([...standing.map(({ text }) => text), main.text]),
      citations: [
        ...askable.records.cite(
          entry,
          standing.flatMap((said) => said.fields),
        ),
        ...main.citations,
      ],
    };
  }
  if (!standing.some(({ field }) => field === 'replaced_by')) {
    return main;
  }
  const fields = standing.flatMap((said) => said.fields);
  const isAnswer = asked.some(({ field }) => replacements.test(field));
  return {
    ...(main.unconfirmed === undefined || isAnswer ? {} : { unconfirmed: main.unconfirmed }),
    text: joinSentences([main.text, ...standing.map(({ text }) => text)]),
    citations: [...main.citations, ...askable.records.cite(entry, fields)],
  };
}

/** An answer with what else the record says of the words of the question. */
function addFurther(
  records: Records,
  question: Question,
  entry: Entry,
  main: Composed,
  further: readonly SaidField[],
): Composed {
  const added = further.flatMap(({ text, fields }) => {
    const said = sentencesOf(bestSentences(question, text, MAX_SENTENCES))
      .map((sentence) => sentence.trim())
      .filter((sentence) => !main.text.includes(sentence))
      .join(' ');
    return said === '' || main.unconfirmed !== undefined ? [] : [{ said, fields }];
  });
  return added.length === 0
    ? main
    : {
        ...main,
        text: joinSentences([main.text, ...added.map(({ said }) => said)]),
        citations: [
          ...main.citations,
          ...records.cite(
            entry,
            added.flatMap(({ fields }) => fields),
          ),
        ],
      };
}

/** What a record notes, as the sentence of a field. */
const NOTE = '{note}';
/** A word of the question that weighs more than this calls for the sentences of a note that have it. */
const CALLING = 0.2;

/** Of a long note what speaks of the field or has words of the question: the rest is about other things. */
function notedOf(question: Question, taken: ReadonlySet<number>, field: AskableField, note: string): string {
  const label = labelStems([field]);
  const asked = question.words.filter(({ position, weight }) => weight > CALLING && !taken.has(position));
  const sentences = sentencesOf(note);
  const told = sentences.filter((sentence) => {
    const stems = new Set(stemsOf(sentence));
    const isOfField = !stems.isDisjointFrom(label) || phrasesIn(field, stems).length > 0;
    return isOfField || asked.some(({ stem }) => shareSaid(stems, stem) > 0);
  });
  return (sentences.length > MAX_NOTED ? told : sentences).join('').trim();
}

function composeFields(
  records: Records,
  question: Question,
  { entry, taken }: Pick<Subject, 'entry' | 'taken'>,
  chosen: readonly AskableField[],
  /** Whether "yes" or "no" may come first: not where words of the question are open, which may turn it round. */
  isDecided: boolean,
): Composed | null {
  const said = new Set<string>();
  const cited: string[] = [];
  const unheld: string[] = [];
  // Of several fields each says what it has now.
  const isLater = chosen.length === 1 && (positionsLike(question, later).length > 0 || nextYear.test(question.plain));
  for (const one of chosen) {
    const { field, words } = one;
    const isFirst = isLater ? saysLater : asksOfLong(records, entry, one, question, taken) ? saysLong : null;
    const first = isFirst === null ? undefined : words.say.find((template) => isFirst.test(template));
    const isSaid = first !== undefined && fillSentence(records, entry, field, first) !== null;
    const templates = isSaid ? [first, ...words.say.filter((template) => template !== first)] : words.say;
    for (const [number, template] of templates.entries()) {
      if (number > 0 && (said.size > 3 || (chosen.length > 1 && !words.lead))) {
        break;
      }
      const sentence = fillSentence(records, entry, field, template);
      if (sentence === null && number === 0 && !words.lead && records.read(entry, field) === null) {
        unheld.push(sayUnheld(records, entry, { field, words }));
        said.add(UNCONFIRMED);
      }
      const own = template === NOTE ? notedOf(question, taken, one, sentence?.text ?? '') : (sentence?.text ?? '');
      const text = said.size === 0 ? own.replace(ofLong, `${entry.title} costs $1 (${words.unit})`) : own;
      if (sentence !== null && text !== '' && !said.has(text)) {
        said.add(text);
        cited.push(...sentence.fields);
      }
    }
  }
  const told = [...said].map((text) =>
    text === UNCONFIRMED ? `${UNCONFIRMED} ${formatList(withOwner(entry, unheld), 'or')}${UNSTATED}` : text,
  );
  if (unheld.length === chosen.length || told.length === 0) {
    return unheld.length === 0
      ? null
      : { text: joinSentences(told), citations: records.cite(entry, cited), unconfirmed: entry };
  }
  const [first] = chosen;
  const verdict =
    !isDecided || first === undefined || unheld.length > 0 ? '' : toVerdict(records, question, entry, first);
  const cost = first === undefined ? null : sayCost(records, entry, first, question, readBought(question, taken));
  const caveats = chosen.flatMap(({ field }) => records.read(entry, field)?.caveat ?? []);
  const texts = [...(cost === null ? [] : [cost.text]), ...told, ...new Set(caveats)];
  const count =
    first === undefined || !question.wants.has('count') ? 0 : countOf(records.read(entry, first.field)?.value);
  const counted = count < 2 || first?.field === 'ip_ranges' ? '' : `${count} are listed. `;
  return { text: `${verdict}${counted}${joinSentences(texts)}`, citations: records.cite(entry, cited) };
}

/** What isn't confirmed of a record: "the context window of X", "whether X follows robots.txt". */
function sayUnheld(records: Records, entry: Entry, { field, words }: Pick<AskableField, 'field' | 'words'>): string {
  const own = words.unheld === undefined ? null : fillSentence(records, entry, field, words.unheld);
  return own?.text.replace(/\.$/, '') ?? `the ${labelOf(field)} of ${entry.title}`;
}

/** "the User-Agent string or the User-Agent token of X": whose they are is said once, with the last. */
function withOwner({ title }: Entry, unheld: readonly string[]): string[] {
  const owner = ` of ${title}`;
  const isOfAll = unheld.every((one) => one.endsWith(owner));
  return unheld.map((one, at) => (isOfAll && at < unheld.length - 1 ? one.slice(0, -owner.length) : one));
}

/** What makes it unsure whether yes or no is meant: a choice, a wish for permission, a negation, a degree. */
const unsure =
  /\b(or|may|allowed|permitted|commercial\w*|sell\w*|not|never|no|non|nor|neither|true|false|wrong|refuse\w*|fail\w*|without|only|partial\w*)\b/;

/** "Yes. " or "No. " to a question that asks whether; nothing where the value does not decide it. */
function toVerdict(records: Records, question: Question, entry: Entry, field: AskableField): string {
  if (!question.wants.has('yesno') || unsure.test(question.plain)) {
    return '';
  }
  const value = records.read(entry, field.field)?.value;
  const isNegative = question.words.some(({ stem }) => field.negative.has(stem));
  if (typeof value === 'boolean') {
    return value === isNegative ? 'No. ' : 'Yes. ';
  }
  if (value === 'partial') {
    return 'In part. ';
  }
  const asked = field.values.filter(({ phrases }) => matchPhrases(question, phrases).at.size > 0);
  const held = [value].flat().map(String);
  if (asked.length > 0 && held.length > 0) {
    return asked.every((one) => held.includes(one.value)) === !isNegative ? 'Yes. ' : 'No. ';
  }
  const organisation = question.values.find(({ facet }) => facet === 'organisation');
  if (organisation !== undefined && (field.words.fits === 'who' || /operator|provider/.test(field.field))) {
    const text = records.format(entry, field.field) ?? '';
    return organisation.spellings.some((name) => text.includes(name)) ? 'Yes. ' : 'No. ';
  }
  return '';
}

/** Of each dataset the records that have the name most surely. */
function surest({ entries }: Mention): Mention['entries'] {
  const best = new Map<string, number>();
  for (const { entry, strength } of entries) {
    best.set(entry.dataset, Math.max(best.get(entry.dataset) ?? 0, strength));
  }
  return entries.filter(({ entry, strength }) => strength === best.get(entry.dataset)).slice(0, 4);
}

/** "Grok" is the model that writes text, and not the newest one that speaks or draws. */
const writesText = ({ record: { output_modalities: written } }: Entry): boolean =>
  Array.isArray(written) && written.length === 1 && written[0] === 'text';

/** The fields of the records that the question names; a line of models is asked for by its newest one. */
export function namedCandidates(askable: Askable, question: Question): Candidate[] {
  const newest = question.values.flatMap((value): Candidate[] => {
    const line =
      value.facet === 'family'
        ? askable
            .of('models')
            .filter((entry) => isOfFamily(entry, value.value))
            .sort(
              (a, b) =>
                Number(writesText(b)) - Number(writesText(a)) ||
                readText(b, 'released').localeCompare(readText(a, 'released')),
            )
        : [];
    const [first] = line;
    const taken = new Set(positionsOf(value));
    const own =
      first === undefined
        ? []
        : fieldCandidates(askable, question, { entry: first, strength: 0.85, taken, isFirst: false, via: null });
    // What is asked of "GPT-6" is asked of each of its models.
    return /\d$/.test(value.value) && line.length <= MAX_GROUP
      ? own.filter(({ features }) => features['isLead'] === 1)
      : own;
  });
  const named = question.mentions.flatMap((mention, index) =>
    surest(mention).flatMap(({ entry, strength }) =>
      fieldCandidates(askable, question, {
        entry,
        strength,
        taken: new Set(positionsOf(mention)),
        isFirst: index === 0,
        via: null,
      }),
    ),
  );
  return [...named, ...newest, ...successorCandidates(askable, question), ...severalCandidates(askable, question)];
}

/** Words for what came after a record. */
const successor = /^(successor|replacement|replaces?|replaced|follows|followed|supersedes?|superseded)$/;

/** "What does the successor of GPT-4o cost?": what came after a record is asked about in its turn. */
function successorCandidates(askable: Askable, question: Question): Candidate[] {
  const after = positionsLike(question, successor);
  return question.mentions.flatMap((mention): Candidate[] => {
    const [link] = surest(mention);
    const [entry] = link === undefined ? [] : askable.records.follow(link.entry, 'replaced_by');
    const field = askable.fieldsOf(link?.entry.dataset ?? '').find((one) => one.field === 'replaced_by');
    const [say = ''] = field?.words.say ?? [];
    const said = link === undefined ? null : fillSentence(askable.records, link.entry, 'replaced_by', say);
    if (link === undefined || entry === undefined || said === null || after.length === 0) {
      return [];
    }
    const via = { text: said.text, citations: askable.records.cite(link.entry, said.fields) };
    const taken = new Set([...positionsOf(mention), ...after]);
    return fieldCandidates(askable, question, { entry, strength: link.strength, taken, isFirst: true, via }).map(
      (candidate) => ({
        ...candidate,
        features: { ...candidate.features, ofSuccessor: 1 },
        subject: entry.title,
        successor: entry.title,
      }),
    );
  });
}

const MAX_RECORDS = 5;

/** One field of several records of a dataset: "How do I block GPTBot and ClaudeBot?" */
function severalCandidates(askable: Askable, question: Question): Candidate[] {
  const isComparison = /\b(differ\w*|compar\w*|versus|vs)\b/.test(question.plain);
  if (isComparison || !/\b(and|or|both|all)\b|,/.test(question.text.toLowerCase())) {
    return [];
  }
  return askable.datasets.flatMap((dataset): Candidate[] => {
    const mentions = question.mentions.flatMap((mention) => {
      const link = surest(mention).find(({ entry }) => entry.dataset === dataset);
      return link === undefined ? [] : [{ mention, entry: link.entry, strength: link.strength }];
    });
    const all = [...new Set(mentions.map(({ entry }) => entry))];
    // A standards body beside what it standardises isn't asked for the same.
    const things = all.filter((entry) => readText(entry, 'protocol_type') !== 'governance');
    const entries = (things.length > 0 ? things : all).slice(0, MAX_RECORDS);
    const [first] = mentions;
    if (first === undefined || entries.length < 2) {
      return [];
    }
    const taken = new Set(mentions.flatMap(({ mention }) => positionsOf(mention)));
    return severalOf(askable, question, entries, taken, { isSeveral: 1 });
  });
}

/** One field of each of some records of a dataset; `more` tells how they were found. */
export function severalOf(
  askable: Askable,
  question: Question,
  entries: readonly Entry[],
  taken: ReadonlySet<number>,
  more: Features,
): Candidate[] {
  const [entry] = entries;
  if (entry === undefined) {
    return [];
  }
  return fieldCandidates(askable, question, { entry, strength: 1, taken, isFirst: true, via: null })
    .filter(({ features }) => features['isField'] === 1 && features['fields'] === 0)
    .slice(0, 2)
    .flatMap((candidate) => {
      const path = candidate.intent.slice(candidate.intent.indexOf('.') + 1);
      const field = askable.fieldsOf(entry.dataset).find((one) => one.field === path);
      // Of a group those are named that have the value; a record that the question names is never left out.
      const isGroup = more['isGroup'] === 1;
      const asked = entries.filter((one) => !isGroup || askable.records.read(one, field?.field ?? '') !== null);
      return field === undefined
        ? []
        : [
            {
              ...candidate,
              entry: isGroup ? null : entry,
              intent: `several:${entry.dataset}.${path}`,
              features: { ...candidate.features, ...more },
              compose: () =>
                composeSeveral(askable, question, asked, taken, field, !isOpen(question, candidate.explained, DECIDED)),
            },
          ];
    });
}

function composeSeveral(
  askable: Askable,
  question: Question,
  entries: readonly Entry[],
  taken: ReadonlySet<number>,
  field: AskableField,
  isDecided: boolean,
): Composed | null {
  // Of many records each says one sentence.
  const said = entries.length < 3 ? field : { ...field, words: { ...field.words, say: field.words.say.slice(0, 1) } };
  const answers = entries.flatMap(
    (entry) => composeFields(askable.records, question, { entry, taken }, [said], isDecided) ?? [],
  );
  const citations = answers.flatMap((answer) => answer.citations);
  const isConfirmed = answers.some(({ unconfirmed }) => unconfirmed === undefined);
  const isPrice = field.words.member !== undefined;
  // Who compares two sums wants these and the difference first, and no more.
  const sums = isPrice ? composeSums(askable, question, entries, taken) : null;
  const cheaper = isPrice ? sayCheaper(askable.records, question, entries, taken, field.field) : '';
  // Of each of several records what comes first is enough.
  const texts = [...(cheaper === '' ? [] : [cheaper]), ...answers.map(({ text }) => inShort(text))];
  return !isConfirmed ? null : (sums ?? { text: texts.join('\n'), citations });
}
