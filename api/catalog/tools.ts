import { askAlmanac } from '../almanac/ask_almanac.ts';
import { defineTerm } from '../almanac/define_term.ts';
import { getCrawler } from '../almanac/get_crawler.ts';
import { getTechnique } from '../almanac/get_technique.ts';
import { identifyUserAgentTool } from '../almanac/identify_user_agent.ts';
import { listTechniques } from '../almanac/list_techniques.ts';
import { makeRobotsTxtTool } from '../almanac/make_robots_txt.ts';
import { searchAlmanac } from '../almanac/search_almanac.ts';
import { auditSite } from '../audits/audit_site.ts';
import type { Tool } from '../contract/tool.ts';
import { listDirectory } from '../directory/list_directory.ts';
import { signGuestbook } from '../guestbook/sign_guestbook.ts';
import { getVisitorInfo } from '../identity/get_visitor_info.ts';
import { getPremiumPlaybook } from '../playbook/get_premium_playbook.ts';

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

/**
 * Tools beyond the catalog of twelve: MCP lists them after those, the registry and the home page do not have them. Each has
 * an operation of the API as its HTTP twin.
 */
export const furtherTools: readonly Tool[] = [makeRobotsTxtTool];
