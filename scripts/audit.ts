import { version } from '#api/version.ts';
import { createAuditCommand } from './support/audit/audit-command.ts';
import { processTerminal } from './support/command-line.ts';

/** `npm run audit`. */
export const auditCommand = createAuditCommand('audit', 'npm run audit --', version);

if (import.meta.main) {
  process.exitCode = await auditCommand(process.argv.slice(2), processTerminal);
}
