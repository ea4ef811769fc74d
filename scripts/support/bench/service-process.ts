// The service as a process of its own for a benchmark, with limits that nobody reaches. It says "up" when it listens.
import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';

await startService(readConfig(), {
  limits: {
    read: { count: 1_000_000_000, windowSeconds: 60 },
    write: [{ count: 1_000_000_000, windowSeconds: 60 }],
  },
});
console.log('up');
