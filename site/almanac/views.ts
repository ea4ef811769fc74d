import type { AlmanacDataset } from '#almanac/datasets/index.ts';

/** How a dataset is shown: the columns of its table, and the fields of a record's page in groups. */
export interface DatasetView {
  /** Fields in the table; the record's name is the first column. */
  columns: string[];
  /** What sorts a record, at the top of its page. */
  chips: string[];
  /** What people come to a record for, below the chips. */
  card: string[];
  /** The field whose value records share that may be wanted in place of this one; null for none. */
  likeness: string | null;
  /** The field whose value a record shares with those that are listed next to it. */
  kin: string;
  /** Fields that a reader narrows the table down by; each is a filter of the API. */
  facets: string[];
  /** The sentence at the head of a record's page. */
  lede: string;
  groups: { title: string; fields: string[] }[];
}

const dates = ['source_as_of', 'checked_by_machine', 'checked_by_person', 'last_verified'];
const standing = { title: 'Standing', fields: ['evidence', 'primary_source', ...dates, 'note'] };

const views: Record<AlmanacDataset['path'], DatasetView> = {
  crawlers: {
    columns: ['operator', 'bot_type', 'robots_token', 'respects_robots', 'verification_methods', 'status'],
    chips: ['respects_robots', 'bot_type', 'status'],
    card: [
      'operator',
      'operator_country',
      'blocking_effect',
      'verify',
      'published_ip_range_url',
      'note',
      'last_verified',
    ],
    likeness: 'bot_type',
    kin: 'operator',
    facets: ['bot_type', 'respects_robots', 'verification_methods', 'status', 'operator'],
    lede: 'purpose',
    groups: [
      {
        title: 'Who it is',
        fields: [
          'operator',
          'operator_country',
          'bot_type',
          'aliases',
          'status',
          'replaces',
          'replaced_by',
          'documentation_url',
        ],
      },
      {
        title: 'How to allow or block it',
        fields: ['robots_token', 'respects_robots', 'opt_out_mechanism', 'blocking_effect', 'robots_snippet'],
      },
      { title: 'How to recognise it', fields: ['sends_own_user_agent', 'ua_substring', 'ua_full', 'ua_examples'] },
      {
        title: 'How to verify it',
        fields: [
          'verify',
          'verification_methods',
          'published_ip_range_url',
          'ip_ranges',
          'reverse_dns_suffix',
          'supports_web_bot_auth',
          'signature_agent_domain',
          'jwks_url',
        ],
      },
      standing,
    ],
  },
  protocols: {
    columns: ['full_name', 'layer', 'creator', 'status', 'year', 'maturity_tag'],
    chips: ['layer', 'status', 'maturity_tag'],
    card: ['full_name', 'creator', 'current_spec_version', 'spec_url'],
    likeness: null,
    kin: 'layer',
    facets: ['layer', 'status', 'maturity_tag'],
    lede: 'one_liner',
    groups: [
      {
        title: 'What it is',
        fields: [
          'full_name',
          'abbreviation',
          'also_known_as',
          'snippet',
          'central_problem',
          'core_mechanism',
          'protocol_type',
          'layer',
          'sub_layer',
          'agent_readiness_link',
        ],
      },
      { title: 'When to use it', fields: ['ideal_use_case', 'when_to_use', 'when_not_to_use'] },
      { title: 'In use', fields: ['code_example', 'transport', 'discovery_endpoint', 'settlement_type'] },
      { title: 'How it relates to others', fields: ['relationships'] },
      {
        title: 'Who keeps it',
        fields: ['creator', 'maintainer', 'governance_body', 'license', 'adoption_metric', 'notable_adopters'],
      },
      {
        title: 'Versions and dates',
        fields: [
          'status',
          'maturity_tag',
          'year',
          'current_spec_version',
          'spec_date',
          'launch_date',
          'draft_expires',
          'releases',
          'sdks',
          'spec_url',
          'canonical_spec_url',
          'entity_uri',
          'taxonomy_layer',
          'layer_legacy',
        ],
      },
      { title: 'Standing', fields: ['evidence', 'primary_source', ...dates] },
    ],
  },
  models: {
    columns: ['provider', 'released', 'context_window', 'max_output', 'open_weights', 'status'],
    chips: ['status', 'open_weights'],
    card: ['provider', 'released', 'context_window', 'pricing_usd_per_mtok'],
    likeness: null,
    kin: 'provider',
    facets: ['provider', 'open_weights', 'status'],
    lede: 'summary',
    groups: [
      {
        title: 'What it is',
        fields: [
          'provider',
          'family',
          'api_id',
          'status',
          'released',
          'knowledge_cutoff',
          'retired_on',
          'replaced_by',
          'documentation_url',
        ],
      },
      {
        title: 'What it takes and gives',
        fields: ['context_window', 'max_output', 'input_modalities', 'output_modalities', 'tool_use'],
      },
      {
        title: 'Weights and price',
        fields: ['open_weights', 'weights_url', 'license', 'license_source', 'pricing_usd_per_mtok'],
      },
      standing,
    ],
  },
  glossary: {
    columns: ['definition', 'category'],
    chips: ['category'],
    card: ['abbreviation_of', 'aliases', 'see_also'],
    likeness: null,
    kin: 'category',
    facets: ['category'],
    lede: 'definition',
    groups: [
      { title: 'The term', fields: ['abbreviation_of', 'aliases', 'category'] },
      { title: 'Related', fields: ['see_also', 'protocols', 'crawlers', 'techniques'] },
      standing,
    ],
  },
  state: {
    columns: ['date', 'value', 'unit', 'topic', 'publisher'],
    chips: ['topic'],
    card: ['value', 'unit', 'date', 'scope', 'publisher'],
    likeness: null,
    kin: 'topic',
    facets: ['topic', 'unit', 'publisher'],
    lede: 'statement',
    groups: [
      {
        title: 'The statement',
        fields: [
          'value',
          'unit',
          'observed',
          'published',
          'own',
          'period',
          'scope',
          'method',
          'publisher',
          'topic',
          'series',
        ],
      },
      { title: 'What it is about', fields: ['entities'] },
      standing,
    ],
  },
};

/** How a dataset is shown. */
export function viewOf(path: string): DatasetView {
  const view = views[path];
  if (view === undefined) {
    throw new Error(`site/almanac/views.ts does not say how ${path} is shown`);
  }
  return view;
}
