import type { NewEntry } from '#api/guestbook/entry.ts';

/** A valid entry to write, with the members that a test cares about. */
export function toNewEntry(members: Partial<NewEntry> = {}): NewEntry {
  return {
    name: 'Ada',
    message: 'The light is on.',
    model: null,
    visitor_type: 'agent',
    user_agent: 'test/1.0',
    provenance: { signature: { present: false }, transport: 'json', declared_intent: null },
    truncated: false,
    stripped_invisible: 0,
    tier: 'C',
    ...members,
  };
}
