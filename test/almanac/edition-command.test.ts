import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { editionsOf } from '#almanac/edition-list.ts';
import { readEdition } from '#almanac/editions.ts';
import { editionCommand } from '../../scripts/almanac-edition.ts';
import { checkEditions } from '../../scripts/support/almanac/editions.ts';
import { datasetFile } from '../../scripts/support/almanac/files.ts';

const almanac = join(import.meta.dirname, '../../almanac');

describe('npm run almanac:edition', () => {
  const folder = mkdtempSync(join(tmpdir(), 'editions-'));
  after(() => rmSync(folder, { recursive: true }));
  cpSync(join(almanac, 'datasets'), join(folder, 'datasets'), { recursive: true });
  cpSync(join(almanac, 'editions'), join(folder, 'editions'), { recursive: true });
  const record = (...ids: string[]): void => {
    const lines = ids.map((id) => ({
      ...{ date: '2030-01-01', dataset: 'state', id, kind: 'removed', source: 'https://example.com/' },
    }));
    writeFileSync(join(folder, 'record-changes.json'), JSON.stringify(lines));
  };
  record();
  const run = async (...args: string[]): Promise<{ code: number; text: string }> => {
    let text = '';
    const write = (part: string): void => {
      text += part;
    };
    const code = await editionCommand(['--folder', folder, ...args], {
      ...{ env: {}, cwd: '/', isWatched: false, hasColours: false },
      ...{ out: write, error: write },
    });
    return { code, text };
  };
  const stateFile = datasetFile(folder, 'state');
  const listText = (): string => readFileSync(join(folder, 'editions/list.json'), 'utf8');
  const edit = (change: (file: { records: { id: string; note: string | null }[] }) => void): void => {
    const file = JSON.parse(readFileSync(stateFile, 'utf8'));
    change(file);
    writeFileSync(stateFile, JSON.stringify(file));
  };

  test('writes nothing while the data is that of the newest edition', async () => {
    const before = listText();
    assert.deepEqual(await run('--today', '2030-01-01'), {
      code: 0,
      text: 'No dataset changed since its last edition.\n',
    });
    assert.equal(listText(), before);
    assert.doesNotThrow(() => checkEditions(folder, ['state', 'models']));
  });

  test('adds an edition to those that are, and the check asks for it', async () => {
    const before = readFileSync(join(folder, 'editions/state.json'), 'utf8').trimEnd().split('\n').slice(0, -3);
    edit(({ records }) => {
      records.splice(1, 1);
      assert.ok(records[0]);
      records[0].note = 'Changed / with ~ signs';
    });
    assert.throws(() => checkEditions(folder, ['state', 'models']), /data of state changed .* npm run almanac:edition/);
    const [kept, removed] = (await readEdition('state', editionsOf('state').at(-1) ?? assert.fail())).records;
    const unknown = await run('--today', '2030-01-01');
    assert.equal(unknown.code, 1);
    assert.match(unknown.text, /record-changes\.json has no line for/);
    for (const one of [kept, removed]) {
      assert.ok(unknown.text.includes(`state/${one?.['id']}`), unknown.text);
    }
    record(String(kept?.['id']), String(removed?.['id']));
    assert.deepEqual(await run('--today', '2030-01-01'), { code: 0, text: 'state: edition 2030-01-01.1\n' });
    const file = readFileSync(join(folder, 'editions/state.json'), 'utf8');
    assert.ok(file.startsWith(before.join('\n')), 'older lines stay');
    const { editions, last_changed } = JSON.parse(listText()).state;
    assert.deepEqual(editions.slice(0, -1), editionsOf('state'));
    const first = JSON.parse(readFileSync(stateFile, 'utf8')).records[0].id;
    const changed = Object.keys(last_changed).filter((id) => last_changed[id] === '2030-01-01.1');
    assert.deepEqual(changed, [first], 'only the changed record has a new version');
    assert.doesNotThrow(() => checkEditions(folder, ['state', 'models']));
  });

  test('numbers the editions of a day, and refuses an earlier day', async () => {
    edit(({ records }) => records.push(...records.splice(0, 1)));
    const before = listText();
    const late = await run('--today', '2029-12-31');
    assert.equal(late.code, 1);
    assert.match(late.text, /newest edition is of 2030-01-01/);
    assert.equal(listText(), before);
    assert.equal((await run('--today', '2030-01-01')).text, 'state: edition 2030-01-01.2\n');
    assert.equal((await run('--today', 'soon')).code, 2);
  });

  test('writes an edition that is not committed anew, and leaves a committed one as it is', async () => {
    const git = (...args: string[]): void => {
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        stdio: 'ignore',
      });
    };
    const versions = (): string[] =>
      JSON.parse(listText()).state.editions.map(({ version }: { version: string }) => version);
    const setNote = (note: string): void =>
      edit(({ records: [first] }) => {
        assert.ok(first);
        first.note = note;
        record(first.id);
      });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'editions');
    const [committed, text] = [versions(), listText()];
    const patches = (): unknown => JSON.parse(readFileSync(join(folder, 'editions/state.json'), 'utf8')).patches;
    const before = patches();

    setNote('a first reading');
    assert.equal((await run('--today', '2030-01-01')).text, 'state: edition 2030-01-01.3\n');
    setNote('a second reading');
    assert.equal((await run('--today', '2030-01-02')).text, 'state: edition 2030-01-02.1\n');
    assert.deepEqual(versions(), [...committed, '2030-01-02.1']);
    assert.match(JSON.stringify(patches()), /a second reading/);
    assert.doesNotMatch(JSON.stringify(patches()), /a first reading/);
    assert.doesNotThrow(() => checkEditions(folder, ['state', 'models']));
    assert.equal((await run('--today', '2030-01-03')).text, 'No dataset changed since its last edition.\n');

    git('checkout', '--quiet', 'datasets');
    assert.equal((await run('--today', '2030-01-03')).text, 'state: edition 2030-01-01.2\n');
    assert.deepEqual([listText(), patches()], [text, before], 'what is taken back leaves nothing');
  });
});
