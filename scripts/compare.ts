import { writeFile } from 'node:fs/promises';
import { defineCommand, processTerminal, UsageError } from './support/command-line.ts';
import { openAgenticBrowsing } from './support/compare/agentic-browsing.ts';
import { type AuditorId, auditorIds } from './support/compare/auditor.ts';
import { compareSite } from './support/compare/compare-site.ts';
import { type ComparedSite, comparedSites } from './support/compare/compared-sites.ts';
import { explanationFaults, recordFile, toComparisonRecord } from './support/compare/comparison-record.ts';
import { type SiteResults, toDifferences } from './support/compare/differences.ts';
import { mappingFaults } from './support/compare/mapping.ts';
import { topics } from './support/compare/topics.ts';

const help = `Runs our audit and three others over recorded sites of generators and those of the tests, one after the other, and writes down where
they differ and why (site/content/comparison.json, the page /audit/comparison).

Usage: npm run compare -- [options]

  --site <name>   this site alone, as often as you like; shows what the auditors say, and writes nothing
  --help          this text

Exit codes: 0 all is well; 1 a difference has no explanation, an explanation no difference, or a check no topic; 2 wrong use.
`;

const options = { site: { type: 'string', multiple: true, default: [] as string[] } } as const;

/** The sites that were asked for, in their order; all when none was. Throws UsageError. */
async function sitesOf(names: readonly string[]): Promise<{ sites: Record<string, ComparedSite>; isWhole: boolean }> {
  const all = await comparedSites();
  const strange = names.find((site) => !Object.hasOwn(all, site));
  if (strange !== undefined) {
    throw new UsageError(`There is no site ${JSON.stringify(strange)}. There are ${Object.keys(all).join(', ')}.`);
  }
  const wanted = Object.entries(all).filter(([site]) => names.length === 0 || names.includes(site));
  return { sites: Object.fromEntries(wanted), isWhole: names.length === 0 };
}

async function run(sites: Record<string, ComparedSite>): Promise<Map<string, SiteResults>> {
  await using lighthouse = await openAgenticBrowsing();
  const results = new Map<string, SiteResults>();
  for (const [site, { answer }] of Object.entries(sites)) {
    const found = await compareSite(answer, lighthouse);
    results.set(site, found);
    const scores = auditorIds.map((id) => `${id} ${found[id].score ?? `no result: ${found[id].problem}`}`);
    process.stdout.write(`${site}: ${scores.join(', ')}\n`);
  }
  return results;
}

/** What both auditors say about each difference of a site, for whoever has to explain it. */
function toNotes(site: string, results: SiteResults): string {
  const said = (auditor: AuditorId, topic: string): string => {
    const ids = topics.find(({ id }) => id === topic)?.checks[auditor] ?? [];
    return results[auditor].checks
      .filter(({ id }) => ids.includes(id))
      .map(({ id, outcome, note }) => `${id}, ${outcome}: ${note.slice(0, 400)}`)
      .join('; ');
  };
  return toDifferences(site, results)
    .map(({ topic, auditor, direction }) =>
      [
        `\n${topic}, ${auditor}, ${direction}`,
        `  ours: ${said('ours', topic)}`,
        `  theirs: ${said(auditor, topic)}`,
      ].join('\n'),
    )
    .join('\n');
}

const compareCommand = defineCommand({ name: 'compare', help, options }, async ({ values }, terminal) => {
  const command = await sitesOf(values.site);
  const results = await run(command.sites);
  if (!command.isWhole) {
    for (const [site, found] of results) {
      terminal.out(`${toNotes(site, found)}\n`);
    }
  }
  // On this site every check of every auditor shows.
  const perfect = results.get('perfect');
  const faults = [...(perfect === undefined ? [] : mappingFaults(perfect)), ...explanationFaults(results)];
  if (faults.length > 0) {
    terminal.error(`\n${faults.join('\n')}\nTopics and explanations are in scripts/support/compare/.\n`);
    return 1;
  }
  if (command.isWhole) {
    await writeFile(recordFile, `${JSON.stringify(await toComparisonRecord(results, command.sites), null, 2)}\n`);
  }
  return 0;
});

process.exitCode = await compareCommand(process.argv.slice(2), processTerminal);
