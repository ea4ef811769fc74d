import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type TechniqueId, techniqueCatalog } from '#almanac/techniques.ts';
import { siteUrl } from '../support/site-under-test.ts';

const run = promisify(execFile);

/** What the command of a technique has to print on this service. */
const printed: Record<Exclude<TechniqueId, 'accessibility-tree'>, RegExp> = {
  'llms-txt': /^\s*[5-9]\d\s*$|^\s*[1-9]\d\d\s*$/,
  'markdown-negotiation': /^content-type: text\/markdown; charset=utf-8\r$[^]*^x-bytes-saved: \d+\r$/im,
  webmcp: /"name": ?"sign_guestbook"/,
  'json-ld': /^\s*\{"@context":"https:\/\/schema\.org"/,
  'robots-welcome': /^User-agent: GPTBot$[^]*^Sitemap: [^]*^200$/m,
  'no-js-parity': /^\s*\d+\s*$/,
  'machine-discovery': /^link: [^]*"linkset"/im,
  'agent-api': /^HTTP\/1\.1 422 [^]*application\/problem\+json[^]*"errors"/,
  'ax-trust': /"content_notice"/,
  'agent-identity': /"how_to_sign"/,
  'transparent-machine-layer': /^# .*trust/im,
};

test('the table of Accept headers says what this service answers', async () => {
  const page = await (await fetch(`${siteUrl}/techniques/markdown-negotiation.md`)).text();
  const rows = [...page.matchAll(/^\| (.+?) +\| (HTML|markdown|HTML or 406) +\|/gm)];
  assert.ok(rows.length >= 8, `${rows.length} rows`);
  for (const [, accepts = '', answer] of rows) {
    const named = [...accepts.matchAll(/`([^`]+)`/g)].map(([, accept = '']) =>
      accept.replace('…', 'application/xml;q=0.9'),
    );
    for (const accept of named) {
      const { status, headers } = await fetch(`${siteUrl}/about`, { headers: { accept } });
      const got = headers.get('content-type')?.startsWith('text/markdown') ? 'markdown' : 'HTML';
      assert.ok(status === 200 && answer?.startsWith(got), `${accept}: ${status} ${got}, and the page says ${answer}`);
    }
  }
});

const commandsOf = (proof: string): string =>
  [...proof.matchAll(/```sh\n(.*?)\n```/gs)].map(([, code]) => code).join('\n');

for (const { id, proof } of techniqueCatalog(siteUrl).techniques) {
  if (id !== 'accessibility-tree') {
    test(`the proof of ${id} runs as it stands and prints what it promises`, async () => {
      const { stdout } = await run('sh', ['-c', commandsOf(proof)], { maxBuffer: 16 * 1024 * 1024 });
      assert.match(stdout, printed[id]);
      const twin = await (await fetch(`${siteUrl}/techniques/${id}.md`)).text();
      assert.ok(twin.includes(commandsOf(proof).split('\n')[0] ?? ''), 'the markdown has the command to the letter');
      if (id === 'json-ld') {
        assert.equal(JSON.parse(stdout)['@context'], 'https://schema.org');
      }
      if (id === 'no-js-parity') {
        const html = await (await fetch(`${siteUrl}/techniques/${id}`, { headers: { accept: 'text/html' } })).text();
        assert.equal(Number(stdout), html.split('<h2').length - 1);
      }
    });
  }
}
