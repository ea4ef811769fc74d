import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dev } from 'astro';
import type { Plugin } from 'vite';
import { readConfig } from '#api/config.ts';
import { negotiateRepresentation, type Representation } from '#api/http/negotiate.ts';
import { toRepresentations } from '#api/render/representations.ts';
import { projectDir } from './support/build/stamp.ts';
import { freePort } from './support/ports.ts';

const types: Record<Representation, string> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
};

/** The page and the representation that a request of the development server is for, or null when it is for HTML. */
function twinRequest(
  path: string,
  accept: string | undefined,
): { page: string; representation: Representation } | null {
  const twin = /^(\/[^.]*?)\.(md|json)$/.exec(path);
  if (twin?.[1] !== undefined) {
    const page = twin[1] === '/index' ? '/' : twin[1];
    return { page, representation: twin[2] === 'md' ? 'markdown' : 'json' };
  }
  const representation = path.includes('.') ? 'html' : negotiateRepresentation(accept);
  return representation === 'html' || representation === 'none' ? null : { page: path, representation };
}

/** Makes the twins of a page when they are asked for; in a build they are files. */
const twinsOnRequest = (origin: string): Plugin => ({
  name: 'porchlight-twins',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      const url = new URL(request.url ?? '/', origin);
      const wanted = twinRequest(url.pathname, request.headers.accept);
      if (wanted === null || url.pathname.startsWith('/api/')) {
        next();
        return;
      }
      fetch(new URL(wanted.page + url.search, origin), { headers: { accept: 'text/html' } })
        .then(async (page) => {
          if (!page.headers.get('content-type')?.includes('text/html')) {
            next();
            return;
          }
          const body = toRepresentations(await page.text())[wanted.representation];
          response.writeHead(page.status, { 'content-type': types[wanted.representation], vary: 'Accept' }).end(body);
        })
        .catch(next);
    });
  },
});

const config = readConfig();
const sidecarPort = await freePort();
const sidecar = spawn(process.execPath, ['--watch', 'scripts/support/sidecar.ts'], {
  cwd: projectDir,
  env: { ...process.env, PORT: String(sidecarPort), HOST: '127.0.0.1', BASE_URL: config.baseUrl },
  stdio: 'inherit',
});
const server = await dev({
  root: projectDir,
  server: { port: config.port, host: config.host },
  vite: {
    plugins: [twinsOnRequest(`http://${config.host}:${config.port}`)],
    server: {
      strictPort: true,
      proxy: Object.fromEntries(['/api', '/badge'].map((path) => [path, `http://127.0.0.1:${sidecarPort}`])),
    },
  },
});
const stop = async (): Promise<void> => {
  sidecar.kill('SIGTERM');
  await Promise.all([server.stop(), sidecar.exitCode === null ? once(sidecar, 'exit') : undefined]);
  process.exit(0);
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
