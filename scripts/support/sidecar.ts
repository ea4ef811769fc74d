import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { readPlaybook } from './build/playbook.ts';

/** The sidecar alone, without a built site: what stands behind the development server. */
const config = readConfig();
const service = await startService(config, { distDir: null, playbook: await readPlaybook(config.baseUrl) });
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));
