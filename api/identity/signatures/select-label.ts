import { isInnerList, parseDictionary } from 'structured-headers';
import { signaturePolicy } from './policy.ts';
import { excerpt, Refusal } from './refusal.ts';

/**
 * Picks the signature to verify (RFC 9421 section 3.2, step 1): the one tagged for this use, among several of those the
 * one labelled sig1, and an untagged one only when there is no doubt. Nothing else is concluded here: the signature is
 * parsed again, strictly, where it is verified.
 */
export function selectLabel(signatureInput: string): string {
  let labels: Map<string, unknown>;
  try {
    const inputs = parseDictionary(signatureInput);
    labels = new Map([...inputs].map(([label, member]) => [label, isInnerList(member) ? member[1].get('tag') : null]));
  } catch (cause) {
    throw new Refusal(
      'malformed-signature',
      `Signature-Input ${excerpt(signatureInput)} is not a dictionary of structured fields (RFC 8941). It looks like sig1=("@method" "@authority" "@path");created=…`,
      null,
      { cause },
    );
  }
  if (labels.size > signaturePolicy.maxSignatures) {
    throw new Refusal(
      'too-many-signatures',
      `${labels.size} signatures came with the request; at most ${signaturePolicy.maxSignatures} are accepted.`,
    );
  }
  const tagged = [...labels.keys()].filter((label) => labels.get(label) === signaturePolicy.tag);
  const candidates = tagged.length > 0 ? tagged : [...labels.keys()];
  const [first, second] = candidates;
  if (first === undefined) {
    throw new Refusal('incomplete-signature', 'Signature-Input is empty.');
  }
  if (second === undefined) {
    return first;
  }
  if (candidates.includes('sig1')) {
    return 'sig1';
  }
  throw new Refusal(
    'ambiguous-signature',
    `The signatures ${candidates.map((label) => excerpt(label, 40)).join(', ')} could each be meant. Tag one of them "${signaturePolicy.tag}", or label it sig1.`,
  );
}
