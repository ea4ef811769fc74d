import { formatList, toSentence } from '../format.ts';
import { defineAttribute, type Intent } from '../intent.ts';

/** What a protocol is for, how it works and who uses it. */
export const usage: readonly Intent[] = [
  defineAttribute({
    id: 'when-not-to-use',
    patterns: [
      / (when|why|where) (should|would|do|does|is|must|ought|could) … (not|never|no|wrong|avoid|bad|unsuitable|rather not|leave) … /,
      / (not (to )?(use|choose|pick)|avoid|wrong (choice|tool|fit)|bad (fit|idea|choice)|limits? of|drawbacks?|downsides?|against|unsuitable|skip) /,
    ],
    unless: / blocking /,
    certainty: 0.97,
    what: 'when to leave',
    readings: {
      protocols: { fields: ['when_not_to_use'], say: (_name, [text]) => String(text) },
    },
  }),
  defineAttribute({
    id: 'when-to-use',
    patterns: [
      / (when|why|for what|in what (case|situation)s?) (should|would|do|does|can|to|is|might|could|must) (i |we |you |one |it |a site |somebody |anyone )?(be )?(use|choose|pick|adopt|want|need|make sense|worth|useful|a good|right|consider|reach for|implement)?/,
      / (in )?(what|which) (situations?|cases?|circumstances|scenarios?) (should|would|do|does|is|can)? ?(i |we |you |one )?(use|choose|pick|adopt|want|need|prefer|better)? ?/,
      / (use cases?|good for|useful for|suited for|ideal (for|case|use)|best (for|suited)|make(s)? sense|right choice|should (i|we) (use|adopt|implement|choose)|need) /,
    ],
    unless: / (not|never|avoid|wrong|released?|launch\S*|publish\S*|retire[sd]?|announced|created|introduced|who) /,
    certainty: 0.95,
    what: 'when to choose',
    readings: {
      protocols: { fields: ['when_to_use', 'ideal_use_case'], say: (_name, [when]) => String(when) },
    },
  }),
  defineAttribute({
    id: 'problem',
    patterns: [
      / (what |which )?(central )?(problems?|need|pain|issue|gap|purpose|motivation|reason) (does|do|is|was|it|behind|of|for|that) /,
      / (solves?|solving|solved|tackles?|tackling|address(es)?|made for|invented for|exists? for|trying to solve|fix(es)?|motivation) /,
      / why (does|was|do|is) … (exist|created|made|invented|needed|there) /,
    ],
    unless: / (ip|ips|who|where) /,
    certainty: 0.95,
    what: 'the problem behind',
    readings: {
      protocols: { fields: ['central_problem'], say: (name, [text]) => `${name} was made for this problem: ${text}` },
    },
  }),
  defineAttribute({
    id: 'mechanism',
    patterns: [
      / how (exactly |actually |precisely )?(does|do|is|are) … (work|function|operate|implemented|designed|done|built)( exactly| internally| in practice| under the hood)? /,
      / (how|the way) … (works|functions|operates) /,
      / (core )?mechanisms? /,
      / (in practice|under the hood|technically) /,
    ],
    unless: / (settle|payments? work) /,
    certainty: 0.95,
    what: 'how to describe the mechanism of',
    readings: {
      protocols: { fields: ['core_mechanism'], say: (_name, [text]) => String(text) },
      glossary: { fields: ['definition'], say: (_name, [text]) => String(text) },
    },
  }),
  defineAttribute({
    id: 'transport',
    patterns: [
      / (what |which )?(transports?( protocol| layer)?s?|wire (format|protocol)|carried|travels?|transported|runs? over|sent over|over http|encoding)( used| does| do| is| of)? /,
      / how (does|is|are) … (travel|carried|transported|sent) /,
    ],
    certainty: 0.95,
    what: 'the transport of',
    readings: {
      protocols: { fields: ['transport'], say: (name, [text]) => toSentence(`The transport of ${name}: ${text}`) },
    },
  }),
  defineAttribute({
    id: 'discovery-endpoint',
    patterns: [
      / (discovery|well known|wellknown) (end ?point|path|url|uri|address|location|file|document)?s? ?/,
      / (how|where) (do|does|can|is|are|should|would) … (discover(ed|s)?|find|found|located|placed|live|advertised|put|look for|served|hosted)( by (clients?|agents?))? /,
      / (end ?points?|(which|what) path) /,
    ],
    unless: / (weights|specification|spec|documentation|docs|ip|ips|discovers) /,
    certainty: 0.94,
    what: 'a discovery endpoint of',
    readings: {
      protocols: {
        fields: ['discovery_endpoint'],
        say: (name, [text]) => toSentence(`Clients find ${name} at: ${text}`),
      },
    },
  }),
  defineAttribute({
    id: 'settlement',
    patterns: [
      / (settle(s|d|ment)?( type| method)?s?|money (move|flow)s?|payment (methods?|rails?|types?)|paid( with| in| out)?|currenc(y|ies)|crypto(currency)?|stablecoins?|get paid|pay with) /,
      / (how|which|what) (does|do|is|are)? ?/,
      / (payments?|money|use|supports?) /,
    ],
    requires: [
      / (settle\S*|money|payment (method|methods|rail|rails|type|types)|paid|currency|currencies|crypto|cryptocurrency|stablecoin|stablecoins) /,
    ],
    unless: / (which protocols|how many) |^ (what is|define) (a |an )?(stablecoin|agentic) /,
    certainty: 0.95,
    what: 'how money moves in',
    readings: {
      protocols: { fields: ['settlement_type'], say: (name, [text]) => toSentence(`Settlement in ${name}: ${text}`) },
    },
  }),
  defineAttribute({
    id: 'adopters',
    patterns: [
      / (who|which (companies|products|organi[sz]ations|clients|tools|apps|vendors|sites)|what (companies|products|clients|tools))( has| have| is| are| already| else)* (adopt(s|ed)?|us(es|e|ed|ing)|support(s|ed|ing)?|implement(s|ed|ing)?|ship(s|ped)?|deploy(s|ed)?) /,
      / (list |name )?(companies|products|organi[sz]ations|vendors|publishers|clients|tools) (that |which )?(have |has |are )?(already )?(adopt(ed|ing)?|us(e|ed|ing)|support(ing|ed)?|implement(ed|ing)?) /,
      / (notable )?(adopters?|users|implementers?|implementations?|adopted by|used by|supported by|customers)( of)? /,
    ],
    unless: / (how many|number|crawlers|bots) /,
    certainty: 0.955,
    what: 'adopters of',
    readings: {
      protocols: {
        fields: ['notable_adopters'],
        say: (name, [adopters]) => {
          const names = Array.isArray(adopters) ? adopters.map((adopter: { value: string }) => adopter.value) : [];
          return `Adopters of ${name} that a source names: ${formatList(names)}.`;
        },
      },
    },
  }),
  defineAttribute({
    id: 'adoption-metric',
    patterns: [
      / (how (widely|much|many|popular|big|common|well)|adoption( metric| figures?| numbers?| rate)?|popularity|usage( figures?| numbers?)?|widespread)( is| are| of| does)? /,
      / (adopted|used|use it|adoption|popular|users) /,
    ],
    requires: [/ (adoption|adopted|popular|popularity|usage|widely|widespread|how many (sites|projects|users)) /],
    unless: / (who|companies|organi[sz]ations|products|vendors|adopters) /,
    certainty: 0.9,
    what: 'a figure on the adoption of',
    readings: {
      protocols: {
        fields: ['adoption_metric'],
        say: (name, [value]) =>
          toSentence(`Adoption of ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
      },
    },
  }),
  defineAttribute({
    id: 'layer',
    patterns: [
      / (which|what) (layer|category|sub ?layer|kind of protocol|type of protocol|class)( of)? /,
      / (belong(s)?( to)?|sit(s)?|filed|part of|layer|category)( of)? /,
    ],
    requires: [/ (layer|category|kind of protocol|type of protocol) /],
    certainty: 0.94,
    what: 'the layer of',
    readings: {
      protocols: {
        fields: ['layer', 'sub_layer', 'protocol_type'],
        say: (name, [layer, sub, type]) => `${name} is filed under the layer ${layer} (${sub}); its type is ${type}.`,
      },
      glossary: { fields: ['category'], say: (name, [category]) => `The category of ${name} is ${category}.` },
    },
  }),
  defineAttribute({
    id: 'example',
    patterns: [
      / (show( me)?|give( me)?|see|provide|have|need|want)?( a| an| some)? ?(short |small |minimal |working |sample )?(code |usage |json |example |config(uration)? )?(examples?|samples?|snippets?|code|boilerplate|what (does|do) … look like)( code| snippet| request| file| document| of| for| in| using)? /,
      / look(s)? like /,
    ],
    unless: / (block|allow|disallow|user agent|definition) /,
    certainty: 0.96,
    what: 'an example of',
    readings: {
      protocols: { fields: ['code_example'], say: (name, [code]) => `An example of ${name}:\n\n${code}` },
    },
  }),
];
