import { setImmediate } from 'node:timers/promises';
import type { Check, Finding } from './check.ts';
import { checks } from './checks/index.ts';
import { type Evidence, type GatherOptions, gatherEvidence, replayEvidence } from './evidence.ts';
import { type AuditReport, assembleReport, type CheckResult, toCheckResult } from './report.ts';

export interface AuditOptions extends GatherOptions {
  /** Told of each check as it is judged, in the order of the report, once everything has been gathered. */
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
  const evidence = await gatherEvidence(target, options);
  const findings = new Map<Check, Finding>();
  for (const check of checks) {
    await setImmediate(undefined, options.signal === undefined ? {} : { signal: options.signal });
    const finding = check.judge(evidence);
    findings.set(check, finding);
    options.onFinding?.(toCheckResult(check, finding));
  }
  return { report: assembleReport(evidence, findings), evidence };
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
