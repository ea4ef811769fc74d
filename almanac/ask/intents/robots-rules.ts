import type { AlmanacIndex } from '../almanac-index.ts';
import { type Fact, readFact, readText, readTexts } from '../entries.ts';
import { defineAttribute, type Intent } from '../intent.ts';

/** The names of records that a field gives by id. */
const toNameFacts = (index: AlmanacIndex, dataset: string, ids: string[]): Fact[] =>
  ids.flatMap((id) => {
    const entry = index.get(dataset, id);
    return entry === undefined ? [] : (readFact(entry, 'name') ?? []);
  });

/** What a site can tell a crawler in robots.txt, whether it listens, and what blocking it means. */
export const robotsRules: readonly Intent[] = [
  defineAttribute({
    id: 'block',
    patterns: [
      / (how )?(do|can|could|would|to|should|must)? ?(i |we |you |one )?(block(ing)?|disallow(ing)?|ban(ning)?|stop(ping)?|exclud(e|ing)|deny(ing)?( access( to)?)?|shut(s|ting)? out|forbid(ding)?|keep(ing)?|opt(ing)? out( of| from)?|prevent(ing)?|prohibit(ing)?|refuse|get rid of) /,
      / (should|must|may|shall|to) (not|never) (be )?(crawl(ed)?|visit(ed)?|index(ed)?|read|scrape[d]?|access(ed)?|fetch(ed)?)( by)? /,
      / (from )?(crawling|indexing|scraping|visiting|accessing|reading|training on|fetching)( my| our| a| the)?( whole| entire)?( web ?sites?| sites?| pages?| content)? /,
      / (robots txt )?(rules?|lines?|entry|group|snippet) (to|for|that) /,
      / (in|with|using|via|through|off|out|away) (of |from )?(my |our |the )?(robots txt|web ?site|site|pages?|content) /,
      / robots txt /,
    ],
    unless:
      / (does|do|is|are|will|did) (?!i |we |you |it possible )… (respects?|obey|honou?r|follow|compl\S+|listen)| (what happens|what does block\S+|effect|affects?|lead to|consequences?|lose|impact|allow(ing)?|share|percent(age)?|many|version|who|licen[cs]e|when) |^ (what is|define|explain) robots txt $/,
    requires: [
      / (block|disallow|bann?|(should|must|may|shall|to) (not|never) |deny|stop|exclud|deny|forbid|keep|opt out|prevent|refuse|get rid|prohibit|off my|rule|lines?|entry|group|snippet|shut)/,
    ],
    certainty: 0.94,
    what: 'a robots.txt rule for',
    readings: {
      crawlers: {
        fields: ['robots_snippet', 'opt_out_mechanism'],
        say: (name, [snippet, mechanism]) =>
          `To block ${name} on the whole site, put this into robots.txt:\n\n${snippet}${mechanism === undefined ? '' : `\n\n${mechanism}`}`,
      },
    },
  }),
  defineAttribute({
    id: 'allow',
    patterns: [
      / (how )?(do|can|to|should)? ?(i |we )?(allow(ing)?|permit(ting)?|unblock(ing)?|welcome|let in|whitelist|allowlist) /,
      / (in )?(my |our |the )?robots txt /,
      / (access|crawl(ing)?)( to)?( my| our)? sites? /,
    ],
    unless: / disallow(ing)? | block | (respects?|obeys?|honou?rs?|follows?) | (who|what is|version|when) /,
    requires: [/ (allow|permit|unblock|welcom|let |whitelist|allowlist)/],
    certainty: 0.93,
    what: 'a robots.txt token for',
    readings: {
      crawlers: {
        fields: ['robots_token'],
        say: (name, [token]) =>
          `To allow ${name} in robots.txt, open a group for its token and allow the path:\n\nUser-agent: ${token}\nAllow: /`,
      },
    },
  }),
  defineAttribute({
    id: 'robots-token',
    patterns: [
      / (robots( txt)?|product|crawler) (token|name|identifier|user agent)s? /,
      / tokens? (in|for|of) robots txt /,
      / tokens? (of|for|does|is) /,
      / user agent (token|name|line)s?( in robots txt)? /,
      / robots txt /,
    ],
    unless:
      / (follow|obey|respect|honou?r|block|disallow|allow|price|context|input|output|payment|window|mean|stands?|complies|comply) | (does|do|is) … (respects?|obeys?|honou?rs?|follows?)|^ (what is|who) robots txt /,
    requires: [
      / (tokens?|names?|named|identifiers?|user agents?|lines?|groups?|call(ed)?) |^ (?!(do|does|did|is|are|was|has|have|can|could|will|would|should|may|must) )/,
    ],
    certainty: 0.9,
    what: 'a robots.txt token of',
    readings: {
      crawlers: {
        fields: ['robots_token'],
        say: (name, [token]) => `The robots.txt token of ${name} is ${token}.`,
      },
    },
  }),
  defineAttribute({
    id: 'honours-robots',
    patterns: [
      / (respect(s|ed|ing)?|obey(s|ed|ing)?|honou?r(s|ed|ing)?|follow(s|ed|ing)?|compl(y|ies|iant|ying|iance)( with)?|adhere(s)?( to)?|ignor(e|es|ed|ing)|disobey(s|ed|ing)?|violat(e|es|ed|ing|ions?)|break(s|ing)?|broke|circumvent(s|ed|ing)?|disregard(s|ed|ing)?|disrespect(s|ed|ing)?|flout(s|ed|ing)?|evad(e|es|ed|ing)|skip(s|ped|ping)?|def(y|ies|ied)|noncompliant|listens? to|observes?|bypass(es|ed|ing)?|care about|abide by) /,
      / (the )?robots( txt| exclusion protocol| rules| files?)?( txt)?( directives?| rules?| files?)? /,
    ],
    requires: [
      / robots /,
      / (respect|obey|honou?r|follow|compl|adher|ignor|disobey|violat|break|broke|circumvent|disregard|disrespect|flout|evad|skip|def(y|ies|ied) |noncompl|listen|observ|bypass|care about|abid)/,
    ],
    unless: / (share|percent(age)?|how many|which (crawlers|bots)|what (crawlers|bots)) /,
    certainty: 0.96,
    what: 'whether robots.txt is followed by',
    readings: {
      crawlers: {
        fields: ['respects_robots', 'opt_out_mechanism'],
        holds: ([follows]) => (follows === 'partial' ? null : follows === true),
        say: (name, [follows, mechanism]) => {
          const rule =
            follows === 'partial'
              ? 'follows robots.txt only in part (partial)'
              : `${follows === true ? 'follows' : 'does not follow'} robots.txt`;
          return `${name} ${rule}, as documented by its operator.${mechanism === undefined ? '' : ` ${mechanism}`}`;
        },
      },
    },
  }),
  defineAttribute({
    id: 'blocking-effect',
    patterns: [
      / (lead to|leads to|cause[sd]?|affects?|what (happens|do i lose|would happen|will happen|is lost)|effects?|consequences?|impact|downsides?|lose|penalt(y|ies)|cost of|result) /,
      / (if|when|by|of) (i |we |you |a site )?(block(s|ing)?|disallow(s|ing)?|ban(ning)?|exclud(e|ing)) /,
    ],
    requires: [/ (block|disallow|ban|exclud)/],
    certainty: 0.97,
    what: 'the effect of blocking',
    readings: {
      crawlers: {
        fields: ['blocking_effect'],
        say: (name, [effect]) => `Blocking ${name} has this effect: ${effect}`,
      },
    },
  }),
  defineAttribute({
    id: 'purpose',
    patterns: [
      / (purpose|(the )?point|goal|aim|used for|use of|what for|crawl for|fetch(es)? for|there for|job|role|function) /,
      / (what (does|is|do)|why (does|is|do)) … (do|for|used for|crawl(ing)?|visit(ing)?|fetch|collect|want|hitting|on my site) $/,
      / why (does|do|is|are|did) … (visit|crawl|fetch|access|scrape|request|hit|read)(s|ing|ting|ed)? (my|our|the)? ?/,
      / (which|what) (kind|type|sort|category) of (ai )?(bot|crawler|agent|fetcher|spider) /,
      / (training|search|indexing|user) (bot|crawler|fetcher) or /,
    ],
    unless: / (robots|stands? for|cost|settle|standard for|mean) /,
    certainty: 0.93,
    what: 'the purpose of',
    readings: {
      crawlers: {
        fields: ['purpose', 'bot_type', 'operator'],
        say: (name, [purpose, type]) => `${purpose} The almanac files ${name} under ${type}.`,
      },
      protocols: {
        fields: ['central_problem'],
        say: (name, [problem]) => `${name} was made for this problem: ${problem}`,
      },
    },
  }),
  defineAttribute({
    id: 'user-agent',
    patterns: [
      / (full |exact |complete )?(user agent|ua)( string| header| value| substring)?s? /,
      / (identif(y|ies)|announces?) (itself|themselves|as) /,
    ],
    unless: / (robots|token|line|verify|spoof|which crawler) /,
    certainty: 0.93,
    what: 'the User-Agent string of',
    readings: {
      crawlers: {
        fields: ['ua_full'],
        say: (name, [full]) => `${name} sends this User-Agent: ${full}`,
      },
    },
  }),
  defineAttribute({
    id: 'crawler-country',
    patterns: [/ (what |which )?(country|nation) (is|does|of)?/, / where (is|are) … (from|based|operated from) /],
    certainty: 0.9,
    what: 'the country of the operator of',
    readings: {
      crawlers: {
        fields: ['operator_country', 'operator'],
        say: (name, [country, operator]) => `${name} is run by ${operator}, whose country code is ${country}.`,
      },
    },
  }),
  defineAttribute({
    id: 'successor',
    patterns: [
      / (replace[sd]?|replacement|replacing|supersede[sd]?|superseding|successors?|succeed(s|ed)?|took over( from)?|take over|taken over|predecessors?|move to|migrate( to| from)?|migration|upgrade( to| from)?|instead of) /,
    ],
    certainty: 0.95,
    what: 'a successor of',
    readings: {
      models: {
        fields: ['replaced_by'],
        cite: (entry, index) => toNameFacts(index, 'models', readTexts(entry, 'replaced_by')),
        say: (name, [id], _entry, index) =>
          `The maker of ${name} names ${index.get('models', String(id))?.title ?? id} (${id}) as the model to move to.`,
      },
      crawlers: {
        fields: ['replaced_by', 'status'],
        cite: (entry, index) => toNameFacts(index, 'crawlers', readTexts(entry, 'replaced_by')),
        say: (name, [ids], entry, index) => {
          const names = Array.isArray(ids)
            ? ids.map((id) => index.get('crawlers', String(id))?.title ?? String(id))
            : [];
          return `${name}${readText(entry, 'status') === 'retired' ? ' is retired and' : ''} was replaced by ${names.join(' and ')}.`;
        },
      },
    },
  }),
];
