import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openGuestbook } from '#api/guestbook/store.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';
import { toNewEntry } from '../guestbook/new-entry.ts';
import { readTrace } from './trace.ts';

const folder = mkdtempSync(join(tmpdir(), 'durability-'));
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  rmSync(folder, { recursive: true });
});

const program = join(import.meta.dirname, '../guestbook/store-process.ts');
const now = () => new Date();

interface Writer {
  child: ChildProcess;
  /** What it has said so far, in whole lines. */
  lines(): string[];
  /** Resolves when a line begins like this. */
  said(start: string): Promise<void>;
  /** kill -9, and all it said before. */
  kill(): Promise<string[]>;
}

function startWriter(mode: string, file: string): Writer {
  const child = spawn(process.execPath, [program, mode, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  const waiting: { start: string; resolve: () => void }[] = [];
  const lines = (): string[] => output.split('\n').slice(0, -1);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    for (const { start, resolve } of waiting) {
      if (lines().some((line) => line.startsWith(start))) {
        resolve();
      }
    }
  });
  const ended = once(child, 'close');
  return {
    child,
    lines,
    said: (start) =>
      new Promise((resolve, reject) => {
        waiting.push({ start, resolve });
        ended.then(() => reject(new Error(`The writer ended before it said "${start}".`)), reject);
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
      return lines();
    },
  };
}

describe('kill -9', () => {
  const rounds = 24;
  test(`${rounds} rounds with 16 writers: what was acknowledged is there, what was withdrawn is not`, async () => {
    const file = join(folder, 'kill', 'guestbook.json');
    let acknowledged = 0;
    let whileWithdrawing = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const writer = startWriter('until-killed', file);
      await writer.said('added');
      await wait(Math.random() * 120);
      const lines = (await writer.kill()).map((line) => line.split(' '));
      const idsOf = (fact: string): string[] => lines.flatMap(([word, id = '']) => (word === fact ? [id] : []));
      const withdrawing = new Set(idsOf('withdrawing'));
      const withdrawn = new Set(idsOf('withdrawn'));
      const added = lines.flatMap(([word, id = '', token = '']) => (word === 'added' ? [{ id, token }] : []));
      acknowledged += added.length + withdrawn.size;
      whileWithdrawing += withdrawing.size - withdrawn.size;

      JSON.parse(readFileSync(file, 'utf8'));
      const guestbook = await openGuestbook({ file, now });
      for (const { id } of added) {
        if (withdrawn.has(id)) {
          assert.equal(guestbook.get(id), null, `round ${round}: ${id} was withdrawn and came back`);
        } else if (!withdrawing.has(id)) {
          assert.notEqual(guestbook.get(id), null, `round ${round}: ${id} was acknowledged and is lost`);
        }
      }
      // Empties the book for the next round; the tokens must have survived too.
      for (const { id, token } of added) {
        if (guestbook.get(id) !== null) {
          await guestbook.withdraw(id, token);
        }
      }
      for (const { id } of guestbook.list().entries) {
        await guestbook.withdrawByMail(id);
      }
      await guestbook.close();
    }
    assert.ok(acknowledged > rounds * 16, `only ${acknowledged} acknowledged changes`);
    assert.ok(whileWithdrawing > 0, 'no round was killed during a withdrawal');
  });

  test('a second process is refused while the first lives, and not once it was killed', async () => {
    const file = join(folder, 'second', 'guestbook.json');
    const writer = startWriter('idle', file);
    await writer.said('opened');
    await assert.rejects(
      openGuestbook({ file, now }),
      /guestbook\.json\.lock is locked: another process uses these files/,
    );
    await writer.kill();
    const guestbook = await openGuestbook({ file, now });
    await guestbook.close();
  });
});

