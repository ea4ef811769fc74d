import type { OtherAuditor } from './auditor.ts';
import type { Direction } from './differences.ts';

/** Why our audit and another one contradict each other on some sites. */
export interface Explanation {
  topic: string;
  auditor: OtherAuditor;
  direction: Direction;
  /** The sites whose evidence was looked at, by both auditors. */
  sites: string[];
  /** One or two sentences, for a reader who has not seen the sites. */
  why: string;
}

/** The explanation of every difference that is known. */
export const explanations: readonly Explanation[] = [];
