import type { Tool } from '../tool.ts';
import { askAlmanac } from './ask_almanac.ts';
import { auditSite } from './audit_site.ts';
import { defineTerm } from './define_term.ts';
import { getCrawler } from './get_crawler.ts';
import { getPremiumPlaybook } from './get_premium_playbook.ts';
import { getTechnique } from './get_technique.ts';
import { getVisitorInfo } from './get_visitor_info.ts';
import { identifyUserAgentTool } from './identify_user_agent.ts';
import { listDirectory } from './list_directory.ts';
import { listTechniques } from './list_techniques.ts';
import { searchAlmanac } from './search_almanac.ts';
import { signGuestbook } from './sign_guestbook.ts';

/** Every tool of the service, in the order of the catalog. */
export const tools: readonly Tool[] = [
  listTechniques,
  getTechnique,
  signGuestbook,
  getVisitorInfo,
  auditSite,
  getPremiumPlaybook,
  listDirectory,
  searchAlmanac,
  getCrawler,
  identifyUserAgentTool,
  defineTerm,
  askAlmanac,
];
