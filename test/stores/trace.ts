/** A system call as strace saw it. `begun` and `ended` are places in the trace, to compare with those of other calls. */
export interface SystemCall {
  name: string;
  /** Arguments and result as strace writes them. */
  text: string;
  begun: number;
  ended: number;
}

/** Reads what `strace -f -o` wrote. A call that other threads interrupted stands on two lines, which become one. */
export function readTrace(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, SystemCall>();
  for (const [place, line] of trace.split('\n').entries()) {
    const resumed = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/.exec(line);
    if (resumed !== null) {
      const [, thread = '', name = '', rest = ''] = resumed;
      const call = unfinished.get(`${thread} ${name}`);
      if (call !== undefined) {
        call.ended = place;
        call.text += rest;
        unfinished.delete(`${thread} ${name}`);
      }
      continue;
    }
    const begun = /^(\d+) +(\w+)\((.*)$/.exec(line);
    if (begun === null) {
      continue;
    }
    const [, thread = '', name = '', text = ''] = begun;
    const call = { name, text, begun: place, ended: place };
    calls.push(call);
    if (text.endsWith('<unfinished ...>')) {
      call.ended = Number.POSITIVE_INFINITY;
      unfinished.set(`${thread} ${name}`, call);
    }
  }
  return calls;
}
