/** How fields are called on pages, where the name of the field alone would not read well. */
const labels: Record<string, string> = {
  aliases: 'Also called',
  also_known_as: 'Also called',
  abbreviation_of: 'Stands for',
  api_id: 'API identifier',
  agent_readiness_link: 'On this site',
  blocking_effect: 'If you block it',
  bot_type: 'Type',
  checked_by_machine: 'Checked by machine',
  checked_by_person: 'Checked by a person',
  code_example: 'Example',
  context_window: 'Context window (tokens)',
  documentation_url: 'Documentation',
  draft_expires: 'Draft lapses on',
  entity_uri: 'Entity',
  evidence: 'Evidence',
  ip_ranges: 'Address ranges (dated copy)',
  jwks_url: 'Key directory',
  last_verified: 'Last verified',
  license_source: 'Where the licence is stated',
  max_output: 'Output limit (tokens)',
  open_weights: 'Open weights',
  opt_out_mechanism: 'How to opt out',
  own: 'Counted by us',
  pricing_usd_per_mtok: 'Price (US dollars per million tokens)',
  published_ip_range_url: 'Published address ranges',
  respects_robots: 'Honours robots.txt',
  reverse_dns_suffix: 'Reverse DNS suffix',
  robots_snippet: 'In robots.txt',
  robots_token: 'robots.txt token',
  sdks: 'Libraries',
  sends_own_user_agent: 'Has a User-Agent of its own',
  signature_agent_domain: 'Signature agent',
  source_as_of: 'Sources as of',
  spec_url: 'Specification',
  canonical_spec_url: 'Canonical specification',
  supports_web_bot_auth: 'Signs its requests (Web Bot Auth)',
  tool_use: 'Calls tools',
  ua_examples: 'User-Agent examples',
  ua_full: 'User-Agent in full',
  ua_substring: 'User-Agent token',
  verify: 'Is it real?',
  weights_url: 'Weights',
  when_not_to_use: 'When not to use it',
  when_to_use: 'When to use it',
};

/** The name of a field as a heading: `robots_token` is "robots.txt token". */
export function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return labels[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Values of closed fields in the words of a reader. The API has them as they are. */
const words: Record<string, string> = {
  null: 'not stated',
  true: 'yes',
  false: 'no',
  partial: 'partly',
  unconfirmed: 'not confirmed',
  'search-index': 'search index',
  'user-action-fetcher': 'fetches for a user',
  'agentic-browser': 'browser agent',
  'opt-out-token': 'opt-out token',
  'data-provider': 'data provider',
  'ip-ranges': 'address ranges',
  'reverse-dns': 'reverse DNS',
  'web-bot-auth': 'signature',
  'user-agent-only': 'name only',
  interop: 'interoperation',
  primary: 'primary sources',
  secondary: 'secondary sources',
  http: 'HTTP',
  pdf: 'PDF',
};

/** A value as a page says it: `user-action-fetcher` is "fetches for a user". */
export const wordOf = (value: string): string => words[value] ?? value;
