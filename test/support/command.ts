import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import type { Command } from '../../scripts/support/command-line.ts';

/** The file of a command-line program that a package brings, whatever the package exports. */
export const packageFile = (name: string, file: string): string => join(projectDir, 'node_modules', name, file);

/**
 * Runs a program with this Node.js and returns what it wrote, whatever its exit code. One that runs longer than
 * `timeoutMs` is ended, and its code is null.
 */
export async function runNode(
  file: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, stdout, stderr };
}

/** Runs a command of package.json in this process, which takes milliseconds where a process of its own takes a second. */
export async function runHere(
  command: Command,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const code = await command(args, {
    env,
    cwd,
    isWatched: false,
    hasColours: false,
    out: (text) => {
      stdout += text;
    },
    error: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}
