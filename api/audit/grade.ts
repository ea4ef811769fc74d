/** The bands of the score, best first: `from` is the lowest score of the band, an integer from 0 to 100. */
export const gradeBands = [
  { from: 90, grade: 'exemplary' },
  { from: 70, grade: 'agent-ready (certifiable)' },
  { from: 50, grade: 'readable' },
  { from: 16, grade: 'hard to use' },
  { from: 0, grade: 'closed to agents' },
] as const;

export type Grade = (typeof gradeBands)[number]['grade'];

/** The grade of a result that rests on too little: no band, since its score may change by a lot. */
export const provisionalGrade = 'provisional';

/** The lowest score that can be certified. A provisional result cannot be, whatever its score. */
export const certifiableFrom = 70;

/** Below this score a gauge is red; from here to the score that certifies it's amber. */
const amberFrom = 40;

/** How a score is coloured wherever it is drawn: as what passed, what is partial or what failed. */
export const scoreOutcome = (score: number): 'pass' | 'partial' | 'fail' =>
  score >= certifiableFrom ? 'pass' : score >= amberFrom ? 'partial' : 'fail';

/** The band of a score. Throws an Error when the score is no integer from 0 to 100. */
export function gradeOf(score: number): Grade {
  const band = gradeBands.find(({ from }) => score >= from);
  if (band === undefined || score > 100 || !Number.isInteger(score)) {
    throw new Error(`The score ${score} is not an integer from 0 to 100.`);
  }
  return band.grade;
}
