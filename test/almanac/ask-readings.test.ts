import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEnglish } from '#almanac/ask/english.ts';
import { createAnswerer } from '#almanac/ask/index.ts';
import { createSpeller } from '#almanac/ask/spell.ts';
import { splitQuestion } from '#almanac/ask/split.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { assertSays } from './answer-shape.ts';

const { ask, rank } = createAnswerer(datasets);

describe('spelling', () => {
  const { correct } = createSpeller(
    ['llama', 'glama', 'lamp', 'standardised', 'grades', 'mistral'],
    new Set(['llama', 'glama']),
  );

  it('prefers the word with a letter twice for once', () => {
    assert.deepEqual(correct('lama'), { word: 'llama', distance: 1, isVariant: true });
  });

  it('knows the other spelling of English for the same word', () => {
    assert.deepEqual(correct('standardized'), { word: 'standardised', distance: 1, isVariant: true });
    assert.deepEqual(correct('mistrl'), { word: 'mistral', distance: 1, isVariant: false });
  });

  it('knows English words in their forms', () => {
    const known = ['grapes', 'dressing', 'making', 'stopped', 'parties', 'quickest', 'lottery'];
    assert.deepEqual(known.filter(isEnglish), known);
    assert.deepEqual(['mistrl', 'qwenn', 'gptbot', 'crawlng'].filter(isEnglish), []);
  });

  it('leaves English words as they are, and mends what is none', () => {
    const correctionsOf = (question: string): string[] => rank(question).question.corrections.map(({ to }) => to);
    assert.deepEqual(correctionsOf('is it safe to give my dog grapes'), []);
    assert.deepEqual(correctionsOf('lama 4 scout context'), ['llama']);
    assert.deepEqual(correctionsOf('most expensive modell'), ['model']);
  });
});

describe('conditions of lists', () => {
  const cases: [question: string, said: RegExp, not?: RegExp][] = [
    ['do Anthropic sell an embedding model', /^The almanac has no models of Anthropic that make embeddings\./],
    [
      'models that cost less than 50 cents per million output',
      /that cost less than 0\.5 US dollars per million output tokens/,
    ],
    ['biggest context window among open models', /^The largest context window among the models with open weights/],
    ['which models are free', /^Models that cost nothing: .*GLM-4\.7-Flash/],
    ['models under Apache 2.0 that can call tools', /models that can call tools under Apache 2\.0/],
    [
      'which company runs the most crawlers',
      /^The almanac has \d+ crawlers of Google \(of \d+\), the most of all\. Next: Amazon/,
    ],
    [
      'which models can see images and have open weights',
      /open weights.* images|images.* open weights/,
      /gemini-flash-image/,
    ],
    ['Welche Bots kommen aus Frankreich?', /^Crawlers from France: .*Qwantbot/],
    ['which agent protocols have gone quiet', /^Protocols that are dormant: /],
  ];
  for (const [question, said, not = /^$/] of cases) {
    it(question, () => {
      const answer = ask(question);
      assertSays(answer, said);
      assert.doesNotMatch(answer.answer, not);
    });
  }

  it('has no maker with the most of what is not asked for', () => {
    assert.doesNotMatch(ask('which crawler makes the most requests').answer, /the most of all/);
  });
});

describe('fields in other words', () => {
  const cases: [question: string, said: RegExp][] = [
    ['is gpt-oss MIT or Apache', /Apache-2\.0/],
    ['GLM-4.5: MIT or Apache?', /^The licence of GLM-4\.5 is MIT\./],
    ['Sora 2 API dead?', /^Sora 2 is retired\./],
    [
      'AdCP current version and creator',
      /^The current version of AdCP is .* AdCP was created by AgenticAdvertising\.Org\./,
    ],
    ["what's the damage per million tokens for GPT-6 Astra", /^GPT-6 Astra costs 10 US dollars/],
    ['gpt-oss-120b active params', /5\.1 billion active/],
    ['which protocols are governed by the Linux Foundation', /^Linux Foundation governs .*A2A/],
    ['Quelle est la licence de Command A+ de Cohere ?', /^The licence of Command A\+ is Apache-2\.0\./],
    [
      'Claude Sonnet 5.5 against GPT-6.1 Terra on price and context',
      /price per million input tokens .*The context window is 1,000,000 for Claude Sonnet 5\.5/,
    ],
    ['Is llms.txt an official W3C or IETF standard?', /^llms\.txt .*not a standard of a standards body/],
  ];
  for (const [question, said] of cases) {
    it(question, () => assertSays(ask(question), said));
  }
});

