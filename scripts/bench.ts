import { runAgentJobsBench } from './support/bench/agent-jobs.ts';
import { runAuditBench } from './support/bench/audit.ts';
import { runBuildBench } from './support/bench/build.ts';
import { runEdgeBench } from './support/bench/edge.ts';
import { runGuestbookBench } from './support/bench/guestbook.ts';
import { runLighthouseBench } from './support/bench/lighthouse.ts';
import { runMemoryBench } from './support/bench/memory.ts';
import { runNginxBench } from './support/bench/nginx.ts';
import { runSearchBench } from './support/bench/search.ts';
import { runStoreBench } from './support/bench/store.ts';

/** The benchmarks by name: `npm run bench -- nginx search` runs two of them, without names all run. */
const benchmarks: Record<string, () => Promise<void>> = {
  build: runBuildBench,
  nginx: runNginxBench,
  edge: runEdgeBench,
  search: runSearchBench,
  store: runStoreBench,
  guestbook: runGuestbookBench,
  memory: runMemoryBench,
  audit: runAuditBench,
  lighthouse: runLighthouseBench,
  agents: runAgentJobsBench,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (names.length === 0 || names.includes(name)) {
    console.log(`\n== ${name}`);
    await run();
  }
}
