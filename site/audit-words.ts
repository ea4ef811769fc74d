import type { ShownAudit } from '#api/audits/page-data.ts';
import { describeScoring } from '#api/audits/scoring.ts';

/** The score that certifies. */
export const certifiableFrom: number = describeScoring().certifiable_from;

type Report = ShownAudit['report'];
type Check = Report['checks'][number];

/** What a grade says of a site, in a sentence. */
export const gradeMeanings: Record<Report['grade'], string> = {
  exemplary: 'An agent can find what there is, read it and act on it. What may be left are details.',
  'agent-ready (certifiable)': 'An agent can read the site and find its way. Single things are missing.',
  readable: 'An agent can read the content. It has to find its way without help, as a person would, page by page.',
  'hard to use':
    'An agent gets at part of the site, or only with effort: something important is missing or in its way.',
  'closed to agents': 'Next to nothing of the site reaches an agent.',
  provisional: 'Too little could be judged to put a score on the site. What was judged is listed below.',
};

/** What the outcome of a check means. */
export const outcomes: Record<Check['status'], { word: string; meaning: string }> = {
  pass: { word: 'Passed', meaning: 'All points.' },
  partial: { word: 'Partial', meaning: 'Half the points: it is there, and something about it is wrong or missing.' },
  fail: { word: 'Failed', meaning: 'No points.' },
  'not-applicable': {
    word: 'Not applicable',
    meaning: 'Does not apply to this site. The check leaves the sum, unless another finding counts for it.',
  },
  unchecked: {
    word: 'Unchecked',
    meaning: 'It could not be judged. The check leaves the sum, and the coverage falls.',
  },
};

/**
 * The points of the score that each finding costs, by the id of its check: its own weight and that of the checks that it
 * counts for, of the weight that was judged. Fixing all of them brings the score to 100.
 */
export function costsOf(checks: readonly Check[]): ReadonlyMap<string, number> {
  const judged = checks.filter(({ points }) => points !== null);
  const weight = judged.reduce((total, check) => total + check.weight, 0);
  const costs = new Map<string, number>();
  for (const { id, counted_by: countedBy, weight: own, points } of judged) {
    const finding = countedBy ?? id;
    costs.set(finding, (costs.get(finding) ?? 0) + ((own - (points ?? 0)) * 100) / weight);
  }
  return costs;
}

/** Points of a score as they are shown: whole, and to the tenth where they are less than one. */
export const shownPoints = (points: number): number =>
  points < 0.95 ? Math.round(points * 10) / 10 : Math.round(points);

/** The sign and colour of an outcome. */
export const outcomeKind = (status: Check['status']): 'pass' | 'partial' | 'fail' | 'na' =>
  status === 'not-applicable' || status === 'unchecked' ? 'na' : status;

export { scoreOutcome } from '#api/audits/scoring.ts';

/** Names of techniques that are too long for a list at the side. */
const shortNames: Record<string, string> = {
  'markdown-negotiation': 'Markdown negotiation',
  webmcp: 'WebMCP tools',
  'json-ld': 'JSON-LD',
  'robots-welcome': 'robots.txt',
  'accessibility-tree': 'Accessibility tree',
  'no-js-parity': 'Without JavaScript',
  'machine-discovery': 'Discovery',
  'agent-api': 'Usable API',
  'ax-trust': 'Trust rules',
  'agent-identity': 'Agent identity',
  'transparent-machine-layer': 'Machine layer',
};

/** A short name of a technique. */
export const shortNameOf = (id: string, name: string): string => shortNames[id] ?? name;

/** A check with the points of the score that it costs. */
export type CostedCheck = Check & { cost: number };

/** Open findings that go back to one cause. */
export interface FindingGroup {
  id: string;
  title: string;
  /** The dearest first. */
  findings: CostedCheck[];
  /** The points of the score that they cost together. */
  cost: number;
}

/** The open findings by cause, in the order of the plan; what belongs to no step comes last. */
export function groupFindings({ checks, plan }: Report): FindingGroup[] {
  const costs = costsOf(checks);
  const open = checks
    .filter(({ status }) => status === 'fail' || status === 'partial')
    .map((check): CostedCheck => ({ ...check, cost: costs.get(check.id) ?? 0 }));
  const group = (id: string, title: string, findings: CostedCheck[]): FindingGroup => ({
    id,
    title,
    findings: findings.toSorted((one, other) => other.cost - one.cost),
    cost: findings.reduce((total, { cost }) => total + cost, 0),
  });
  const planned = new Set(plan.flatMap((step) => step.findings));
  const rest = open.filter(({ id }) => !planned.has(id));
  return [
    ...plan.map((step) =>
      group(
        step.cause,
        step.title,
        open.filter(({ id }) => step.findings.includes(id)),
      ),
    ),
    ...(rest.length > 0 ? [group('others', 'Smaller things', rest)] : []),
  ].filter(({ findings }) => findings.length > 0);
}

/** A time in minutes as people say it: `45 min`, `1 h 30 min`. */
export const duration = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 || hours === 0 ? [`${rest} min`] : [])].join(' ');
};

/** How much work something is, in a word: up to two hours are little, over three are much. */
export const effortOf = (minutes: number): 'small' | 'medium' | 'large' =>
  minutes <= 120 ? 'small' : minutes <= 180 ? 'medium' : 'large';

/** `1 check`, `2 checks`. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

const units: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

/** How long ago something was, in the largest unit that fits: "3 minutes ago". */
export function toAge(seconds: number): string {
  for (const [length, name] of units) {
    if (seconds >= length) {
      return `${counted(Math.floor(seconds / length), name)} ago`;
    }
  }
  return 'less than a minute ago';
}

/** What keeps a report from being certifiable, one sentence each; empty when nothing does. */
export function missingToCertify({ score, certifiable, provisional, coverage, cap }: Report, from: number): string[] {
  if (certifiable) {
    return [];
  }
  return [
    ...(score < from ? [`${counted(from - score, 'point')} to ${from}.`] : []),
    ...(cap !== null && cap.score < from ? [`The cap of ${cap.score} has to go first: see below.`] : []),
    ...(provisional
      ? [`Only ${Math.floor(coverage * 100)} % of what applies could be judged, which makes the result provisional.`]
      : []),
  ];
}