describe('what comes first', () => {
  const cases: [question: string, said: RegExp][] = [
    ['Claude Haiku 5.5 or GPT-5.6 Luna, which is cheaper?', /^Claude Haiku 5\.5 is cheaper\. The price .* is 0\.1 /],
    ['Which costs less for output, Qwen3.8 Max or Claude Opus 5.5?', /^Qwen3\.8 Max is cheaper\.(?!.*5\.5 is cheaper)/],
    ['Which has the larger context window, Kimi K3 or Claude Opus 5?', /^Kimi K3 has the larger context window\./],
    ['Is GPT-6 Sol newer than GPT-6.2 Sol?', /^No\. The release date is 22 September 2026 for GPT-6 Sol/],
    [
      'How much does Sarvam 105B cost per million tokens?',
      /^The almanac does not confirm [^.]*\. Sarvam prices it in rupees/,
    ],
    ['Sarvam 105B, what does it cost?', /^(?!.*(Sarvam prices it in rupees).*\1)/],
    [
      'I pinned claude-sonnet-4-5-20250929. How long do I have?',
      /^The announced retirement date of Claude Sonnet 4\.5 is 30 November 2026\. Its maker recommends Claude Sonnet 5\.5\./,
    ],
    ['What does gpt-4o-2024-08-06 cost?', /^GPT-4o costs 2\.5 US dollars/],
    ['Is a jailbreak the same thing as prompt injection?', /jailbreak .*prompt injection/is],
    ['licence of L402', /^The almanac does not confirm the licence of L402/],
    [
      'Which is newer, GPT-6 Sol or GPT-6.2 Sol, and which has the larger price?',
      /^GPT-6\.2 Sol is newer\. The release date/,
    ],
    ['What is the context window of the newer one, GPT-6 Sol or Kimi K3?', /^(?!.*is newer)/s],
    ['When was o1-pro switched off?', /^o1-pro was retired on 23 October 2026\. Its maker recommends GPT-5\.6 Sol\.$/],
    ['How many parameters does Mistral Medium 3.5 have?', /^Mistral Medium 3\.5: 128 billion parameters/],
    ['how much for a million tokens with gpt-6 sol?', /^GPT-6 Sol costs /],
    ['GPT-6 Sol price per mtok', /^GPT-6 Sol costs 2 US dollars/],
    [
      'Will Gemini 4 Argon stay at the price it has now?',
      /^The price of Gemini 4 Argon holds until 30 November 2026; afterwards it's 4 for input/,
    ],
    ['What is the price and the context window of GPT-5.5, and will it stay?', /5 US dollars.*context window of /],
    ['How much did Gemini 3.6 Flash last cost?', /^Gemini 3\.6 Flash costs 0\.75 US dollars/],
    ['Does the price of Gemini 3.8 Flash stay the same next year?', /^The price of Gemini 3\.8 Flash holds until /],
    // The price that holds for prompts of that length, and then the usual one.
    [
      'grok-4.6 $/Mtok when prompt >200k',
      /^Grok 4\.6 costs 4 for input and 12 for output [^.]*\. It costs 2 US dollars/,
    ],
    [
      'Can we sell a book translated with Command A Translate? What does the licence say',
      /CC BY-NC 4\.0 rules out commercial use\./,
    ],
    // What isn't held comes after what is.
    [
      'whisper large v3 licence, free for a newsroom to run itself?',
      /^The licence of Whisper large-v3 is MIT\. .*does not confirm/,
    ],
    ['can we still make promo clips with sora 2 over the API?', /^Sora 2 is retired\./],
    // A few key words are enough where they name a record and it has them all.
    ['RSL licensing how many media companies support', /^Adoption of RSL: more than 1,500 media organisations/],
    ['ip range Brightbot 1.0', /82\.97\.199\.0\/24/],
    ['voice bot on gpt-live-1.1, what does a minute cost incl. standby?', /^GPT-Live 1\.1: OpenAI bills it by time/],
    // Of a long note what speaks of the price is told, and not what speaks of the licence.
    ['DeepSeek V4 Pro price', /^DeepSeek V4 Pro costs (?!.*licence).*off-peak it is half/],
    ['Do they charge differently by time of day for DeepSeek V4 Pro?', /off-peak it is half/],
    ['Who gets acces to Claude Mythos 5.2?', /organisations that it has verified/],
    ['Welches Land steckt hinter PetalBot?', /^Huawei, the operator of PetalBot, is in China\./],
    [
      'What replaced GPT-4o, and does GPTBot say that it follows robots.txt?',
      /^The maker of GPT-4o names GPT-6 Luna [^\n]*\nYes\. GPTBot follows robots\.txt/,
    ],
    [
      'What replaced Claude Opus 4, what does it cost, and how big is its context window?',
      /^The maker of Claude Opus 4 [^\n]*\nClaude Opus 4\.8 costs [^\n]*\nClaude Opus 4\.8 has a context window/,
    ],
    [
      'What replaced Claude Opus 4, what does the new one cost, and when was the new one released?',
      /\nClaude Opus 4\.8 costs [^\n]*\nClaude Opus 4\.8 was released/,
    ],
    ['What is GPTBot, and how can I handle it?', /^GPTBot is operated by OpenAI/],
    [
      'Who runs Bytespider, and is the name they suggest in robots.txt lower-case?',
      /\nThe robots\.txt token of Bytespider is Bytespider\./,
    ],
    ['What replaced gpt-4o, and what does it cost?', /^The maker of GPT-4o names GPT-6 Luna [^\n]*\nGPT-6 Luna costs /],
    [
      'When does gpt-4o get shut off, and what would I pay for the model that OpenAI says to use in its place?',
      /14 January 2027[^\n]*\nGPT-6 Luna costs /,
    ],
    [
      "x402 or L402 for a metered API, what's the actual difference",
      /^x402: A protocol .*\nL402: An HTTP authentication scheme .*They differ in/s,
    ],
    [
      'How can our WAF spot the ChatGPT agent browser? Is there a user agent string we can match on?',
      /^To verify ChatGPT agent[^.]*: .* The almanac does not confirm the User-Agent string or the User-Agent token of ChatGPT agent[^.]*\. It has no User-Agent of its own/,
    ],
    [
      'Is what OAI-AdsBot reads used for training?',
      /^OAI-AdsBot: OpenAI says that it visits only pages submitted as ads and that what it reads is not used for training\./,
    ],
    [
      'What is AP2 used for, and what does Claude Opus 5 cost?',
      /^AP2 adds [^.]*\. It works [^.]*\.\nClaude Opus 5 costs /,
    ],
  ];
  for (const [question, said] of cases) {
    it(question, () => assertSays(ask(question), said));
  }

  it('what to do about it is no question apart from what happened', () => {
    const partsOf = (asked: string): string[] =>
      splitQuestion(rank(asked).question, (text) => rank(text).question).map(({ text }) => text);
    assert.deepEqual(partsOf('What is a rug pull, and what do I change?'), []);
    assert.deepEqual(partsOf('What is a rug pull? How do I fix it?'), []);
    assert.equal(partsOf('What is a rug pull, and what does x402 cost?').length, 2);
    assert.equal(partsOf('How do I block GPTBot, and what can I do about it?').length, 2);
  });

  it('what only describes a crawler waits for what else is told of it', () => {
    const { answer } = ask('If I block OAI-AdsBot, can ads still lead to my page?');
    assert.match(answer, /^Blocking OAI-AdsBot: .*OpenAI says .*is operated by OpenAI/s);
  });
});

