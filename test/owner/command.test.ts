import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { spkiKeyid } from '#api/identity/signatures/keyids.ts';
import { createSigner } from '#api/identity/signatures/signer.ts';
import { ownerActions } from '#api/owner/actions.ts';
import { entryAt, signAt, withdrawAt } from '../support/guestbook-client.ts';
import { config, done, fails, folder, origin, owner, script, site, write } from './served.ts';

test('--help names every command, and exits with 0; without arguments with 2', async () => {
  const help = await done('--help');
  for (const name of Object.keys(ownerActions)) {
    assert.match(help, new RegExp(`^ {2}${name}\\b`, 'm'));
  }
  assert.equal((await owner()).code, 2);
});

test('clear and label move an awaiting entry, once', async () => {
  const [one, two, three] = [await write('To clear.'), await write('To label.'), await write('To clear as well.')];
  assert.match(await done('list'), new RegExp(`${two}.*awaiting`));
  await done('clear', one, three);
  await done('label', two, 'promotional', '--reason', 'It sells lamps.');
  const { entry: cleared } = (await entryAt(origin, one)).body;
  assert.deepEqual([cleared.review.state, cleared.review.by], ['cleared', 'Olive Owner']);
  assert.match(String(cleared.review.at), /^\d{4}-\d{2}-\d{2}$/);
  const { entry: labelled } = (await entryAt(origin, two)).body;
  assert.deepEqual(
    [labelled.review.state, labelled.label?.label, labelled.label?.reason, labelled.label?.by],
    [...['labelled', 'promotional', 'It sells lamps.', 'Olive Owner']],
  );
  assert.equal(labelled.message, 'To label.', 'a labelled entry stays complete');
  await fails(1, /is cleared already/, 'label', one, 'off-topic', '--reason', 'x');
  await fails(1, /is labelled already/, 'clear', two);
  assert.doesNotMatch(await done('list'), new RegExp(`${one}|${two}`));
  assert.match(await done('list', '--state', 'all'), new RegExp(two));
});

test('reply, with links, in place of an earlier one', async () => {
  const id = await write('A question?');
  await done('reply', id, '--text', 'First answer.');
  await done(
    ...['reply', id, '--text', 'An answer\nin two lines.', '--drafted-by', 'a model', '--by', 'Sam'],
    ...['--link', 'The change=https://example.org/a?b=c', '--shipped', 'A page=https://example.org/page'],
  );
  const { host_reply: reply } = (await entryAt(origin, id)).body.entry;
  assert.deepEqual(
    { ...reply, at: '' },
    {
      ...{ by: 'Sam', drafted_by: 'a model', at: '', text: 'An answer\nin two lines.' },
      links: [{ what: 'The change', url: 'https://example.org/a?b=c' }],
      shipped: [{ what: 'A page', url: 'https://example.org/page' }],
    },
  );
  await fails(1, /url/i, 'reply', id, '--text', 'x', '--link', 'evil=javascript:alert(1)');
  await fails(2, /not WHAT=URL/, 'reply', id, '--text', 'x', '--link', 'nothing');
});

test('a keyid that begins with a hyphen is no option', async () => {
  const keyid = `-${'a'.repeat(42)}`;
  await done('trust', keyid, '--owner', 'Hyphen');
  assert.match(await done('keys'), new RegExp(`^${keyid}`, 'm'));
  await done('distrust', keyid);
});

test('trust and distrust decide about tier A, by keyid or by the file of the key', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keyid = spkiKeyid(publicKey);
  const pem = join(folder, 'key.pem');
  await writeFile(pem, publicKey.export({ type: 'spki', format: 'pem' }));
  const tier = async (): Promise<string> => {
    const entry = { name: 'Ada', message: `Signed ${Math.random()}` };
    const body = Buffer.from(JSON.stringify(entry));
    const headers = createSigner({ privateKey }).sign({ method: 'POST', targetUri: `${origin}/api/guestbook`, body });
    return (await signAt(origin, entry, headers)).body.entry.identity.tier;
  };
  assert.equal(await tier(), 'B');
  assert.match(await done('trust', pem, '--owner', 'Ada Ltd', '--note', 'known for years'), new RegExp(keyid));
  assert.match(await done('keys'), new RegExp(`${keyid}.*Ada Ltd \\(known for years\\)`));
  assert.equal(await tier(), 'A');
  await fails(1, /in the registry already/, 'trust', keyid, '--owner', 'Ada Ltd');
  await done('distrust', keyid, '--reason', 'The key leaked.');
  assert.equal(await tier(), 'B');
  await fails(1, /has no key/, 'distrust', keyid);
  await fails(2, /neither a keyid .* nor a file/, 'trust', 'nonsense', '--owner', 'x');
  await fails(1, /no Ed25519 key/, 'trust', script, '--owner', 'x');
  assert.equal(JSON.parse(await readFile(join(config.dataDir, 'trusted-keys.json'), 'utf8')).state.keys.length, 0);
});

