import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { percentile } from './percentile.ts';

/** What a mixed load gave. */
export interface MixedLoad {
  perSecond: number;
  /** Answers that were none of 200, 201 and 304, and requests that failed. */
  errors: string[];
  /** Milliseconds. */
  readsP99: number;
  writesP99: number;
}

interface Asked {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const json = { 'content-type': 'application/json' };

/** Of a hundred requests, how many are of which kind; `number` tells them apart. */
const kinds: { share: number; toRequest: (pages: readonly string[], number: number) => Asked }[] = [
  {
    share: 40,
    toRequest: (pages, number) => ({
      ...{ method: 'GET', path: pages[number % pages.length] ?? '/' },
      headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' },
    }),
  },
  {
    share: 15,
    toRequest: (pages, number) => ({
      ...{ method: 'GET', path: pages[number % pages.length] ?? '/', headers: { accept: 'text/markdown' } },
    }),
  },
  { share: 10, toRequest: () => ({ method: 'GET', path: '/guestbook', headers: { accept: 'text/html' } }) },
  { share: 10, toRequest: () => ({ method: 'GET', path: '/api/guestbook', headers: {} }) },
  { share: 10, toRequest: () => ({ method: 'GET', path: '/api/crawlers?limit=5', headers: {} }) },
  {
    share: 7,
    toRequest: (_pages, number) => ({
      ...{ method: 'GET', path: `/api/search?q=${['gptbot', 'robots', 'mcp'][number % 3]}`, headers: {} },
    }),
  },
  {
    share: 3,
    toRequest: (_pages, number) => ({
      ...{ method: 'GET', path: `/api/ask?q=${['what+is+gptbot', 'who+runs+claudebot'][number % 2]}`, headers: {} },
    }),
  },
  {
    share: 5,
    toRequest: (_pages, number) => ({
      ...{ method: 'POST', path: '/api/guestbook', headers: json },
      body: JSON.stringify({ name: `Visitor ${number}`, message: `Came by at number ${number}.` }),
    }),
  },
];

const bag = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));

async function ask(agent: Agent, port: number, { body, ...asked }: Asked): Promise<number> {
  const sent = request({ ...asked, port, host: '127.0.0.1', agent });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

/** Sends this many requests, reads and writes of all kinds in a fixed order, from many clients over `connections`. */
export async function sendMixedLoad(
  port: number,
  { pages, requests, connections }: { pages: readonly string[]; requests: number; connections: number },
): Promise<MixedLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const errors: string[] = [];
  const times = { GET: [] as number[], POST: [] as number[] };
  let sent = 0;
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (sent < requests) {
      const number = sent;
      sent += 1;
      // 37 and 100 have no common factor: every hundred requests have each place of the bag once.
      const asked = (bag[(number * 37) % bag.length] as (typeof kinds)[number]).toRequest(pages, number);
      const headers = { ...asked.headers, 'x-forwarded-for': `2001:db8:${(number % 60_000).toString(16)}::1` };
      const before = performance.now();
      try {
        const status = await ask(agent, port, { ...asked, headers });
        if (![200, 201, 304].includes(status)) {
          errors.push(`${asked.method} ${asked.path}: ${status}`);
        }
      } catch (error) {
        errors.push(`${asked.method} ${asked.path}: ${String(error)}`);
      }
      times[asked.method].push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  const perSecond = Math.round(requests / ((performance.now() - start) / 1000));
  return {
    perSecond,
    errors,
    readsP99: Math.round(percentile(times.GET, 0.99)),
    writesP99: Math.round(percentile(times.POST, 0.99)),
  };
}
