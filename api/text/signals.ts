import { toComparable, toFingerprint } from './fingerprint.ts';
import { addressesTheReader } from './signals/addresses-the-reader.ts';
import { isInstructionShaped } from './signals/instruction-shaped.ts';
import { hasContact, hasUrl } from './signals/links-and-contacts.ts';
import { hasMixedScript } from './signals/mixed-script.ts';

/** The facts that are stated of a guestbook entry when it is read. Facts, not verdicts. */
export const signalNames = [
  'contains-url',
  'addresses-the-reader',
  'contains-contact',
  'instruction-shaped',
  'mixed-script',
  'repeats-an-entry',
] as const;
export type Signal = (typeof signalNames)[number];

/** The visitor's words in an entry. Cleaned text is expected; any text is safe. */
export interface SignedText {
  id: string;
  name: string;
  message: string;
  model: string | null;
}

/** For each fingerprint of a message, the id of the oldest entry that has it. */
export type FirstOccurrences = ReadonlyMap<string, string>;

/** A message with fewer letters and digits than this repeats nothing: many people write "Hello". */
const repeatableLength = 12;

const fingerprints = new WeakMap<object, string>();

/** The fingerprint of an entry's message, worked out once for each entry. */
export function fingerprintOf(entry: Pick<SignedText, 'message'>): string {
  const fingerprint = fingerprints.get(entry) ?? toFingerprint(entry.message);
  fingerprints.set(entry, fingerprint);
  return fingerprint;
}

const indexes = new WeakMap<object, FirstOccurrences>();

/** Indexes the messages of a list, newest first, for `repeats-an-entry`; once for each list, which is not to be modified. */
export function toFirstOccurrences(
  entriesNewestFirst: readonly Pick<SignedText, 'id' | 'message'>[],
): FirstOccurrences {
  const known = indexes.get(entriesNewestFirst);
  if (known !== undefined) {
    return known;
  }
  const first = new Map<string, string>();
  for (const entry of entriesNewestFirst) {
    first.set(fingerprintOf(entry), entry.id);
  }
  indexes.set(entriesNewestFirst, first);
  return first;
}

/**
 * States the signals of an entry, in the order of `signalNames`. The rule of each is in the docstring of its function in signals/;
 * `repeats-an-entry`: an older entry's message has the same letters and digits, at least 12 of them, whatever the case,
 * punctuation and spacing. The entry that said it first does not repeat.
 */
export function signalsOf(entry: SignedText, firstOccurrences: FirstOccurrences = new Map()): Signal[] {
  const texts = [entry.name, entry.message, entry.model ?? ''];
  const text = texts.join('\n');
  const folded = toComparable(text);
  const fingerprint = fingerprintOf(entry);
  const first = firstOccurrences.get(fingerprint);
  const holds: Record<Signal, boolean> = {
    'contains-url': hasUrl(folded),
    'addresses-the-reader': addressesTheReader(folded),
    'contains-contact': hasContact(folded),
    'instruction-shaped': isInstructionShaped(folded),
    'mixed-script': hasMixedScript(text),
    'repeats-an-entry': fingerprint.length >= repeatableLength && first !== undefined && first !== entry.id,
  };
  return signalNames.filter((name) => holds[name]);
}

/** Says whether an entry is suspicious: it speaks to its reader or gives orders, or it hid something. */
export function isSuspicious(signals: readonly Signal[], strippedInvisible: number): boolean {
  return signals.includes('addresses-the-reader') || signals.includes('instruction-shaped') || strippedInvisible > 0;
}
