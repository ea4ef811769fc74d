import { z } from 'zod';
import type { TechniqueId } from '#almanac/techniques.ts';
import type { CauseId } from './causes.ts';
import { NotGathered } from './evidence/growing.ts';
import type { Evidence } from './evidence.ts';
import type { CheckId } from './rubric.ts';

/**
 * What a check answers. `unchecked`: it could not be judged, which lowers the coverage and not the score.
 * `not-applicable`: the site has nothing that the check is about, and leaves it out of the sum.
 */
export type CheckStatus = 'pass' | 'partial' | 'fail' | 'not-applicable' | 'unchecked';

/** One thing that was looked at: the request, what came, and what that says. */
export const EvidenceLine = z.strictObject({
  request: z.string().describe('Method, address, and the request headers that matter.'),
  status: z.int().nullable().describe('The status that was answered; null when no response came.'),
  header: z.string().nullable().describe('The response header that was judged, `name: value`.'),
  excerpt: z.string().nullable().describe('The part of the body that was judged: text of the audited site, not ours.'),
  note: z.string().describe('What this shows, in a sentence.'),
});
export type EvidenceLine = z.infer<typeof EvidenceLine>;

/** How to put it right. */
export interface Fix {
  text: string;
  /** Ready to paste. */
  snippet: string;
  /** The language of the snippet, as a code fence names it. */
  language: string;
}

/**
 * A ceiling for the whole score: 15 when no content reaches an agent, 39 when half of it does not or agents are refused by
 * name, 59 when they are misled.
 */
export type ScoreCap = 15 | 39 | 59;

/** The outcome of a check with what it rests on. */
export interface Verdict {
  status: CheckStatus;
  evidence: EvidenceLine[];
  cap?: ScoreCap;
  /** One of the check's other causes; without it the first holds. */
  cause?: CauseId;
  /** What was found, where that is something else than the check's titles say. */
  title?: string;
  /**
   * Of a check whose subject does not exist: the check that finds the absence. It takes over the weight, so that an
   * absence counts once and in full.
   */
  countedBy?: CheckId;
}

/** What a check found on a site. */
export interface Finding {
  check: CheckId;
  status: CheckStatus;
  /** What was found, as a heading. */
  title: string;
  /** What an owner changes to be rid of it; null unless the status is `partial` or `fail`. */
  cause: CauseId | null;
  /** The check whose finding carries the weight of this one; null unless the subject of this one does not exist. */
  countedBy: CheckId | null;
  evidence: EvidenceLine[];
  /** With the address of the technique's page; null unless the status is `partial` or `fail`. */
  fix: (Fix & { link: string }) | null;
  cap: ScoreCap | null;
}

/** A check as it is written down: what it is about, and how it judges. */
export interface CheckDefinition {
  /** Lower-case words with hyphens; the name of its file. */
  id: CheckId;
  technique: TechniqueId;
  /** What it is about, in a word or two: its heading where nothing was found. */
  topic: string;
  /** What was found, by status. */
  titles: { pass: string; partial: string; fail: string };
  /** What a finding goes back to. The first one, unless the verdict names another of them. */
  causes: readonly [CauseId, ...CauseId[]];
  /** What it is good for, in a sentence or two. */
  why: string;
  /** The specification that asks for it, else the text that argues for it. */
  reference: { title: string; url: string };
  /** Where standards or auditors disagree: who takes which side, and which side is taken here. */
  contested?: string;
  fix(evidence: Evidence): Fix;
  judge(evidence: Evidence): Verdict;
}

/**
 * A check: metadata and a pure function from evidence to a finding. It throws nothing but NotGathered, when it is given
 * evidence that is still being gathered.
 */
export interface Check extends Pick<CheckDefinition, 'id' | 'technique' | 'topic' | 'causes' | 'why' | 'reference'> {
  /** What holds when it passes. */
  title: string;
  contested: string | null;
  judge(evidence: Evidence): Finding;
}

/** Thrown inside a check to end it with a verdict, from however deep. */
export class EarlyVerdict extends Error {
  override readonly name = 'EarlyVerdict';
  readonly verdict: Verdict;
  constructor(verdict: Verdict) {
    super(verdict.status);
    this.verdict = verdict;
  }
}

const maxLines = 8;

const unchecked = (evidence: Evidence, error: unknown): Verdict => {
  const reason = error instanceof Error ? error.message : String(error);
  const note = `The check itself failed and counts as not made: ${reason.slice(0, 200)}`;
  return {
    status: 'unchecked',
    evidence: [{ request: `GET ${evidence.home}`, status: null, header: null, excerpt: null, note }],
  };
};

/**
 * Makes a check of its definition. A throw of the judgement or of the fix becomes an `unchecked` finding that says so: a
 * fault of ours never counts against a site.
 */
export function defineCheck(definition: CheckDefinition): Check {
  const { id, technique, topic, titles, causes, why, reference, contested = null } = definition;
  const toFinding = (evidence: Evidence, verdict: Verdict): Finding => {
    const { status } = verdict;
    const isShort = status === 'partial' || status === 'fail';
    return {
      check: id,
      status,
      title: verdict.title ?? (status === 'not-applicable' || status === 'unchecked' ? topic : titles[status]),
      cause: isShort ? (verdict.cause ?? causes[0]) : null,
      countedBy: verdict.countedBy ?? null,
      evidence: verdict.evidence.slice(0, maxLines),
      fix: isShort ? { ...definition.fix(evidence), link: `/techniques/${technique}` } : null,
      cap: verdict.cap ?? null,
    };
  };
  const verdictOn = (evidence: Evidence): Verdict => {
    try {
      return definition.judge(evidence);
    } catch (error) {
      if (error instanceof EarlyVerdict) {
        return error.verdict;
      }
      throw error;
    }
  };
  return {
    id,
    technique,
    topic,
    title: titles.pass,
    causes,
    why,
    reference,
    contested,
    judge(evidence) {
      try {
        return toFinding(evidence, verdictOn(evidence));
      } catch (error) {
        if (error instanceof NotGathered) {
          throw error;
        }
        return toFinding(evidence, unchecked(evidence, error));
      }
    },
  };
}
