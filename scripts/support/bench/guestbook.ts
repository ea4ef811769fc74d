import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '#api/config.ts';
import { buildWhenNeeded } from '../build/build-when-needed.ts';
import { freePort } from '../ports.ts';
import { startPostgres } from '../postgres.ts';
import { startChild } from './child.ts';
import { countAnswers } from './load.ts';
import { median, percentile } from './percentile.ts';

const rounds = 3;
const milliseconds = 3000;
const load = { connections: 16, lengthVaries: true };
const kept = 500;
const writesPerSecond = 10;

/** Connections that are kept, without the cost of `fetch`, which is several times that of the write. */
const agent = new Agent({ keepAlive: true });

/** Writes an entry and gives its id. */
async function write(origin: string, number: number): Promise<string> {
  const sent = request(`${origin}/api/guestbook`, {
    method: 'POST',
    agent,
    // From many clients, since one may not fill the guestbook.
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `2001:db8:${(number % 60_000).toString(16)}::1`,
    },
  });
  sent.end(
    JSON.stringify({
      name: `Visitor ${number}`,
      message: `Came by at number ${number}. The porch light was on.`,
    }),
  );
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray()).toString();
  if (response.statusCode !== 201) {
    throw new Error(`a write was answered with ${response.statusCode}: ${body}`);
  }
  return (JSON.parse(body) as { id: string }).id;
}

/** An answer as it crosses the wire: its headers in a line of JSON, but for those that Node itself writes, and its body. */
async function answerOf(url: string, headers: Record<string, string>): Promise<Buffer> {
  const sent = request(url, { headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...own } = response.headers;
  return Buffer.concat([Buffer.from(`${JSON.stringify(own)}\n`), ...(await response.toArray())]);
}

/** Acknowledged writes a second with this many writers, each from many clients, and how long they took. */
async function countWrites(origins: string[], writers: number, from: number) {
  const times: number[] = [];
  const start = performance.now();
  const end = start + milliseconds;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      while (performance.now() < end) {
        const before = performance.now();
        await write(origins[writer % origins.length] ?? '', from + times.length * writers + writer);
        times.push(performance.now() - before);
      }
    }),
  );
  return {
    perSecond: Math.round(times.length / ((performance.now() - start) / 1000)),
    p50: Math.round(median(times)),
    p99: Math.round(percentile(times, 0.99)),
  };
}

const goals: Record<number, number> = { 1: 30, 64: 400 };

/** Reads a page again and again, each time in another representation, until it's told to stop. */
function readOn(origin: string): () => Promise<void> {
  let isOver = false;
  const reading = (async () => {
    for (let number = 0; !isOver; number += 1) {
      const accept = ['text/html', 'text/markdown', 'application/json'][number % 3] ?? '';
      const response = await fetch(`${origin}/guestbook`, { headers: { accept } });
      if (response.status !== 200) {
        throw new Error(`a read was answered with ${response.status}`);
      }
      await response.arrayBuffer();
    }
  })();
  return () => {
    isOver = true;
    return reading;
  };
}

async function reportWrites(origin: string, what: string): Promise<void> {
  for (const isRead of [false, true]) {
    for (const writers of [1, 64]) {
      const stopReading = isRead ? readOn(origin) : async () => undefined;
      const { perSecond, p50, p99 } = await countWrites([origin], writers, 0);
      await stopReading();
      console.log(
        `${writers} ${writers === 1 ? 'writer' : 'writers'}, ${what}${isRead ? ', while the page is read' : ''}: ${perSecond} acknowledged writes a second (goal: at least ${goals[writers]}), p50 ${p50} ms, p99 ${p99} ms`,
      );
    }
  }
  await reportVisibility(origin);
}

/** Writes entries one by one, and looks for each in the next read of the page, in every representation. */
async function reportVisibility(origin: string): Promise<void> {
  let seen = 0;
  const written = 30;
  for (let number = 0; number < written; number += 1) {
    const id = await write(origin, 3_000_000 + number);
    const pages = await Promise.all(
      ['text/html', 'text/markdown', 'application/json'].map(async (accept) =>
        (await fetch(`${origin}/guestbook`, { headers: { accept } })).text(),
      ),
    );
    seen += pages.every((page) => page.includes(id)) ? 1 : 0;
  }
  console.log(`${seen} of ${written} entries were in the next read of the page as HTML, markdown and JSON`);
}

/**
 * Writes to two instances that share a PostgreSQL, 64 writers, and how long until the other instance shows what was written.
 */
