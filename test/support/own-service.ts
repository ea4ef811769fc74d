import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Config, readConfig } from '#api/config.ts';
import type { Limits } from '#api/contract/limits.ts';
import { startService } from '#api/server.ts';
import { openState, type State } from '#api/state.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { auditHere } from './audits-here.ts';
import { noLimits } from './limits.ts';
import { withoutSite } from './without-site.ts';

/** A service in this process, with a data folder of its own; it is stopped when the tests of the file are over. */
export interface OwnService {
  origin: string;
  config: Config;
  stop(): Promise<void>;
}

/** How a service of a test differs from what a test usually needs. */
export interface OwnServiceOptions {
  limits?: Limits;
  environment?: Record<string, string>;
  /** Writes what the service finds when it starts. */
  fill?: (state: State) => Promise<void>;
}

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-own-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** What runs without a built site, and audits without a process for it. */
const apiAlone = { openSite: async () => withoutSite, openAuditProcess: auditHere };

/** Starts a service on a free port: the API alone, or with the site that was built into `distDir`. */
export async function startOwnService(options: OwnServiceOptions & { distDir?: string } = {}): Promise<OwnService> {
  const dataDir = await newFolder();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = readConfig({
    BASE_URL: origin,
    ...options.environment,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...(options.distDir === undefined ? {} : { DIST_DIR: options.distDir }),
  });
  if (options.fill !== undefined) {
    const state = await openState(config, { now: () => new Date(), warn: () => undefined });
    await options.fill(state);
    await state.close();
  }
  const service = await startService(config, {
    ...(options.distDir === undefined ? apiAlone : {}),
    limits: options.limits ?? noLimits,
  });
  after(() => service.stop());
  return { origin, config, stop: () => service.stop() };
}

/** A service that is started for each piece of work and stopped after it, always on the same data. */
export async function openRestartedService(environment: Record<string, string> = {}) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = readConfig({
    ...environment,
    PORT: String(port),
    BASE_URL: origin,
    DATA_DIR: await newFolder(),
    LOG_LEVEL: 'silent',
  });
  // A connection that is kept open would hold up each stop.
  const headers = { connection: 'close', 'content-type': 'application/json' };
  return {
    get: (path: string, own: Record<string, string> = {}) => fetch(origin + path, { headers: { ...headers, ...own } }),
    post: (path: string, body: object) => fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) }),
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      const service = await startService(config, { ...apiAlone, limits: noLimits });
      try {
        return await work();
      } finally {
        await service.stop();
      }
    },
  };
}
