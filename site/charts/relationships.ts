import type { Protocol } from '#almanac/datasets/protocols.ts';

type Predicate = Protocol['relationships'][number]['predicate'];

/** How a relationship is drawn. Predicates that a reader tells apart by their direction or degree alone share a kind. */
export const relationshipKinds = ['built-on', 'complements', 'competes', 'governed', 'discovers'] as const;
/** One of the five ways a relationship is drawn. */
export type RelationshipKind = (typeof relationshipKinds)[number];

/** One link between two protocols, said once and in one direction. */
export interface Relationship {
  from: string;
  predicate: Predicate;
  to: string;
  kind: RelationshipKind;
  note: string;
}

/** The predicate that says the same from the other end; the map tells each link in the direction on the right. */
const told = new Map<Predicate, Predicate>([
  ['discovered_by', 'discovers'],
  ['verified_by', 'verifies'],
  ['governs', 'governed_by'],
  ['standardizes', 'standardized_by'],
]);

const symmetric: ReadonlySet<Predicate> = new Set<Predicate>(['complements', 'competes_with']);

const kindOf = (predicate: Predicate): RelationshipKind => {
  switch (predicate) {
    case 'built_on':
    case 'extends':
      return 'built-on';
    case 'complements':
      return 'complements';
    case 'competes_with':
      return 'competes';
    case 'discovers':
    case 'discovered_by':
    case 'verifies':
    case 'verified_by':
      return 'discovers';
    case 'governs':
    case 'governed_by':
    case 'standardizes':
    case 'standardized_by':
    case 'stewards':
      return 'governed';
  }
};

/** Every relationship of the dataset once, although both ends may state it, in the order of the records. */
export function toRelationships(records: readonly Pick<Protocol, 'id' | 'relationships'>[]): Relationship[] {
  const seen = new Set<string>();
  const relationships: Relationship[] = [];
  for (const { id, relationships: links } of records) {
    for (const { predicate: stated, target, note } of links) {
      const turned = told.get(stated);
      const predicate = turned ?? stated;
      const [from, to] = turned === undefined ? [id, target] : [target, id];
      const ends = symmetric.has(predicate) ? [from, to].sort() : [from, to];
      const key = `${predicate} ${ends.join(' ')}`;
      if (!seen.has(key)) {
        seen.add(key);
        relationships.push({ from, predicate, to, kind: kindOf(predicate), note });
      }
    }
  }
  return relationships;
}
