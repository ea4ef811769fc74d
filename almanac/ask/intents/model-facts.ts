import { formatList, formatNumber, formatValue } from '../format.ts';
import { defineAttribute, type Intent } from '../intent.ts';

const tokens = (value: unknown): string => `${formatValue(value)} tokens`;

const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

interface Price {
  input: number;
  output: number;
  seen: string;
}

const isPrice = (value: unknown): value is Price =>
  typeof value === 'object' && value !== null && 'input' in value && 'output' in value && 'seen' in value;

/** Limits, abilities and terms of a model. */
export const modelFacts: readonly Intent[] = [
  defineAttribute({
    id: 'context-window',
    patterns: [
      / (context|token)( ?window| length| size| limit)?s? /,
      / (input|prompt) (limit|size|length|tokens?) /,
      / (how (many tokens|big|large|long|much)|(fits?|takes?|handles?|process(es)?|accepts?)( in| into| at once)?) /,
      / (size|length|limit|tokens?|larger|bigger|longer|maximum|max) /,
    ],
    requires: [/ (context|input limit|prompt (limit|size|length)|token limit|(how many|input) tokens) /],
    unless: / (output|cost|price|model context|per million|generate|write|produce) /,
    certainty: 0.96,
    what: 'the context window of',
    readings: {
      models: {
        fields: ['context_window'],
        say: (name, [size]) => `The context window of ${name} is ${tokens(size)}.`,
      },
    },
  }),
  defineAttribute({
    id: 'max-output',
    patterns: [
      / (max(imum)?|most|longest|largest)? ?(output|response|completion|answer)( tokens?| limit| length| size| window)?s? /,
      / how (many tokens|much|long) (can|does|is) … (output|write|generate|produce|return|emit|response) /,
      / (limit|maximum|max|tokens?|generate|write|in one response|at once) /,
    ],
    requires: [
      / (output|response|completion|generate|write|produce|emit|return) /,
      / (max|maximum|most|limit|length|size|many|much|long|longest|larger|tokens) /,
    ],
    unless: / (cost|price|modalit\S+|input|per million|pay|pricing) /,
    certainty: 0.965,
    what: 'the output limit of',
    readings: {
      models: {
        fields: ['max_output'],
        say: (name, [size]) => `${name} writes at most ${tokens(size)} in one response.`,
      },
    },
  }),
  defineAttribute({
    id: 'modalities',
    patterns: [
      / (input|output)?( and output)? ?(modalit(y|ies)|multimodal|formats|media) /,
      / (read|accept|understand|see|hear|process|handle|take|analy[sz]e|watch|support|write|generate|produce|output|view)s? ?(as input )?… (and |or )?(images?|pictures?|photos?|audio|videos?|pdfs?( files?)?|speech|sound|vision|text)( and | or )?(images?|audio|videos?|pdfs?( files?)?|text)?( input| inputs| files)? /,
      / (vision|image|audio|video|pdf)( input| support| capable)? /,
    ],
    unless: / (how many|which models|what models|cost|price) /,
    certainty: 0.95,
    what: 'the modalities of',
    readings: {
      models: {
        fields: ['input_modalities', 'output_modalities'],
        say: (name, [input, output]) =>
          `${name} reads ${formatList(toTexts(input))}${output === undefined ? '' : ` and writes ${formatList(toTexts(output))}`}.`,
      },
    },
  }),
  defineAttribute({
    id: 'open-weights',
    patterns: [
      / (open|public(ly)?( available)?|downloadable|closed|free)? ?(weights?|weighted) /,
      / (open|closed) (source|weights?|model) /,
      / (open|closed|public|publicly|private|secret|withheld|available|unavailable|proprietary|free) /,
      / (self ?host|run|host|locally|download(ed)?|downloadable)( it)?( locally)? /,
    ],
    requires: [
      / (weights?|weighted|open (source|model)|closed (source|model)|proprietary|open or closed|closed or open|self ?host|locally|download|downloaded|downloadable) | (is|are) … (open|closed) (or not )?$/,
    ],
    unless: / (which models|what models|how many|licen[cs]e|where|link|url) /,
    certainty: 0.95,
    what: 'whether weights can be downloaded for',
    readings: {
      models: {
        fields: ['open_weights', 'license'],
        holds: ([open]) => open === true,
        say: (name, [open, licence]) =>
          open === true
            ? `${name} has open weights${licence === undefined ? '' : `, under ${licence}`}.`
            : `${name} has no open weights.`,
      },
    },
  }),
  defineAttribute({
    id: 'price',
    patterns: [
      / (price[sd]?|pricing|costs?|expensive|cheap|charge[sd]?|fees?|rates?|pay|dollars?|usd) /,
      / (how much|per million|1m|mtok) … /,
      / (input|output|api|tokens?|million|per|use|run|calling) /,
    ],
    requires: [/ (price|priced|prices|pricing|cost|costs|expensive|cheap|charge|charges|fee|fees|pay|dollars|usd) /],
    unless: / (cheapest|most expensive|crawl|blocking|rate limit) /,
    certainty: 0.965,
    what: 'a price of',
    readings: {
      models: {
        fields: ['pricing_usd_per_mtok'],
        say: (name, [price]) =>
          isPrice(price)
            ? `${name} costs ${formatNumber(price.input)} US dollars per million input tokens and ${formatNumber(price.output)} per million output tokens (list price, seen ${formatValue(price.seen)}).`
            : '',
      },
    },
  }),
  defineAttribute({
    id: 'tool-use',
    patterns: [
      / (call(s|ing)?|use(s)?|support(s)?|do(es)?|handle)? ?(tools?|functions?)( use| calls?| calling)? /,
      / (support|able|capable) /,
    ],
    requires: [/ (tools?|functions?|function calling) /, / (can|does|is|support|supports|capable|able) /],
    certainty: 0.92,
    what: 'tool use by',
    readings: {
      models: {
        fields: ['tool_use'],
        holds: ([can]) => can === true,
        say: (name, [can]) => (can === true ? `${name} can call tools (tool use).` : `${name} has no tool use.`),
      },
    },
  }),
  defineAttribute({
    id: 'api-id',
    patterns: [
      / (api|model) (id|identifier|name|string|slug)s? /,
      / (id|identifier|name|string) (in|for|of) (the |its )?api /,
      / (in|to) (the |its )?api /,
    ],
    requires: [/ (api|model) .*(id|identifier|name|string|slug) |.* (id|identifier|name|string) .*api /],
    certainty: 0.95,
    what: 'an API identifier of',
    readings: {
      models: { fields: ['api_id'], say: (name, [id]) => `The API identifier of ${name} is ${id} (api_id).` },
    },
  }),
  defineAttribute({
    id: 'family',
    patterns: [/ (family|line|series|model line|lineup) (is|does|of|it)? ?/, / (belong(s)?( to)?|part of) /],
    requires: [/ (family|model line|lineup) /],
    certainty: 0.9,
    what: 'the family of',
    readings: {
      models: { fields: ['family'], say: (name, [family]) => `${name} belongs to the family ${family}.` },
    },
  }),
];
