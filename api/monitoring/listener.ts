import { createServer } from 'node:http';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/**
 * Opens a listener of its own for those who operate the service, never reachable where visitors are: `/metrics` for
 * Prometheus, `/livez` (the process answers) and `/readyz` (it can do its work: 200, or 503 with what is wrong).
 */
export async function openMonitor(
  { host, port }: { host: string; port: number },
  { metrics, readiness }: { metrics: Metrics; readiness: Readiness },
): Promise<{ close(): Promise<void> }> {
  const answer = async (path: string): Promise<{ status: number; type?: string; text: string }> => {
    switch (path) {
      case '/metrics':
        return { status: 200, ...(await metrics.read()) };
      case '/livez':
        return { status: 200, text: 'ok\n' };
      case '/readyz': {
        const faults = await readiness();
        return faults.length === 0 ? { status: 200, text: 'ready\n' } : { status: 503, text: `${faults.join('\n')}\n` };
      }
      default:
        return { status: 404, text: 'There are /metrics, /livez and /readyz.\n' };
    }
  };
  const server = createServer((request, response) => {
    answer(String(request.url).split('?', 1)[0] ?? '').then(
      ({ status, type = 'text/plain; charset=utf-8', text }) =>
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
