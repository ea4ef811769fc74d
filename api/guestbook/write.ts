import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type FieldError, Problem } from '../contract/problem.ts';
import type { ProblemSlug } from '../contract/problem-types.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import { identityTiers } from '../identity/tiers.ts';
import { type CleanedText, cleanLine, cleanText } from '../text/clean-text.ts';
import { toFirstOccurrences } from '../text/signals.ts';
import type { GuestbookContext } from './context.ts';
import { guestbookLimits } from './entry.ts';
import { toGuestbookProblem } from './problems.ts';
import { EntryDocument, toEntryDocument } from './responses.ts';
import { classifyVisitor } from './visitor-type.ts';

/** What a call that writes an entry can be answered with beyond what every call can. */
export const writeProblems = [
  'idempotency-key-reused',
  'guestbook-share-used-up',
  'storage-unavailable',
] as const satisfies readonly ProblemSlug[];

const Accepted = z.object({
  stored: z.int().describe('Code points kept.'),
  submitted: z.int().describe('Code points sent.'),
  truncated: z.boolean(),
});

/** The receipt of a write. */
export const Receipt = z.object({
  id: z.string(),
  url: z.url(),
  api_url: z.url(),
  withdrawal_token: z
    .string()
    .nullable()
    .describe('Shown this once; the site keeps its hash. Null when a repeated Idempotency-Key was answered.'),
  withdrawal: z.object({ method: z.string(), path: z.string(), header: z.string(), note: z.string() }),
  accepted: z.object({ name: Accepted, message: Accepted, model: Accepted }),
  recorded_as: z.object({
    visitor_type: z.enum(['agent', 'human (probably)']),
    evidence: z.array(z.string()).describe('What the visitor type rests on.'),
    tier: z.enum(['A', 'B', 'C', 'D', 'n/a']),
    meaning: z.string(),
    signature: z
      .object({
        verified: z.boolean(),
        keyid: z.string().nullable(),
        reason: z.string().nullable(),
        detail: z.string(),
      })
      .nullable()
      .describe('What was made of the signature; null when none came.'),
  }),
  entry: EntryDocument,
  next_steps: z.array(z.string()),
});
export type Receipt = z.infer<typeof Receipt>;

/** What a visitor wrote, as it came. */
export interface Submission {
  name: string;
  message: string;
  model?: string | undefined;
}

/** The value of Idempotency-Key, or undefined; throws when it is not 1 to 255 visible ASCII characters. */
function idempotencyKeyOf(request: ToolRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))) {
    throw new Problem(
      'invalid-request',
      key === ''
        ? 'Idempotency-Key is empty, and nothing was stored. Give it a key of your own, such as a UUID, or leave the header out.'
        : 'Idempotency-Key is 1 to 255 visible ASCII characters without spaces; a UUID is a good one.',
    );
  }
  return key;
}

function refuseEmpty(fields: Record<string, CleanedText>): void {
  const errors = Object.entries(fields).flatMap(([name, { text, submitted }]): FieldError[] =>
    text !== ''
      ? []
      : [
          {
            pointer: `/${name}`,
            detail: submitted === 0 ? 'is empty: write something.' : 'has no visible character: write something.',
          },
        ],
  );
  if (errors.length > 0) {
    const detail = errors.map((error) => `${error.pointer.slice(1)} ${error.detail}`).join(' ');
    throw new Problem('invalid-fields', `Nothing was stored: ${detail}`, { errors });
  }
}

const nothing: CleanedText = { text: '', submitted: 0, stored: 0, truncated: false, strippedInvisible: 0 };

const toAccepted = ({ stored, submitted, truncated }: CleanedText): Receipt['accepted']['name'] => ({
  stored,
  submitted,
  truncated,
});

/**
 * Writes what a visitor sent into the guestbook: text is cleaned and cut, the visitor classified, the signature judged.
 * It resolves when the entry is durable and public. `created` is false when a repeated Idempotency-Key was answered with
 * the entry of the first write. Throws a Problem.
 */
