import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAnswerer } from '#almanac/ask/index.ts';
import { readPolarity } from '#almanac/ask/polarity.ts';
import { datasets } from '#almanac/datasets/index.ts';

const ask = createAnswerer(datasets);

const follows = 'GPTBot follows robots.txt';
const ignores = 'Perplexity-User does not follow robots.txt';
const open = 'Llama 4 Scout has open weights';
const closed = 'GPT-4o has no open weights';
const signs = 'ChatGPT agent supports Web Bot Auth';
const calls = 'GPT-4o can call tools';

describe('yes/no questions', () => {
  const answers: [question: string, beginning: string][] = [
    ['Does GPTBot respect robots.txt?', `Yes: ${follows}`],
    ['Does GPTBot honor robots.txt?', `Yes: ${follows}`],
    ['Does GPTBot comply with robots.txt?', `Yes: ${follows}`],
    ['Is GPTBot compliant with robots.txt?', `Yes: ${follows}`],
    ['Does GPTBot ignore robots.txt?', `No: ${follows}`],
    ['Does GPTBot ever ignore robots.txt?', `No: ${follows}`],
    ['Has GPTBot ignored robots.txt?', `No: ${follows}`],
    ['Is robots.txt ignored by GPTBot?', `No: ${follows}`],
    ['Does GPTBot violate robots.txt?', `No: ${follows}`],
    ['Does GPTBot disobey robots.txt?', `No: ${follows}`],
    ['Does GPTBot disrespect robots.txt?', `No: ${follows}`],
    ['Does GPTBot break robots.txt rules?', `No: ${follows}`],
    ['Does GPTBot bypass or circumvent robots.txt?', `No: ${follows}`],
    ['Is GPTBot non-compliant with robots.txt?', `No: ${follows}`],
    ['Does GPTBot not respect robots.txt?', `No: ${follows}`],
    ['Does GPTBot refuse to follow robots.txt?', `No: ${follows}`],
    ["GPTBot doesn't respect robots.txt?", `No: ${follows}`],
    ['GPTBot doesn’t follow robots.txt, does it?', `No: ${follows}`],
    ['gptbot doesnt follow robots.txt', `No: ${follows}`],
    ["Is it true that GPTBot doesn't follow robots.txt?", `No: ${follows}`],
    ['Is it false that GPTBot follows robots.txt?', `No: ${follows}`],
    ['Can you tell me whether GPTBot ignores robots.txt?', `No: ${follows}`],
    ['GPTBot ignores robots.txt, right?', `No: ${follows}`],
    ["Doesn't GPTBot follow robots.txt?", `Yes: ${follows}`],
    ['Is it not true that GPTBot follows robots.txt?', `Yes: ${follows}`],
    ["GPTBot follows robots.txt, doesn't it?", `Yes: ${follows}`],
    ['Does GPTBot respect robots.txt or not?', `Yes: ${follows}`],
    ['Does Perplexity-User ignore robots.txt?', `Yes: ${ignores}`],
    ['Does Perplexity-User violate robots.txt?', `Yes: ${ignores}`],
    ['Does Perplexity-User not comply with robots.txt?', `Yes: ${ignores}`],
    ["Isn't Perplexity-User ignoring robots.txt?", `Yes: ${ignores}`],
    ['Does Perplexity-User respect robots.txt?', `No: ${ignores}`],
    ['Does Bingbot disobey robots.txt?', 'No: Bingbot follows robots.txt'],
    ['Is Llama 4 Scout open source?', `Yes: ${open}`],
    ["Isn't Llama 4 Scout open?", `Yes: ${open}`],
    ["Can't I run Llama 4 Scout locally?", `Yes: ${open}`],
    ['Is Llama 4 Scout closed source?', `No: ${open}`],
    ['Is Llama 4 Scout proprietary?', `No: ${open}`],
    ['Is Llama 4 Scout closed source / proprietary?', `No: ${open}`],
    ['Is Llama 4 Scout closed-weights?', `No: ${open}`],
    ['Is Llama 4 Scout not open?', `No: ${open}`],
    ['Does Llama 4 Scout lack open weights?', `No: ${open}`],
    ['Is Llama 4 Scout without open weights?', `No: ${open}`],
    ['Are the weights of GPT-4o closed?', `Yes: ${closed}`],
    ["Aren't the weights of GPT-4o closed?", `Yes: ${closed}`],
    ['Is GPT-4o proprietary?', `Yes: ${closed}`],
    ["GPT-4o isn't open source?", `Yes: ${closed}`],
    ['Are the weights of GPT-4o open?', `No: ${closed}`],
    ['Does ChatGPT agent not support Web Bot Auth?', `No: ${signs}`],
    ["Doesn't ChatGPT agent sign its requests?", `Yes: ${signs}`],
    ['Can GPT-4o not call tools?', `No: ${calls}`],
    ['Does GPT-4o support tool calls?', `Yes: ${calls}`],
  ];
  for (const [question, beginning] of answers) {
    it(`"${question}" is answered "${beginning} …"`, () => {
      const { answer } = ask(question);
      assert.ok(answer.startsWith(beginning), answer);
    });
  }

  it('are answered for each record that they name', () => {
    const { answer } = ask('Do GPTBot and Perplexity-User ignore robots.txt?');
    assert.ok(answer.includes(`No: ${follows}`) && answer.includes(`Yes: ${ignores}`), answer);
  });
});

