import { toSafeLine } from '../audit/terminal-report.ts';
import type { Finding, FindingKind } from './upstream.ts';
import type { WatchReport } from './watch.ts';

const headings: readonly (readonly [kind: FindingKind, heading: string, explanation: string])[] = [
  [
    'changed',
    'Changed',
    'An upstream gives another value than the record. Take it with the id, if the source is better.',
  ],
  [
    'contradiction',
    'Contradictions',
    'The record rests on a primary document, or two upstreams differ. Open the sources first.',
  ],
  ['new', 'New', 'An upstream has it and the almanac has not.'],
  ['gone', 'Gone', 'It was there last time.'],
  ['refreshed', 'Address lists refreshed', 'Taken over without a person.'],
  ['unreadable', 'Not read', 'Nothing was concluded about these; what was known stays.'],
];

const longest = 200;

/** Text from outside as code: it can't be a link, a mention or markup there. */
const code = (value: unknown): string =>
  `\`${toSafeLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'), longest)
    .replaceAll('`', "'")
    .replaceAll('|', '/')}\``;

const line = ({ id, message, difference }: Finding): string =>
  difference === undefined
    ? `- ${code(id)}: ${code(message)}`
    : `- ${code(id)}: ${code(difference.ours)} here, ${code(difference.theirs)} there. ${code(message)}`;

/** How many lines a section of the report shows; the rest is in the JSON. */
const shown = 100;

function section(findings: readonly Finding[], [kind, heading, explanation]: (typeof headings)[number]): string[] {
  const own = findings.filter((finding) => finding.kind === kind);
  if (own.length === 0) {
    return [];
  }
  const more = own.length > shown ? [`- and ${own.length - shown} more, in report.json`] : [];
  return [`## ${heading} (${own.length})`, '', explanation, '', ...own.slice(0, shown).map(line), ...more, ''];
}

/** The report for people, in Markdown. Everything that comes from outside is shown as code. */
export function toMarkdown({ day, via, upstreams, findings, unwatched }: WatchReport): string {
  const byDataset = Map.groupBy(unwatched, (key) => key.slice(0, key.indexOf('/')));
  return [
    `# What the watcher saw on ${day}`,
    '',
    ...(via === 'copies'
      ? ['This run read recorded copies, so it says nothing about today and the log did not change.', '']
      : []),
    '| Upstream | Documents read | Not read | Entries | Licence |',
    '|---|---|---|---|---|',
    ...upstreams.map(
      ({ title, read, unreadable, entries, licence }) =>
        `| ${title} | ${read} | ${unreadable} | ${entries} | ${licence} |`,
    ),
    '',
    'No record was edited. To take changes: `npm run almanac:take -- ID…`',
    '',
    ...headings.flatMap((heading) => section(findings, heading)),
    `## Records that nobody watches: no upstream of this run speaks about them (${unwatched.length})`,
    '',
    ...[...byDataset].map(([dataset, keys]) => `- ${dataset}: ${keys.length}`),
    '',
  ].join('\n');
}
