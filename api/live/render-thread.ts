import { Worker } from 'node:worker_threads';
import type { Representations } from '../render/representations.ts';
import type { RenderLive } from './renderer.ts';

/** What the thread is asked for. `locals` is plain data. */
export interface RenderJob {
  id: number;
  path: string;
  locals: object;
}

/** What the thread answers. */
export type RenderResult = { id: number; page: Representations } | { id: number; error: string };

/** A thread of its own that renders live pages. */
export interface RenderThread {
  render: RenderLive;
  close(): Promise<void>;
}

interface Waiting {
  resolve(page: Representations): void;
  reject(error: Error): void;
}

const closed = 'The thread that renders pages is closed.';

/** How long the thread waits for work before it ends. */
const defaultIdleMs = 60_000;

/**
 * Renders with the server build in a thread of its own, so that rendering holds up no request. The thread is there
 * while there's work: it begins with the first page that is asked for, and ends when none was for a while, because what
 * it has loaded takes as much memory as the rest of the service. A thread that dies fails what it was asked for, and is
 * replaced.
 */
export function openRenderThread(distDir: string, { idleMs = defaultIdleMs }: { idleMs?: number } = {}): RenderThread {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;
  const waiting = new Map<number, Waiting>();

  const fail = (error: Error): void => {
    worker = null;
    for (const [id, { reject }] of [...waiting]) {
      waiting.delete(id);
      reject(error);
    }
  };

  const end = async (): Promise<void> => {
    const thread = worker;
    worker = null;
    await thread?.terminate();
  };

  const start = (): Worker => {
    const thread = new Worker(new URL('./render-worker.ts', import.meta.url), {
      workerData: { distDir },
      // Room for new objects is kept once it was needed, and loading the site's code needs more than rendering its pages.
      // The engine lets a heap with a limit grow in smaller steps; the largest page needs about a third of this one.
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 192 },
    });
    thread.on('message', (result: RenderResult) => {
      const asked = waiting.get(result.id);
      waiting.delete(result.id);
      if (waiting.size === 0) {
        idle = setTimeout(() => void end(), idleMs).unref();
      }
      if ('error' in result) {
        asked?.reject(new Error(result.error));
      } else {
        asked?.resolve(result.page);
      }
    });
    const failIfPresent = (error: Error): void => {
      if (worker === thread) {
        fail(error);
      }
    };
    thread.on('error', (cause) => failIfPresent(new Error('The thread that renders pages failed.', { cause })));
    thread.on('exit', () => failIfPresent(new Error('The thread that renders pages has ended.')));
    worker = thread;
    return thread;
  };

  return {
    render(path, locals) {
      if (isClosed) {
        return Promise.reject(new Error(closed));
      }
      clearTimeout(idle);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        (worker ?? start()).postMessage({ id, path, locals } satisfies RenderJob);
      });
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await end();
      fail(new Error(closed));
    },
  };
}
