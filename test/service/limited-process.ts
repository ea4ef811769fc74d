// A process of its own with the API on the port and data folder of its environment, with the limits that the service has. It
// says "up" when it listens.
import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { withoutSite } from '../support/without-site.ts';

await startService(readConfig(), { openSite: async () => withoutSite });
console.log('up');
