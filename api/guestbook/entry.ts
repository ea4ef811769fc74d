import { z } from 'zod';

/**
 * Limits of the guestbook in code points, how many entries it keeps, and how many of them newer ones don't push out because the
 * owner has cleared them.
 */
export const guestbookLimits = {
  name: 80,
  message: 280,
  model: 80,
  userAgent: 512,
  kept: 500,
  keptCleared: 250,
} as const;

/** Entries signed before this moment are from the time before signatures were checked and tokens were given out. */
export const signatureCheckingSince = '2026-09-08T00:00:00.000Z';

const text = (characters: number) =>
  z.string().refine((value) => value !== '' && [...value].length <= characters, {
    error: `is empty or longer than ${characters} characters`,
  });
const date = z.iso.date();

/** A name of a key: a SHA-256 in base64url. */
export const keyid = z.string().regex(/^[\w-]{43}$/, {
  error: 'is not a keyid: 43 characters of base64url, the JWK thumbprint of a key or the SHA-256 of its SPKI DER',
});

const linkSchema = z.strictObject({ what: z.string().min(1), url: z.url({ protocol: /^https?$/ }) });

/** The owner's judgement of an entry, shown with it. */
export const entryLabel = z.strictObject({
  label: z.enum(['promotional', 'off-topic']),
  reason: z.string().min(1),
  by: z.string().min(1),
  at: date,
});
export type EntryLabel = z.infer<typeof entryLabel>;

/** The owner's answer to an entry. `shipped` names what was done because of it. */
export const hostReply = z.strictObject({
  by: z.string().min(1),
  drafted_by: z.string().min(1),
  at: date,
  text: z.string().min(1),
  links: z.array(linkSchema).optional(),
  shipped: z.array(linkSchema).optional(),
});
export type HostReply = z.infer<typeof hostReply>;

const entryFields = {
  id: z.string().regex(/^[0-9a-f]{12}$/),
  name: text(guestbookLimits.name),
  message: text(guestbookLimits.message),
  model: text(guestbookLimits.model).nullable(),
  visitor_type: z.enum(['agent', 'human (probably)']),
  user_agent: z.string().refine((value) => [...value].length <= guestbookLimits.userAgent, {
    error: `is longer than ${guestbookLimits.userAgent} characters`,
  }),
  /** UTC with milliseconds, as Date.toISOString writes it. */
  signed_at: z.iso.datetime({ precision: 3 }),
  provenance: z
    .strictObject({
      signature: z.strictObject({ present: z.boolean() }),
      transport: z.enum(['form', 'json']),
      declared_intent: z.null(),
    })
    .optional(),
  truncated: z.boolean().optional(),
  stripped_invisible: z.int().min(0).optional(),
  identity: z.strictObject({
    tier: z.enum(['A', 'B', 'C', 'D', 'n/a']),
    /** Both names of the key that signed the write: its JWK thumbprint, then the SHA-256 of its SPKI. Only with tier A or B. */
    keyids: z.tuple([keyid, keyid]).optional(),
  }),
  label: entryLabel.nullable(),
  review: z.strictObject({
    state: z.enum(['awaiting', 'labelled', 'cleared']),
    by: z.string().min(1).optional(),
    at: date.optional(),
  }),
  host_reply: hostReply.nullable(),
};

const isLabelledWhenLabel = (entry: { label: unknown; review: { state: string } }): boolean =>
  (entry.label !== null) === (entry.review.state === 'labelled');
const labelledError = { error: 'has a label without the state labelled, or the other way round' };

/**
 * A guestbook entry as it is stored. What follows from it is computed when it is read: url, api_url, signals, suspicious
 * and identity.meaning. Only entries from before 2026-09-08 may lack the optional members.
 */
export const guestbookEntry = z.strictObject(entryFields).refine(isLabelledWhenLabel, labelledError);
export type GuestbookEntry = z.infer<typeof guestbookEntry>;

/** What the service knows of a new entry; id, time and review state are the store's. All text is cleaned and cut already. */
export interface NewEntry {
  name: string;
  message: string;
  model: string | null;
  visitor_type: GuestbookEntry['visitor_type'];
  user_agent: string;
  provenance: NonNullable<GuestbookEntry['provenance']>;
  truncated: boolean;
  stripped_invisible: number;
  tier: 'A' | 'B' | 'C' | 'D';
  /** Both names of the key that signed the write; none when no signature counts. */
  keyids?: GuestbookEntry['identity']['keyids'];
}

/**
 * An entry from before 2026-09-08, as an export of the guestbook's API shows it: members that are computed when read are
 * dropped, the tier becomes `n/a`, and `signed_at` may be any ISO 8601 timestamp with a zone.
 */
export const importedEntry = z
  .object({
    ...entryFields,
    identity: z
      .unknown()
      .optional()
      .transform(() => ({ tier: 'n/a' as const })),
    // A zone can lead out of the four-digit years, which the stored form does not have.
    signed_at: z.iso
      .datetime({ offset: true })
      .transform((value) => new Date(value).toISOString())
      .pipe(entryFields.signed_at),
    label: entryFields.label.default(null),
    review: entryFields.review.default({ state: 'awaiting' }),
    host_reply: entryFields.host_reply.default(null),
  })
  .refine((entry) => entry.signed_at < signatureCheckingSince, {
    error: `was signed at or after ${signatureCheckingSince}: only older entries are imported`,
    path: ['signed_at'],
  })
  .refine(isLabelledWhenLabel, labelledError);
