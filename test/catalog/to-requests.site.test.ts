import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { operations } from '#api/catalog/operations.ts';
import { sampleAnswer, sampledOperations, shorten } from '#api/catalog/sample-answers.ts';
import { type RequestSample, toRequests } from '#api/catalog/to-requests.ts';
import type { Tool } from '#api/contract/tool.ts';
import { startOwnService } from '../support/own-service.ts';

const { origin } = await startOwnService();

/** Runs a sample as a reader does who pastes it. */
async function run({ id, code }: RequestSample): Promise<string> {
  const [command, args] = {
    curl: ['bash', ['-c', code]] as const,
    javascript: [
      process.execPath,
      [
        '--input-type=module',
        '-e',
        code.replace('console.log(await response.json())', 'console.log(JSON.stringify(await response.json()))'),
      ],
    ] as const,
    python: ['python3', ['-c', code]] as const,
  }[id];
  const child = spawn(command, args);
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.deepEqual([exit, stderr], [0, ''], `${id}: ${code}`);
  return stdout;
}

const named = (name: string): Tool => operations.find((each) => each.name === name) ?? assert.fail(name);

for (const name of ['get_crawler', 'identify_user_agent', 'list_crawlers']) {
  test(`the samples of ${name} run as they are and print the answer`, async () => {
    const samples = toRequests(named(name), origin);
    assert.deepEqual(
      samples.map(({ id }) => id),
      ['curl', 'javascript', 'python'],
    );
    const answers = await Promise.all(samples.map(async (sample) => JSON.parse(await run(sample)) as unknown));
    assert.ok(answers[0]);
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
  });
}

for (const name of sampledOperations) {
  test(`the sample answer of ${name} is what the service answers`, async () => {
    const [curl] = toRequests(named(name), origin);
    assert.ok(curl);
    const sample = sampleAnswer(name, { baseUrl: origin, siteName: 'Porchlight' }) ?? assert.fail(name);
    assert.deepEqual(shorten(JSON.parse(await run(curl))), JSON.parse(sample));
  });
}

test('the samples of a write send the example as JSON', async () => {
  const { example } = named('sign_guestbook');
  for (const sample of toRequests(named('sign_guestbook'), origin)) {
    const receipt = JSON.parse(await run(sample)) as { entry: Record<string, unknown> };
    assert.deepEqual(
      { name: receipt.entry['name'], message: receipt.entry['message'], model: receipt.entry['model'] },
      example,
      sample.id,
    );
  }
});

test('quotes in an example end no string', () => {
  const quoting: Tool = { ...named('ask_almanac'), example: { q: `What's "MCP" \\ $HOME?` } };
  for (const { code } of toRequests(quoting, 'https://example.com')) {
    assert.match(code, /https:\/\/example\.com\/api\/ask\?q=What(?:%27|'\\'')s\+%22MCP%22\+%5C\+%24HOME%3F/);
  }
});
