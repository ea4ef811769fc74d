import { writeFile } from 'node:fs/promises';
import { judgedSites } from '../test/audit/judged-sites.ts';
import { openAgenticBrowsing } from './compare/agentic-browsing.ts';
import { auditorIds } from './compare/auditor.ts';
import { compareSite } from './compare/compare-site.ts';
import { explanationOf, leftOver, outcomeOn, type SiteResults, toDifferences } from './compare/differences.ts';
import { explanations } from './compare/explanations.ts';
import { topics } from './compare/topics.ts';
const sites = Object.keys(judgedSites).filter((s) => process.argv.length < 3 || process.argv.includes(s));
const lh = await openAgenticBrowsing();
const all: Record<string, SiteResults> = {};
for (const site of sites) {
  const { answer } = judgedSites[site] ?? { answer: () => ({}) };
  all[site] = await compareSite(answer, lh);
  console.error(site);
}
await lh.close();
await writeFile('/tmp/cmp/all.json', JSON.stringify(all));
void [auditorIds, explanationOf, leftOver, outcomeOn, explanations, topics, toDifferences];
