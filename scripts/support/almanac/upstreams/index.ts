import type { Upstream } from '../upstream.ts';
import { addressListUpstream } from './address-lists.ts';
import { aiRobotsTxt } from './ai-robots-txt.ts';
import { crawlerUserAgents } from './crawler-user-agents.ts';
import { datatracker } from './datatracker.ts';
import { githubTags } from './github-tags.ts';
import { iana } from './iana.ts';
import { modelsDev } from './models-dev.ts';

/** Everything that the watcher reads. */
export const upstreams: readonly Upstream[] = [
  aiRobotsTxt,
  crawlerUserAgents,
  modelsDev,
  addressListUpstream,
  datatracker,
  githubTags,
  iana,
];
