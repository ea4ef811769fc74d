import { AuditFailed } from '#api/audits/errors.ts';
import type { Outcomes } from '#api/audits/outcome.ts';
import type { AuditProcess } from '#api/audits/process.ts';
import type { AuditorSettings } from '#api/audits/task.ts';

/** Audits in this process: one of its own takes a second to load. That the real one bounds audits is for the slow tests. */
export function auditHere(settings: AuditorSettings): AuditProcess {
  let isAlive = true;
  let end = new AbortController();
  return {
    get isAlive() {
      return isAlive;
    },

    async run(task, target, { timeoutMs: _none, signal, ...options }) {
      // Loaded with the first audit: most files that build an application make none.
      const { runTask } = await import('#api/audits/task.ts');
      end = new AbortController();
      try {
        const outcome = runTask(task, target, settings, { ...options, signal: AbortSignal.any([signal, end.signal]) });
        return (await outcome) as Outcomes[typeof task];
      } catch (cause) {
        throw new AuditFailed('The audit failed.', { cause });
      }
    },

    async close() {
      isAlive = false;
      end.abort();
    },
  };
}
