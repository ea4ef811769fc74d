import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Rechecker } from '../directory/recheck.ts';
import type { Directory, Listing } from '../directory/store.ts';
import { entryLabel, guestbookLimits, hostReply } from '../guestbook/entry.ts';
import { EntryNotFound } from '../guestbook/refusals.ts';
import { toGuestbookList } from '../guestbook/responses.ts';
import type { Guestbook } from '../guestbook/store.ts';
import type { TrustedKeys } from '../identity/trusted-keys.ts';
import { cleanLine, cleanText } from '../text/clean-text.ts';
import { type BackupSource, writeBackup } from './backup.ts';
import type { OwnerLog } from './log.ts';

/** What the owner's actions touch. */
export interface OwnerContext {
  config: Config;
  guestbook: Guestbook;
  trustedKeys: TrustedKeys;
  ownerLog: OwnerLog;
  /** What a backup is made from. */
  backup: BackupSource;
  directory: Directory;
  /** Audits the members of the directory again. */
  rechecker: Pick<Rechecker, 'check'>;
  /** See ToolContext. */
  waitUntilVisible(): Promise<void>;
}

/** An action of the owner: checked input, and what it does with it. */
interface OwnerAction {
  input: z.ZodType;
  run(input: never, context: OwnerContext): unknown;
}

const define = <Input extends z.ZodObject>(
  input: Input,
  run: (input: z.output<Input>, context: OwnerContext) => unknown,
): OwnerAction => ({ input, run });

const Id = z
  .string()
  .regex(/^[0-9a-f]{12}$/, 'is not the id of an entry or a site: 12 lowercase hexadecimal characters');
const By = z.string().trim().min(1).max(80).optional();
const Text = z.string().trim().min(1, 'is empty').max(2000);
const reply = hostReply.shape;

interface Act {
  action: string;
  by: string | undefined;
  about: string | null;
  reason: string | null;
}

/**
 * Logs an act and does it, and returns when the pages show it. An act that then fails is logged as having failed: the log
 * never says less than happened.
 */
async function logged<Result>(
  { config, ownerLog, waitUntilVisible }: OwnerContext,
  { action, by = config.ownerName, about, reason }: Act,
  act: (by: string) => Promise<Result>,
): Promise<Result> {
  await ownerLog.append({ by, action, entry: about, reason });
  try {
    const result = await act(by);
    await waitUntilVisible();
    return result;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await ownerLog.append({ by, action: `${action}-failed`, entry: about, reason: why.slice(0, 500) });
    throw error;
  }
}

function refuseUnknown(guestbook: Guestbook, id: string): void {
  if (guestbook.get(id) === null) {
    throw new EntryNotFound(`The guestbook has no entry ${id}. "list" shows those that wait.`);
  }
}

/** The listing of a site. Throws an Error that says where ids are found. */
function listedAs(directory: Directory, id: string): Listing {
  const listed = directory.get(id);
  if (listed === null) {
    throw new Error(`The directory has no site ${id}. GET /api/directory lists the ids.`);
  }
  return listed;
}

const longestOwnerText = 2000;

/** An object with these of its members cleaned, where they are text. What is no object is handed back as it is. */
function cleanMembers(given: unknown, names: readonly string[]): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return given;
  }
  const cleaned = Object.entries(given).map(([name, value]) => [
    name,
    names.includes(name) && typeof value === 'string' ? cleanText(value, { characters: longestOwnerText }).text : value,
  ]);
  return Object.fromEntries(cleaned);
}

const cleanLinks = (links: unknown): unknown =>
  Array.isArray(links) ? links.map((link) => cleanMembers(link, ['what'])) : links;

/** An owner's answer to import, cleaned: an export is a file that others may have written. */
function cleanReply(given: unknown): unknown {
  const reply = cleanMembers(given, ['by', 'drafted_by', 'text']);
  if (typeof reply !== 'object' || reply === null) {
    return reply;
  }
  return Object.fromEntries(
    Object.entries(reply).map(([name, value]) => [
      name,
      name === 'links' || name === 'shipped' ? cleanLinks(value) : value,
    ]),
  );
}

/** Text of an entry to import, cleaned as a visitor's is; what was done to it is noted as for a visitor. */
function cleanImported(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) {
    return given;
  }
  const entry: Record<string, unknown> = { ...given };
  let stripped = 0;
  let cut = false;
  for (const field of ['name', 'message', 'model'] as const) {
    const value = entry[field];
    if (typeof value === 'string') {
      const clean = field === 'message' ? cleanText : cleanLine;
      const { text, truncated, strippedInvisible } = clean(value, { characters: guestbookLimits[field] });
      entry[field] = text;
      stripped += strippedInvisible;
      cut ||= truncated;
    }
  }
  const { user_agent, stripped_invisible, truncated } = entry;
  return {
    ...entry,
    ...(typeof user_agent === 'string'
      ? { user_agent: cleanLine(user_agent, { characters: guestbookLimits.userAgent }).text }
      : {}),
    ...(stripped > 0
      ? { stripped_invisible: (typeof stripped_invisible === 'number' ? stripped_invisible : 0) + stripped }
      : {}),
    ...(cut ? { truncated: true } : truncated === undefined ? {} : { truncated }),
    ...('label' in entry ? { label: cleanMembers(entry['label'], ['reason', 'by']) } : {}),
    ...('review' in entry ? { review: cleanMembers(entry['review'], ['by']) } : {}),
    ...('host_reply' in entry ? { host_reply: cleanReply(entry['host_reply']) } : {}),
  };
}

