// A process of its own with the API on the port and data folder of its environment, for tests that kill it. It allows as
// many requests as a test makes, and says "up" when it listens.
import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { noLimits } from '../support/limits.ts';
import { withoutSite } from '../support/without-site.ts';

await startService(readConfig(), { openSite: async () => withoutSite, limits: noLimits });
console.log('up');
