import { z } from 'zod';
import { Day, defineDataset, PartialDate, provenance, Slug, WebAddress } from '../dataset.ts';
import { provenanceNulls, unlessFor } from '../null-words.ts';
import document from './models.json' with { type: 'json' };

const Text = z.string().trim().min(1);

const Tokens = z.int().positive();

export const Modality = z.enum(['audio', 'embedding', 'image', 'pdf', 'text', 'video']);

export const ModelStatus = z.enum(['current', 'preview', 'deprecated', 'retired']);

const Modalities = z
  .array(Modality)
  .refine(
    (list) => new Set(list).size === list.length && [...list].sort().join() === list.join(),
    'expected each modality once, in alphabetical order',
  );

const Dollars = z.number().nonnegative();

const Price = z.strictObject({
  input: Dollars.describe('US dollars per million input tokens, standard tier, no discount'),
  output: Dollars.describe('US dollars per million output tokens, same tier'),
  cached_input: Dollars.nullable().describe('for input tokens read from a prompt cache; null when unconfirmed'),
  long_context: z
    .array(z.strictObject({ above: Tokens, input: Dollars, output: Dollars, cached_input: Dollars.nullable() }))
    .describe('prices of a request with more input tokens than `above`; empty when none is known'),
  valid_until: Day.nullable().describe('last day of this price where its maker has announced an end'),
  afterwards: z
    .strictObject({ input: Dollars, output: Dollars, cached_input: Dollars.nullable() })
    .nullable()
    .describe('the announced price after valid_until'),
  source: WebAddress.describe('where the price was read'),
  seen: Day.describe('the day for which the source states it: the day it was read, or the day of a dated edition'),
});

const fields = {
  id: Slug.describe('identifier of this record'),
  name: Text.describe("the model's public name"),
  provider: Text.describe('the organisation that makes the model'),
  family: Text.nullable().describe('line of models it belongs to'),
  released: PartialDate.nullable().describe('first public availability, as exact as the source states it'),
  knowledge_cutoff: PartialDate.nullable().describe('last date its training knowledge is said to cover'),
  context_window: Tokens.nullable().describe('tokens of input and output together, unless the note says otherwise'),
  max_output: Tokens.nullable().describe('most tokens of output in one response'),
  input_modalities: Modalities.describe('what it reads; empty when unconfirmed'),
  output_modalities: Modalities.describe('what it writes; empty when unconfirmed'),
  open_weights: z.boolean().nullable().describe('whether its weights can be downloaded, under whatever licence'),
  license: Text.nullable().describe('SPDX identifier where one fits, otherwise the name of the licence of the weights'),
  license_source: WebAddress.nullable().describe('where the licence is stated'),
  weights_url: WebAddress.nullable().describe('where the weights are published'),
  tool_use: z.boolean().nullable().describe('whether it can call tools the developer defines'),
  status: ModelStatus.nullable().describe(
    "standing at its maker's own API, or of the release for weights alone; null where no source states it, since a listing in a catalogue does not",
  ),
  retired_on: PartialDate.nullable().describe('the day its maker switched it off or has announced that it will'),
  replaced_by: Slug.nullable().describe('id of the record its maker names as the model to move to'),
  api_id: Text.nullable().describe("its identifier in its maker's API"),
  documentation_url: WebAddress.nullable().describe("its maker's documentation of this model, or of its line"),
  summary: Text.min(40).max(400).describe('who made it, what kind of model it is, what stands out'),
  pricing_usd_per_mtok: Price.nullable().describe('list price; long prompts and priority tiers can cost more'),
};

export const Model = z.strictObject({ ...fields, ...provenance }).superRefine((model, context) => {
  const complain = (path: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [path], message });
  };
  if (model.status === 'retired' && model.retired_on === null && model.note === null) {
    complain('retired_on', 'a retired model needs the day, or a note that says who retired it');
  }
  if (model.retired_on !== null && model.status !== 'retired' && model.status !== 'deprecated') {
    complain('status', 'a model with a day of retirement is deprecated or retired');
  }
  if (model.open_weights === true && model.weights_url === null && model.note === null) {
    complain('weights_url', 'open weights need their address, or a note that says why it is missing');
  }
  if (model.license !== null && model.license_source === null) {
    complain('license_source', 'a licence needs the address that states it');
  }
  if (
    model.max_output !== null &&
    model.context_window !== null &&
    model.max_output > model.context_window &&
    model.note === null
  ) {
    complain('max_output', 'more output than context needs a note');
  }
  const price = model.pricing_usd_per_mtok;
  if (price !== null && price.afterwards !== null && price.valid_until === null) {
    complain('pricing_usd_per_mtok', 'a later price needs the day on which this one ends');
  }
  if (model.replaced_by === model.id) {
    complain('replaced_by', 'a model does not replace itself');
  }
  const known: readonly string[] = Object.keys(fields);
  for (const conflict of model.conflicts) {
    if (!known.some((field) => conflict.field === field || conflict.field.startsWith(`${field}.`))) {
      complain('conflicts', `"${conflict.field}" is not a field of a model`);
    }
  }
});
export type Model = z.infer<typeof Model>;

const closed = unlessFor<Model>(({ open_weights }) => open_weights === false);

/** Whether a model writes something of these kinds. */
const writes =
  (...kinds: Model['output_modalities']) =>
  ({ output_modalities: outputs }: Model): boolean =>
    kinds.some((kind) => outputs.includes(kind));

/** Without text in its answers a model has no way to call a tool; of one with no known outputs nothing is said. */
const writesNoText = ({ output_modalities: outputs }: Model): boolean =>
  outputs.length > 0 && !outputs.includes('text');

export const models = defineDataset({
  id: 'models',
  path: 'models',
  record: Model,
  // Without open_weights, which is asked for with fields=: the list of all models has to stay below 60 KB.
  compact: ['id', 'name', 'provider', 'released', 'context_window', 'status'],
  nulls: {
    ...provenanceNulls,
    weights_url: closed,
    license: closed,
    license_source: closed,
    // Vectors and films aren't counted in tokens, and films are sold by the second.
    max_output: unlessFor(writes('embedding', 'video')),
    pricing_usd_per_mtok: unlessFor(writes('video')),
    tool_use: unlessFor(writesNoText),
    retired_on: unlessFor(({ status }) => status === 'current' || status === 'preview'),
    replaced_by: 'none',
    status: 'not stated',
  },
  document,
});
