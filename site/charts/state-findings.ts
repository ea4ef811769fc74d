import type { Series } from './state-series.ts';

/** A large chart: a sentence about some series, and whether their figures bear it out. */
export interface Finding {
  /** The title of the chart. */
  sentence: string;
  /** What was measured, in which unit. */
  measured: string;
  /** The series by their ids, with the words next to each line. */
  lines: readonly (readonly [series: string, label: string])[];
  /** A value to compare with, for a chart of bars: figures of the same years next to each other. Lines without one. */
  mark?: { value: number; words: string };
  /** True while the figures say what the sentence says. */
  holds: (series: readonly Series[]) => boolean;
}

const first = ({ points }: Series): number => points[0]?.value ?? Number.NaN;
const last = ({ points }: Series): number => points.at(-1)?.value ?? Number.NaN;

/** What the state of the agentic web shows at a glance. New figures may make a sentence wrong: the build then stops. */
export const findings: readonly Finding[] = [
  {
    sentence: 'Fewer sites blocked GPTBot in September than in July',
    measured: 'Share of sites in per cent, measured twice by the same method, 2026',
    lines: [
      ['hasdata-gptbot-disallowed-news', 'News publishers that disallow it'],
      ['hasdata-gptbot-served-anyway', 'Sites that disallow it and serve it anyway'],
      ['hasdata-gptbot-disallowed', 'All domains that disallow it'],
      ['hasdata-gptbot-disallowed-cloudflare', 'Sites behind Cloudflare that disallow it'],
    ],
    holds: (series) => series.every((one) => last(one) < first(one)),
  },
  {
    sentence: 'The list of known AI crawlers grew fourfold in two years',
    measured: 'User agents named by ai.robots.txt',
    lines: [['ai-robots-txt-entries', 'User agents']],
    holds: (series) => series.every((one) => last(one) >= 4 * first(one)),
  },
  {
    sentence: 'Machines have made more than half of web traffic since 2024',
    measured: 'Share of traffic in per cent, by the year measured',
    lines: [
      ['imperva-automated-share', 'Automated traffic'],
      ['imperva-bad-bot-share', 'Traffic by bad bots'],
    ],
    mark: { value: 50, words: 'half of all traffic' },
    holds: ([automated]) => automated?.points.every(({ at, value }) => at < '2024' || value > 50) === true,
  },
];

/** The figures at the head of the page: the newest of a series, with the words below it. */
export const headFigures: readonly (readonly [series: string, words: string])[] = [
  ['ai-robots-txt-entries', 'AI user agents on the list of ai.robots.txt'],
  ['hasdata-gptbot-disallowed', 'of domains disallow GPTBot'],
  ['hasdata-llms-txt-published', 'of domains publish an llms.txt'],
  ['imperva-automated-share', 'of traffic is automated'],
];

/** A series by its id. Throws when the almanac has none. */
export function seriesById(all: readonly Series[], id: string): Series {
  const series = all.find((one) => one.id === id);
  if (series === undefined) {
    throw new Error(`site/charts/state-findings.ts: the almanac has no series "${id}".`);
  }
  return series;
}

/** The series of a finding. Throws when one is missing or the figures don't bear the sentence out any more. */
export function seriesOf(finding: Finding, all: readonly Series[]): { label: string; series: Series }[] {
  const named = finding.lines.map(([id, label]) => ({ label, series: seriesById(all, id) }));
  if (!finding.holds(named.map(({ series }) => series))) {
    throw new Error(`site/charts/state-findings.ts: the figures don't say "${finding.sentence}" any more.`);
  }
  return named;
}
