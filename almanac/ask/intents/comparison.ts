import { type Entry, type Fact, readFact } from '../entries.ts';
import { formatValue } from '../format.ts';
import { explain, findSubjects, type Intent, matchPatterns } from '../intent.ts';

const patterns = [
  / (compar(e|ed|es|ing|ison)( of| between)?( to| with)?|versus|vs|differ(s|ence|ences|ent)?( between| from)?|distinguish(es)?|contrast|distinction( between)?|or|should (i|we) (use|choose|pick)) /,
  / (to|with|from|against|and) /,
];

/** What is set side by side, by dataset, and what each row is called. */
const rows: Readonly<Record<string, readonly [field: string, label: string][]>> = {
  models: [
    ['provider', 'Provider'],
    ['released', 'Released'],
    ['status', 'Status'],
    ['context_window', 'Context window (tokens)'],
    ['max_output', 'Max output (tokens)'],
    ['knowledge_cutoff', 'Knowledge cutoff'],
    ['input_modalities', 'Input modalities'],
    ['open_weights', 'Open weights'],
    ['license', 'License'],
  ],
  protocols: [
    ['one_liner', 'What it is'],
    ['creator', 'Creator'],
    ['governance_body', 'Governance body'],
    ['layer', 'Layer'],
    ['status', 'Status'],
    ['maturity_tag', 'Maturity'],
    ['current_spec_version', 'Current version'],
    ['license', 'License'],
    ['transport', 'Transport'],
    ['when_to_use', 'When to use'],
  ],
  crawlers: [
    ['operator', 'Operator'],
    ['purpose', 'Purpose'],
    ['bot_type', 'Type'],
    ['robots_token', 'Robots token'],
    ['respects_robots', 'Respects robots.txt'],
    ['verification_methods', 'Verification methods'],
    ['status', 'Status'],
  ],
  glossary: [['definition', 'Definition']],
};

const MAX_COMPARED = 4;

/** Sets two to four records of one dataset side by side, field by field. */
export const comparison: Intent = {
  id: 'comparison',
  read(question) {
    const matched = matchPatterns(question, patterns);
    if (matched === null || !patterns[0]?.test(question.plain)) {
      return null;
    }
    const dataset = Object.keys(rows).find((id) => findSubjects(question, [id]).length > 1);
    const subjects = dataset === undefined ? [] : findSubjects(question, [dataset]).slice(0, MAX_COMPARED);
    if (dataset === undefined || subjects.length < 2) {
      return null;
    }
    const entries = subjects.map((subject) => subject.entry);
    const facts: Fact[] = [];
    const lines: string[] = [];
    for (const [field, label] of rows[dataset] ?? []) {
      const read = entries.map((entry) => readFact(entry, field));
      if (read.some((fact) => fact !== null)) {
        facts.push(...read.filter((fact) => fact !== null));
        lines.push(`${label}: ${entries.map((entry, at) => toCell(entry, read[at] ?? null)).join('; ')}`);
      }
    }
    return {
      intent: 'comparison',
      certainty: / (compar|versus|vs|differ|distin|contrast)/.test(question.plain) ? 0.97 : 0.85,
      strength: Math.min(...subjects.map((subject) => subject.strength)),
      explained: explain(
        matched,
        subjects.map((subject) => subject.mention),
      ),
      text: lines.join('\n'),
      facts,
      notes: [],
      unconfirmed: [],
    };
  },
};

/** A version stays as it is written, even one that looks like a date. */
function toCell(entry: Entry, fact: Fact | null): string {
  const isVersion = fact?.field === 'current_spec_version';
  const text = fact === null ? 'not confirmed' : isVersion ? String(fact.value) : formatValue(fact.value);
  return `${entry.title} – ${text.replace(/\.$/, '')}`;
}
