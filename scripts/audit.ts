import { readFileSync } from 'node:fs';
import { createAuditCommand } from './support/audit/audit-command.ts';
import { processTerminal } from './support/command-line.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** `npm run audit`. */
export const auditCommand = createAuditCommand('audit', 'npm run audit --', version);

if (import.meta.main) {
  process.exitCode = await auditCommand(process.argv.slice(2), processTerminal);
}
