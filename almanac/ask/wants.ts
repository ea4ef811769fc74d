/** What kind of answer a question wants, by its form. */
export type Want =
  | 'howto'
  | 'how'
  | 'yesno'
  | 'number'
  | 'who'
  | 'when'
  | 'where'
  | 'why'
  | 'list'
  | 'count'
  | 'define'
  | 'compare'
  | 'trend'
  | 'changes'
  | 'own'
  | 'mine';

/** Patterns run over the corrected, lower-case words. A question may want several kinds at once. */
const rules: readonly [want: Want, pattern: RegExp][] = [
  [
    'howto',
    /\bhow (do|can|could|should|would|might|must|to)\b(?! (i|you|we) (tell|know|check))|\bhow (to|block|create|make|set|add|verify|serve|sign)\b|\b(steps|guide|tutorial|instructions) (to|for|on)\b|\b(set up|implement|implementing|setting up|adding|walk me through|help me|have to (do|change)|need to (do|change)|expose|teach me)\b|\bcan i\b|\bwhat (should|goes|belongs|line)\b|\b(best|right) way\b/,
  ],
  ['how', /\bhow\b(?! (many|much|big|large|long|old|often|fast))/],
  ['yesno', /^(and |so |but )?(is|are|was|were|do|does|did|can|could|has|have|had|should|will|would|may|must)\b/],
  [
    'number',
    /\bhow (many|much|big|large|long|often|wide|small)\b|\b(number|share|percentage|percent|proportion|count|amount|ratio|part) of\b|\bwhat (share|percentage|part|proportion|fraction)\b/,
  ],
  ['who', /\b(who|whose|whom|which (company|organisation|organization|vendor|body))\b/],
  ['when', /\b(when|since when|what (date|day|year)|which year|release date)\b/],
  ['where', /\b(where|url|link|address)\b|\bwhich (path|endpoint|country)\b/],
  ['why', /\bwhy\b|\bwhat for\b|\bpurpose\b/],
  [
    'list',
    /\b(which|list|name|all|what \w+ (are|exist))\b|\bwhat (are the|crawlers|bots|models|protocols)\b|\bthere\b/,
  ],
  ['count', /\bhow many\b|\bnumber of\b|\bcount\b/],
  ['define', /^(what is|what are|what does|define|explain|meaning|definition|describe)\b|\bmean(s|t|ing)?\b|\bdefin/],
  [
    'compare',
    /\b(difference|differ|differs|compare|compared|comparison|versus|vs|distinguish\w*|contrast\w*|instead of|same as|or)\b|\bbetween\b/,
  ],
  [
    'trend',
    /\b(trend|over time|develop|developed|changed?|evolv\w+|grow\w*|grew|rising|rise|up or down|going (up|down)|history|increas\w*|declin\w*|decreas\w*|more or less)\b/,
  ],
  ['changes', /\b(new|news|happened|changed|change|changes|updates?|published|announced)\b.*\b(since|after|in)\b/],
  ['own', /\b(you|your|here|porchlight|this site|this website|this page|this service)\b/],
  ['mine', /\b(my|mine|our|i|we)\b/],
];

export const readWants = (plain: string): ReadonlySet<Want> =>
  new Set(rules.filter(([, pattern]) => pattern.test(plain)).map(([want]) => want));