async function reportTwoInstances(distDir: string, folder: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.adopt(await startPostgres(), (one) => one.stop());
  const url = await postgres.createDatabase();
  const origins: string[] = [];
  for (const name of ['one', 'two']) {
    const port = await freePort();
    origins.push(`http://127.0.0.1:${port}`);
    stack.use(
      await startChild('service-process.ts', {
        ...{ PORT: String(port), HOST: '127.0.0.1', TRUST_PROXY: 'loopback', LOG_LEVEL: 'silent', DIST_DIR: distDir },
        ...{ DATA_DIR: join(folder, name), DATABASE_URL: url },
      }),
    );
  }
  const { perSecond, p50, p99 } = await countWrites(origins, 64, 1_000_000);
  console.log(
    `64 writers over two instances on PostgreSQL: ${perSecond} acknowledged writes a second (goal: at least 300), p50 ${p50} ms, p99 ${p99} ms`,
  );
  const lags: number[] = [];
  for (let number = 0; number < 50; number += 1) {
    const id = await write(origins[0] ?? '', 2_000_000 + number);
    const acknowledged = performance.now();
    while ((await fetch(`${origins[1]}/api/guestbook/${id}`)).status !== 200) {}
    lags.push(performance.now() - acknowledged);
  }
  console.log(
    `acknowledged by one and shown by the other: p50 ${median(lags).toFixed(1)} ms, p99 ${percentile(lags, 0.99).toFixed(1)} ms (goal: at most 100)`,
  );
}

/**
 * Reads of the guestbook's page and list, at full length, while entries are written and each looked for in the next read of the
 * page, against a plain Node server that sends the same bytes, headers included, while the same goes on elsewhere on the machine.
 */
async function reportOneInstance(distDir: string, folder: string): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await using _service = await startChild('service-process.ts', {
    ...{ PORT: String(port), HOST: '127.0.0.1', TRUST_PROXY: 'loopback', LOG_LEVEL: 'silent', DIST_DIR: distDir },
    DATA_DIR: join(folder, 'data'),
  });
  let isOver = false;
  let written = 0;
  let slowestWriteMs = 0;
  const writeOn = async (): Promise<void> => {
    while (!isOver) {
      const started = performance.now();
      const id = await write(origin, written);
      const page = await fetch(`${origin}/guestbook`, { headers: { accept: 'text/html' } });
      if (!(await page.text()).includes(id)) {
        throw new Error(`the next read of the page lacks entry ${id}`);
      }
      written += 1;
      slowestWriteMs = Math.max(slowestWriteMs, performance.now() - started);
      await wait(Math.max(0, 1000 / writesPerSecond - (performance.now() - started)));
    }
  };
  await reportWrites(origin, 'an empty guestbook at first');
  await Promise.all(Array.from({ length: kept - 50 }, (_, number) => write(origin, number)));
  const writing = writeOn();
  for (const [name, path, accept] of [
    ['page', '/guestbook', 'text/html'],
    ['list', '/api/guestbook', 'application/json'],
  ] as const) {
    const headers = { accept, 'accept-encoding': 'gzip' };
    const answer = await answerOf(`${origin}${path}`, headers);
    const file = join(folder, name);
    await writeFile(file, answer);
    const plainPort = await freePort();
    await using _plain = await startChild('plain-process.ts', { PORT: String(plainPort), FILE: file });
    const mine: number[] = [];
    const theirs: number[] = [];
    const slowest: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const ours = await countAnswers(`${origin}${path}`, headers, milliseconds, load);
      const baseline = await countAnswers(`http://127.0.0.1:${plainPort}/`, headers, milliseconds, load);
      mine.push(ours.answers / ours.seconds);
      theirs.push(baseline.answers / baseline.seconds);
      slowest.push(ours.slowestMs);
    }
    const ratio = median(mine) / median(theirs);
    console.log(
      `${name}, ${answer.length} bytes: ${Math.round(median(mine))} of ${Math.round(median(theirs))} reads a second while ` +
        `writing, ratio ${ratio.toFixed(2)} (goal: at least 0.90); slowest read ${Math.round(Math.max(...slowest))} ms`,
    );
  }
  isOver = true;
  await writing;
  await reportWrites(origin, 'a full guestbook');
  console.log(
    `${written} entries were written meanwhile, the slowest in ${Math.round(slowestWriteMs)} ms with the read that shows it`,
  );
}

/** The guestbook of one instance, as it's written and read, and that of two. */
export async function runGuestbookBench(): Promise<void> {
  const config = readConfig();
  await buildWhenNeeded(config);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'porchlight-bench-'));
  await reportOneInstance(config.distDir, folder.path);
  await reportTwoInstances(config.distDir, folder.path);
}
