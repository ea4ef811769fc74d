import { resolve } from 'node:path';
import { readConfig } from '#api/config.ts';
import { copyRuntime } from './support/runtime-files.ts';

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error(
    'Usage: node scripts/copy-runtime.ts FOLDER\nCopies what the built service needs to run into a folder.',
  );
  process.exitCode = 2;
} else {
  await copyRuntime(readConfig().distDir, resolve(folder));
}
