import { setTimeout as wait } from 'node:timers/promises';
import type { Progress } from '../../audit/evidence.ts';
import type { CheckResult } from '../../audit/report.ts';
import type { Run } from '../run.ts';
import type { OnEvent } from '../service.ts';
import type { Claim } from './queue.ts';
import type { SharedRecords } from './records.ts';

/** What is found meanwhile goes out together. */
const togetherMs = 100;

/**
 * Tells the other instances what happens in a run that this one carries out. What can't be told now is told with what follows.
 * Call `stop` when the run is over: it resolves when everything is told that can be.
 */
export function tellOthers(run: Run, claim: Claim, records: SharedRecords): { stop(): Promise<void> } {
  let waiting: CheckResult[] = [];
  let progress: Progress | null = null;
  let told = 0;
  let isOver = false;
  let busy: Promise<void> | null = null;

  const tell = async (): Promise<void> => {
    while (waiting.length > 0 || progress !== null) {
      await wait(isOver ? 0 : togetherMs);
      const [findings, reached] = [waiting, progress];
      [waiting, progress] = [[], null];
      try {
        await records.tell(claim, told, findings, reached);
        told += findings.length;
      } catch {
        if (isOver) {
          break;
        }
        waiting = [...findings, ...waiting];
      }
    }
    busy = null;
  };

  const listener: OnEvent = (event) => {
    if (event.stage === 'judged') {
      waiting.push(event.finding);
    } else if (event.stage === 'asking') {
      const { stage: _stage, ...reached } = event;
      progress = reached;
    }
    busy ??= tell();
  };
  run.listeners.add(listener);
  return {
    async stop() {
      isOver = true;
      run.listeners.delete(listener);
      await busy;
    },
  };
}
