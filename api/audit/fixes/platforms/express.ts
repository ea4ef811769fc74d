import { hstsValue, type Platform, pageLifetime, siteLinks, twinsSteps } from './platform.ts';
import { prefersMarkdown } from './prefers-markdown.ts';

/** An Express application that serves a folder of pages. */
export const express: Platform = {
  name: 'Express',
  testedWith: 'Express 5',
  configure(site, needs) {
    const imports = [
      ...(needs.negotiation ? ["import { existsSync } from 'node:fs';"] : []),
      "import { join } from 'node:path';",
      "import express from 'express';",
      ...(needs.negotiation ? ["import { prefersMarkdown, twinPath } from './prefers-markdown.js';"] : []),
    ];
    const headers = [
      `  response.set('X-Content-Type-Options', 'nosniff');`,
      ...(needs.hsts ? [`  response.set('Strict-Transport-Security', '${hstsValue}');`] : []),
      `  response.append('Link', '${siteLinks(site)}');`,
    ];
    const negotiation = [
      '',
      "  response.vary('Accept');",
      '  const twin = twinPath(request.path);',
      '  const hasTwin = twin !== null && !twin.includes("..") && existsSync(join(pages, decodeURI(twin)));',
      "  if (hasTwin && ['GET', 'HEAD'].includes(request.method)) {",
      "    if (prefersMarkdown(request.get('Accept'))) request.url = twin;",
      `    else response.append('Link', '<' + twin + '>; rel="alternate"; type="text/markdown"');`,
      '  }',
    ];
    const text = [
      ...imports,
      '',
      "const pages = 'dist'; // the folder of your pages",
      '',
      '/** Everything an agent needs of the server. Use it before your routes and before express.static. */',
      'export function forAgents(request, response, next) {',
      ...headers,
      ...(needs.negotiation ? negotiation : []),
      '  next();',
      '}',
      '',
      '/** The pages themselves. */',
      'export const serveFiles = express.static(pages, {',
      "  extensions: ['html'],",
      '  setHeaders(response, file) {',
      `    if (/\\.(html|md|txt|xml|json)$/.test(file)) response.set('Cache-Control', '${pageLifetime}');`,
      "    if (file.endsWith('.md')) response.type('text/markdown; charset=utf-8');",
      '  },',
      '});',
      '',
      '/** After all routes: a missing page says so and leads on, in markdown when that was asked for. */',
      'export function notFound(request, response) {',
      needs.negotiation
        ? "  const file = prefersMarkdown(request.get('Accept')) ? '404.md' : '404.html';"
        : "  const file = '404.html';",
      "  response.status(404).type(file.endsWith('.md') ? 'text/markdown; charset=utf-8' : 'html');",
      '  response.sendFile(file, { root: pages });',
      '}',
      '',
    ].join('\n');
    return {
      files: [
        ...(needs.negotiation
          ? [{ path: 'prefers-markdown.js', place: 'project', language: 'js', text: prefersMarkdown } as const]
          : []),
        { path: 'for-agents.js', place: 'project', language: 'js', text },
      ],
      steps: [
        ...(needs.negotiation ? twinsSteps('dist', site) : []),
        needs.negotiation
          ? 'Save both files below in the root of the project.'
          : 'Save the file below in the root of the project.',
        "In your application: `import { forAgents, notFound, serveFiles } from './for-agents.js'`, then `app.use(forAgents)` first, then your routes, then `app.use(serveFiles)` and `app.use(notFound)`.",
      ],
      limits: [
        'Pages that a route renders have no markdown file: make the markdown from the same data in that route, and choose with prefersMarkdown.',
      ],
    };
  },
};
