/** Words of a question that set a condition on one field. */
export interface ConditionRule {
  dataset: string;
  words: RegExp;
  field: string;
  clause: string;
  test(value: unknown): boolean;
  /** What the condition becomes in a question for the opposite; without it such a question is not read. */
  opposite?: Pick<ConditionRule, 'clause' | 'test'>;
}

const is = (expected: unknown) => (value: unknown) => value === expected;
const has = (expected: string) => (value: unknown) => Array.isArray(value) && value.includes(expected);
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

const crawler = (words: RegExp, field: string, clause: string, test: (value: unknown) => boolean): ConditionRule => ({
  dataset: 'crawlers',
  words,
  field,
  clause,
  test,
});
const protocol = (words: RegExp, field: string, clause: string, test: (value: unknown) => boolean): ConditionRule => ({
  dataset: 'protocols',
  words,
  field,
  clause,
  test,
});
const model = (words: RegExp, field: string, clause: string, test: (value: unknown) => boolean): ConditionRule => ({
  dataset: 'models',
  words,
  field,
  clause,
  test,
});

/** Of the rules for one field the first that matches counts. */
export const conditionRules: readonly ConditionRule[] = [
  crawler(
    / (user agent )?(opt out|opt out only)( tokens?)? | token only /,
    'bot_type',
    'of type opt-out-token',
    is('opt-out-token'),
  ),
  crawler(
    / (agentic|browser|browsers|browsing)( browsers?| bots?| agents?)? /,
    'bot_type',
    'of type agentic-browser',
    is('agentic-browser'),
  ),
  crawler(
    / (user triggered|user initiated|user action|on demand|assistant) (fetchers?|bots?|crawlers?)? ?| fetchers /,
    'bot_type',
    'of type user-action-fetcher',
    is('user-action-fetcher'),
  ),
  crawler(/ (archiv(e|al|es|ing)|archivers?) /, 'bot_type', 'of type archive', is('archive')),
  crawler(/ data (provider|providers|brokers?) /, 'bot_type', 'of type data-provider', is('data-provider')),
  crawler(/ undocumented /, 'bot_type', 'of type undocumented', is('undocumented')),
  crawler(
    / (train(s|ing)?|(collect|gather) … training data|for training|to train) ((ai |llm |language )?models )?/,
    'bot_type',
    'of type training',
    is('training'),
  ),
  crawler(
    / (search|indexing|index) (index )?(crawlers?|bots?|engines?)? ?/,
    'bot_type',
    'of type search-index',
    is('search-index'),
  ),
  crawler(
    / (only )?partial(ly|ly respect)? (respect|obey|honou?r|follow)?\S* ?(robots( txt)?)?| in part /,
    'respects_robots',
    'that follow robots.txt only in part (partial)',
    is('partial'),
  ),
  {
    ...crawler(
      / (respect|obey|honou?r|follow|comply|ignore?|disobey|violate?|break|bypass|circumvent|disregard|disrespect|flout|evade?|skip)(e?s|ing|ed)?( with)? (the )?(robots( txt)?)/,
      'respects_robots',
      'that follow robots.txt',
      is(true),
    ),
    opposite: { clause: 'that do not follow robots.txt', test: is(false) },
  },
  {
    ...crawler(
      / (support(ing|s)?|us(e|es|ing)|with|implement(ing)?|have|by|via|speak) (web bot auth|http message signatures?)| sign(s|ing|ed)? (their |its )?(http )?(requests?)?| web bot auth /,
      'supports_web_bot_auth',
      'that support Web Bot Auth',
      is(true),
    ),
    opposite: { clause: 'that do not support Web Bot Auth', test: is(false) },
  },
  crawler(
    / (verif(y|ied|iable) … (by|with|through|via) (reverse dns|dns))| reverse dns /,
    'verification_methods',
    'with the verification method reverse-dns',
    has('reverse-dns'),
  ),
  crawler(
    / (publish(es|ing|ed)? … )?(ip|ips|address) ?(ranges?|lists?|addresses)? /,
    'verification_methods',
    'with the verification method ip-ranges',
    has('ip-ranges'),
  ),
  crawler(
    / (retired|discontinued|defunct|dead|no longer (active|in use)) /,
    'status',
    'with the status retired',
    is('retired'),
  ),
  crawler(/ unconfirmed /, 'status', 'with the status unconfirmed', is('unconfirmed')),
  crawler(/ active /, 'status', 'with the status active', is('active')),
  crawler(/ (china|chinese) /, 'operator_country', 'whose operator is in CN', is('CN')),
  crawler(/ (us|usa|american|united states) /, 'operator_country', 'whose operator is in US', is('US')),
  crawler(/ (french|france) /, 'operator_country', 'whose operator is in FR', is('FR')),
  crawler(/ (german|germany) /, 'operator_country', 'whose operator is in DE', is('DE')),
  crawler(/ (japan|japanese) /, 'operator_country', 'whose operator is in JP', is('JP')),
  crawler(/ (russia|russian) /, 'operator_country', 'whose operator is in RU', is('RU')),

  protocol(/ (agentic )?(payments?|commerce|paying|pay) /, 'layer', 'in the layer payments', is('payments')),
  protocol(/ (discovery|discovering|discover) /, 'layer', 'in the layer discovery', is('discovery')),
  protocol(/ (identity|authentication|identification) /, 'layer', 'in the layer identity', is('identity')),
  protocol(/ (licensing|content licensing|preferences) /, 'layer', 'in the layer licensing', is('licensing')),
  protocol(
    / (interop|interoperability|agent to agent|communication|messaging) /,
    'layer',
    'in the layer interop',
    is('interop'),
  ),
  protocol(/ (capabilit(y|ies)|tool|tooling) /, 'layer', 'in the layer capability', is('capability')),
  protocol(/ governance( organi[sz]ations| bodies)? /, 'layer', 'in the layer governance', is('governance')),
  protocol(
    / (production( ready)?|ready for production|in production) /,
    'maturity_tag',
    'with the maturity production-ready',
    is('production-ready'),
  ),
  protocol(/ (merely |still )?experimental /, 'maturity_tag', 'with the maturity experimental', is('experimental')),
  protocol(/ emerging /, 'maturity_tag', 'with the maturity emerging', is('emerging')),
  protocol(
    / (full|formal|finished|real|established|mature) standards? | (tagged|rated|considered) (a |as )?(a )?standards? | with the maturity standard /,
    'maturity_tag',
    'with the maturity standard',
    is('standard'),
  ),
  protocol(/ (dormant|abandoned|dead|inactive) /, 'status', 'with the status dormant', is('dormant')),
  protocol(/ (still )?(a )?drafts? /, 'status', 'with the status draft', is('draft')),
  protocol(/ stable /, 'status', 'with the status stable', is('stable')),
  protocol(/ merged /, 'status', 'with the status merged', is('merged')),
  protocol(
    / (apache|apache 2 0|apache licensed?)( licen[cs]ed?)? /,
    'license',
    'under an Apache-2.0 licence',
    matches(/Apache-2\.0/),
  ),
  protocol(/ mit( licen[cs]ed?)? /, 'license', 'under an MIT licence', matches(/\bMIT\b/)),
  protocol(/ (cc0|cc 0|public domain)( \d)*( licen[cs]ed?)? /, 'license', 'under CC0-1.0', matches(/CC0/)),
  protocol(
    / (well known)( path| uri| url| address)?s? /,
    'discovery_endpoint',
    'with a .well-known discovery endpoint',
    matches(/\.well-known/),
  ),

  {
    ...model(
      / (proprietary|(open|closed|public|downloadable) ?(weights?|weighted|source)?)( models?)? /,
      'open_weights',
      'with open weights',
      is(true),
    ),
    opposite: { clause: 'without open weights', test: is(false) },
  },
  model(
    / (read(s)?|accept(s|ing)?|understand(s)?|take(s)?|process(es)?|see(s)?|watch|with|support(s)?|handle(s)?|input) … (videos?)( input)? | videos? /,
    'input_modalities',
    'that read video',
    has('video'),
  ),
  model(/ (audio|sound|speech|hear|listen)( input)? /, 'input_modalities', 'that read audio', has('audio')),
  model(/ (images?|pictures?|vision)( input)? /, 'input_modalities', 'that read an image', has('image')),
  model(/ pdfs?( files?| input)? /, 'input_modalities', 'that read pdf', has('pdf')),
  model(/ retired /, 'status', 'with the status retired', is('retired')),
  model(/ deprecated /, 'status', 'with the status deprecated', is('deprecated')),
  model(/ (in )?preview /, 'status', 'with the status preview', is('preview')),
  model(/ (current|currently available|available) /, 'status', 'with the status current', is('current')),
  model(
    / (apache|apache 2 0|apache licensed?)( licen[cs]ed?)? /,
    'license',
    'under Apache-2.0',
    matches(/Apache-2\.0/),
  ),
  model(/ mit( licen[cs]ed?)? /, 'license', 'under an MIT licence', matches(/\bMIT\b/)),
  model(/ (call|use|support)(s|ing)? (tools?|functions?) /, 'tool_use', 'with tool use', is(true)),
];
