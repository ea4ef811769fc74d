import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { resolve as resolvePath } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { type Config, readConfig } from '#api/config.ts';
import type { EntryDocument } from '#api/guestbook/responses.ts';
import { spkiKeyid } from '#api/identity/signatures/keyids.ts';
import type { TrustedKey } from '#api/identity/trusted-keys.ts';
import type { OwnerAct } from '#api/owner/log.ts';
import { ownerSocketPath } from '#api/owner/socket.ts';
import {
  type Command,
  defineCommand,
  type parseCommandLine,
  processTerminal,
  UsageError,
} from './support/command-line.ts';

const help = `The owner's work on the guestbook, the directory and the trusted keys, done by the running service.

Usage: npm run owner -- <command> [arguments] [options]

  list [--state awaiting|labelled|cleared|all]   entries; those that await review by default
  clear <id>…                                    you have read them and found nothing to label
  label <id> promotional|off-topic --reason TEXT an awaiting entry is labelled; it stays complete and visible
  reply <id> --text TEXT [--drafted-by NAME] [--link "WHAT=URL"]… [--shipped "WHAT=URL"]…
                                                 answers an entry, in place of an earlier answer
  withdraw <id> --reason TEXT                    removes an entry whose writer asked for it by mail
  delist <id> --reason TEXT                      takes a site out of the directory
  recheck <id>                                   audits a site of the directory again, now
  import <file>                                  takes over entries from before 2026-09-08: a JSON array, or an
                                                 export of GET /api/guestbook
  trust <keyid | key.pem> --owner NAME [--note TEXT]
                                                 signatures of this key are tier A from now on
  distrust <keyid | key.pem> [--reason TEXT]     and no longer
  keys                                           the trusted keys
  backup <folder>                                writes everything the service keeps into an empty folder, while it runs
  restore <folder>                               puts a backup into an empty DATA_DIR, or the empty database of
                                                 DATABASE_URL; the service must not run. So you move between the two
  log [--limit N]                                what was done, oldest first; the last 50 by default

  --by NAME    who does it, in the log and with labels and replies; OWNER_NAME by default
  --json       prints what the service answered
  --help       this text

The command speaks to the service over the socket owner.sock in DATA_DIR, which the user of the service alone can open.
Run it as that user, with the same DATA_DIR.
`;

const options = {
  state: { type: 'string' },
  reason: { type: 'string' },
  text: { type: 'string' },
  'drafted-by': { type: 'string' },
  link: { type: 'string', multiple: true },
  shipped: { type: 'string', multiple: true },
  owner: { type: 'string' },
  note: { type: 'string' },
  limit: { type: 'string' },
  by: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** A keyid is base64url: one in 64 begins with a hyphen and is no option. */
const isHyphenedKeyid = (argument: string): boolean => /^-[\w-]{42}$/.test(argument);

/** The arguments with keyids that begin with a hyphen at the end, where they're read as no option. */
const withKeyidsLast = (args: readonly string[]): string[] => [
  ...args.filter((argument) => !isHyphenedKeyid(argument)),
  '--',
  ...args.filter(isHyphenedKeyid),
];

type Options = ReturnType<typeof parseCommandLine<typeof options>>['values'];

/** Where the service listens, where relative paths start, and how the service is configured. */
interface Place {
  config: Config;
  dataDir: string;
  cwd: string;
}

/** Asks the service; what is undefined in the input is left out. Throws an Error with what it answers, or with what to do when it does not. */
async function ask({ dataDir }: Place, command: string, input: Record<string, unknown>): Promise<unknown> {
  const body = JSON.stringify(input);
  const { status, answer } = await new Promise<{ status: number; answer: unknown }>((resolve, reject) => {
    const call = request(
      { socketPath: ownerSocketPath(dataDir), path: `/${command}`, method: 'POST', timeout: 60_000 },
      (response) => {
        readText(response).then(
          (answered) => resolve({ status: response.statusCode ?? 0, answer: JSON.parse(answered) }),
          reject,
        );
      },
    );
    call.on('timeout', () => call.destroy(new Error('The service did not answer within a minute.')));
    call.on('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        ENOENT: `No service runs on the data folder ${dataDir}. Start it (npm start), or set DATA_DIR to its folder.`,
        ECONNREFUSED: `The service on the data folder ${dataDir} has ended. Start it again (npm start).`,
        EACCES: `The socket in ${dataDir} belongs to another user. Run this as the user of the service.`,
      };
      reject(new Error(reasons[error.code ?? ''] ?? error.message, { cause: error }));
    });
    call.end(body);
  });
  if (status !== 200) {
    const { error } = answer as { error?: string };
    throw new Error(error ?? `The service answered with status ${status}.`);
  }
  return answer;
}