describe('system calls', () => {
  test('each acknowledgement comes after a sync of the journal, each snapshot is synced before and after its rename', () => {
    const file = join(folder, 'traced', 'guestbook.json');
    const output = join(folder, 'trace.txt');
    const calls = 'write,pwrite64,writev,pwritev,fsync,fdatasync,rename,renameat,renameat2,ftruncate';
    const strace = ['-f', '-y', '-s', '65536', '-e', `trace=${calls}`, '-o', output];
    const run = spawnSync('strace', [...strace, process.execPath, program, 'a-few', file], {
      encoding: 'utf8',
      env: { ...process.env, UV_USE_IO_URING: '0' },
    });
    assert.equal(run.error, undefined, 'This test needs strace (apt-get install strace).');
    assert.equal(run.status, 0, run.stderr);
    const trace = readTrace(readFileSync(output, 'utf8'));
    const acknowledgements = run.stdout.split('\n').flatMap((line) => {
      const [fact = '', id = ''] = line.split(' ');
      return fact === 'added' || fact === 'withdrawn' ? [{ fact, id }] : [];
    });
    assert.equal(acknowledgements.length, 5);

    const isWrite = (name: string): boolean => /^p?writev?(64)?$/.test(name);
    for (const { fact, id } of acknowledgements) {
      const change =
        fact === 'added'
          ? `\\"do\\":\\"add\\",\\"record\\":{\\"entry\\":{`
          : `\\"do\\":\\"withdraw\\",\\"id\\":\\"${id}\\"`;
      const written = trace.find(
        ({ name, text }) =>
          isWrite(name) && text.includes(`${file}.journal>`) && text.includes(change) && text.includes(id),
      );
      assert.ok(written, `${fact} ${id} was never written to the journal`);
      const synced = trace.find(
        ({ name, text, begun }) =>
          /^f(data)?sync$/.test(name) && text.includes(`${file}.journal>`) && begun > written.ended,
      );
      assert.ok(synced, `${fact} ${id} was never synced`);
      const said = trace.find(
        ({ name, text }) => isWrite(name) && text.startsWith('1<') && text.includes(`"${fact} ${id}`),
      );
      assert.ok(said && said.begun > synced.ended, `${fact} ${id} was acknowledged before it was synced`);
    }

    const renames = trace.filter(({ name, text }) => name.startsWith('rename') && text.includes(`${file}.tmp"`));
    const targets = [`"${file}"`, `"${file}.bak"`];
    for (const target of targets) {
      assert.ok(
        renames.filter(({ text }) => text.includes(target)).length >= 3,
        `${target} at start, withdrawal and end`,
      );
    }
    for (const rename of renames) {
      const lastWrite = trace.findLast(
        ({ name, text, ended }) => isWrite(name) && text.includes(`${file}.tmp>`) && ended < rename.begun,
      );
      const synced = trace.find(
        ({ name, text, begun, ended }) =>
          name === 'fdatasync' &&
          text.includes(`${file}.tmp>`) &&
          begun > (lastWrite?.ended ?? Infinity) &&
          ended < rename.begun,
      );
      assert.ok(synced, 'a snapshot was renamed before it was synced');
      const folderSynced = trace.find(
        ({ name, text, begun }) =>
          name === 'fsync' && text.includes(`${join(folder, 'traced')}>`) && begun > rename.ended,
      );
      assert.ok(folderSynced, 'the folder was not synced after a rename');
      const emptied = trace.find(
        ({ name, text, begun }) => name === 'ftruncate' && text.includes(`${file}.journal>`) && begun > rename.ended,
      );
      assert.ok(emptied === undefined || folderSynced.ended < emptied.begun, 'the journal was emptied too early');
    }
  });
});

