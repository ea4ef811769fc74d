import { setImmediate } from 'node:timers/promises';
import type { Check, Finding } from './check.ts';
import { checks } from './checks/index.ts';
import { NotGathered } from './evidence/growing.ts';
import { type Evidence, exchangeOf, type GatherOptions, gatherEvidence, replayEvidence } from './evidence.ts';
import { type AuditReport, assembleReport, type CheckResult, toCheckResult } from './report.ts';

export interface AuditOptions extends GatherOptions {
  /**
   * Told of each check once all that it reads has been gathered, most of them while other requests are on their way, in no
   * order; of none when the home page could not be read.
   */
  onFinding?: ((result: CheckResult) => void) | undefined;
}

/** An audit that has ended: the report, and the recording that it can be made from again. */
export interface Audit {
  report: AuditReport;
  evidence: Evidence;
}

/**
 * Gathers the facts of a site and judges them. Takes a URL that `parseTarget` let through, and resolves whatever the site
 * does; `evidence.robots.state` is `unreachable` when there was no talking to it. Other work gets its turn between two
 * checks. Rejects when `signal` aborts while checks are judged, and with what `onProgress` or `onFinding` throw.
 */
export async function runAudit(target: URL, options: AuditOptions): Promise<Audit> {
  const turn = options.signal === undefined ? {} : { signal: options.signal };
  const findings = new Map<Check, Finding>();
  /** The fact that each check waits for which was not judged yet; null while it waits for its turn. */
  const waiting = new Map<Check, string | null>(checks.map((check) => [check, 'home']));

  const judge = async (check: Check, evidence: Evidence, isTold: boolean): Promise<void> => {
    await setImmediate(undefined, turn);
    try {
      const finding = check.judge(evidence);
      findings.set(check, finding);
      waiting.delete(check);
      if (isTold) {
        options.onFinding?.(toCheckResult(check, finding));
      }
    } catch (error) {
      if (!(error instanceof NotGathered)) {
        throw error;
      }
      waiting.set(check, error.fact);
    }
  };

  let judging: Promise<void> = Promise.resolve();
  const evidence = await gatherEvidence(target, {
    ...options,
    onFact(fact, soFar) {
      for (const [check, missing] of waiting) {
        if (missing === fact) {
          waiting.set(check, null);
          judging = judging.then(() => judge(check, soFar, true));
        }
      }
      // It is awaited below, when everything has been gathered.
      judging.catch(() => {});
    },
  });
  await judging;
  const isRead = exchangeOf(evidence, 'home')?.outcome === 'ok';
  for (const check of [...waiting.keys()]) {
    await judge(check, evidence, isRead);
  }
  const inOrder = checks.flatMap((check): [Check, Finding][] => {
    const finding = findings.get(check);
    return finding === undefined ? [] : [[check, finding]];
  });
  return { report: assembleReport(evidence, new Map(inOrder)), evidence };
}

/**
 * Reads a recording, the JSON text of an Evidence, so that `toReport` can judge it under the present rubric. Throws an
 * Error that says at which place the text is no recording.
 */
export function parseRecording(text: string): Evidence {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error('The recording is not JSON.', { cause });
  }
  return replayEvidence(value);
}
