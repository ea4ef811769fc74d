import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { isTestSet, setOf, type TestSet, testSets } from './support/test-sets.ts';

const help = `Runs tests. The end of a file's name says which set it belongs to.

Usage: npm test                        the unit tests, then the tests of the built site
       npm run test:unit               *.test.ts: no build, no browser, no nginx
       npm run test:site               *.site.test.ts: the built site behind both fronts, in a browser
       npm run test:slow               *.slow.test.ts: what takes long
       npm test -- FILE…               these files, whichever set they belong to
       npm run test:unit -- FILE…      these files of the set
`;

const root = join(import.meta.dirname, '..');

/** The sets and the files that the arguments ask for. Throws an Error that says what to type instead. */
function readCommand(args: string[]): { sets: TestSet[]; files: Map<TestSet, string[]> } {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const sets = positionals.filter(isTestSet);
  const named = positionals.filter((argument) => !isTestSet(argument));
  if (named.length === 0) {
    return {
      sets,
      files: new Map(
        sets.map((set) => [
          set,
          globSync('test/**/*.test.ts', { cwd: root })
            .filter((file) => setOf(file) === set)
            .sort(),
        ]),
      ),
    };
  }
  const files = new Map<TestSet, string[]>();
  for (const file of named.map((name) => relative(root, join(process.cwd(), name)))) {
    if (!existsSync(join(root, file))) {
      throw new Error(`${file} does not exist.`);
    }
    const set = setOf(file);
    if (sets.length === 1 && set !== sets[0]) {
      throw new Error(`${file} belongs to the ${set} tests: npm run test:${set} -- ${file}`);
    }
    files.set(set, [...(files.get(set) ?? []), file]);
  }
  return { sets: [...files.keys()], files };
}

/** Runs test files, each in a process of its own. Resolves with the exit code. */
async function runFiles(files: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const runner = spawn(
    process.execPath,
    ['--test', `--test-concurrency=${availableParallelism()}`, '--test-timeout=300000', ...files],
    {
      cwd: root,
      // The types are stripped from each file once, not in each of the processes.
      env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...environment },
      stdio: 'inherit',
    },
  );
  const [code] = (await once(runner, 'exit')) as [number | null];
  return code ?? 1;
}

/** Runs one set, with what it needs installed and started. Resolves with the exit code. */
async function runSet(set: TestSet, files: readonly string[]): Promise<number> {
  const { provideRequirements } = await import('./support/requirements.ts');
  provideRequirements(set);
  if (!testSets[set].needsSite) {
    return runFiles(files, process.env);
  }
  // Loaded only now: the builder takes seconds to load.
  const { startSite } = await import('./support/running-site.ts');
  const site = await startSite();
  try {
    return await runFiles(files, site.environment);
  } finally {
    await site.stop();
  }
}

if (process.argv.includes('--help')) {
  console.log(help);
} else {
  try {
    const { sets, files } = readCommand(process.argv.slice(2));
    for (const set of sets) {
      // The first set that fails ends it: what follows takes longer and is likely to fail for the same reason.
      process.exitCode = await runSet(set, files.get(set) ?? []);
      if (process.exitCode !== 0) {
        break;
      }
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
