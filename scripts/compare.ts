import { writeFile } from 'node:fs/promises';
import { judgedSites } from '../test/audit/judged-sites.ts';
import { defineCommand, parseCommandLine, processTerminal, UsageError } from './support/command-line.ts';
import { openAgenticBrowsing } from './support/compare/agentic-browsing.ts';
import { type AuditorId, auditorIds } from './support/compare/auditor.ts';
import { compareSite } from './support/compare/compare-site.ts';
import { explanationFaults, recordFile, toComparisonRecord } from './support/compare/comparison-record.ts';
import { type SiteResults, toDifferences } from './support/compare/differences.ts';
import { mappingFaults } from './support/compare/mapping.ts';
import { topics } from './support/compare/topics.ts';

const help = `Runs our audit and three others over the sites of the tests, one after the other, and writes down where
they differ and why (site/content/comparison.json, the page /audit/comparison).

Usage: npm run compare -- [options]

  --site <name>   this site alone, as often as you like; shows what the auditors say, and writes nothing
  --help          this text

Exit codes: 0 all is well; 1 a difference has no explanation, an explanation no difference, or a check no topic; 2 wrong use.
`;

const whatOf = (site: string): string => judgedSites[site]?.what ?? '';

/** The sites that were asked for, in the order of the tests; null when the help was. Throws UsageError. */
function readCommand(args: string[]): { sites: string[]; isWhole: boolean } | null {
  const { values, positionals } = parseCommandLine(args, {
    site: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  });
  if (values.help) {
    return null;
  }
  if (positionals.length > 0) {
    throw new UsageError(`${JSON.stringify(positionals[0])} is none of the options.`);
  }
  const all = Object.keys(judgedSites);
  const strange = values.site.find((site) => !all.includes(site));
  if (strange !== undefined) {
    throw new UsageError(`There is no site ${JSON.stringify(strange)}. There are ${all.join(', ')}.`);
  }
  return values.site.length === 0
    ? { sites: all, isWhole: true }
    : { sites: all.filter((site) => values.site.includes(site)), isWhole: false };
}

async function run(sites: string[]): Promise<Map<string, SiteResults>> {
  const lighthouse = await openAgenticBrowsing();
  const results = new Map<string, SiteResults>();
  try {
    for (const site of sites) {
      const { answer } = judgedSites[site] ?? {};
      if (answer !== undefined) {
        const found = await compareSite(answer, lighthouse);
        results.set(site, found);
        const scores = auditorIds.map((id) => `${id} ${found[id].score ?? `no result: ${found[id].problem}`}`);
        process.stdout.write(`${site}: ${scores.join(', ')}\n`);
      }
    }
  } finally {
    await lighthouse.close();
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

const compareCommand = defineCommand('compare', async (args, terminal) => {
  const command = readCommand(args);
  if (command === null) {
    terminal.out(help);
    return 0;
  }
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
    await writeFile(recordFile, `${JSON.stringify(await toComparisonRecord(results, whatOf), null, 2)}\n`);
  }
  return 0;
});

process.exitCode = await compareCommand(process.argv.slice(2), processTerminal);
