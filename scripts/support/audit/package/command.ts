import { processTerminal } from '../../command-line.ts';
import { createAuditCommand } from '../audit-command.ts';

/** The version of the package; the build puts it in. */
declare const packageVersion: string;

const usage = 'porchlight audit';
const [command, ...args] = process.argv.slice(2);

if (command === '--version') {
  process.stdout.write(`${packageVersion}\n`);
} else if (command === 'audit') {
  process.exitCode = await createAuditCommand('audit', usage, packageVersion)(args, processTerminal);
} else {
  const isHelp = command === undefined || command === '--help' || command === '-h' || command === 'help';
  const text = `Usage: ${usage} <address>… [options]\n\n${usage} --help lists the options, porchlight --version prints the version.\n`;
  process[isHelp ? 'stdout' : 'stderr'].write(
    isHelp ? text : `There is no command ${JSON.stringify(command)}.\n${text}`,
  );
  process.exitCode = isHelp ? 0 : 2;
}
