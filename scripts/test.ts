import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempDisposableSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { writeGroups } from './support/test-groups.ts';
import { isTestSet, setOf, type TestSet, testSetNames, testSets } from './support/test-sets.ts';

const help = `Runs tests. The end of a file's name says which set it belongs to.

Usage: npm test                        the unit tests, then the tests of the built site
       npm run test:unit               *.test.ts: no build, no browser, no nginx
       npm run test:site               *.site.test.ts: the built site behind both fronts, in a browser
       npm run test:slow               *.slow.test.ts: what takes long
       npm test -- PATH…               these files, whichever set they belong to, or the unit and site tests of a folder
       npm run test:unit -- PATH…      these files, or the unit tests of a folder
`;

const root = join(import.meta.dirname, '..');

/** The test files below a path, or the file itself. Throws an Error when there is none. */
function filesAt(path: string): string[] {
  const name = relative(root, resolve(path));
  const files = name.endsWith('.ts') ? [name] : globSync(join(name, '**/*.test.ts'), { cwd: root }).sort();
  if (files.length === 0 || !files.every((file) => existsSync(join(root, file)))) {
    throw new Error(`${path} is neither a test file nor a folder with tests.`);
  }
  return files;
}

/** The files to run of each set, in the order of the sets. Throws an Error that says what to type instead. */
function readCommand(args: string[]): [TestSet, string[]][] {
  const sets = args.filter(isTestSet);
  const paths = args.filter((argument) => !isTestSet(argument));
  const bySet = Object.groupBy((paths.length > 0 ? paths : ['test']).flatMap(filesAt), setOf);
  // A file that is named is run by `npm test` even if it is slow.
  const isNamed = (set: TestSet): boolean =>
    sets.length > 1 && paths.some((path) => path.endsWith('.ts') && setOf(path) === set);
  const wanted = testSetNames.filter((set) => sets.includes(set) || isNamed(set));
  const found = wanted.flatMap((set): [TestSet, string[]][] => (bySet[set] ? [[set, bySet[set]]] : []));
  const stray = paths.find((path) => path.endsWith('.ts') && !wanted.includes(setOf(path)));
  if (stray !== undefined || found.length === 0) {
    const path = stray ?? paths.join(' ');
    const others = stray === undefined ? Object.keys(bySet) : [setOf(stray)];
    throw new Error(`${path} holds ${others.join(' and ')} tests: npm run test:${others[0]} -- ${path}`);
  }
  return found;
}

/** Runs test files: the slow ones each in a process of its own, the others by folder. Resolves with the exit code. */
async function runFiles(set: TestSet, files: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'porchlight-tests-'));
  const runner = spawn(
    process.execPath,
    [
      '--test',
      // Tests wait for servers, browsers and disks: one more keeps the cores busy. Slow ones keep them busy by themselves.
      `--test-concurrency=${availableParallelism() + (set === 'slow' ? 0 : 1)}`,
      `--test-timeout=${testSets[set].fileMinutes * 60_000}`,
      ...writeGroups(files, {
        root,
        folder: folder.path,
        most: testSets[set].filesTogether,
        first: testSets[set].first,
      }),
    ],
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
    return runFiles(set, files, process.env);
  }
  // Loaded only now: the builder takes seconds to load.
  const { startSite } = await import('./support/running-site.ts');
  await using site = await startSite();
  return await runFiles(set, files, site.environment);
}

if (process.argv.includes('--help')) {
  console.log(help);
} else {
  try {
    for (const [set, files] of readCommand(process.argv.slice(2))) {
      // The first set that fails ends it: what follows takes longer and is likely to fail for the same reason.
      process.exitCode = await runSet(set, files);
      if (process.exitCode !== 0) {
        break;
      }
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
