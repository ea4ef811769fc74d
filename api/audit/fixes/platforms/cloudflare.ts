import { edgeFunction } from './edge-function.ts';
import { hostName, type Platform, twinsSteps } from './platform.ts';
import { prefersMarkdown } from './prefers-markdown.ts';

/** Static files on Cloudflare Workers or Pages, with a Worker in front. */
export const cloudflare: Platform = {
  name: 'Cloudflare Workers',
  testedWith: 'workerd',
  configure(site, needs) {
    const name = hostName(site)
      .replace(/[^a-z0-9]+/gi, '-')
      .replace(/^-+|-+$/g, '')
      .toLowerCase();
    const worker = `${needs.negotiation ? `${prefersMarkdown}\n` : ''}${edgeFunction(site, needs)}
export default {
  fetch: (request, env) => answer(request, (asked) => env.ASSETS.fetch(asked)),
};
`;
    const settings = {
      name: name === '' ? 'site' : name,
      main: 'worker.js',
      compatibility_date: '2026-10-01',
      assets: { directory: './dist', binding: 'ASSETS', run_worker_first: true, not_found_handling: '404-page' },
    };
    return {
      files: [
        { path: 'worker.js', place: 'project', language: 'js', text: worker },
        { path: 'wrangler.jsonc', place: 'project', language: 'json', text: `${JSON.stringify(settings, null, 2)}\n` },
      ],
      steps: [
        ...(needs.negotiation ? twinsSteps('dist', site) : []),
        'Put both files into the root of the project; `directory` is the folder of your built pages.',
        'Run `npx wrangler deploy`.',
      ],
      limits: [
        "If Cloudflare only proxies your own server, set the server up instead, and don't cache HTML: Cloudflare's cache ignores `Vary: Accept`.",
      ],
    };
  },
};
