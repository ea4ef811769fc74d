import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Config, readConfig } from '#api/config.ts';
import type { Limits } from '#api/context.ts';
import type { Playbook } from '#api/playbook/playbook.ts';
import { startService } from '#api/server.ts';
import { freePort } from '../../scripts/support/nginx.ts';
import { noLimits } from './limits.ts';

/** A service in this process, with a data folder of its own; it is stopped when the tests of the file are over. */
export interface OwnService {
  origin: string;
  config: Config;
  stop(): Promise<void>;
}

/**
 * Starts a service on a free port. With `built` it serves the site that the test command has built, whose links lead to
 * the service that the test command started.
 */
export async function startOwnService(
  options: { built?: boolean; limits?: Limits; environment?: Record<string, string>; playbook?: Playbook } = {},
): Promise<OwnService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'porchlight-own-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = readConfig({
    ...(options.built ? process.env : { BASE_URL: origin }),
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...options.environment,
  });
  const service = await startService(config, {
    distDir: options.built ? config.distDir : null,
    limits: options.limits ?? noLimits,
    ...(options.playbook === undefined ? {} : { playbook: options.playbook }),
  });
  after(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { origin, config, stop: () => service.stop() };
}
