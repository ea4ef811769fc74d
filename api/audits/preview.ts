import { scoreOutcome } from '../audit/grade.ts';
import { keepLast } from '../live/keep-last.ts';
import { drawPreview, inTwoLines } from '../render/preview.ts';
import type { ShownAudit } from './page-data.ts';

/** Where the picture of a report is, with the `url` of its page. */
export const auditPreviewPath = '/audit/preview.png';

/** Pictures that are kept, of about 100 KB each. */
const mostKept = 50;

/** The arc of the gauge: 240 degrees of a circle with the radius 85. */
const arcLength = (240 / 360) * 2 * Math.PI * 85;

/** The marks of the gauge on the page of a report. */
const colours = { pass: '#6fbf7a', partial: '#e0ad45', fail: '#ee7763' };

const toDay = (time: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));

/** The words of the picture of a report, by the names of the template. */
function toValues({ report }: ShownAudit, siteName: string): Record<string, string> {
  const { score, summary, provisional } = report;
  const [host_line_1, host_line_2] = inTwoLines(new URL(report.url).host, 18);
  const [diagnosis_line_1, diagnosis_line_2] = inTwoLines(report.diagnosis, 46);
  const lit = Math.round((score / 100) * 12);
  const panes = Array.from({ length: 12 }, (_, index) => [`pane_${index + 1}`, index < lit ? '#f6c667' : '#171628']);
  return {
    site: siteName,
    ...{ host_line_1, host_line_2, diagnosis_line_1, diagnosis_line_2 },
    score: provisional ? '?' : String(score),
    arc: String(provisional ? 0 : (score / 100) * arcLength),
    score_colour: colours[scoreOutcome(score)],
    grade: report.grade.replace(/ \(.*\)$/, '').toUpperCase(),
    date: toDay(report.audited_at),
    failed: String(summary.fail),
    partial: String(summary.partial),
    passed: String(summary.pass),
    ...Object.fromEntries(panes),
  };
}

/** Makes the pictures of reports: a site of the directory that certifies has its lantern, any other its gauge. */
export function createPreviews(siteName: string): (audit: ShownAudit) => Promise<Buffer> {
  const keep = keepLast<Buffer>(mostKept);
  return (audit) => {
    const name = audit.listing.isListed && audit.report.certifiable ? 'listed' : 'report';
    return keep(`${name} ${audit.report.audited_at} ${audit.report.url}`, () =>
      drawPreview(name, toValues(audit, siteName)),
    );
  };
}