test('every act is in the log with its time and author, also one that failed; the log is only ever longer', async () => {
  const file = join(config.dataDir, 'owner-log.jsonl');
  const before = await readFile(file, 'utf8');
  const id = await write('For the log.');
  await done('label', id, 'off-topic', '--reason', 'About the weather.', '--by', 'Sam');
  await fails(1, /is labelled already/, 'clear', id);
  const afterwards = await readFile(file, 'utf8');
  assert.ok(afterwards.startsWith(before));
  const acts = afterwards
    .slice(before.length)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    acts.map(({ by, action, entry }) => [by, action, entry]),
    [
      ['Sam', 'label off-topic', id],
      ['Olive Owner', 'clear', id],
      ['Olive Owner', 'clear-failed', id],
    ],
  );
  assert.match(
    await done('log', '--limit', '3'),
    new RegExp(`Sam {2}label off-topic {2}${id} {2}About the weather\\.`),
  );
});

// biome-ignore format: one call a line
const mistakes: [code: number, says: RegExp, ...args: string[]][] = [
  [2, /no command "paint"/, 'paint'],
  [2, /no command "__proto__"/, '__proto__'],
  [2, /takes 2 arguments; 1 were given/, 'label', '0123456789ab'],
  [2, /takes 1 or more arguments/, 'clear'],
  [2, /--reason is missing/, 'label', '0123456789ab', 'promotional'],
  [2, /Unknown option '--nonsense'/, 'list', '--nonsense'],
  [1, /no entry 0123456789ab/, 'clear', '0123456789ab'],
  [1, /not the id of an entry/, 'clear', 'gb-0123456789ab'],
  [1, /label: label /, 'label', '0123456789ab', 'rude', '--reason', 'x'],
  [2, /--limit is "many"/, 'log', '--limit', 'many'],
];

for (const [code, says, ...args] of mistakes) {
  test(`npm run owner -- ${args.join(' ')}: exits with ${code} and says what is wrong`, () =>
    fails(code, says, ...args));
}

test('a site of the directory is audited again, and taken out', async () => {
  const sites = async (): Promise<{ id: string; score: number }[]> =>
    ((await (await fetch(`${origin}/api/directory`)).json()) as { sites: { id: string; score: number }[] }).sites;
  await fetch(`${origin}/api/directory`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: site.origin }),
  });
  const [listed] = await sites();
  assert.ok(listed !== undefined);
  assert.equal(await done('recheck', listed.id), `${site.origin} (${listed.score}) passed and stays.\n`);
  await fails(2, /--reason is missing/, 'delist', listed.id);
  await done('delist', listed.id, '--reason', 'It was sold.');
  assert.deepEqual(await sites(), []);
  await fails(1, /The directory has no site/, 'delist', listed.id, '--reason', 'Again.');
  await fails(1, /The directory has no site/, 'recheck', listed.id);
  assert.match(await done('log'), new RegExp(`delist ${site.origin}.*It was sold\\.`));
});

test('what was withdrawn is in no file of the data folder', async () => {
  const secret = `Secret ${Math.random()}`;
  const { body } = await signAt(origin, { name: 'Ada', message: secret });
  assert.equal((await withdrawAt(origin, body.id, String(body.withdrawal_token))).status, 200);
  for (const name of ['guestbook.json', 'guestbook.json.bak', 'guestbook.json.journal', 'owner-log.jsonl']) {
    assert.ok(!(await readFile(join(config.dataDir, name), 'utf8')).includes(secret), name);
  }
});
