import { type Fact, readFact } from '../entries.ts';
import { toSentence } from '../format.ts';
import {
  type Draft,
  explain,
  findSubjects,
  type Intent,
  matchPatterns,
  type Subject,
  toSharedNameNote,
} from '../intent.ts';
import type { Question } from '../link.ts';

const asked =
  /^ (please |can you |could you |so |hey |hi |ok )*(what|whats|wat|who|define|definition|explain|describe|meaning|tell|give|i want to know|i would like to know)( is| are| was| were| does| do| about| me| us| an| a| the| of| exactly| overview| introduction| to| more| this| thing| called| brief| short| explanation| definition| term| meaning)* /;
const meaning =
  / (mean(s|ing|t)?( by)?|definition|define[sd]?|term|in simple words|explain(ed)?|refer(s)? to|about|thing) /;
const standsFor =
  / (stands? for|acronym|abbreviation|abbreviated|full name|spelled out|long form|short for|expand(s|ed)?( to)?)( of| for)? /;

/** The field that says what a thing is, by dataset. */
const definingField: Readonly<Record<string, string>> = {
  glossary: 'definition',
  protocols: 'snippet',
  crawlers: 'purpose',
  models: 'summary',
};

const nameField: Readonly<Record<string, string>> = { glossary: 'abbreviation_of', protocols: 'full_name' };

/** The one mention a definition is asked of: particular names before general terms, then the first. */
function findSubject(question: Question, datasets: readonly string[]): Subject | undefined {
  const subjects = datasets.flatMap((dataset) => findSubjects(question, [dataset]));
  const isGeneral = ({ mention }: Subject): number => (mention.isGeneral ? 1 : 0);
  return subjects.sort((a, b) => isGeneral(a) - isGeneral(b) || a.mention.from - b.mention.from)[0];
}

function toDraft(
  intent: string,
  certainty: number,
  subject: Subject,
  matched: Iterable<number>,
  fact: Fact | null,
  text: string,
): Draft {
  return {
    intent,
    certainty,
    strength: subject.strength,
    explained: explain(matched, [subject.mention]),
    text,
    facts: fact === null ? [] : [fact],
    notes: toSharedNameNote(subject.mention, subject.entry),
    unconfirmed: fact === null ? [subject.entry] : [],
  };
}

const expansion: Intent = {
  id: 'stands-for',
  read(question) {
    const matched = matchPatterns(question, [standsFor, asked]);
    if (matched === null || !standsFor.test(question.plain)) {
      return null;
    }
    const subject = [findSubject(question, ['protocols']), findSubject(question, ['glossary'])].find(
      (candidate) =>
        candidate !== undefined && readFact(candidate.entry, nameField[candidate.entry.dataset] ?? '') !== null,
    );
    const fallback = subject ?? findSubject(question, ['glossary', 'protocols']);
    if (fallback === undefined) {
      return null;
    }
    const fact = readFact(fallback.entry, nameField[fallback.entry.dataset] ?? '');
    const { title } = fallback.entry;
    const text =
      fact === null
        ? `The almanac does not confirm what ${title} stands for.`
        : toSentence(`${title} stands for ${fact.value}`);
    return { ...toDraft('stands-for', 0.97, fallback, matched, fact, text), isSpecific: true };
  },
};

const definition: Intent = {
  id: 'definition',
  read(question) {
    const matched = matchPatterns(question, [asked, meaning]);
    const isBare = matched === null;
    const prefersTerm = / (mean(s|ing)?|term|define|definition) /.test(question.plain);
    const order = prefersTerm
      ? ['glossary', 'protocols', 'crawlers', 'models']
      : ['protocols', 'crawlers', 'models', 'glossary'];
    const subject = findSubject(question, order);
    const fact = subject === undefined ? null : readFact(subject.entry, definingField[subject.entry.dataset] ?? '');
    if (subject === undefined || fact === null) {
      return null;
    }
    const text = String(fact.value);
    const isCrawler = subject.entry.dataset === 'crawlers';
    const operator = isCrawler ? readFact(subject.entry, 'operator') : null;
    const lead = operator === null ? '' : `${subject.entry.title} is operated by ${operator.value}. `;
    const isWhole = explain(matched ?? [], [subject.mention]).size === question.tokens.length;
    const draft = toDraft(
      'definition',
      isBare ? 0.75 : isWhole ? 0.975 : 0.88,
      subject,
      matched ?? [],
      fact,
      `${lead}${text}`,
    );
    return { ...draft, facts: operator === null ? draft.facts : [fact, operator] };
  },
};

/** What something is, and what its letters stand for. */
export const definitions: readonly Intent[] = [expansion, definition];
