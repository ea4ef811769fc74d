import { toWideNetwork } from '../http/client-network.ts';
import { TooManyAudits } from './errors.ts';
import { auditPolicy } from './policy.ts';
import type { AuditService } from './service.ts';
import type { AuditWork } from './work.ts';

/**
 * Looks at pages, a few at once and one for each client network. A look is a handful of requests and takes a second or two:
 * it has places of its own beside those of the audits, and nobody waits for one.
 */
export function createLooks(work: Pick<AuditWork, 'look'>): Pick<AuditService, 'look'> {
  const running = new Set<string>();
  return {
    async look(target, { signal, client }) {
      const network = toWideNetwork(client);
      if (running.has(network)) {
        throw new TooManyAudits('Another look for your network is running.', auditPolicy.lookSeconds);
      }
      if (running.size >= auditPolicy.looksAtOnce) {
        throw new TooManyAudits(`${running.size} looks are running, which is as many as may.`, auditPolicy.lookSeconds);
      }
      running.add(network);
      try {
        return await work.look(target, signal);
      } finally {
        running.delete(network);
      }
    },
  };
}
