import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './support/build/stamp.ts';
import { type Lock, refusedLicenses } from './support/licenses.ts';

const lock = JSON.parse(readFileSync(join(projectDir, 'package-lock.json'), 'utf8')) as Lock;
const refused = refusedLicenses(lock);
if (refused.length > 0) {
  console.error(`${refused.join('\n')}\nTake another package, or add a reason to scripts/support/licenses.ts.`);
  process.exitCode = 1;
} else {
  console.log(
    `Licences: ${Object.keys(lock.packages).length - 1} packages, all as scripts/support/licenses.ts allows.`,
  );
}