describe('no room', () => {
  test('past the limit on file sizes a write is refused, and all before it are kept', async () => {
    const file = join(folder, 'limited', 'guestbook.json');
    const command = 'ulimit -f 40 && exec "$0" "$@"';
    const run = spawnSync('sh', ['-c', command, process.execPath, program, 'until-refused', file], {
      encoding: 'utf8',
    });
    assert.equal(run.status, 0, run.stderr);
    const lines = run.stdout.trim().split('\n');
    const ids = lines.flatMap((line) => (line.startsWith('added') ? [line.split(' ')[1] ?? ''] : []));
    assert.ok(ids.length > 3);
    assert.deepEqual(lines.slice(-2), ['refused StorageUnavailable', `held ${ids.length}`]);
    assert.equal(readFileSync(`${file}.journal`).at(-1), 0x0a, 'part of a refused line stayed in the journal');
    const guestbook = await openGuestbook({ file, now });
    assert.deepEqual(
      guestbook.list().entries.map(({ id }) => id),
      ids.toReversed(),
    );
    await guestbook.close();
  });

  test('on a full disk writes are refused and reads go on; with room again, writes succeed', async (t) => {
    const disk = mountDisk('full', 512);
    if (disk === null) {
      return t.skip('only root can mount a small disk');
    }
    const file = join(disk, 'guestbook.json');
    const filler = join(disk, 'filler');
    const guestbook = await openGuestbook({ file, now, warn: () => {} });
    await guestbook.add(toNewEntry());
    fill(filler);
    let kept = 1;
    const refused = async (): Promise<void> => {
      for (;;) {
        await guestbook.add(toNewEntry({ message: 'x'.repeat(280) }));
        kept += 1;
      }
    };
    await assert.rejects(refused(), (error) => error instanceof StorageUnavailable && /ENOSPC/.test(error.message));
    const list = guestbook.list();
    assert.equal(list.matched, kept);
    const together = await Promise.allSettled(
      Array.from({ length: 8 }, () => guestbook.add(toNewEntry({ message: 'y'.repeat(280) }))),
    );
    assert.ok(together.every(({ status }) => status === 'rejected'));
    assert.deepEqual(guestbook.list(), list);
    rmSync(filler);
    await guestbook.add(toNewEntry({ message: 'Room again.' }));
    const later = guestbook.list();
    assert.deepEqual(later.entries.slice(1), list.entries);
    // The journal as a kill -9 would leave it now, before a normal stop folds it into the snapshot.
    const journal = readFileSync(`${file}.journal`);
    assert.equal(journal.toString().split('\n').length - 1, kept + 1);
    await guestbook.close();
    const again = await openGuestbook({ file, now });
    assert.deepEqual(again.list(), later);
    await again.close();
  });

  test('a snapshot that does not fit leaves both old copies and the journal as they are', async (t) => {
    const disk = mountDisk('compaction', 512);
    if (disk === null) {
      return t.skip('only root can mount a small disk');
    }
    const file = join(disk, 'guestbook.json');
    const notices: string[] = [];
    const guestbook = await openGuestbook({ file, now, warn: (sentence) => notices.push(sentence) });
    await guestbook.add(toNewEntry());
    const before = readFileSync(file);
    fill(join(disk, 'filler'));
    await guestbook.close();
    assert.match(notices.join(), /guestbook\.json could not be written \(ENOSPC\); its journal stays/);
    assert.deepEqual([readFileSync(file), readFileSync(`${file}.bak`)], [before, before]);
    const again = await openGuestbook({ file, now, warn: () => {} });
    assert.equal(again.totals().total, 1);
    await again.close();
  });
});

describe('a folder that cannot be written', () => {
  test('is StorageUnavailable at start', async () => {
    const place = mountDisk('read-only', 512) ?? join(folder, 'read-only');
    mkdirSync(place, { recursive: true });
    const file = join(place, 'guestbook.json');
    const guestbook = await openGuestbook({ file, now });
    await guestbook.add(toNewEntry());
    await guestbook.close();
    const before = readFileSync(file);
    makeReadOnly(place);
    await assert.rejects(openGuestbook({ file, now }), StorageUnavailable);
    await assert.rejects(openGuestbook({ file: join(place, 'new', 'guestbook.json'), now }), StorageUnavailable);
    assert.deepEqual(readFileSync(file), before);
  });
});

/** Mounts an empty disk in memory, or gives null where that is not allowed. */
function mountDisk(name: string, kibibytes: number): string | null {
  const place = join(folder, name);
  mkdirSync(place);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', place]);
  if (mounted.status !== 0) {
    return null;
  }
  after(() => execFileSync('umount', [place]));
  return place;
}

/** Permission bits do not stop root, so for root the disk itself becomes read-only. */
function makeReadOnly(place: string): void {
  if (process.getuid?.() === 0) {
    execFileSync('mount', ['-o', 'remount,ro', place]);
  } else {
    chmodSync(place, 0o500);
    after(() => chmodSync(place, 0o700));
  }
}

/** Fills a disk to the last byte. */
function fill(filler: string): void {
  for (let bytes = 65_536; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    for (;;) {
      try {
        writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}
