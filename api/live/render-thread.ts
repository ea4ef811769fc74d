import { Worker } from 'node:worker_threads';
import type { Representations } from '../render/representations.ts';
import type { RenderLive } from './renderer.ts';

/** What the thread is asked for. `locals` is plain data. */
export interface RenderJob {
  id: number;
  path: string;
  locals: object;
}

/** What the thread answers. The first message has the id 0 and says that it is ready. */
export type RenderResult = { id: number; page: Representations | null } | { id: number; error: string };

/** A thread of its own that renders live pages. */
export interface RenderThread {
  render: RenderLive;
  close(): Promise<void>;
}

interface Waiting {
  resolve(page: Representations | null): void;
  reject(error: Error): void;
}

/** Opens the server build in a thread of its own. A thread that dies fails what it was asked for, and is replaced. */
export async function openRenderThread(distDir: string): Promise<RenderThread> {
  let worker: Worker | null = null;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  const fail = (error: Error): void => {
    worker = null;
    for (const [id, { reject }] of [...waiting]) {
      waiting.delete(id);
      reject(error);
    }
  };

  const awaitAnswer = (id: number): Promise<Representations | null> =>
    new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));

  const start = (): Worker => {
    const thread = new Worker(new URL('./render-worker.ts', import.meta.url), {
      workerData: { distDir },
      // Room for new objects is kept once it was needed, and loading the site's code needs more than rendering its pages.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    thread.on('message', (result: RenderResult) => {
      const asked = waiting.get(result.id);
      waiting.delete(result.id);
      if ('error' in result) {
        asked?.reject(new Error(result.error));
      } else {
        asked?.resolve(result.page);
      }
    });
    thread.on('error', (cause) => fail(new Error('The thread that renders pages failed.', { cause })));
    thread.on('exit', () => {
      if (worker === thread) {
        fail(new Error('The thread that renders pages has ended.'));
      }
    });
    worker = thread;
    return thread;
  };

  const ready = awaitAnswer(0);
  start();
  await ready;

  return {
    async render(path, locals) {
      lastId += 1;
      const answer = awaitAnswer(lastId);
      (worker ?? start()).postMessage({ id: lastId, path, locals } satisfies RenderJob);
      const page = await answer;
      if (page === null) {
        throw new Error(`the thread that renders pages gave no page for ${path}`);
      }
      return page;
    },
    async close() {
      const thread = worker;
      worker = null;
      await thread?.terminate();
      fail(new Error('The thread that renders pages is closed.'));
    },
  };
}
