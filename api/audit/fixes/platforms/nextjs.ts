import { hstsValue, type Platform, pageLifetime, siteLinks, twinScriptStep } from './platform.ts';
import { prefersMarkdown } from './prefers-markdown.ts';

/** A Next.js application with its own server. */
export const nextjs: Platform = {
  name: 'Next.js',
  testedWith: 'Next.js 16',
  configure(site, needs) {
    const proxy = `// proxy.js (Next.js 16; before that middleware.js with a function called middleware)
import { NextResponse } from 'next/server';
import { prefersMarkdown, twinPath } from './prefers-markdown.js';

export function proxy(request) {
  const twin = twinPath(request.nextUrl.pathname);
  if (twin !== null && prefersMarkdown(request.headers.get('accept'))) {
    return NextResponse.rewrite(new URL(\`/markdown\${twin}\`, request.url));
  }
  const response = NextResponse.next();
  if (twin !== null) {
    response.headers.append('Link', \`<\${twin}>; rel="alternate"; type="text/markdown"\`);
  }
  return response;
}

export const config = { matcher: ['/((?!_next/|markdown/|api/|.*\\\\.[a-z0-9]{1,5}$).*)'] };
`;
    const route = `// app/markdown/[...path]/route.js: the markdown of a page, or help when there is none
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(process.cwd(), 'public');
const headers = {
  'Content-Type': 'text/markdown; charset=utf-8',
  Vary: 'Accept',
  'Cache-Control': '${pageLifetime}',
};

export async function GET(_request, { params }) {
  const parts = (await params).path;
  const isSafe = parts.every((part) => /^[^./\\\\\\0][^/\\\\\\0]*$/.test(part));
  const text = isSafe ? await readFile(join(folder, ...parts), 'utf8').catch(() => null) : null;
  if (text !== null) return new Response(text, { headers });
  const help = await readFile(join(folder, '404.md'), 'utf8').catch(() => '# Not found\\n');
  return new Response(help, { status: 404, headers });
}
`;
    const settings = `// next.config.mjs: merge this into yours
const everyPage = [
  { key: 'Link', value: '${siteLinks(site)}' },
  { key: 'X-Content-Type-Options', value: 'nosniff' },${
    needs.hsts ? `\n  { key: 'Strict-Transport-Security', value: '${hstsValue}' },` : ''
  }
];
export default {
  async headers() {
    return [
      { source: '/:path*', headers: everyPage },
${needs.negotiation ? "      { source: '/:path*.md', headers: [{ key: 'Content-Type', value: 'text/markdown; charset=utf-8' }] },\n" : ''}    ];
  },
};
`;
    return {
      files: [
        ...(needs.negotiation
          ? ([
              { path: 'prefers-markdown.js', place: 'project', language: 'js', text: prefersMarkdown },
              { path: 'proxy.js', place: 'project', language: 'js', text: proxy },
              { path: 'app/markdown/[...path]/route.js', place: 'project', language: 'js', text: route },
            ] as const)
          : []),
        { path: 'next.config.mjs', place: 'project', language: 'js', text: settings },
      ],
      steps: [
        ...(needs.negotiation
          ? [
              twinScriptStep,
              `After \`next build\`, start the site and run \`node make-twins.mjs public ${site.origin} --from http://localhost:3000\`: it reads the pages of the sitemap and writes their markdown into public/.`,
            ]
          : []),
        'Merge next.config.mjs into yours, build and start again.',
      ],
      limits: [
        'Next.js overwrites `Vary` on HTML (issue 85999). Add `Vary: Accept` to HTML in the server or CDN in front, or keep pages out of shared caches.',
      ],
    };
  },
};
