import { toSentence } from '../format.ts';
import { defineAttribute, type Intent } from '../intent.ts';

/** Version, licence and address of a specification, a model or a bot's documentation. */
export const documents: readonly Intent[] = [
  defineAttribute({
    id: 'version',
    patterns: [
      / (which |what |the )?(current |latest |newest |most recent |present )?(spec(ification)? )?(version|revision|release)s?( number| is| of)?( current| latest)? /,
      / (current|latest|newest) /,
    ],
    requires: [/ (version|revision|release) /],
    unless: / (when|date|dated|who|how many) /,
    certainty: 0.95,
    what: 'a current version of',
    readings: {
      protocols: {
        fields: ['current_spec_version', 'spec_date'],
        say: (name, [version]) => toSentence(`The current version of ${name} is ${version}`),
      },
    },
  }),
  defineAttribute({
    id: 'licence',
    patterns: [
      / (under |on |by )?(which |what |the )?(open source )?licen[cs](e|es|ed|ing)( terms)?( under)?( is| of| does| do)? /,
      / (free to use|terms of use|legal terms) /,
      / (published|released|available|distributed|use[sd]?) under /,
    ],
    unless: / (really simple|licen[cs]e directive|rsl licen[cs]e|rsl standard for) |^ (which|what) (protocols|models) /,
    certainty: 0.96,
    what: 'the licence of',
    readings: {
      protocols: { fields: ['license'], say: (name, [licence]) => toSentence(`The licence of ${name}: ${licence}`) },
      models: {
        fields: ['license', 'license_source'],
        say: (name, [licence, source]) =>
          `The weights of ${name} are under ${licence}${source === undefined ? '.' : `, as stated at ${source}`}`,
      },
    },
  }),
  defineAttribute({
    id: 'specification-address',
    patterns: [
      / (where|link|url|address|web ?site|home ?page|repo(sitory)?|docs?|documentation|official (page|site|docs|documentation))( can| do| is| are| to| of| for)? /,
      / (spec(ification)?s?|documentation|docs?|documented|read( about| more| up)?|published|web ?site|page|repo(sitory)?|text|standard|url|link) /,
    ],
    requires: [
      / (where|link|url|address|website|web site|homepage|home page|docs|documentation|documented|repo|repository|official page) /,
    ],
    unless:
      / (my|off|ip|ips|ranges|weights|keys?|endpoint|well known|addresses|discover\S*|download|country|based|price|email|agent documentation) /,
    certainty: 0.95,
    what: 'the address of a document on',
    readings: {
      protocols: {
        fields: ['spec_url', 'canonical_spec_url'],
        say: (name, [url, text]) =>
          `${name} is specified at ${url}${text === undefined || text === url ? '' : ` and its normative text is at ${text}`}`,
      },
      crawlers: {
        fields: ['documentation_url'],
        say: (name, [url]) => `The operator documents ${name} at ${url}`,
      },
      models: { fields: ['documentation_url'], say: (name, [url]) => `The maker documents ${name} at ${url}` },
    },
  }),
  defineAttribute({
    id: 'weights-address',
    patterns: [
      / (where|link|url|download|get|find|hugging ?face) /,
      / (the )?(open )?(weights?|checkpoints?|download(ed)?) /,
    ],
    requires: [/ (weights?|checkpoints?|download\S*) /, / (where|link|url|download\S*|hugging|huggingface) /],
    certainty: 0.97,
    what: 'where to find the weights of',
    readings: {
      models: { fields: ['weights_url'], say: (name, [url]) => `The weights of ${name} are published at ${url}` },
    },
  }),
];
