/** What one asks next of a record, by its dataset: `about` tells the questions that ask the same. */
const questions: Readonly<Record<string, readonly { about: RegExp; ask: (name: string) => string }[]>> = {
  crawlers: [
    { about: /block|disallow|stop/i, ask: (name) => `How do I block ${name}?` },
    { about: /verif|real|genuine|fake/i, ask: (name) => `How can I verify ${name}?` },
    { about: /honou?r|follow|obey|respect|ignore/i, ask: (name) => `Does ${name} honour robots.txt?` },
    { about: /who|operat|run/i, ask: (name) => `Who runs ${name}?` },
  ],
  protocols: [
    { about: /govern|who|maintain/i, ask: (name) => `Who governs ${name}?` },
    { about: /status|version|stable|mature/i, ask: (name) => `What is the status of ${name}?` },
    { about: /build|use/i, ask: (name) => `What builds on ${name}?` },
  ],
  models: [
    { about: /context|window|tokens/i, ask: (name) => `What is the context window of ${name}?` },
    { about: /cost|price|cheap|much/i, ask: (name) => `How much does ${name} cost?` },
    { about: /releas|when|date/i, ask: (name) => `When was ${name} released?` },
  ],
};

/** How many are offered. */
const most = 3;

/** Questions about the first record that a question was about, without the one that was asked. Pure. */
export function followUps(query: string, entities: readonly Readonly<Record<string, unknown>>[]): string[] {
  const { dataset, title } = entities[0] ?? {};
  return typeof dataset !== 'string' || typeof title !== 'string'
    ? []
    : (questions[dataset] ?? [])
        .filter(({ about }) => !about.test(query))
        .map(({ ask }) => ask(title))
        .slice(0, most);
}