/** Text of a stranger without the control characters that a terminal would obey, on one line. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, '\u{fffd}');

function entryLines(entry: EntryDocument): string {
  const { id, signed_at, identity, visitor_type, review, signals, label, host_reply } = entry;
  return [
    `${id}  ${signed_at.slice(0, 16).replace('T', ' ')}  tier ${identity.tier}  ${visitor_type}  ${review.state}`,
    ...(entry.keyid === undefined ? [] : [`    key ${entry.keyid}`]),
    `    ${oneLine(entry.name)}${entry.model === null ? '' : ` (model ${oneLine(entry.model)})`}`,
    `    ${oneLine(entry.message)}`,
    ...(signals.length > 0 ? [`    signals: ${signals.join(', ')}${entry.suspicious ? ' (suspicious)' : ''}`] : []),
    ...(label === null ? [] : [`    labelled ${label.label}: ${oneLine(label.reason)}`]),
    ...(host_reply === null ? [] : [`    replied: ${oneLine(host_reply.text)}`]),
  ].join('\n');
}

/** The keyid that is given as such, or that a key in a PEM file has in the form of the site's specification. */
function toKeyid(given: string, { cwd }: Place): string {
  if (/^[\w-]{43}$/.test(given)) {
    return given;
  }
  const file = resolvePath(cwd, given);
  if (!existsSync(file)) {
    throw new UsageError(`${given} is neither a keyid (43 characters of base64url) nor a file.`);
  }
  try {
    const key = createPublicKey(readFileSync(file));
    if (key.asymmetricKeyType !== 'ed25519') {
      throw new Error(`it holds a key of type ${key.asymmetricKeyType}`);
    }
    return spkiKeyid(key);
  } catch (error) {
    throw new Error(`${given} holds no Ed25519 key in PEM: ${error instanceof Error ? error.message : error}`);
  }
}

function toLinks(given: string[] | undefined): { what: string; url: string }[] | undefined {
  return given?.map((link) => {
    const [, what, url] = /^([^=]+)=(.+)$/s.exec(link) ?? [];
    if (what === undefined || url === undefined) {
      throw new UsageError(`${JSON.stringify(link)} is not WHAT=URL.`);
    }
    return { what, url };
  });
}

