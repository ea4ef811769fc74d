import type { AlmanacIndex } from '../almanac-index.ts';
import { type Entry, type Fact, readFact } from '../entries.ts';
import { formatList } from '../format.ts';
import { explain, findSubjects, type Intent, matchPatterns } from '../intent.ts';
import { compilePattern } from '../patterns.ts';

interface RelationRule {
  id: string;
  words: RegExp;
  /** Where the named record stands: after the words ("builds on MCP"), before them, or either. */
  place: 'after' | 'before' | 'either';
  /** Links that the named record itself states. */
  own: readonly string[];
  /** Links of other records that point at the named one. */
  incoming: readonly string[];
  say(name: string, others: string): string;
}

const rules: readonly RelationRule[] = [
  {
    id: 'competitors',
    words:
      / (compet(es?|ing|itors?|itions?)( with| to| of| for)?|alternatives?( to| for| of)?|rivals?( of| to)?|rivalling|instead of|substitutes?( for)?|similar to|like) /,
    place: 'either',
    own: ['competes_with'],
    incoming: ['competes_with'],
    say: (name, others) => `The almanac records that ${name} competes with ${others}.`,
  },
  {
    id: 'complements',
    words:
      / (complement(s|ed|ary)?( by| to)?|(go|goes|works?|used|pairs?|combine[sd]?|fits?) (well |together )*with|used together( with)?|alongside|pairs with|companions?( of| to)?) /,
    place: 'either',
    own: ['complements'],
    incoming: ['complements'],
    say: (name, others) => `The almanac records that ${name} complements ${others}.`,
  },
  {
    id: 'builds-on',
    words:
      / (builds? (up)?on( top of)?|built (up)?on( top of)?|building on|based on|extends?|extending|extensions? (of|to|for)|depends? on|relies on|on top of|derived from) /,
    place: 'after',
    own: [],
    incoming: ['built_on', 'extends'],
    say: (name, others) => `Built on ${name}, or an extension of it: ${others}.`,
  },
  {
    id: 'built-on',
    words:
      / (build on|built (up)?on( top of)?|built|based( (up)?on)?|extend|extends|depend on|rely on|build upon|depends on|stand on) /,
    place: 'before',
    own: ['built_on', 'extends'],
    incoming: [],
    say: (name, others) => `${name} is built on, or extends: ${others}.`,
  },
  {
    id: 'governs',
    words: / (govern(ed|s)?|steward(ed|s)?|host(ed|s)?|oversee[ns]?|run|under|standardi[sz]ed) (by|the) /,
    place: 'after',
    own: ['governs', 'stewards', 'standardizes'],
    incoming: ['governed_by', 'standardized_by'],
    say: (name, others) => `${name} governs or standardizes ${others}.`,
  },
  {
    id: 'governs',
    words: / (governs?|stewards?|hosts|oversees?|standardi[sz]es?|responsible for|in charge of) … /,
    place: 'before',
    own: ['governs', 'stewards', 'standardizes'],
    incoming: ['governed_by', 'standardized_by'],
    say: (name, others) => `${name} governs or standardizes ${others}.`,
  },
  {
    id: 'discovers',
    words: / (discovers?|finds?|lists|locates?|indexes) … /,
    place: 'before',
    own: ['discovers'],
    incoming: ['discovered_by'],
    say: (name, others) => `${name} serves to discover ${others}.`,
  },
  {
    id: 'discovered-by',
    words: / (discovers?|discovered|discovering|ways to (find|discover)|find|found through) /,
    place: 'after',
    own: ['discovered_by'],
    incoming: ['discovers'],
    say: (name, others) => `${name} is discovered by ${others}.`,
  },
  {
    id: 'verifies',
    words: / (verif(y|ies|ied)( by)?) /,
    place: 'either',
    own: ['verifies', 'verified_by'],
    incoming: ['verifies', 'verified_by'],
    say: (name, others) => `${name} and verification: ${others}.`,
  },
  {
    id: 'related',
    words:
      / (related( to)?|relat(es?|ions?|ionships?)( to| with| of| between)?|connect(ed|s|ions?)( to| with)?|links?( to| with)?|connection) /,
    place: 'either',
    own: [
      'built_on',
      'complements',
      'governed_by',
      'discovered_by',
      'standardized_by',
      'extends',
      'competes_with',
      'verifies',
      'verified_by',
      'governs',
      'standardizes',
      'stewards',
      'discovers',
    ],
    incoming: [],
    say: (name, others) => `The record of ${name} links to ${others}.`,
  },
];

const asked =
  / (which|what|who|list|are there|any|does|do|is|are) (other |else )?… (protocols?|standards?|specs?|specifications?|projects?|things?|formats?|extensions?|ones?)? ?/;

interface Relationship {
  predicate: string;
  target: string;
}

const toRelationships = (entry: Entry): Relationship[] => {
  const value = readFact(entry, 'relationships')?.value;
  return Array.isArray(value) ? value : [];
};

/** Links between protocols, read from the named record and from those that point at it. */
export const relations: Intent = {
  id: 'relation',
  read(question, index) {
    const subjects = findSubjects(question, ['protocols']);
    for (const rule of rules) {
      const matched = matchPatterns(question, [rule.words]);
      const [subject] = subjects.filter(({ mention }) => {
        const at = matched === null ? [] : [...matched];
        const isAfter = mention.from >= Math.min(...at);
        return rule.place === 'either' || (rule.place === 'after') === isAfter;
      });
      if (matched === null || subject === undefined || subjects.length > 2) {
        continue;
      }
      const { facts, others } = collect(subject.entry, rule, index);
      const { title } = subject.entry;
      const isLoose =
        rule.id === 'related' || / (like|finds?|run|under|links?) /.test(matchedWords(rule, question.plain));
      return {
        intent: rule.id,
        certainty: others.length === 0 ? 0.6 : isLoose ? 0.85 : 0.955,
        isSpecific: true,
        strength: subject.strength,
        explained: explain([...matched, ...(matchPatterns(question, [asked]) ?? [])], [subject.mention]),
        text:
          others.length === 0 ? `The almanac records no such link for ${title}.` : rule.say(title, formatList(others)),
        facts,
        notes: [],
        unconfirmed: others.length === 0 ? [subject.entry] : [],
      };
    }
    return null;
  },
};

const matchedWords = (rule: RelationRule, plain: string): string => compilePattern(rule.words).exec(plain)?.[0] ?? '';

function collect(entry: Entry, rule: RelationRule, index: AlmanacIndex): { facts: Fact[]; others: string[] } {
  const facts: Fact[] = [];
  const others = new Map<string, string>();
  const own = toRelationships(entry).filter(({ predicate }) => rule.own.includes(predicate));
  if (own.length > 0) {
    facts.push({ entry, field: 'relationships', value: own, caveat: null });
  }
  for (const { target } of own) {
    const other = index.get('protocols', target);
    if (other !== undefined) {
      others.set(target, other.title);
      facts.push({ entry: other, field: 'name', value: other.title, caveat: null });
    }
  }
  for (const other of index.of('protocols')) {
    const links = toRelationships(other).filter(
      ({ predicate, target }) => target === entry.id && rule.incoming.includes(predicate),
    );
    if (links.length > 0 && !others.has(other.id)) {
      others.set(other.id, other.title);
      facts.push({ entry: other, field: 'relationships', value: links, caveat: null });
    }
  }
  return { facts, others: [...others.values()] };
}
