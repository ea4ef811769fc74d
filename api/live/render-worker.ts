// The thread that renders live pages, so that rendering holds up no request. See render-thread.ts for the messages.
import { parentPort, workerData } from 'node:worker_threads';
import type { RenderJob, RenderResult } from './render-thread.ts';
import { openLiveRenderer } from './renderer.ts';

const { distDir } = workerData as { distDir: string };
const render = await openLiveRenderer(distDir);

parentPort?.on('message', async ({ id, path, locals }: RenderJob) => {
  let result: RenderResult;
  try {
    result = { id, page: await render(path, locals) };
  } catch (error) {
    result = { id, error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(result);
});
