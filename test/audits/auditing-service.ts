import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { after } from 'node:test';
import { auditReport } from '#api/audit/report.ts';
import { type AuditProcess, openAuditProcess } from '#api/audits/process.ts';
import { createAuditService } from '#api/audits/service.ts';
import { createAudits } from '#api/audits/store.ts';
import type { AuditorSettings } from '#api/audits/task.ts';
import { createCounters } from '#api/stores/counters.ts';
import { type Answer, openSite } from '../audit/sites.ts';

export const forever = new AbortController().signal;

export const settingsFor = (host: string): AuditorSettings => ({
  userAgent: 'PorchlightAudit/1.0 (+https://porch.example/about)',
  policy: { ports: [], allowPrivate: [host] },
  nameServers: null,
  signing: { privateKey: generateKeyPairSync('ed25519').privateKey, directoryUrl: null },
  gatherTimeoutMs: 20_000,
});

/** A service with real processes that may audit one site of the test. */
export async function serve(answer: Answer, options: { delayMs?: number; processTimeoutMs?: number } = {}) {
  const site = await openSite(answer, options.delayMs);
  const faults: unknown[] = [];
  const now = () => new Date();
  const audits = createAudits({ report: auditReport, now });
  const settings = settingsFor(site.host);
  const processes: AuditProcess[] = [];
  const service = createAuditService({
    openProcess: () => {
      const process = openAuditProcess(settings);
      processes.push(process);
      return process;
    },
    policy: settings.policy,
    counters: createCounters({ now }),
    audits,
    now,
    onError: (error) => faults.push(error),
    ...(options.processTimeoutMs === undefined ? {} : { processTimeoutMs: options.processTimeoutMs }),
  });
  after(async () => {
    site.close();
    await service.stop();
  });
  const start = (path = '/', signal = forever) =>
    service.start(service.toTarget(`${site.origin}${path}`), { signal, client: '192.0.2.1' });
  return { site, service, audits, faults, processes, start };
}

/** The processes of audits that a process has started, as Linux lists them. */
export const auditProcesses = (parent: number | undefined = process.pid): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${parent}\n`) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('audits/process-main')
        );
      } catch {
        // It ended meanwhile.
        return false;
      }
    })
    .map(Number);
