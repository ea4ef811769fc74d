import { generateKeyPairSync } from 'node:crypto';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { forkAuditProcess, openAuditProcess } from '#api/audits/process.ts';
import { toFixMarkdown, toSummary, toSummaryMarkdown } from '#api/audits/views.ts';
import { estimateTokens } from '#api/text/token-estimate.ts';
import { auditSite } from '../../../test/audit/audited.ts';
import { writePlainSite } from '../../../test/audit/fixes/plain-site.ts';
import { serveFolder } from '../compare/serve-folder.ts';
import { freePort } from '../ports.ts';
import { processorSeconds } from '../processor-time.ts';
import { startChild } from './child.ts';
import { median } from './percentile.ts';

const rounds = 3;

/** The most memory that a process ever had resident, in megabytes (proc_pid_status(5), VmHWM). */
async function mostMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Audits a site in a process as the service has it. Returns the seconds of processor time, without its start, and the memory. */
async function auditOnce(port: number): Promise<{ seconds: number; megabytes: number }> {
  const child = forkAuditProcess();
  const running = openAuditProcess(
    {
      userAgent: 'PorchlightAudit/1.0 (bench)',
      policy: { ports: [port], allowPrivate: ['127.0.0.1'] },
      nameServers: null,
      signing: { privateKey: generateKeyPairSync('ed25519').privateKey, directoryUrl: null },
      gatherTimeoutMs: 20_000,
    },
    child,
  );
  try {
    // The service starts its processes before they are needed.
    await wait(3000);
    const before = await processorSeconds(child.pid);
    const outcome = await running.run('audit', new URL(`http://127.0.0.1:${port}/`), {
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      mayMove: async () => true,
      onProgress: () => {},
      onFinding: () => {},
    });
    if (outcome.kind !== 'report') {
      throw new Error(`The audit of a large page gave no report: ${JSON.stringify(outcome).slice(0, 300)}`);
    }
    return { seconds: (await processorSeconds(child.pid)) - before, megabytes: await mostMegabytes(child.pid) };
  } finally {
    await running.close();
  }
}

async function largePage(kind: 'article' | 'links', what: string): Promise<void> {
  const port = await freePort();
  await using _site = await startChild('large-page-process.ts', { PORT: String(port), HOME: kind });
  const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } })).text();
  const found = [];
  for (let round = 0; round < rounds; round += 1) {
    found.push(await auditOnce(port));
  }
  console.log(
    `${what}, ${(page.length / 1e6).toFixed(1)} MB with ${page.match(/<[a-z]/g)?.length ?? 0} elements: ` +
      `${median(found.map(({ seconds }) => seconds)).toFixed(2)} s of processor time (goal: at most 2), ` +
      `${Math.round(Math.max(...found.map(({ megabytes }) => megabytes)))} MB (goal: at most 256)`,
  );
}

/** What a reader gets of a plain site: the views of its report. */
async function views(): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'porchlight-bench-'));
  await writePlainSite(folder.path);
  const { report } = await auditSite(await serveFolder(folder.path, 'ORIGIN'));
  const baseUrl = 'https://porch.example';
  const sizes: [what: string, text: string, most: number][] = [
    ['summary as JSON', JSON.stringify(toSummary(report, baseUrl)), 2000],
    ['summary as markdown', toSummaryMarkdown(report, baseUrl), 2000],
    ['fix list', toFixMarkdown(report, 'nginx', baseUrl), 6000],
  ];
  for (const [what, text, most] of sizes) {
    console.log(
      `${what} of a plain site: ${estimateTokens(Buffer.byteLength(text))} tokens at four bytes each (goal: at most ${most})`,
    );
  }
}

/** What an audit takes of the machine for a page of 2 MB, and of its reader. */
export async function auditBounds(): Promise<void> {
  await views();
  await largePage('article', 'a page of long text');
  await largePage('links', 'a page of nothing but links');
}