describe('the fact alone', () => {
  const answers: [why: string, question: string, beginning: string][] = [
    ['a double negation', 'Does GPTBot not ignore robots.txt?', follows],
    ['a double negation', 'Does GPTBot never violate robots.txt?', follows],
    ['a double negation', 'Is it wrong that GPTBot ignores robots.txt?', follows],
    ['a double negation', 'Is GPT-4o not proprietary?', closed],
    ['both sides', 'Does GPTBot obey or ignore robots.txt?', follows],
    ['both sides', 'Is Llama 4 Scout open or closed?', open],
    ['another kind of question', 'How does GPTBot respect robots.txt?', follows],
    ['another kind of question', 'Why does GPTBot ignore robots.txt?', follows],
    ['a degree', 'Does GPTBot only partially respect robots.txt?', follows],
    ['a negation in another sentence', 'GPTBot ignores me. Does GPTBot respect robots.txt?', follows],
    ['a word that is not understood', 'Does GPTBot respect robots.txt begrudgingly?', follows],
  ];
  for (const [why, question, beginning] of answers) {
    it(`answers ${why}: "${question}"`, () => {
      const { answer } = ask(question);
      assert.ok(answer.startsWith(beginning), answer);
    });
  }
});

describe('lists of the opposite', () => {
  const answers: [question: string, clause: string | null][] = [
    ['Which crawlers ignore robots.txt?', 'that do not follow robots.txt'],
    ["Which crawlers don't respect robots.txt?", 'that do not follow robots.txt'],
    ['What crawlers never obey robots.txt?', 'that do not follow robots.txt'],
    ['Which crawlers respect robots.txt?', 'that follow robots.txt'],
    ['Which models are closed?', 'without open weights'],
    ["Which models aren't open source?", 'without open weights'],
    ['How many models do not have open weights?', 'without open weights'],
    ['Which models have open weights?', 'with open weights'],
    ['Which crawlers do not ignore robots.txt?', null],
    ['Which crawlers do not support Web Bot Auth?', null],
    ['Which bots are not active?', null],
    ['Which crawlers are not for training?', null],
    ["Which crawlers don't follow robots.txt and don't support Web Bot Auth?", null],
  ];
  for (const [question, clause] of answers) {
    it(`"${question}" ${clause === null ? 'is declined' : `lists records ${clause}`}`, () => {
      const { answer, answered } = ask(question);
      assert.equal(answered, clause !== null, answer);
      assert.ok(clause === null || answer.includes(` ${clause}`), answer);
    });
  }
});

describe('the verb and who acts', () => {
  const answers: [question: string, part: string | null][] = [
    ['Does Cloudflare block GPTBot by default?', 'Cloudflare began to block AI crawlers by default'],
    ['Does Cloudflare block AI crawlers by default?', 'Cloudflare began to block AI crawlers by default'],
    ['Did Anthropic donate MCP to the Linux Foundation?', 'Anthropic gave MCP'],
    ['Has Cloudflare opened Pay Per Crawl?', 'Cloudflare opened Pay Per Crawl'],
    ['Did OpenAI release GPT-6 Luna in 2026?', 'GPT-6 Luna was released on'],
    ['Can Googlebot be verified by reverse DNS?', 'googlebot.com'],
    ['Does GPTBot train models?', 'train'],
    ['Does Google block GPTBot by default?', null],
    ['Does Google block GPTBot?', null],
    ['Did Anthropic release GPT-6 Luna?', null],
    ['Does Cloudflare verify GPTBot?', null],
    ['Does Cloudflare not block AI crawlers by default?', null],
    ['Does OpenAI train on GPTBot data?', null],
    ['Does Perplexity ignore robots.txt?', null],
    ['Does GPTBot execute robots.txt?', null],
    ['Does GPTBot print robots.txt?', null],
    ['Does MCP replace A2A?', null],
  ];
  for (const [question, part] of answers) {
    it(`"${question}" ${part === null ? 'is declined' : `is answered with "${part}"`}`, () => {
      const { answer, answered } = ask(question);
      assert.equal(answered, part !== null, answer);
      assert.ok(part === null || answer.includes(part), answer);
    });
  }
});

describe('sentences', () => {
  const answers: [question: string, sentence: RegExp][] = [
    ['Which model is the cheapest?', /^The cheapest by the list price of input (is|are) [^:]+: [\d.,]+ US dollars/],
    ['What is the most expensive model?', /^The most expensive by the list price of input (is|are) [^:]+: [\d.,]+ US/],
    ['Which Claude model is the cheapest?', /^Among models of the family Claude: the cheapest by the list price/],
    ['Which models have open weights?', /^The almanac lists \d+ models with open weights, among them /],
    ['Which crawlers ignore robots.txt?', /^The almanac lists \d+ crawlers that do not follow robots\.txt: /],
  ];
  for (const [question, sentence] of answers) {
    it(`answers "${question}" in good English`, () => {
      assert.match(ask(question).answer, sentence);
    });
  }
});

describe('readPolarity', () => {
  const table: [words: string, polarity: string][] = [
    [' does _ follow robots txt ', 'plain'],
    [' does _ ignore robots txt ', 'inverted'],
    [' does _ not follow robots txt ', 'inverted'],
    [' does not _ follow robots txt ', 'plain'],
    [' does _ not ignore robots txt ', 'undecided'],
    [' is _ open or closed ', 'undecided'],
    [' is _ closed source or proprietary ', 'inverted'],
    [' is _ open or not ', 'plain'],
    ['  ', 'plain'],
    [` ${'not '.repeat(200)}`, 'undecided'],
  ];
  for (const [words, polarity] of table) {
    it(`reads "${words.slice(0, 40)}" as ${polarity}`, () => {
      assert.equal(readPolarity(words), polarity);
    });
  }
});
