import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Representations, toRepresentations } from '#api/render/representations.ts';

/** Pages whose twins several threads write. Each takes the next page that none has taken, by a count that they share. */
export interface TwinJob {
  clientDir: string;
  /** Below the folder, with `.html`. */
  pages: readonly string[];
  taken: Int32Array<SharedArrayBuffer>;
}

export async function writePage(stem: string, { html, markdown, json }: Representations): Promise<void> {
  await Promise.all([
    writeFile(`${stem}.html`, html),
    writeFile(`${stem}.md`, markdown),
    writeFile(`${stem}.json`, json),
  ]);
}

/** Does this thread's share, a few pages at a time. If one fails, no thread takes another. */
export async function writeShareOfTwins({ clientDir, pages, taken }: TwinJob): Promise<void> {
  const takePages = async (): Promise<void> => {
    for (let name = pages[Atomics.add(taken, 0, 1)]; name !== undefined; name = pages[Atomics.add(taken, 0, 1)]) {
      const stem = join(clientDir, name.slice(0, -'.html'.length));
      await writePage(stem, toRepresentations(await readFile(`${stem}.html`, 'utf8')));
    }
  };
  try {
    await Promise.all(Array.from({ length: 8 }, takePages));
  } catch (error) {
    Atomics.store(taken, 0, pages.length);
    throw error;
  }
}

/** Writes the twins of pages next to them, on two cores if there are two; a page loses the data that only its twins need. */
export async function writeTwins(clientDir: string, pages: readonly string[]): Promise<void> {
  const job: TwinJob = { clientDir, pages, taken: new Int32Array(new SharedArrayBuffer(4)) };
  const shares = [writeShareOfTwins(job)];
  if (availableParallelism() > 1) {
    // Rejects with the error that ends the thread.
    shares.push(
      once(new Worker(new URL('./twins-worker.ts', import.meta.url), { workerData: job }), 'exit').then(() => {}),
    );
  }
  await Promise.all(shares);
}
