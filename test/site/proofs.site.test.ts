import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { proofSteps, techniqueIds } from '#almanac/techniques.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

/** What every machine with a shell has; a command that needs more is not run here. */
const plainTools = ['curl', 'grep', 'head', 'sed', 'tr', 'wc'];

/** A command as a shell pipeline: the program at the start of each part, quoted text passed over. */
const toolsOf = (command: string): string[] =>
  command
    .replace(/'[^']*'|"[^"]*"/g, '')
    .split('|')
    .map((part) => part.trim().split(' ')[0] ?? '');

async function run(command: string): Promise<string> {
  const child = spawn('sh', ['-c', command]);
  const [printed, complaint, [exit]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  assert.deepEqual([exit, complaint], [0, ''], command);
  return printed;
}

const fetched = async (path: string, accept: string): Promise<string> =>
  (await fetch(`${siteUrl}${path}`, { headers: { Accept: accept } })).text();

/** The texts of the code blocks of a page of HTML. */
function codeBlocks(html: string): string[] {
  const blocks: string[] = [];
  const textOf = (node: DefaultTreeAdapterTypes.Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === 'pre') {
      blocks.push(textOf(node).trimEnd());
    } else if ('childNodes' in node) {
      node.childNodes.forEach(visit);
    }
  };
  parse(html).childNodes.forEach(visit);
  return blocks;
}

/** Counts that a proof prints, taken from the service in another way. */
const counts: Partial<Record<(typeof techniqueIds)[number], () => Promise<number>>> = {
  'llms-txt': async () => (await fetched('/llms.txt', '*/*')).split('](http').length - 1,
  'no-js-parity': async () => (await fetched('/techniques/no-js-parity', 'text/html')).split('<h2').length - 1,
  'machine-discovery': async () => (await fetched('/.well-known/agents.json', '*/*')).split('"href"').length - 1,
  'transparent-machine-layer': async () => (await fetched('/trust', 'text/markdown')).split('\n## ').length - 1,
};

describe('the proof of each technique', () => {
  for (const id of techniqueIds) {
    const steps = proofSteps(id, siteUrl);
    const commands = steps.flatMap((step) => ('command' in step ? [step.command] : []));
    const scripts = steps.flatMap((step) => ('script' in step ? [step.script] : []));

    it(`${id}: its commands are code blocks on the pages, fenced in the twins and lines of the JSON`, async () => {
      assert.ok(commands.length > 0);
      const path = `/techniques/${id}`;
      const blocks = codeBlocks(await fetched(path, 'text/html'));
      const twin = await fetched(path, 'text/markdown');
      for (const code of [...commands, ...scripts]) {
        assert.ok(blocks.includes(code), `${path}: ${code}`);
        assert.ok(twin.includes(`\n${code}\n\`\`\`\n`), `${path} as markdown: ${code}`);
      }
      assert.ok((await fetched('/techniques', 'text/markdown')).includes(`${path})`), `/techniques leads to ${path}`);
      const { data } = JSON.parse(await fetched(`/techniques/${id}`, 'application/json'));
      const lines = String(data.proof).split('\n');
      assert.deepEqual(
        [...commands, ...scripts].filter((code) => !lines.includes(code)),
        [],
      );
      assert.doesNotMatch(data.proof, /`/);
    });

    it(`${id}: what it says is printed is printed`, async () => {
      let printed: string | undefined;
      const numbers: number[] = [];
      for (const step of steps) {
        if ('command' in step) {
          const isPlain = toolsOf(step.command).every((tool) => plainTools.includes(tool));
          printed = isPlain ? await run(step.command) : undefined;
          assert.notEqual(printed, '', step.command);
          if (step.command.endsWith('wc -l')) {
            numbers.push(Number(printed));
          }
        } else if ('text' in step && printed !== undefined) {
          for (const [, literal = ''] of step.text.matchAll(/`([^`]+)`/g)) {
            assert.ok(printed.toLowerCase().includes(literal.toLowerCase()), `${literal} is not in: ${printed}`);
          }
          printed = undefined;
        }
      }
      const expected = await counts[id]?.();
      assert.deepEqual(
        numbers,
        numbers.map(() => expected),
      );
    });
  }

  it('the JSON-LD that is taken out parses', async () => {
    const command = proofSteps('json-ld', siteUrl).flatMap((step) => ('command' in step ? [step.command] : []))[0];
    assert.equal(JSON.parse(await run(command ?? ''))['@context'], 'https://schema.org');
  });

  it('the commands work behind nginx, too', async () => {
    for (const id of techniqueIds) {
      for (const step of proofSteps(id, nginxUrl)) {
        if ('command' in step && toolsOf(step.command).every((tool) => plainTools.includes(tool))) {
          assert.notEqual(await run(step.command), '', step.command);
        }
      }
    }
  });
});
