import { z } from 'zod';
import type { Model } from '#almanac/datasets/models.ts';
import {
  type Comparison,
  type Fields,
  type Finding,
  goneFindings,
  type Known,
  parseJson,
  sameValue,
  type Upstream,
} from '../upstream.ts';

const id = 'models-dev';
const address = 'https://models.dev/api.json';

/** The makers whose own offer is compared; resellers of the same models are left out. */
const makers: ReadonlyMap<string, string> = new Map([
  ['alibaba', 'Alibaba'],
  ['anthropic', 'Anthropic'],
  ['cohere', 'Cohere'],
  ['deepseek', 'DeepSeek'],
  ['google', 'Google'],
  ['llama', 'Meta'],
  ['minimax', 'MiniMax'],
  ['mistral', 'Mistral AI'],
  ['moonshotai', 'Moonshot AI'],
  ['openai', 'OpenAI'],
  ['perplexity', 'Perplexity'],
  ['stepfun', 'StepFun'],
  ['upstage', 'Upstage'],
  ['xai', 'xAI'],
  ['xiaomi', 'Xiaomi'],
  ['zai', 'Z.ai'],
]);

const Dollars = z.number().nonnegative();
const Entry = z.looseObject({
  name: z.string(),
  release_date: z.string().optional(),
  knowledge: z.string().optional(),
  tool_call: z.boolean().optional(),
  open_weights: z.boolean().optional(),
  status: z.string().optional(),
  cost: z.looseObject({ input: Dollars, output: Dollars, cache_read: Dollars.optional() }).optional(),
  limit: z.looseObject({ context: z.number(), output: z.number().optional() }).optional(),
  modalities: z.looseObject({ input: z.array(z.string()), output: z.array(z.string()) }).optional(),
});
const Catalogue = z
  .record(z.string(), z.looseObject({ models: z.record(z.string(), z.unknown()) }))
  .refine((list) => Object.keys(list).some((provider) => makers.has(provider)), 'no maker of the list is in it');

const positive = (value: number | undefined): number | null => (value === undefined || value <= 0 ? null : value);

function toFields(value: unknown): Fields {
  const entry = Entry.parse(value);
  return {
    name: entry.name.slice(0, 100),
    released: entry.release_date ?? null,
    knowledge_cutoff: entry.knowledge ?? null,
    context_window: positive(entry.limit?.context),
    max_output: positive(entry.limit?.output),
    tool_use: entry.tool_call ?? null,
    open_weights: entry.open_weights ?? null,
    input: entry.cost?.input ?? null,
    output: entry.cost?.output ?? null,
    cached_input: entry.cost?.cache_read ?? null,
    input_modalities: [...(entry.modalities?.input ?? [])].sort(),
    output_modalities: [...(entry.modalities?.output ?? [])].sort(),
  };
}

const compared = ['released', 'knowledge_cutoff', 'context_window', 'max_output', 'tool_use', 'open_weights'] as const;

/** A date is only as exact as its source: "2026-05" and "2026-05-18" don't differ. */
const agrees = (ours: unknown, theirs: unknown): boolean =>
  typeof ours === 'string' && typeof theirs === 'string'
    ? ours.startsWith(theirs) || theirs.startsWith(ours)
    : sameValue(ours, theirs);

const sourceOf = (key: string): string =>
  `https://github.com/anomalyco/models.dev/blob/dev/providers/${key.replace('/', '/models/')}.toml`;

const differs = (key: string, model: Model, field: string, ours: unknown, theirs: unknown): Finding => ({
  id: `${id}/models/${model.id}/${field}`,
  kind: model.evidence === 'primary' && ours !== null ? 'contradiction' : 'changed',
  upstream: id,
  source: sourceOf(key),
  message: `gives another ${field} for ${key}`,
  record: { dataset: 'models', id: model.id },
  difference: { field, ours, theirs },
});

function priceDifference(key: string, model: Model, fields: Fields, today: string): Finding[] {
  const { input, output, cached_input: cached } = fields;
  const ours = model.pricing_usd_per_mtok;
  if (typeof input !== 'number' || typeof output !== 'number' || (input === 0 && output === 0)) {
    return [];
  }
  const cachedInput = typeof cached === 'number' ? cached : null;
  const isSame =
    ours !== null &&
    ours.input === input &&
    ours.output === output &&
    (cachedInput === null || ours.cached_input === cachedInput);
  if (isSame) {
    return [];
  }
  const theirs = {
    input,
    output,
    cached_input: cachedInput,
    long_context: [],
    valid_until: null,
    afterwards: null,
    source: sourceOf(key),
    seen: today,
  };
  return [differs(key, model, 'pricing_usd_per_mtok', ours, theirs)];
}

