import { type AuditReport, contentNotice } from '../audit/report.ts';

/** One side of a comparison. */
type ComparedSite = Pick<
  AuditReport,
  'url' | 'final_url' | 'audited_at' | 'score' | 'grade' | 'provisional' | 'rubric'
>;

/** The last reports on two sites side by side, as `/audit/compare` and its twins show them. */
export interface AuditComparison {
  content_notice: string;
  a: ComparedSite;
  b: ComparedSite;
  /** What `b` has more than `a`. */
  points: number;
  /** False when the two were scored by different versions of the rubric. */
  same_rubric: boolean;
  techniques: { id: string; name: string; a: number | null; b: number | null }[];
  /** What there is to fix, by where. */
  causes: { only_a: NamedCause[]; only_b: NamedCause[]; both: NamedCause[] };
  /** The checks that ended differently. */
  checks: { id: string; technique: string; a: ComparedCheck; b: ComparedCheck }[];
}

type NamedCause = { cause: string; title: string };
type ComparedCheck = { status: string; title: string };

const toSite = ({ url, final_url, audited_at, score, grade, provisional, rubric }: AuditReport): ComparedSite => ({
  url,
  final_url,
  audited_at,
  score,
  grade,
  provisional,
  rubric,
});

/** Lays two reports side by side. Pure. */
export function compareReports(a: AuditReport, b: AuditReport): AuditComparison {
  const named = (plan: AuditReport['plan']): NamedCause[] => plan.map(({ cause, title }) => ({ cause, title }));
  const has = ({ plan }: AuditReport, cause: string): boolean => plan.some((step) => step.cause === cause);
  const scoreIn = ({ techniques }: AuditReport, id: string): number | null =>
    techniques.find((technique) => technique.id === id)?.score ?? null;
  return {
    content_notice: contentNotice,
    a: toSite(a),
    b: toSite(b),
    points: b.score - a.score,
    same_rubric: a.rubric === b.rubric,
    techniques: a.techniques.map(({ id, name }) => ({ id, name, a: scoreIn(a, id), b: scoreIn(b, id) })),
    causes: {
      only_a: named(a.plan.filter(({ cause }) => !has(b, cause))),
      only_b: named(b.plan.filter(({ cause }) => !has(a, cause))),
      both: named(a.plan.filter(({ cause }) => has(b, cause))),
    },
    checks: a.checks.flatMap(({ id, technique, status, title }) => {
      const other = b.checks.find((check) => check.id === id);
      return other === undefined || other.status === status
        ? []
        : [{ id, technique, a: { status, title }, b: { status: other.status, title: other.title } }];
    }),
  };
}
