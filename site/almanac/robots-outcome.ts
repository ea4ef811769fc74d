/** Whether a crawler honours robots.txt is an outcome: it has a sign, a colour and words. */
const outcomes = {
  true: { kind: 'pass', words: 'honours robots.txt' },
  partial: { kind: 'partial', words: 'honours robots.txt in part' },
  false: { kind: 'fail', words: "doesn't honour robots.txt" },
} as const;

type RobotsOutcome = (typeof outcomes)[keyof typeof outcomes];

/** The outcome that a value of `respects_robots` stands for, or null when nobody knows. */
export function robotsOutcome(value: unknown): RobotsOutcome | null {
  const name = String(value);
  return Object.hasOwn(outcomes, name) ? outcomes[name as keyof typeof outcomes] : null;
}
