import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, desktopConfig, type Result } from 'lighthouse';
import { projectDir } from '../build/stamp.ts';
import { type Lighthouse, openLighthouse } from '../lighthouse.ts';
import { pagesByKind } from '../page-kinds.ts';
import { freePort, waitFor } from '../ports.ts';

const rounds = 3;

const presets: Record<string, Config | undefined> = { mobile: undefined, desktop: desktopConfig };

const scoreOf = (result: Result): number => Math.round((result.categories['performance']?.score ?? 0) * 100);

/** The run with the median score, of as many as there are rounds. */
async function medianRun({ audit }: Lighthouse, url: string, config: Config | undefined): Promise<Result> {
  const results: Result[] = [];
  for (let round = 0; round < rounds; round += 1) {
    results.push(await audit(url, { onlyCategories: ['performance'], disableFullPageScreenshot: true }, config));
  }
  const [median] = results.toSorted((one, other) => scoreOf(one) - scoreOf(other)).slice(Math.floor(rounds / 2));
  if (median === undefined) {
    throw new Error(`there is no result for ${url}`);
  }
  return median;
}

const metrics = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
};

/** Lighthouse's performance score of a page of each kind, on a simulated phone and on a desktop, median of three runs. */
export async function runLighthouseBench(): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await using data = await mkdtempDisposable(join(tmpdir(), 'porchlight-bench-'));
  const distDir = join(projectDir, 'node_modules', '.cache', 'porchlight-bench');
  const service = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: projectDir,
    env: {
      ...process.env,
      ...{ PORT: String(port), HOST: '127.0.0.1', BASE_URL: url, DATA_DIR: data.path, DIST_DIR: distDir },
      LOG_LEVEL: 'warn',
    },
    stdio: 'inherit',
  });
  const browser = await openLighthouse();
  try {
    await waitFor(`${url}/api/health`, 300);
    const rows = [];
    for (const { kind, path } of pagesByKind(join(distDir, 'client'))) {
      for (const [preset, config] of Object.entries(presets)) {
        const result = await medianRun(browser, `${url}${path}`, config);
        const shown = Object.entries(metrics).map(([name, id]) => [name, result.audits[id]?.displayValue]);
        rows.push({ kind, path, preset, score: scoreOf(result), ...Object.fromEntries(shown) });
      }
    }
    console.table(rows);
    const least = Math.min(...rows.map(({ score }) => score));
    console.log(`least performance score: ${least} (goal: 100), median of ${rounds} runs each`);
  } finally {
    await browser.close();
    if (service.exitCode === null) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
    await rm(distDir, { recursive: true, force: true });
  }
}
