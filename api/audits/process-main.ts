// The process in which a site is fetched and judged. See process.ts for the messages.
import { createPrivateKey } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Outcomes } from './outcome.ts';
import type { FromProcess, SentSettings, ToProcess } from './process.ts';
import { type AuditorSettings, runTask } from './task.ts';

// A signal to the whole group, as Ctrl-C sends, is for the service: it decides how long an audit may go on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {});
}

// Reads of other addresses come first. On Linux each thread has a priority of its own, and new ones take over that of
// the thread that starts them (setpriority(2)).
for (const thread of process.platform === 'linux' ? readdirSync('/proc/self/task') : [process.pid]) {
  setPriority(Number(thread), constants.priority.PRIORITY_LOW);
}

process.on('disconnect', () => process.exit());

const tell = (message: FromProcess): void => {
  process.send?.(message);
};

let settings: AuditorSettings | null = null;
let abort = new AbortController();
/** Answers whether the audit may go on at another site. */
let answerMove: (isAllowed: boolean) => void = () => {};

const mayMove = (home: URL): Promise<boolean> =>
  new Promise((resolve) => {
    answerMove = resolve;
    tell({ type: 'moved', home: home.href });
  });

const readSettings = ({ signing, ...sent }: SentSettings): AuditorSettings => ({
  ...sent,
  signing: signing && { ...signing, privateKey: createPrivateKey(signing.privateKey) },
});

async function run(task: keyof Outcomes, target: URL): Promise<Outcomes[keyof Outcomes]> {
  if (settings === null) {
    throw new Error('A task came before the settings.');
  }
  return runTask(task, target, settings, {
    signal: abort.signal,
    mayMove,
    onProgress: (progress) => tell({ type: 'progress', progress }),
    onFinding: (finding) => tell({ type: 'finding', finding }),
  });
}

process.on('message', (message: ToProcess) => {
  if (message.type === 'settings') {
    settings = readSettings(message.settings);
  } else if (message.type === 'abort') {
    abort.abort();
  } else if (message.type === 'move') {
    answerMove(message.isAllowed);
  } else {
    abort = new AbortController();
    run(message.task, new URL(message.target)).then(
      (outcome) => tell({ type: 'end', outcome }),
      (error: unknown) => tell({ type: 'fault', message: error instanceof Error ? error.message : String(error) }),
    );
  }
});
