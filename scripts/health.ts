import { readConfig } from '#api/config.ts';

/** The health check of the image: exit code 0 when the instance on this machine says that it's ready. */
const { metricsListen } = readConfig();
const answered =
  metricsListen === null
    ? null
    : await fetch(`http://127.0.0.1:${metricsListen.port}/readyz`, { signal: AbortSignal.timeout(2500) }).catch(
        () => null,
      );
process.exitCode = answered?.status === 200 ? 0 : 1;