function readEntries(file: string, { cwd }: Place): unknown[] {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(resolvePath(cwd, file), 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
  const isEnvelope = typeof document === 'object' && document !== null && Object.hasOwn(document, 'entries');
  const entries = isEnvelope ? (document as { entries: unknown }).entries : document;
  if (!Array.isArray(entries)) {
    throw new Error(`${file} holds neither an array of entries nor an object with "entries".`);
  }
  return entries;
}

function needed(value: string | undefined, what: string): string {
  if (value === undefined || value === '') {
    throw new UsageError(`${what} is missing.`);
  }
  return value;
}

interface OwnerCommand {
  /** Least and most positional arguments. */
  takes: [least: number, most: number];
  run(args: string[], values: Options, place: Place): Promise<{ answer: unknown; lines: string[] }>;
}

const answerOnly = async (
  place: Place,
  command: string,
  input: Record<string, unknown>,
  toLine: string,
): Promise<{ answer: unknown; lines: string[] }> => ({ answer: await ask(place, command, input), lines: [toLine] });

const recheckOutcomes = {
  kept: 'passed and stays.',
  marked: 'did not pass: it stays, marked, until it passes or its time is over.',
  delisted: 'has not passed for too long and is no longer in the directory.',
  later: 'could not be audited now. Try again in a minute.',
};

const commands: Record<string, OwnerCommand> = {
  list: {
    takes: [0, 0],
    async run(_args, { state = 'awaiting' }, place) {
      const answer = (await ask(place, 'list', state === 'all' ? {} : { state })) as {
        totals: Record<string, number>;
        entries: EntryDocument[];
      };
      const counts = Object.entries(answer.totals).map(([name, count]) => `${name} ${count}`);
      return { answer, lines: [...answer.entries.map(entryLines), counts.join(', ')] };
    },
  },
  clear: {
    takes: [1, 500],
    async run(ids, values, place) {
      const answer: unknown[] = [];
      for (const id of ids) {
        answer.push(await ask(place, 'clear', { id, by: values.by }));
      }
      return { answer, lines: ids.map((id) => `${id} is cleared.`) };
    },
  },
  label: {
    takes: [2, 2],
    run: ([id, label], values, place) =>
      answerOnly(
        place,
        'label',
        { id, label, reason: needed(values.reason, '--reason'), by: values.by },
        `${id} is labelled ${label}.`,
      ),
  },
  reply: {
    takes: [1, 1],
    run: ([id], values, place) =>
      answerOnly(
        place,
        'reply',
        {
          id,
          text: needed(values.text, '--text'),
          drafted_by: values['drafted-by'],
          links: toLinks(values.link),
          shipped: toLinks(values.shipped),
          by: values.by,
        },
        `${id} is answered.`,
      ),
  },
  withdraw: {
    takes: [1, 1],
    async run([id], values, place) {
      const asked = { id, reason: needed(values.reason, '--reason'), by: values.by };
      const answer = (await ask(place, 'withdraw', asked)) as { isErased: boolean };
      const where = answer.isErased
        ? 'the guestbook and its files'
        : 'the guestbook. Its text could not be taken out of the files yet: the service tries again until it can';
      return { answer, lines: [`${id} is withdrawn: it is gone from ${where}.`] };
    },
  },
  delist: {
    takes: [1, 1],
    run: ([id], values, place) =>
      answerOnly(
        place,
        'delist',
        { id, reason: needed(values.reason, '--reason'), by: values.by },
        `${id} is no longer in the directory.`,
      ),
  },
  recheck: {
    takes: [1, 1],
    async run([id], values, place) {
      const answer = (await ask(place, 'recheck', { id, by: values.by })) as {
        outcome: keyof typeof recheckOutcomes;
        listing: { url: string; score: number } | null;
      };
      const { outcome, listing } = answer;
      const name = listing === null ? id : `${listing.url} (${listing.score})`;
      return { answer, lines: [`${name} ${recheckOutcomes[outcome]}`] };
    },
  },
  import: {
    takes: [1, 1],
    async run([file = ''], values, place) {
      const answer = (await ask(place, 'import', { entries: readEntries(file, place), by: values.by })) as Record<
        string,
        number
      >;
      const { imported, skipped, dropped } = answer;
      return {
        answer,
        lines: [
          `${imported} entries imported, ${skipped} skipped because they are there already, ${dropped} of the imported ones dropped because they are older than the newest 500.`,
        ],
      };
    },
  },
  trust: {
    takes: [1, 1],
    run([key = ''], values, place) {
      const keyid = toKeyid(key, place);
      const owner = needed(values.owner, '--owner');
      const note = values.note ?? null;
      return answerOnly(place, 'trust', { keyid, owner, note, by: values.by }, `${keyid} is trusted as ${owner}.`);
    },
  },
  distrust: {
    takes: [1, 1],
    run([key = ''], values, place) {
      const keyid = toKeyid(key, place);
      const reason = values.reason ?? null;
      return answerOnly(place, 'distrust', { keyid, reason, by: values.by }, `${keyid} is no longer trusted.`);
    },
  },
  keys: {
    takes: [0, 0],
    async run(_args, _values, place) {
      const answer = (await ask(place, 'keys', {})) as { keys: TrustedKey[] };
      const lines = answer.keys.map(
        ({ keyid, owner, note, added }) => `${keyid}  ${added}  ${owner}${note === null ? '' : ` (${note})`}`,
      );
      return { answer, lines: lines.length > 0 ? lines : ['No key is trusted.'] };
    },
  },
  backup: {
    takes: [1, 1],
    async run([folder = ''], values, place) {
      const whole = resolvePath(place.cwd, folder);
      const answer = (await ask(place, 'backup', { folder: whole, by: values.by })) as { files: number };
      return {
        answer,
        lines: [`${whole} holds a backup of ${answer.files} files. It has the keys in it: keep it as safe.`],
      };
    },
  },
  restore: {
    takes: [1, 1],
    async run([folder = ''], _values, { config, cwd }) {
      // Loaded only here: what it needs to open the stores takes half a second.
      const { restoreBackup } = await import('./support/restore.ts');
      const answer = await restoreBackup(resolvePath(cwd, folder), config);
      const { guestbook, directory } = answer;
      return {
        answer,
        lines: [`Restored: ${guestbook} entries of the guestbook, ${directory} listings of the directory.`],
      };
    },
  },
  log: {
    takes: [0, 0],
    async run(_args, { limit = '50' }, place) {
      if (!/^\d{1,5}$/.test(limit)) {
        throw new UsageError(`--limit is ${JSON.stringify(limit)}; it is a whole number.`);
      }
      const answer = (await ask(place, 'log', { limit: Number(limit) })) as { acts: OwnerAct[] };
      const lines = answer.acts.map(({ time, by: author, action, entry, reason }) =>
        [time, author, action, entry, reason].filter((part) => part !== null).join('  '),
      );
      return { answer, lines: lines.length > 0 ? lines : ['Nothing was done yet.'] };
    },
  },
};

const run = defineCommand({ name: 'owner', help, options, takesArguments: true }, async (call, terminal) => {
  const { values, positionals } = call;
  const [name, ...rest] = positionals;
  if (name === undefined) {
    terminal.out(help);
    return 2;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw new UsageError(
      `There is no command ${JSON.stringify(name)}. There are: ${Object.keys(commands).join(', ')}.`,
    );
  }
  const [least, most] = command.takes;
  if (rest.length < least || rest.length > most) {
    throw new UsageError(
      `${name} takes ${least === most ? least : `${least} or more`} arguments; ${rest.length} were given.`,
    );
  }
  const config = readConfig(terminal.env);
  const place = { config, dataDir: config.dataDir, cwd: terminal.cwd };
  const { answer, lines } = await command.run(rest, values, place);
  terminal.out(`${values.json ? JSON.stringify(answer, null, 2) : lines.join('\n')}\n`);
  return 0;
});

/** `npm run owner`. */
export const ownerCommand: Command = (args, terminal) => run(withKeyidsLast(args), terminal);

if (import.meta.main) {
  process.exitCode = await ownerCommand(process.argv.slice(2), processTerminal);
}
