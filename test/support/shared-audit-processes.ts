import type { ChildProcess } from 'node:child_process';
import { type AuditorSettings, type AuditProcess, forkAuditProcess, openAuditProcess } from '#api/audits/process.ts';

/** The processes of this test file that wait for an audit. They end with the process that started them. */
const idle: ChildProcess[] = [];

/**
 * Opens a process for the audits of one application that it shares with the other applications of the file: the process
 * takes a second to load, and a file's applications audit one after the other. One whose audit failed isn't used again.
 */
export function openSharedAuditProcess(settings: AuditorSettings): AuditProcess {
  let isAlive = true;
  let working: AuditProcess | null = null;
  return {
    get isAlive() {
      return isAlive;
    },

    async run(...audit) {
      const child = idle.pop() ?? forkAuditProcess();
      working = openAuditProcess(settings, child);
      try {
        const outcome = await working.run(...audit);
        for (const event of ['message', 'error', 'exit']) {
          child.removeAllListeners(event);
        }
        idle.push(child);
        working = null;
        return outcome;
      } catch (error) {
        isAlive = false;
        await working?.close();
        throw error;
      }
    },

    async close() {
      isAlive = false;
      await working?.close();
    },
  };
}