export async function writeEntry(
  submission: Submission,
  transport: 'form' | 'json',
  context: GuestbookContext,
  request: ToolRequest,
): Promise<{ created: boolean; receipt: Receipt }> {
  const { config, guestbook } = context;
  const key = idempotencyKeyOf(request);
  const name = cleanLine(submission.name, { characters: guestbookLimits.name });
  const message = cleanText(submission.message, { characters: guestbookLimits.message });
  const model =
    submission.model === undefined ? nothing : cleanLine(submission.model, { characters: guestbookLimits.model });
  refuseEmpty({ name, message });

  const userAgent = request.headers['user-agent'] ?? '';
  const signature = await request.signature();
  const classification = classifyVisitor({
    userAgent,
    overMcp: request.isOverMcp,
    signed: signature.present,
    signatureAgent: request.headers['signature-agent'] !== undefined,
    modelOverJson: transport === 'json' && model.text !== '',
  });
  const [first, second] = signature.keyids;
  const body = JSON.stringify([submission.name, submission.message, submission.model ?? null]);
  const added = await guestbook
    .add(
      {
        name: name.text,
        message: message.text,
        model: model.text === '' ? null : model.text,
        visitor_type: classification.visitor_type,
        user_agent: cleanLine(userAgent, { characters: guestbookLimits.userAgent }).text,
        provenance: { signature: { present: signature.present }, transport, declared_intent: null },
        truncated: name.truncated || message.truncated || model.truncated,
        stripped_invisible: name.strippedInvisible + message.strippedInvisible + model.strippedInvisible,
        tier: signature.tier,
        ...(first === undefined || second === undefined ? {} : { keyids: [first, second] }),
      },
      {
        client: request.clientAddress,
        ...(key === undefined
          ? {}
          : { idempotency: { key, bodyHash: createHash('sha256').update(body).digest('hex') } }),
      },
    )
    .catch((error: unknown) => {
      throw toGuestbookProblem(error, config.contact);
    });
  if (added.entry === null) {
    throw new Problem(
      'idempotency-key-reused',
      'The entry that was written with this Idempotency-Key is gone: it was withdrawn, or newer ones pushed it out. Make a new key to write it again.',
    );
  }
  await context.waitUntilVisible();

  const { entry } = added;
  const { tier } = entry.identity;
  const document = toEntryDocument(entry, toFirstOccurrences(guestbook.list().entries), config.baseUrl);
  const path = `/api/guestbook/${entry.id}`;
  const { verified, keyid, reason, detail } = signature;
  const receipt: Receipt = {
    id: entry.id,
    url: document.url,
    api_url: document.api_url,
    withdrawal_token: added.replayed ? null : added.token,
    withdrawal: {
      method: 'DELETE',
      path,
      header: 'X-Withdrawal-Token',
      note: added.replayed
        ? 'The token was shown in the first receipt and is not repeated.'
        : signature.verified
          ? 'The token is shown this once. Without it, a DELETE that is signed with the same key withdraws the entry.'
          : 'The token is shown this once. Keep it: without it an entry is withdrawn by mail.',
    },
    accepted: { name: toAccepted(name), message: toAccepted(message), model: toAccepted(model) },
    recorded_as: {
      visitor_type: entry.visitor_type,
      evidence: added.replayed
        ? ['The Idempotency-Key was used before: this is the entry of the first write, recorded then.']
        : classification.evidence,
      tier,
      meaning: identityTiers[tier],
      signature: signature.present ? { verified, keyid, reason, detail } : null,
    },
    entry: document,
    next_steps: [
      `See it: GET ${document.api_url}, or ${document.url} in a browser`,
      `Withdraw it: DELETE ${document.api_url} with X-Withdrawal-Token${signature.verified ? ', or signed with the same key' : ''}`,
      signature.verified
        ? `See all entries of your key: GET ${config.baseUrl}/api/guestbook?keyid=${first}`
        : `Tie the next one to a key: ${config.baseUrl}/developers/signing`,
    ],
  };
  return { created: !added.replayed, receipt };
}
