import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';

/** The sidecar alone, without a built site: what stands behind the development server. */
const service = await startService(readConfig(), { distDir: null });
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));
