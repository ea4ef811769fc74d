const toSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that carry no content of their own in a question. */
export const stopWords = toSet(`
  a about again all also am an and any anyone are as at be been being by can could currently did do does doing done
  either ever every exactly find for from get give given gives has have having he hello help here hey hi how i if in
  into is it its just kindly know let like me mean means my need now of ok okay on one or our out please really s say
  says see she should show so some still such tell than thank thanks that the their them then there these they thing
  things this those to today up us use used uses using want was we were what whats when where whether which who whom
  whose why will with would yes you your explain describe define definition meaning overview information info detail
  details summary summarise summarize list name names named called between both each other exist exists available
  actually kind type sort work works does't looking look question wonder wondering remind briefly short quick current
  defn defs def pls plz cos wht waht wats hwo teh wich whcih waht's somebody someone specs reason reasons considered
  came come coming goes went january february march april june july august september october november december
  over process processed handle handled gets got receive received saw seen reach reached happen happened
  under among amongst against during before after within without since until till through via per off onto upon
  every next besides beside beyond above below around because although though while however instead rather quite very
  maybe perhaps possibly just only even else always never often sometimes again back away together same another
  accept accepts accepting accepted send sends sent sending appear appears appeared running operating days lately
  appreciated mind question answer asking hear heard read reads reading seem seems called calls calling myself itself
  logs log content contents put puts place placed take takes taken taking allow allowed enable enables include
  includes contain contains got getting become becomes keep keeps keeping kept happens
  ai much many almanac porchlight record records dataset dear sir hold
`);

/** Names that are also ordinary lower-case words: they count as names only in their own capitals. */
export const ordinaryWords = toSet(`
  did aid slim tap rep vi lf pop part rel vary roots task operator spider did's oas pop yeti ax ua okf prm north step
  command solar muse large small medium context me may us it or an on in at devin trae spt tpa ipi mor hnp ans ard act
  block twin qualified brave liner target common
  part trustless content message system rest ling nova sonar agora terracotta
`);

/** Glossary terms so general that a more particular name in the same question is what the question is about. */
export const generalTerms = toSet(`
  agent agents bot bots robot robots crawler crawlers token tokens citation representation landmark twin artifact
  mandate sampling atom grounding handoff modality modalities multimodal robotstxttoken robotstoken contextwindow
  contextlength contextsize knowledgecutoff openweights openweight ipranges publishedipranges useragent
  useragentstring useragentheader optout trainingcrawler verifiedbot tooluse toolcalling toolcall functioncalling
  aiagent aicrawler aibot llm llms languagemodel largelanguagemodel standards webcrawler aimodel contenttype
  reversedns micropayment agenticpayments agenticpayment answerengine aisearch spider model knownbot producttoken
  usertriggeredfetcher agenticbrowser agenticcommerce ratelimit
`);

/** Words of questions that are worth correcting when misspelt. */
export const questionWords = toSet(`
  what which when where who does how many operates operated operator makes maker maintains maintainer maintained
  governs governed governance created creator developed launched launch released release version latest newest oldest
  license licence licensed specification documentation robots token block blocking allow disallow verify verification
  verified genuine respect respects honour honor honours obey follow follows context window output maximum input
  modalities weights price pricing cost costs status retired deprecated compare comparison difference versus crawler
  crawlers protocol protocols model models standard standards payment payments discovery identity example snippet
  downloads share sites publish published support supports address addresses ranges knowledge cutoff training search
  competes competitors alternative alternatives extends builds built transport settlement adopted adopters agent agent
  definition purpose experimental production ready emerging tokens largest smallest cheapest released successor
  larger smaller bigger longer shorter cheaper newer older faster higher lower sooner later visit visits visiting
  crawl crawls crawling fetch fetches fetching prevent prevents index indexes indexing scrape scrapes scraping
  standardise standardised standardises standardize standardized standardizes replaced retirement traffic percentage requests partners servers domains statistics
  ignore ignores ignoring disobey disobeys violate violates violating bypass bypasses circumvent circumvents disregard
  disregards disrespect disrespects noncompliant compliant comply complies closed proprietary lack lacks unsigned
`);

/** Words that belong to the way of asking and need no support in a record. */
export const neutralWords = toSet(`
  ai site sites website websites web page pages agent agents bot bots crawler crawlers model models protocol protocols
  standard standards spec specification llm language file files format open source official officially exact full
  right correct proper properly way best possible company organisation organization team people developer developers
  project projects internet online today's kindof year date day time number term concept idea basically simple words
  english new old actual original first latest own own's anybody someone main major mainly version versions api token
  tokens string header user really own generally typically usually real come comes going go goes set make request
  requests reads read support supports supported published publish recent recently talk something anything
  engineer owner owners server servers add put write should must tool tools two three terms field product
  decide decided decides discuss discussed concern concerns concerning regarding deal deals apply applies moment
  situation situations case cases circumstance circumstances scenario scenarios nowadays presently roughly approximately
  around least publicly anyway compared apart pick picked choose chosen select selected fit fits meant point points
  companies organisations organizations groups group vendors products services service ones whole entire single certain
  specific particular following normal normally common commonly basic clear clearly technical technically overall
  behaviour behavior behave offer offers offered provide provides provided holds held folks guys regular lets supposed
  try trying tries needs needed ought may might shall issue issued matter matters ideas state stated different
  differences learn known knows correctly kindly various further fully partly directly internal external
`);

/** Different words for one thing, reduced to one stem. */
export const synonyms = new Map<string, string>(
  Object.entries({
    block: 'disallow',
    blocked: 'disallow',
    blocks: 'disallow',
    blocking: 'disallow',
    ban: 'disallow',
    bans: 'disallow',
    forbid: 'disallow',
    domains: 'site',
    domain: 'site',
    websites: 'site',
    website: 'site',
    percentage: 'share',
    percent: 'share',
    proportion: 'share',
    fraction: 'share',
    obey: 'follow',
    respect: 'follow',
    companies: 'organization',
    company: 'organization',
    firms: 'organization',
    supporters: 'partner',
    supporting: 'partner',
    donated: 'gave',
    donate: 'gave',
    hand: 'gave',
    handed: 'gave',
    give: 'gave',
    standardisation: 'standard',
    standardization: 'standard',
    launch: 'launch',
    began: 'launch',
    begin: 'launch',
    start: 'launch',
    started: 'launch',
    opened: 'launch',
    founded: 'founded-by',
  }),
);
