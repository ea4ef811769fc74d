import { z } from 'zod';
import { certifiableFrom } from '../audit/grade.ts';
import type { AuditReport } from '../audit/report.ts';
import { toAuditProblem, toOutcomeProblem, toUsedUpProblem } from '../audits/problems.ts';
import type { AuditResult } from '../audits/service.ts';
import { toAuditTarget } from '../audits/start.ts';
import { AuditSummary, toSummary } from '../audits/views.ts';
import { freeOfCharge } from '../contract/prices.ts';
import { Problem } from '../contract/problem.ts';
import { toStorageProblem } from '../contract/storage-problem.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import { StorageUnavailable } from '../stores/storage-unavailable.ts';
import type { DirectoryContext } from './context.ts';
import { DirectoryEntry, toDirectoryEntry } from './responses.ts';
import { type Listing, toListingId } from './store.ts';

/** What joining the directory answers. */
export const JoinAnswer = z.object({
  congratulations: z.string(),
  entry: DirectoryEntry,
  audit: AuditSummary.describe('The summary of the audit; `views` leads to the whole report and to the fixes.'),
});
export type JoinAnswer = z.infer<typeof JoinAnswer>;

/** A check that was not passed: `lost` is the points that it cost. */
const MissingCheck = z.object({
  check: z.string(),
  title: z.string(),
  status: z.enum(['partial', 'fail', 'unchecked']),
  lost: z.number().describe('The points that it cost, of 100.'),
  fix: z.string().nullable(),
});
export type MissingCheck = z.infer<typeof MissingCheck>;

/** What the problem `not-certifiable` says beyond what every problem does. */
export const NotCertifiable = z.object({
  audit: AuditSummary.describe('The summary of the audit; `views` leads to the whole report and to the fixes.'),
  missing: z.array(MissingCheck).describe('What keeps the site from its certification, the heaviest first.'),
  retry: z.string(),
  listed: DirectoryEntry.nullable().describe('The entry that the site has from an earlier audit.'),
});

/** The checks that keep a site from its certification, those that weigh most first. */
export function toMissing(report: AuditReport): MissingCheck[] {
  return report.checks
    .flatMap(({ id, title, status, weight, points, fix }): MissingCheck[] =>
      status === 'partial' || status === 'fail' || status === 'unchecked'
        ? [
            {
              check: id,
              title,
              status,
              lost: Math.round((weight - (points ?? 0)) * 100) / 100,
              fix: fix?.text ?? null,
            },
          ]
        : [],
    )
    .sort((a, b) => b.lost - a.lost);
}

/** The address whose audit certifies a site: its home page, over https unless the configuration allows the host by name. */
function toHomePage(url: string, context: DirectoryContext): URL {
  const target = toAuditTarget(url, context);
  if (target.protocol !== 'https:' && !context.auditService.isAllowedByName(target)) {
    const detail = 'is not an https address: the directory lists sites that answer over https.';
    throw new Problem('invalid-fields', `url ${detail}`, { errors: [{ pointer: '/url', detail }] });
  }
  return new URL('/', target);
}

/** From this score on a site may have missed the mark by a cold cache or a slow moment. */
const nearlyCertifiable = 60;

/** The better of two results, when the first is so near that it is worth asking again before it counts. */
async function secondLook(first: AuditReport, again: () => Promise<AuditResult>): Promise<AuditReport> {
  if (first.certifiable || (first.score < nearlyCertifiable && !first.provisional)) {
    return first;
  }
  // A second look that fails does not take the first result away.
  const second = await again().catch(() => null);
  return second?.kind === 'report' && (second.report.certifiable || second.report.score > first.score)
    ? second.report
    : first;
}

/**
 * The origin that a report is about. Another one than was asked for counts only when its own home page was judged: else
 * an address that leads to one good page would certify the whole site around it.
 */
function toListedOrigin(target: URL, report: AuditReport, context: DirectoryContext): string {
  const found = new URL(report.final_url);
  if (found.origin !== target.origin && found.pathname !== '/') {
    const detail = `leads to ${found.href}: give the address of that site itself, ${found.origin}/.`;
    throw new Problem('invalid-fields', `url ${detail}`, { errors: [{ pointer: '/url', detail }] });
  }
  return toHomePage(found.href, context).origin;
}

function refuseFailed(report: AuditReport, listed: Listing | null, baseUrl: string): void {
  if (report.certifiable) {
    return;
  }
  const why =
    report.score < certifiableFrom
      ? `The score is ${report.score}; ${certifiableFrom} are needed.`
      : `The score is ${report.score}, but only ${Math.floor(report.coverage * 100)} % of the audit could be made; 80 % are needed.`;
  const retry =
    'Correct what `missing` names, wait a minute, and send the same request again: the site is then audited anew.';
  const members: z.infer<typeof NotCertifiable> = {
    audit: toSummary(report, baseUrl),
    missing: toMissing(report),
    retry,
    listed: listed === null ? null : toDirectoryEntry(listed),
  };
  throw new Problem('not-certifiable', `${why} ${retry}`, { members });
}

/**
 * Audits a site and lists it when it passes. `isNew` is false when it was listed already: the newer result then is in
 * its place. What is listed is the origin at which the home page was found, since that is what was judged. Throws a
 * Problem: `not-certifiable` with the summary of the audit, and those of an audit.
 */
export async function joinDirectory(
  url: string,
  context: DirectoryContext,
  request: ToolRequest,
): Promise<{ isNew: boolean; answer: JoinAnswer }> {
  const { directory } = context;
  const target = toHomePage(url, context);
  const reservation = await context.joins.take(request.clientAddress);
  request.announce({ name: 'join', ...freeOfCharge.joins }, reservation.status);
  if (!reservation.granted) {
    const sentence = `${reservation.status.limit} tries an hour are taken from one client network.`;
    throw toUsedUpProblem(sentence, reservation.status, context.now());
  }
  try {
    const asked = { signal: request.disconnected, client: request.clientAddress };
    const result = await context.auditService.start(target, asked);
    if (result.kind !== 'report') {
      if (result.kind === 'refused') {
        await reservation.release();
      }
      throw toOutcomeProblem(result);
    }
    const report = await secondLook(result.report, async () =>
      context.auditService.start(target, { ...asked, isAgain: true }),
    );
    const origin = toListedOrigin(target, report, context);
    refuseFailed(report, directory.get(toListingId(origin)), context.config.baseUrl);
    const { listing, isNew } = await directory.put({
      url: origin,
      score: report.score,
      grade: report.grade,
      certified_at: new Date(report.audited_at).toISOString(),
      tier: 'standard',
    });
    await context.waitUntilVisible();
    const elsewhere = origin === target.origin ? '' : ` ${target.origin} leads there.`;
    return {
      isNew,
      answer: {
        congratulations: `${listing.url} is ${isNew ? 'listed' : 'still listed'} with ${listing.score} of 100, ${listing.grade}.${elsewhere} Its badge: ${context.config.baseUrl}/badge/${listing.id}.svg`,
        entry: toDirectoryEntry(listing),
        audit: toSummary(report, context.config.baseUrl),
      },
    };
  } catch (error) {
    if (error instanceof StorageUnavailable) {
      throw toStorageProblem(error);
    }
    const problem = toAuditProblem(error);
    if (problem instanceof Problem && ['audit-queue-full', 'rate-limited', 'unavailable'].includes(problem.slug)) {
      await reservation.release();
    }
    throw problem;
  }
}
