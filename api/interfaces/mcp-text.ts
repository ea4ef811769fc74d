import { Document, isScalar, visit } from 'yaml';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Without what is null, empty or known to the caller already: a reader of the text misses none of it. */
const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(withoutEmpty);
  }
  if (!isObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined && !(Array.isArray(inner) && inner.length === 0))
      .map(([name, inner]) => [name, withoutEmpty(inner)]),
  );
};

/** Any answer as YAML, which reads as text; short lists stay on a line. */
function plain(output: unknown): string {
  const document = new Document(withoutEmpty(output));
  visit(document, {
    Seq: (_key, node) => {
      node.flow = node.items.every((item) => isScalar(item) && String(item.value).length < 60);
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
}

const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/\|/g, '\\|').replace(/\s+/g, ' ');

/** The value of a field, or of a member of it: "pricing_usd_per_mtok.input". */
const valueAt = (row: Json, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row);

/** Records with the same few fields as a table. */
function table(rows: readonly Json[], fields: readonly string[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(fields),
    line(fields.map(() => '---')),
    ...rows.map((row) => line(fields.map((field) => cell(valueAt(row, field))))),
  ].join('\n');
}

const nextCall = (output: Json): string => {
  const cursor = typeof output['next'] === 'string' ? new URL(output['next']).searchParams.get('cursor') : null;
  return cursor === null ? '' : `\n\nMore: call again with cursor ${cursor}`;
};

function ask(output: Json): string {
  const sources = [...new Set(listOf(output['grounded_in']).map(({ title, url }) => `- ${cell(title)}: ${cell(url)}`))];
  const near = listOf(output['alternatives']).map(({ title, url }) => `- ${cell(title)}: ${cell(url)}`);
  const unanswered =
    Array.isArray(output['unanswered']) && output['unanswered'].length > 0 ? output['unanswered'] : null;
  return [
    cell(output['answer']),
    ...(typeof output['note'] === 'string' ? [output['note']] : []),
    ...(unanswered === null ? [] : [`Not answered: ${unanswered.map(cell).join('; ')}`]),
    `Confidence ${cell(output['confidence'])}.`,
    ...(sources.length > 0 ? [`Sources:\n${sources.join('\n')}`] : []),
    ...(output['answered'] !== true && near.length > 0 ? [`Nearest:\n${near.join('\n')}`] : []),
  ].join('\n\n');
}

const search = (output: Json): string => {
  const matches = listOf(output['results']).map(
    ({ title, snippet, url }) => `- ${cell(title)}: ${cell(snippet).replaceAll('**', '')} ${cell(url)}`,
  );
  return matches.length === 0
    ? 'Nothing matches. Try other words, or ask_almanac.'
    : `${matches.join('\n')}${nextCall(output)}`;
};

/** Sections of pages, each with what read_page takes. */
const sections = (output: Json): string => {
  const matches = listOf(output['results']).map(({ title, snippet, page, anchor, tokens }) => {
    const section = anchor === null ? '' : `, section ${cell(anchor)}`;
    return `- ${cell(title)} (read_page ${cell(page)}${section}; ${cell(tokens)} tokens): ${cell(snippet)}`;
  });
  return matches.length === 0
    ? 'No page matches. Try other words, or ask_almanac.'
    : `${matches.join('\n')}${nextCall(output)}`;
};

const records = (output: Json): string => {
  const fields = Array.isArray(output['fields']) ? output['fields'].map(String) : [];
  const hints = listOf(output['hints']).map(({ parameter, detail }) => `${cell(parameter)}: ${cell(detail)}`);
  const rows = listOf(output['records']);
  return [
    `${cell(output['count'])} of ${cell(output['matched'])} records.`,
    ...hints,
    ...(rows.length === 0 ? [] : [`${table(rows, fields)}${nextCall(output)}`]),
  ].join('\n\n');
};

/** How many changes there are of each kind: "3 added, 20 changed". */
const kinds = (counts: unknown): string =>
  Object.entries(isObject(counts) ? counts : {})
    .map(([kind, count]) => `${cell(count)} ${kind}`)
    .join(', ');

/** Counts of changes: of each dataset, then a line for each group. */
function groupedChanges(output: Json, summary: Json): string {
  const datasets = Object.entries(isObject(summary['datasets']) ? summary['datasets'] : {});
  const lines = listOf(output['groups']).map(({ date, dataset, id, title, records, fields, ...group }) => {
    const name =
      id === undefined
        ? `${cell(dataset ?? date)}: ${cell(records)} records`
        : `${cell(dataset)}/${cell(id)} (${cell(title)})`;
    const changed = Array.isArray(fields) ? `: ${fields.map(cell).join(', ')}` : '';
    return `- ${dataset === undefined ? '' : `${cell(date)} `}${name}, ${kinds(group['kinds'])}${changed}`;
  });
  return [
    `${cell(output['matched'])} changes of ${cell(summary['records'])} records. ${datasets.map(([dataset, counts]) => `${dataset}: ${kinds(counts)}`).join('; ')}.`,
    `${cell(output['count'])} of ${cell(summary['groups'])}, newest first:\n${lines.join('\n')}${nextCall(output)}`,
  ].join('\n\n');
}

function changes(output: Json): string {
  if (isObject(output['summary'])) {
    return groupedChanges(output, output['summary']);
  }
  const lines = listOf(output['changes']).map(
    ({ date, dataset, id, summary, source }) =>
      `- ${cell(date)} ${cell(dataset)}/${cell(id)}: ${cell(summary)} (${cell(source)})`,
  );
  return `${cell(output['count'])} of ${cell(output['matched'])} changes, newest first.\n\n${lines.join('\n')}${nextCall(output)}`;
}

/** An audit as its owner needs it first: the verdict and what to do, without every check. */
function audit(output: Json): string {
  const steps = listOf(output['plan']).map(
    (step, index) =>
      `${index + 1}. ${cell(step['title'])} (+${cell(step['points'])} points, to ${cell(step['score_after'])}; ${cell(step['where'])}; clears ${cell(step['findings'])})`,
  );
  const notice = cell(output['content_notice']);
  if (typeof output['document'] === 'string') {
    return `${notice}\n\n${output['document']}`;
  }
  const views = isObject(output['views']) ? output['views'] : {};
  return [
    `${cell(output['final_url'])}: score ${cell(output['score'])}, ${cell(output['grade'])}. ${cell(output['diagnosis'])}`,
    `What to do, in this order:\n${steps.join('\n')}`,
    `${notice} Files and settings, ready to paste: audit_site with view "fixes". The report: ${cell(views['page'])}`,
  ].join('\n\n');
}

const identification = (output: Json): string => {
  const crawler = isObject(output['crawler']) ? output['crawler'] : null;
  const brief =
    crawler === null
      ? null
      : Object.fromEntries(
          ['id', 'name', 'operator', 'bot_type', 'robots_token', 'respects_robots', 'status'].map((name) => [
            name,
            crawler[name],
          ]),
        );
  return plain({ ...output, crawler: brief });
};

/** A record without what only a program needs: examples for matching, and all but a few of many addresses. */
function record(output: Json): string {
  const {
    ua_examples: _examples,
    ip_ranges: ranges,
    sources,
    ...rest
  } = isObject(output['record']) ? output['record'] : {};
  const prefixes = isObject(ranges) && Array.isArray(ranges['prefixes']) ? ranges['prefixes'] : null;
  const brief = {
    ...rest,
    ...(prefixes === null
      ? {}
      : { ip_ranges: `${prefixes.length} prefixes, such as ${prefixes.slice(0, 3).join(', ')}` }),
    ...(sources === undefined ? {} : { sources: listOf(sources).map(({ url }) => url) }),
  };
  const changed = listOf(output['changed']).map(({ date, field, kind }) => `${cell(date)} ${cell(field ?? kind)}`);
  return plain({ ...brief, ...(changed.length === 0 ? {} : { changed }) });
}

const techniques = (output: Json): string =>
  `${listOf(output['techniques'])
    .map(({ id, name, what }) => `- ${cell(id)} (${cell(name)}): ${cell(what)}`)
    .join('\n')}\n\nHow to do one: read_page /techniques/<id>.`;

const chapters = (output: Json): string =>
  listOf(output['chapters'])
    .map(({ markdown }) => String(markdown))
    .join('\n\n');

const renderers: Readonly<Record<string, (output: Json) => string>> = {
  list_techniques: techniques,
  ask_almanac: ask,
  search_almanac: search,
  search_site: sections,
  list_records: records,
  list_changes: changes,
  get_record: record,
  get_crawler: record,
  define_term: record,
  audit_site: audit,
  identify_user_agent: identification,
  get_premium_playbook: chapters,
  read_page: (output) => String(output['markdown']),
  make_robots_txt: (output) => String(output['robots_txt']),
};

/** The answer of a tool as text for a model: markdown where it has a form of its own, else YAML. */
export function toText(tool: string, output: unknown): string {
  const render = renderers[tool];
  return render !== undefined && isObject(output) ? render(output) : plain(output);
}
