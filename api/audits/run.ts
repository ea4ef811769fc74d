import type { CheckResult } from '../audit/report.ts';
import { AuditsStopped } from './errors.ts';
import type { AuditEvent, AuditResult, OnEvent } from './service.ts';

/** One audit, for all who wait for it in this process. */
export interface Run {
  readonly target: URL;
  /** Why it was ended for the sake of the site that the home page leads to. */
  refusal: Error | null;
  readonly listeners: Set<OnEvent>;
  /** What was found so far, for those who join. */
  findings: CheckResult[];
  readonly abort: AbortController;
  readonly result: Promise<AuditResult>;
  readonly settle: { resolve(result: AuditResult): void; reject(error: Error): void };
}

export function createRun(target: URL): Run {
  const { promise: result, ...settle } = Promise.withResolvers<AuditResult>();
  // Nobody may be listening when it rejects.
  result.catch(() => {});
  return {
    target,
    refusal: null,
    listeners: new Set(),
    findings: [],
    abort: new AbortController(),
    result,
    settle,
  };
}

/** Tells all who wait for a run. */
export const emit = ({ listeners }: Pick<Run, 'listeners'>, event: AuditEvent): void => {
  for (const listener of listeners) {
    listener(event);
  }
};

/** Resolves with the result of a run, or rejects when the caller disconnects; calls back with its events until then. */
export async function follow(
  { result, listeners, findings }: Run,
  signal: AbortSignal,
  onEvent: OnEvent,
): Promise<AuditResult> {
  const disconnected = Promise.withResolvers<never>();
  const disconnect = (): void =>
    disconnected.reject(new AuditsStopped('The caller does not wait for this audit any more.'));
  listeners.add(onEvent);
  for (const finding of findings) {
    onEvent({ stage: 'judged', finding });
  }
  signal.addEventListener('abort', disconnect, { once: true });
  if (signal.aborted) {
    disconnect();
  }
  try {
    return await Promise.race([result, disconnected.promise]);
  } finally {
    signal.removeEventListener('abort', disconnect);
    listeners.delete(onEvent);
  }
}
