import { formatDate } from '../format.ts';
import { defineAttribute, type Intent } from '../intent.ts';

/** Whether something is current, retired, a draft or ready for production. */
export const standing: readonly Intent[] = [
  defineAttribute({
    id: 'maturity',
    patterns: [
      / (maturity( tag| level)?|matur(e|ed)|production( |-)?ready|ready for production|in production|experimental|emerging|stable enough|ready( to use| yet)?) /,
      / (how|is|are) /,
    ],
    requires: [/ (maturity|mature|production|experimental|emerging|stable enough|ready) /],
    unless: /^ (which|what) (protocols|standards|payment|\S+ protocols) | how many /,
    certainty: 0.95,
    what: 'the maturity of',
    readings: {
      protocols: {
        fields: ['maturity_tag', 'status'],
        say: (name, [maturity, status]) => `The maturity of ${name} is ${maturity}; its status is ${status}.`,
      },
    },
  }),
  defineAttribute({
    id: 'status',
    patterns: [
      / (current )?(status|standing|state) (of|is)? ?/,
      / (still )?(deprecated|retired|active|dormant|dead|abandoned|alive|in use|used|stable|a draft|draft|final|finished|superseded|obsolete|maintained|supported|available|current|preview|merged|discontinued|live|around)( yet| anymore| any more| still)? $/,
      / (is|are|was|has|been) … (still )?(deprecated|retired|active|dormant|abandoned|in use|stable|superseded|obsolete|discontinued|a draft|merged) /,
      / (still|anymore|any more) /,
    ],
    unless:
      / (when|since|which|how many|how do|who|where|should|production|used for|weights|version|statistics?|agentic web) /,
    certainty: 0.94,
    what: 'the status of',
    readings: {
      crawlers: { fields: ['status'], say: (name, [status]) => `The status of ${name} is ${status}.` },
      models: {
        fields: ['status', 'retired_on'],
        say: (name, [status, day]) =>
          `The status of ${name} is ${status}${day === undefined ? '' : `, with ${formatDate(String(day))} as its day of retirement`}.`,
      },
      protocols: {
        fields: ['status', 'maturity_tag'],
        say: (name, [status, maturity]) => `The status of ${name} is ${status}, its maturity ${maturity}.`,
      },
    },
  }),
];
