import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { openStore } from '#api/stores/durable-store.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';
import type { StoreDefinition } from '#api/stores/store.ts';
import { add, words } from './words.ts';

describe('a store that keeps its records in files', () => {
  const folders: string[] = [];
  let folder = '';
  let file = '';
  let notices: string[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    folders.push(folder);
    file = join(folder, 'words.json');
    notices = [];
  });
  after(() => {
    for (const made of folders) {
      rmSync(made, { recursive: true });
    }
  });

  const open = (definition: StoreDefinition<string[], string> = words) =>
    openStore(definition, { file, warn: (sentence) => notices.push(sentence) });

  /** Leaves the files as a kill -9 after these words would: a snapshot that is behind, and a journal. */
  async function leaveBehind(snapshot: string[], journal: string[]): Promise<void> {
    const store = await open();
    for (const word of snapshot) {
      await store.update(add(word));
    }
    await store.compact();
    for (const word of journal) {
      await store.update(add(word));
    }
    const kept = readFiles();
    await store.close();
    writeFiles(kept);
  }

  const readFiles = (): Map<string, Buffer> =>
    new Map(
      readdirSync(folder)
        .filter((name) => !name.endsWith('.lock'))
        .map((name) => [name, readFileSync(join(folder, name))]),
    );

  function writeFiles(files: Map<string, Buffer>): void {
    for (const [name, content] of files) {
      writeFileSync(join(folder, name), content);
    }
  }

  const toLine = (batch: object): string => {
    const json = JSON.stringify(batch);
    return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
  };

  /** The store refuses to start with this sentence, leaves each file as it was, and lets go of the lock. */
  async function assertRefusal(sentence: RegExp): Promise<void> {
    const before = readFiles();
    for (const attempt of [1, 2]) {
      await assert.rejects(open(), sentence, `attempt ${attempt}`);
    }
    assert.deepEqual(readFiles(), before);
  }

  async function readWords(): Promise<string[]> {
    const store = await open();
    const { state } = store;
    await store.close();
    return state;
  }

  describe('openStore', () => {
    test('makes folder and files, readable by the owner alone', async () => {
      file = join(folder, 'a', 'b', 'words.json');
      const store = await open();
      await store.update(add('x'));
      const names = readdirSync(join(folder, 'a', 'b')).sort();
      assert.deepEqual(names, ['words.json', 'words.json.bak', 'words.json.journal', 'words.json.lock']);
      for (const name of ['words.json', 'words.json.bak', 'words.json.journal']) {
        assert.equal(statSync(join(folder, 'a', 'b', name)).mode & 0o777, 0o600, name);
      }
      assert.equal(statSync(join(folder, 'a')).mode & 0o777, 0o700);
      await store.close();
    });

    test('finds everything again after a normal stop, folded into the snapshot', async () => {
      const store = await open();
      await Promise.all(['a', 'b', 'c'].map((word) => store.update(add(word))));
      await store.close();
      assert.equal(statSync(`${file}.journal`).size, 0);
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { version: 1, sequence: 1, state: ['a', 'b', 'c'] });
      assert.deepEqual(readFileSync(file), readFileSync(`${file}.bak`));
      assert.deepEqual(await readWords(), ['a', 'b', 'c']);
    });

    test('finds everything again without one, and goes on from there', async () => {
      await leaveBehind(['a', 'b'], ['c', 'd']);
      const store = await open();
      assert.deepEqual(store.state, ['a', 'b', 'c', 'd']);
      await store.update(add('e'));
      await store.close();
      assert.deepEqual(await readWords(), ['a', 'b', 'c', 'd', 'e']);
      assert.deepEqual(notices, []);
    });

    test('writes the state whole once the journal is long', async () => {
      const store = await openStore(words, { file, compactAfterBytes: 200 });
      for (let count = 0; count < 20; count += 1) {
        await store.update(add('word'));
      }
      assert.ok(JSON.parse(readFileSync(file, 'utf8')).sequence > 10);
      await store.close();
      assert.equal((await readWords()).length, 20);
    });

    test('compact takes out of the files what is out of the state', async () => {
      const setting: StoreDefinition<string[], string> = { ...words, apply: (_, word) => [word] };
      const store = await open(setting);
      await store.update(add('a secret'));
      await store.update(add('nothing'));
      assert.equal(await store.compact(), true);
      for (const [name, content] of readFiles()) {
        assert.ok(!content.includes('a secret'), name);
      }
      await store.close();
    });

    test('a compaction cut off after any of its steps loses and repeats nothing', async () => {
      await leaveBehind(['a', 'b'], ['c', 'd']);
      const before = readFiles();
      assert.deepEqual(await readWords(), ['a', 'b', 'c', 'd']);
      const compacted = readFiles();
      const steps = ['words.json', 'words.json.bak', 'words.json.journal'];
      for (let done = 0; done <= steps.length; done += 1) {
        writeFiles(before);
        for (const name of steps.slice(0, done)) {
          writeFileSync(join(folder, name), compacted.get(name) ?? '');
        }
        writeFileSync(`${file}.tmp`, '{"version":1,"sequ');
        assert.deepEqual(await readWords(), ['a', 'b', 'c', 'd'], `${done} steps`);
        assert.ok(!readdirSync(folder).includes('words.json.tmp'));
      }
    });
  });

  describe('a damaged snapshot', () => {
    const damages: { what: string; content: string | Buffer | null; says: RegExp }[] = [
      { what: 'is empty', content: '', says: /words\.json is empty\. Nothing was changed\./ },
      {
        what: 'is cut short',
        content: '{"version":1,"sequence":2,"st',
        says: /words\.json is damaged: it is not whole JSON/,
      },
      { what: 'is full of zeros', content: '\0'.repeat(4096), says: /is damaged/ },
      { what: 'is no UTF-8', content: Buffer.from([0x22, 0xff, 0x22]), says: /is damaged/ },
      {
        what: 'has another shape',
        content: '{"entries":[]}',
        says: /is damaged: it is not \{version, sequence, state\}/,
      },
      {
        what: 'has a state of another shape',
        content: '{"version":1,"sequence":2,"state":["a",2]}',
        says: /expected string/,
      },
      { what: 'is missing', content: null, says: /words\.json is missing, though its backup copy is there/ },
    ];
    for (const { what, content, says } of damages) {
      test(`that ${what} is refused, and the advice in the refusal restores everything`, async () => {
        await leaveBehind(['a', 'b'], ['c', 'd']);
        rmSync(file);
        if (content !== null) {
          writeFileSync(file, content);
        }
        await assertRefusal(says);
        await assertRefusal(
          /Its backup copy words\.json\.bak is whole and loses nothing: .* copy words\.json\.bak to words\.json/,
        );
        writeFileSync(file, readFileSync(`${file}.bak`));
        assert.deepEqual(await readWords(), ['a', 'b', 'c', 'd']);
      });
    }

    test('beside a damaged backup copy says that a backup is needed', async () => {
      await leaveBehind(['a'], []);
      writeFileSync(file, '');
      writeFileSync(`${file}.bak`, '{');
      await assertRefusal(/backup copy words\.json\.bak is not usable either: restore both from a backup/);
    });

    test('a lone journal is not taken for a fresh start', async () => {
      await leaveBehind(['a'], ['b']);
      rmSync(file);
      rmSync(`${file}.bak`);
      await assertRefusal(/words\.json is missing, though its journal is there/);
    });

    test('a damaged backup copy alone stops nothing and is made anew', async () => {
      await leaveBehind(['a'], ['b']);
      writeFileSync(`${file}.bak`, '{');
      assert.deepEqual(await readWords(), ['a', 'b']);
      assert.deepEqual(readFileSync(file), readFileSync(`${file}.bak`));
    });
  });

  describe('a damaged journal', () => {
    test('torn at any byte of its last line loses that line alone, and says so', async () => {
      await leaveBehind(['a'], ['b', 'c']);
      const before = readFiles();
      const journal = before.get('words.json.journal') ?? Buffer.alloc(0);
      const lastLine = journal.indexOf('\n') + 1;
      for (let length = lastLine; length < journal.length; length += 1) {
        writeFiles(before);
        writeFileSync(`${file}.journal`, journal.subarray(0, length));
        notices = [];
        const store = await open();
        assert.deepEqual(store.state, ['a', 'b'], `${length} bytes`);
        assert.equal(notices.length, length === lastLine ? 0 : 1);
        await store.update(add('d'));
        await store.close();
        assert.deepEqual(await readWords(), ['a', 'b', 'd']);
      }
    });

    test('with a last line of the right length and wrong content loses that line alone', async () => {
      await leaveBehind(['a'], ['b', 'c']);
      const journal = readFileSync(`${file}.journal`);
      journal.fill(0, journal.length - 12, journal.length - 1);
      writeFileSync(`${file}.journal`, journal);
      assert.deepEqual(await readWords(), ['a', 'b']);
      assert.match(notices[0] ?? '', /last line of words\.json\.journal was incomplete/);
    });

    test('in the middle is refused, with the place and what to do', async () => {
      await leaveBehind(['a'], ['b', 'c', 'd']);
      const journal = readFileSync(`${file}.journal`);
      const start = journal.indexOf('\n') + 1;
      journal[start + 20] = (journal[start + 20] ?? 0) ^ 1;
      writeFileSync(`${file}.journal`, journal);
      await assertRefusal(
        new RegExp(`line 2, at byte ${start}, does not match its checksum.*truncate -s ${start} words`),
      );
      writeFileSync(`${file}.journal`, journal.subarray(0, start));
      assert.deepEqual(await readWords(), ['a', 'b']);
    });

    const misfits: { what: string; lines: object[]; says: RegExp }[] = [
      {
        what: 'that begins too late',
        lines: [{ version: 1, sequence: 3, changes: ['x'] }],
        says: /do not belong together: batch 2 is missing, the journal goes on with 3/,
      },
      {
        what: 'with a gap',
        lines: [2, 4].map((sequence) => ({ version: 1, sequence, changes: ['x'] })),
        says: /after batch 2 comes batch 4/,
      },
      { what: 'with a line that is no batch', lines: [{ hello: 1 }], says: /matches its checksum and is no batch/ },
      {
        what: 'of another format version',
        lines: [{ version: 9, sequence: 2, changes: ['x'] }],
        says: /holds changes of format version 9.*Start the program that wrote them once more/,
      },
      {
        what: 'that leads to a state of the wrong shape',
        lines: [{ version: 1, sequence: 2, changes: [5] }],
        says: /expected string/,
      },
    ];
    for (const { what, lines, says } of misfits) {
      test(`${what} is refused`, async () => {
        await leaveBehind(['a'], []);
        writeFileSync(`${file}.journal`, lines.map(toLine).join(''));
        await assertRefusal(says);
      });
    }
  });

  describe('format versions', () => {
    const second: StoreDefinition<string[], string> = {
      ...words,
      version: 2,
      state: z.array(z.string().startsWith('2:')),
      migrate: (state, version) =>
        z
          .array(z.string())
          .parse(state)
          .map((word) => `${version + 1}:${word}`),
    };

    test('an older file is migrated once, and a copy of it kept', async () => {
      await (await open()).close();
      await leaveBehind(['a'], []);
      const store = await open(second);
      assert.deepEqual(store.state, ['2:a']);
      await store.update(add('2:b'));
      await store.close();
      assert.deepEqual(JSON.parse(readFileSync(`${file}.v1`, 'utf8')).state, ['a']);
      const again = await open(second);
      assert.deepEqual(again.state, ['2:a', '2:b']);
      await again.close();
    });

    test('an older journal is not guessed at', async () => {
      await leaveBehind(['a'], ['b']);
      await assert.rejects(open(second), /holds changes of format version 1, and this program writes version 2/);
      assert.deepEqual(await readWords(), ['a', 'b']);
    });

    test('an older file without a migration is refused', async () => {
      await leaveBehind(['a'], []);
      await assert.rejects(open({ ...words, version: 2 }), /nothing says how it becomes version 2/);
    });

    test('a newer file is refused', async () => {
      await (await open(second)).close();
      await assertRefusal(/has format version 2, and this program knows versions up to 1\. Nothing was changed\./);
    });
  });

  describe('one store at a time', () => {
    test('a second opening of the same files is refused until the first is closed', async () => {
      const store = await open();
      await assert.rejects(open(), /words\.json\.lock is locked: another process uses these files/);
      await store.update(add('a'));
      await store.close();
      assert.deepEqual(await readWords(), ['a']);
    });

    test('nobody else can open the lock, which would hold up a start; one that is loose is closed', async () => {
      await (await open()).close();
      assert.equal(statSync(`${file}.lock`).mode & 0o777, 0o600);
      chmodSync(`${file}.lock`, 0o644);
      await (await open()).close();
      assert.equal(statSync(`${file}.lock`).mode & 0o777, 0o600);
    });
  });

  describe('a place that cannot hold files', () => {
    test('below a file', async () => {
      writeFileSync(join(folder, 'taken'), '');
      file = join(folder, 'taken', 'words.json');
      await assert.rejects(open(), StorageUnavailable);
    });

    test('a folder where the snapshot should be', async () => {
      mkdirSync(file);
      await assert.rejects(open(), StorageUnavailable);
    });
  });
});