function compareModel(key: string, model: Model, fields: Fields, { today }: Known): Finding[] {
  const findings = compared
    .filter((field) => fields[field] !== null && !agrees(model[field], fields[field]))
    .map((field) => differs(key, model, field, model[field], fields[field]));
  return [...findings, ...priceDifference(key, model, fields, today)];
}

/** The record of a model: by its name in the API of its maker, else by its id, in each case within that maker's. */
function createModelFinder(models: readonly Model[]): (provider: string, name: string) => Model | undefined {
  const keyOf = (provider: string, name: string): string => `${provider}/${name.toLowerCase()}`;
  const byName = new Map([
    ...models.map((model) => [keyOf(model.provider, model.id), model] as const),
    ...models.flatMap((model) =>
      model.api_id === null ? [] : [[keyOf(model.provider, model.api_id), model] as const],
    ),
  ]);
  return (provider, name) => byName.get(keyOf(provider, name));
}

const modalities: ReadonlySet<string> = new Set(['audio', 'embedding', 'image', 'pdf', 'text', 'video']);
const knownModalities = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string' && modalities.has(each)) : [];

function draftModel(key: string, provider: string, fields: Fields, known: Known): Readonly<Record<string, unknown>> {
  const name = key.slice(key.indexOf('/') + 1);
  const { released } = fields;
  return {
    id: name
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, ''),
    name: fields['name'],
    provider,
    family: null,
    released,
    knowledge_cutoff: fields['knowledge_cutoff'],
    context_window: fields['context_window'],
    max_output: fields['max_output'],
    input_modalities: knownModalities(fields['input_modalities']),
    output_modalities: knownModalities(fields['output_modalities']),
    open_weights: fields['open_weights'],
    license: null,
    license_source: null,
    weights_url: null,
    tool_use: fields['tool_use'],
    status: null,
    retired_on: null,
    replaced_by: null,
    api_id: name,
    documentation_url: null,
    summary: `A model from ${provider}${released === null ? '' : `, released on ${String(released)}`}, as models.dev lists it.`,
    pricing_usd_per_mtok: null,
    sources: [{ title: `models.dev: ${key}`, url: sourceOf(key) }],
    evidence: 'secondary',
    primary_source: null,
    conflicts: [],
    source_as_of: known.today,
    checked_by_person: null,
    note: "Known from models.dev; the maker's own page was not opened.",
  };
}

export const modelsDev: Upstream = {
  id,
  title: 'models.dev',
  licence: 'MIT (https://github.com/anomalyco/models.dev/blob/dev/LICENSE)',
  compares: 'Release day, knowledge cut-off, window, output limit, tools, open weights and price at the maker itself.',
  cited: /github\.com\/(?:anomalyco|sst)\/models\.dev|\/\/models\.dev/,
  addresses: () => [address],
  parse: (text, from) => {
    const catalogue = parseJson(text, Catalogue);
    const entries = Object.entries(catalogue)
      .filter(([provider]) => makers.has(provider))
      .flatMap(([provider, { models }]) =>
        Object.entries(models).map(([name, model]): [string, Fields] => {
          const parsed = Entry.safeParse(model);
          if (!parsed.success) {
            const [issue] = parsed.error.issues;
            throw new Error(
              `it has another shape: ${provider}.models.${name}.${issue?.path.join('.')}: ${issue?.message}`,
            );
          }
          return [`${provider}/${name}`, toFields(model)];
        }),
      );
    return { address: from, version: null, entries: Object.fromEntries(entries) };
  },
  compare: ([edition], known) => {
    const result: Comparison = { findings: [], covered: [] };
    if (edition === undefined) {
      return result;
    }
    const find = createModelFinder(known.records.models);
    for (const [key, fields] of Object.entries(edition.entries)) {
      const [maker = '', ...rest] = key.split('/');
      const provider = makers.get(maker) ?? maker;
      const model = find(provider, rest.join('/'));
      if (model === undefined) {
        result.findings.push({
          id: `${id}/new/${key}`,
          kind: 'new',
          upstream: id,
          source: sourceOf(key),
          message: `lists ${key}, which no model record has as its id or API name`,
          draft: { dataset: 'models', record: draftModel(key, provider, fields, known) },
        });
      } else {
        result.covered.push(`models/${model.id}`);
        result.findings.push(...compareModel(key, model, fields, known));
      }
    }
    result.findings.push(...goneFindings(edition, known, { upstream: id, source: sourceOf }));
    return result;
  },
};