describe('two of a kind', () => {
  const cases: [question: string, said: RegExp][] = [
    // What one of them isn't for, where that is what the question is about.
    ['We want to charge agents 2 cents per API call. AP2 or x402?', /^When not to use AP2: .*few cents/],
    ['LSAT vs L402 same thing?', /^The two names mean the same thing\. L402 is also known as LSAT/],
    [
      'gpt-6.2 sol or claude opus 5.5, which one is cheaper and which has the bigger context',
      /^GPT-6\.2 Sol is cheaper\. It has the larger context window\./,
    ],
    [
      'Who makes GPTBot and ClaudeBot, and do they follow robots.txt?',
      /\nYes\. GPTBot follows robots\.txt.*\nYes\. ClaudeBot follows robots\.txt/s,
    ],
    ['x402 or L402, what is the difference?', /x402 competes with L402\. Both charge over 402/],
    [
      'GPTBot vs OAI-SearchBot: do both follow robots.txt?',
      /^GPTBot follows robots\.txt.* OAI-SearchBot follows robots/,
    ],
  ];
  for (const [question, said] of cases) {
    it(question, () => assertSays(ask(question), said));
  }
});

describe('what goes on from a record', () => {
  const cases: [question: string, said: RegExp][] = [
    ['What does the successor of GPT-4o cost?', /^The maker of GPT-4o names GPT-6 Luna .* GPT-6 Luna costs/],
    ['Does the successor of Claude-Web follow robots.txt?', /^Claude-Web was replaced by ClaudeBot\. Yes\. /],
    // A list knows the one that is named with it.
    ['Which other crawlers does OpenAI have besides GPTBot?', /^Crawlers of OpenAI: GPTBot, OAI-SearchBot/],
    ['which protocols extend MCP', /^Protocols of which each extends MCP: .*MCP Apps/],
    [
      'How many crawlers does DuckDuckGo have for a search index?',
      /^Of crawlers of DuckDuckGo .* the almanac has one /,
    ],
  ];
  for (const [question, said] of cases) {
    it(question, () => assertSays(ask(question), said));
  }
});

describe('what is declined', () => {
  const cases: [question: string, reason: string | null][] = [
    ['Will every site have an llms.txt by 2029?', 'prediction'],
    ['What will GPT-6.2 Sol cost next year?', 'prediction'],
    ['What percentage of museums block GPTBot?', 'not-understood'],
    ['when will Google stop crawling the web for AI answers', 'prediction'],
    ['is there a version of Grok for coding', 'not-understood'],
    ['can someone running Lightpanda just pretend to be a normal browser', null],
    ['buy me a coffee', 'instruction'],
    ['pretend that you are my grandmother', 'instruction'],
  ];
  for (const [question, reason] of cases) {
    it(question, () => {
      const { declined } = ask(question).understood_as;
      if (reason === null) {
        assert.notEqual(declined, 'instruction');
      } else {
        assert.equal(declined, reason);
      }
    });
  }
});
