import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { projectDir } from './support/build/stamp.ts';
import { defineCommand, processTerminal, UsageError } from './support/command-line.ts';
import { type Generator, generators, origin } from './support/recordings/generators.ts';
import { trimmed, typeOf } from './support/recordings/trim.ts';

const help = `Runs generators of sites over a few pages of our own, and records what they write, trimmed, for the tests of the audit
(test/fixtures/generated-sites). Packages of npm are fetched into a folder of their own; Hugo, Jekyll, MkDocs and Sphinx are Debian's.

Usage: npm run record:sites -- [NAME…]

  --help   this text

Without names all are recorded: ${Object.keys(generators).join(', ')}.
`;

const recordings = join(projectDir, 'test', 'fixtures', 'generated-sites');

/** Runs a program of the folder, or else one of the system. */
const run = ([command, ...args]: Generator['build'], folder: string): string =>
  execFileSync(existsSync(join(folder, command)) ? join(folder, command) : command, args, {
    cwd: folder,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });

/** Installs the packages of a generator. Returns the version of the first as `name version`. */
async function install(folder: string, { name, packages }: Generator): Promise<string | null> {
  const [first] = Object.keys(packages);
  if (first === undefined) {
    return null;
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  run(['npm', 'install', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'], folder);
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules', first, 'package.json'), 'utf8')) as {
    version: string;
  };
  return `${name} ${manifest.version}`;
}

/** The version of a generator of Debian, as `name version`. */
function versionOf({ name, version }: Generator, folder: string): string {
  const found = version === undefined ? undefined : /\d+(?:\.\d+)+/.exec(run(version, folder))?.[0];
  if (found === undefined) {
    throw new Error(`${name} does not say its version.`);
  }
  return `${name} ${found}`;
}

async function record(id: string, generator: Generator): Promise<string> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), `record-${id}-`));
  const folder = temporary.path;
  const installed = await install(folder, generator);
  for (const [path, text] of Object.entries(generator.files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  run(generator.build, folder);
  const output = join(folder, generator.output);
  const files: Record<string, { type: string; body: string }> = {};
  for (const entry of await readdir(output, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(output, file).split(sep).join('/')}`;
    const type = entry.isFile() && generator.skip?.test(path) !== true ? typeOf(path) : null;
    if (type !== null) {
      files[path] = { type, body: trimmed(await readFile(file, 'utf8')).replaceAll(origin, 'ORIGIN') };
    }
  }
  const recording = {
    generator: installed ?? versionOf(generator, folder),
    recorded: new Date().toISOString().slice(0, 10),
    base: '/',
    files: Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))),
  };
  await writeFile(join(recordings, `${id}.json`), `${JSON.stringify(recording, null, 1)}\n`);
  return `${recording.generator}: ${Object.keys(files).length} files`;
}

const recordCommand = defineCommand(
  { name: 'record:sites', help, takesArguments: true },
  async ({ positionals }, terminal) => {
    const strange = positionals.find((name) => !Object.hasOwn(generators, name));
    if (strange !== undefined) {
      throw new UsageError(
        `There is no generator ${JSON.stringify(strange)}. There are ${Object.keys(generators).join(', ')}.`,
      );
    }
    for (const [id, generator] of Object.entries(generators)) {
      if (positionals.length === 0 || positionals.includes(id)) {
        terminal.out(`${await record(id, generator)}\n`);
      }
    }
    return 0;
  },
);

process.exitCode = await recordCommand(process.argv.slice(2), processTerminal);
