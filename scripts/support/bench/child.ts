import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program that ends with what it was started for. */
type RunningChild = ChildProcess & AsyncDisposable;

/** Starts a program of this folder and waits until it says that it listens. Throws when it ends before. */
export async function startChild(file: string, environment: Record<string, string>): Promise<RunningChild> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (child.exitCode !== null) {
    throw new Error(`${file} ended with code ${child.exitCode} before it listened`);
  }
  return Object.assign(child, { [Symbol.asyncDispose]: () => stopChild(child) });
}

/** Ends a program at once. */
export async function stopChild(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
