import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stackOf } from '#api/audit/fixes/stack.ts';
import { auditSite } from '../audited.ts';
import type { Answer } from '../sites.ts';

describe('what a site runs on', () => {
  const page = (head: string): string =>
    `<!doctype html><html lang="en"><head><title>A</title>${head}</head><body><main><h1>A</h1><p>Words.</p></main></body></html>`;
  const rows: [what: string, headers: Record<string, string>, head: string, expected: string][] = [
    ['nginx', { Server: 'nginx/1.29.0' }, '', 'nginx'],
    ['Apache', { Server: 'Apache/2.4.62 (Debian)' }, '', 'apache'],
    ['Caddy', { Server: 'Caddy' }, '', 'caddy'],
    ['Express', { 'X-Powered-By': 'Express' }, '', 'express'],
    ['WordPress behind nginx', { Server: 'nginx' }, '<meta name="generator" content="WordPress 6.9">', 'wordpress'],
    ['Astro on Netlify', { 'X-Nf-Request-Id': 'x' }, '<meta name="generator" content="Astro v7">', 'netlify'],
    ['Next.js on Vercel', { 'X-Vercel-Id': 'x', 'X-Nextjs-Prerender': '1' }, '', 'nextjs'],
    ['Wix', { Server: 'Pepyaka' }, '', 'hosted-builder'],
    ['Cloudflare', { Server: 'cloudflare', 'CF-RAY': 'x' }, '', 'cloudflare'],
    ['GitHub Pages', { Server: 'GitHub.com' }, '', 'github-pages'],
    ['nothing that shows it', {}, '', 'nginx'],
  ];
  for (const [what, headers, head, expected] of rows) {
    it(`${what} → ${expected}`, async () => {
      const answer: Answer = ({ path }) =>
        path === '/'
          ? { type: 'text/html', headers, body: page(head) }
          : { status: 404, type: 'text/plain', body: 'no' };
      const stack = stackOf((await auditSite(answer)).evidence);
      assert.equal(stack.platform, expected);
      assert.equal(stack.judgedBy.length > 0, what !== 'nothing that shows it');
    });
  }
});
