import type { Answer } from '../../../test/audit/sites.ts';
import { openSite } from '../../../test/audit/sites.ts';
import type { AgenticBrowsing } from './agentic-browsing.ts';
import type { SiteResults } from './differences.ts';
import { runAfdocs } from './run-afdocs.ts';
import { runAgentReadability } from './run-agent-readability.ts';
import { runOurs } from './run-ours.ts';

/** Serves a site on loopback and runs the four auditors over it, one after the other. afdocs gets the pages that ours looked at. */
export async function compareSite(answer: Answer, lighthouse: AgenticBrowsing): Promise<SiteResults> {
  const { paths, ...ours } = await runOurs(answer);
  const site = await openSite(answer);
  try {
    return {
      ours,
      afdocs: await runAfdocs(site.origin, paths),
      'agent-readability': await runAgentReadability(site.origin),
      lighthouse: await lighthouse.audit(site.origin),
    };
  } finally {
    site.close();
  }
}
