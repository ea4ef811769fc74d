import { askAlmanac } from '../almanac/ask_almanac.ts';
import type { AlmanacContext } from '../almanac/context.ts';
import { defineTerm } from '../almanac/define_term.ts';
import { getCrawler } from '../almanac/get_crawler.ts';
import { getRecord } from '../almanac/get_record.ts';
import { getTechnique } from '../almanac/get_technique.ts';
import { identifyUserAgentTool } from '../almanac/identify_user_agent.ts';
import { listChangesTool } from '../almanac/list_changes.ts';
import { listRecordsTool } from '../almanac/list_records.ts';
import { listTechniques } from '../almanac/list_techniques.ts';
import { makeRobotsTxtTool } from '../almanac/make_robots_txt.ts';
import { readPage } from '../almanac/read_page.ts';
import { searchAlmanac } from '../almanac/search_almanac.ts';
import { searchSite } from '../almanac/search_site.ts';
import { auditSite } from '../audits/audit_site.ts';
import type { AuditContext } from '../audits/context.ts';
import type { Config } from '../config.ts';
import type { Pages } from '../contract/pages.ts';
import type { Tool } from '../contract/tool.ts';
import type { DirectoryContext } from '../directory/context.ts';
import { listDirectory } from '../directory/list_directory.ts';
import type { GuestbookContext } from '../guestbook/context.ts';
import { signGuestbook } from '../guestbook/sign_guestbook.ts';
import { withdrawGuestbookEntry } from '../guestbook/withdraw_guestbook_entry.ts';
import { getVisitorInfo } from '../identity/get_visitor_info.ts';
import { getQuote } from '../payments/get_quote.ts';
import { payQuoteTool } from '../payments/pay_quote.ts';
import type { PlaybookContext } from '../playbook/deliver.ts';
import { getPremiumPlaybook } from '../playbook/get_premium_playbook.ts';

/** The part of the service that all tools together need. */
export interface ToolContext extends AlmanacContext, AuditContext, DirectoryContext, GuestbookContext, PlaybookContext {
  config: Pick<Config, 'baseUrl' | 'contact' | 'siteName'>;
}

/** Every tool of the service, in the order of the catalog. */
export const tools: readonly Tool<ToolContext>[] = [
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

/** The part of the service that only the further tools need. */
export interface FurtherToolContext extends ToolContext {
  pages: Pages;
}

/**
 * Tools beyond the catalog of twelve: MCP lists them after those, the registry and the home page do not have them. Each has
 * an operation of the API or a page as its HTTP twin.
 */
export const furtherTools: readonly Tool<FurtherToolContext>[] = [
  getRecord,
  listRecordsTool,
  searchSite,
  readPage,
  listChangesTool,
  makeRobotsTxtTool,
  withdrawGuestbookEntry,
  getQuote,
  payQuoteTool,
];
