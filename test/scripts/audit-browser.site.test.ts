import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auditCommand } from '../../scripts/audit.ts';
import { openSite } from '../audit/sites.ts';
import { runHere } from '../support/command.ts';

const page = `<!doctype html><html lang="en"><head><title>Otter Boats</title></head><body>
<main><h1>Otter Boats</h1><p>We build wooden boats.</p><button class="menu"></button><a href="/prices">Prices</a></main>
<script>
  document.querySelector('main').insertAdjacentHTML('beforeend', '<p>Delivered \\u001b[31mto every harbour</p>');
  document.modelContext?.registerTool({
    name: 'quote_boat', description: 'Quotes a boat.', inputSchema: { type: 'object' }, execute: async () => ({}),
  });
</script></body></html>`;

const site = await openSite(({ path }) =>
  path === '/' ? { body: page } : { status: 404, type: 'text/plain', body: 'none' },
);
after(() => site.close());

const audit = (args: string[], env = process.env) =>
  runHere(auditCommand, [site.host, ...args], { cwd: import.meta.dirname, env });

test('--browser compares the rendered page with the served one, and lists unnamed controls and tools', async () => {
  const { code, stdout, stderr } = await audit(['--browser', '--format', 'json']);
  assert.equal(code, 0, stderr);
  const { browser, score } = JSON.parse(stdout);
  assert.equal(typeof score, 'number');
  assert.equal(browser.url, `${site.origin}/`);
  assert.equal(browser.text.words_served, 7);
  assert.ok(browser.text.words > 10 && browser.text.share_served < 0.7, JSON.stringify(browser.text));
  assert.equal(browser.text.only_by_scripts.length, 1);
  assert.deepEqual(browser.accessibility.unnamed, [{ role: 'button', html: '<button class="menu"></button>' }]);
  assert.equal(browser.accessibility.controls, 2);
  assert.deepEqual(browser.webmcp.tools, [{ name: 'quote_boat', description: 'Quotes a boat.' }]);
});

test('text and markdown say it in sentences that cannot steer a terminal', async () => {
  for (const [args, heading] of [
    [['--browser'], '\nIn a browser\n'],
    [['--browser', '--format', 'markdown'], '\n### In a browser\n'],
  ] as const) {
    const { stdout } = await audit([...args]);
    assert.ok(stdout.includes(heading), stdout);
    assert.match(stdout, /Only with scripts: Delivered/);
    assert.match(stdout, /quote\\?_boat/);
    assert.ok(!stdout.includes('\u001b'));
  }
});

test('without a browser on the machine a sentence says so', async () => {
  const { code, stderr } = await audit(['--browser'], { ...process.env, PATH: '/nowhere' });
  assert.equal(code, 2);
  assert.match(stderr, /--browser needs Chromium or Chrome on the PATH: install one of them\./);
});
