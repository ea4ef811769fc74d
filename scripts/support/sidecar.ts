import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { withoutSite } from '../../test/support/without-site.ts';
import { readPlaybook } from './build/playbook.ts';

/** The sidecar alone, without a built site: what stands behind the development server. */
const config = readConfig();
const playbook = await readPlaybook(config.baseUrl);
const service = await startService(config, { openSite: async () => ({ ...withoutSite, playbook }) });
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));