/** Every action of the owner, by the name of its command. */
export const ownerActions: Readonly<Record<string, OwnerAction>> = {
  list: define(
    z.strictObject({ state: z.enum(['awaiting', 'labelled', 'cleared']).optional() }),
    ({ state = null }, { guestbook, config }) => {
      const { totals, entries } = toGuestbookList(guestbook, config, {});
      return { totals, entries: entries.filter(({ review }) => state === null || review.state === state) };
    },
  ),

  label: define(
    z.strictObject({ id: Id, label: entryLabel.shape.label, reason: Text, by: By }),
    ({ id, label, reason, by }, context) => {
      refuseUnknown(context.guestbook, id);
      return logged(context, { action: `label ${label}`, by, about: id, reason }, (author) =>
        context.guestbook.label(id, {
          label,
          reason: cleanText(reason, { characters: longestOwnerText }).text,
          by: author,
        }),
      );
    },
  ),

  clear: define(z.strictObject({ id: Id, by: By }), ({ id, by }, context) => {
    refuseUnknown(context.guestbook, id);
    return logged(context, { action: 'clear', by, about: id, reason: null }, (author) =>
      context.guestbook.clear(id, author),
    );
  }),

  reply: define(
    z.strictObject({
      id: Id,
      text: Text,
      drafted_by: Text.optional(),
      links: reply.links,
      shipped: reply.shipped,
      by: By,
    }),
    ({ id, text, drafted_by, links, shipped, by }, context) => {
      refuseUnknown(context.guestbook, id);
      return logged(context, { action: 'reply', by, about: id, reason: null }, (author) =>
        context.guestbook.reply(id, {
          by: author,
          drafted_by: drafted_by ?? author,
          text: cleanText(text, { characters: longestOwnerText }).text,
          ...(links === undefined ? {} : { links }),
          ...(shipped === undefined ? {} : { shipped }),
        }),
      );
    },
  ),

  import: define(z.strictObject({ entries: z.array(z.unknown()).min(1), by: By }), ({ entries, by }, context) =>
    logged(context, { action: 'import', by, about: null, reason: `${entries.length} entries` }, () =>
      context.guestbook.import(entries.map(cleanImported)),
    ),
  ),

  withdraw: define(z.strictObject({ id: Id, reason: Text, by: By }), ({ id, reason, by }, context) => {
    refuseUnknown(context.guestbook, id);
    return logged(context, { action: 'withdraw by mail', by, about: id, reason }, () =>
      context.guestbook.withdrawByMail(id),
    );
  }),

  delist: define(z.strictObject({ id: Id, reason: Text, by: By }), ({ id, reason, by }, context) => {
    const listed = listedAs(context.directory, id);
    return logged(context, { action: `delist ${listed.url}`, by, about: id, reason }, async () => {
      await context.directory.remove(id);
      return { delisted: listed };
    });
  }),

  recheck: define(z.strictObject({ id: Id, by: By }), ({ id, by }, context) => {
    const listed = listedAs(context.directory, id);
    return logged(context, { action: `recheck ${listed.url}`, by, about: id, reason: null }, async () => {
      const recheck = await context.rechecker.check(id);
      return { outcome: recheck?.outcome ?? 'delisted', listing: context.directory.get(id) };
    });
  }),

  trust: define(
    z.strictObject({ keyid: Text, owner: Text, note: Text.nullable().default(null), by: By }),
    ({ keyid, owner, note, by }, context) =>
      logged(context, { action: 'trust', by, about: keyid, reason: note ?? owner }, () =>
        context.trustedKeys.add({ keyid, owner, note }),
      ),
  ),

  distrust: define(z.strictObject({ keyid: Text, reason: Text.nullable().default(null), by: By }), (input, context) =>
    logged(context, { action: 'distrust', by: input.by, about: input.keyid, reason: input.reason }, () =>
      context.trustedKeys.remove(input.keyid),
    ),
  ),

  keys: define(z.strictObject({}), (_input, { trustedKeys }) => ({ keys: trustedKeys.list() })),

  backup: define(z.strictObject({ folder: z.string().startsWith('/').max(4096), by: By }), ({ folder, by }, context) =>
    logged(context, { action: 'backup', by, about: null, reason: folder }, () => writeBackup(folder, context.backup)),
  ),

  log: define(z.strictObject({ limit: z.int().min(1).max(10_000).default(50) }), async ({ limit }, { ownerLog }) => ({
    acts: (await ownerLog.read()).slice(-limit),
  })),
};

/** Runs an action of the owner. Throws an Error whose message the owner reads. */
export async function runOwnerAction(name: string, input: unknown, context: OwnerContext): Promise<unknown> {
  const action = Object.hasOwn(ownerActions, name) ? ownerActions[name] : undefined;
  if (action === undefined) {
    throw new Error(`There is no command ${JSON.stringify(name)}. There are: ${Object.keys(ownerActions).join(', ')}.`);
  }
  const parsed = action.input.safeParse(input);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new Error(`${name}: ${faults.join('; ')}.`);
  }
  return action.run(parsed.data as never, context);
}
