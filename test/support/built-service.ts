import { readConfig } from '#api/config.ts';
import { type OwnService, type OwnServiceOptions, startOwnService } from './own-service.ts';

/**
 * Starts a service of its own with the site that the test command has built, whose links lead to the service that the test
 * command started.
 */
export const startBuiltService = (options: OwnServiceOptions = {}): Promise<OwnService> =>
  startOwnService({
    ...options,
    environment: { ...(process.env as Record<string, string>), ...options.environment },
    distDir: readConfig().distDir,
  });
