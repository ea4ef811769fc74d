// A process of its own that writes a guestbook, for tests that kill it, watch its system calls or limit its files.
// Each line of its output is one fact, written after the store said so: "opened", "added <id> <token>",
// "withdrawing <id>" (before the call), "withdrawn <id>", "refused <error name>", "held <number of entries>".
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openGuestbook } from '#api/guestbook/store.ts';
import { toNewEntry } from './new-entry.ts';

const [mode = '', file = ''] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);

// Past RLIMIT_FSIZE the kernel sends this signal; with a listener the write fails with EFBIG instead.
process.on('SIGXFSZ', () => {});

const guestbook = await openGuestbook({ file, now: () => new Date(), compactAfterBytes: 16_384 });
say('opened');

async function add(message: string) {
  const added = await guestbook.add(toNewEntry({ message }));
  if (added.replayed) {
    throw new Error('A write without a key was taken for a repeated one.');
  }
  say(`added ${added.entry.id} ${added.token}`);
  return added;
}

async function withdraw({ entry, token }: Awaited<ReturnType<typeof add>>): Promise<void> {
  say(`withdrawing ${entry.id}`);
  await guestbook.withdraw(entry.id, token);
  say(`withdrawn ${entry.id}`);
}

/** Signs and withdraws in turn until killed; half of the writers hold back their withdrawals by some entries. */
async function writeOn(writer: number): Promise<void> {
  const held: Awaited<ReturnType<typeof add>>[] = [];
  for (;;) {
    held.push(await add(`Writer ${writer} was here.`));
    const oldest = held.length > 1 + (writer % 2) * 4 ? held.shift() : undefined;
    if (oldest !== undefined) {
      await withdraw(oldest);
    }
    await wait(Math.random() * 4);
  }
}

if (mode === 'until-killed') {
  await Promise.all(Array.from({ length: 16 }, (_, writer) => writeOn(writer)));
} else if (mode === 'a-few') {
  const first = await add('one');
  await Promise.all([add('two'), add('three')]);
  await withdraw(first);
  await add('four');
  await guestbook.close();
} else if (mode === 'until-refused') {
  for (;;) {
    try {
      await add('x'.repeat(280));
    } catch (error) {
      say(`refused ${error instanceof Error ? error.name : ''}`);
      break;
    }
  }
  say(`held ${guestbook.totals().total}`);
  process.exit(0);
} else if (mode === 'idle') {
  setInterval(() => {}, 60_000);
} else {
  throw new Error(`Mode ${JSON.stringify(mode)} is none of until-killed, a-few, until-refused, idle.`);
}
