import { readFile } from 'node:fs/promises';

/** Ticks a second in /proc/<pid>/stat: fixed for programs on Linux, whatever the kernel runs at. */
const ticksPerSecond = 100;

/** Seconds of processor time that a process has used so far; NaN where the system does not tell it. */
export async function processorSeconds(pid: number | string | undefined): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
}
