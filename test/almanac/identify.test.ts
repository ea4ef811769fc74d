import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import crawlerUserAgents from 'crawler-user-agents';
import fc from 'fast-check';
import { crawlers } from '#almanac/datasets/crawlers.ts';
import type { CallerKind } from '#almanac/identification.ts';
import { identifyUserAgent, kindExceptions, kindOfCrawler, userAgentTokens } from '#almanac/identify.ts';
import { listedBots } from '#almanac/listed-bots.ts';
import { anyCharacter } from '../support/any-character.ts';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const gptbot = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot';

const listDay = crawlers.get('gptbot')?.ip_ranges?.seen ?? '';
const daysAfterList = (days: number): string =>
  new Date(Date.parse(listDay) + days * 86_400_000).toISOString().slice(0, 10);

describe('what a User-Agent claims', () => {
  const rows: [userAgent: string, kind: CallerKind, matched: string | null, crawler: string | null][] = [
    [gptbot, 'ai-crawler', 'GPTBot', 'gptbot'],
    ['gPTbOT', 'ai-crawler', 'GPTBot', 'gptbot'],
    ['x,GPTBot;y', 'ai-crawler', 'GPTBot', 'gptbot'],
    ['MyGPTBotany/1.0', 'unknown', null, null],
    ['GPTBot_2/1.0', 'bot', 'GPTBot_2', null],
    ['GPTBot-Checker/1.0', 'bot', 'GPTBot-Checker', null],
    ['GPTBot2', 'bot', 'GPTBot2', null],
    [
      'Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)',
      'ai-agent',
      'Claude-User (claude-code',
      'claude-code',
    ],
    ['Claude-User/1.0', 'ai-agent', 'Claude-User', 'claude-user'],
    ['bedrockbot_6f9619ff-8b86-4d11-b42d-00c04fc964ff', 'ai-crawler', 'bedrockbot', 'bedrockbot'],
    ['GPTBot-6f9619ff-8b86-4d11-b42d-00c04fc964ff0', 'bot', 'GPTBot-6f9619ff-8b86-4d11-b42d-00c04fc964ff0', null],
    ['CCBot/2.0 (https://commoncrawl.org/faq/)', 'ai-crawler', 'CCBot', 'ccbot'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot', 'Googlebot', 'googlebot'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bot', 'bingbot', 'bingbot'],
    ['facebookexternalhit/1.1', 'bot', 'facebookexternalhit', 'facebookexternalhit'],
    ['PerplexityBot/1.0 ChatGPT-User/1.0', 'ai-crawler', 'PerplexityBot', 'perplexitybot'],
    ['bigsurXai', 'unknown', null, null],
    ['SomethingBot/1.0', 'bot', 'SomethingBot', null],
    ['Mozilla/5.0 (compatible; FooBot/2.1; +http://foo.example/)', 'bot', 'FooBot', null],
    ['Mozilla/5.0 (compatible; Foo/2.1; +https://foo.example/)', 'bot', 'Foo', null],
    ['Mozilla/5.0 (compatible; GPTBotX/1.0)', 'bot', 'GPTBotX', null],
    ['Foo (+https://foo.example/)', 'bot', '+https://', null],
    ['Google-Extended', 'bot', 'Google-Extended', null],
    ['Applebot-Extended/1.0', 'bot', 'Applebot-Extended', null],
    ['UptimeRobot/2.0', 'bot', 'UptimeRobot', null],
    ['WhatsApp/2.23.20', 'bot', 'WhatsApp', null],
    ['Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)', 'bot', 'SEMrushBot', null],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'bot', 'Slackbot', null],
    ['claude-code/2.0', 'ai-agent', 'Claude-Code', 'claude-code'],
    ['Cursor/3.14.7', 'ai-agent', 'Cursor', 'cursor'],
    ['codex', 'ai-agent', 'codex', null],
    ['my-crawler', 'bot', 'my-crawler', null],
    ['VisitingAgent/1.0', 'bot', 'VisitingAgent', null],
    ['my-mcp-client/1.0 (linux)', 'bot', 'my-mcp-client', null],
    ['Reader (an agent of mine)', 'unknown', null, null],
    ['my-user-agent/1.0', 'unknown', null, null],
    ['GeminiCLI/0.9.0/gemini-3-pro (linux; x64)', 'ai-agent', 'GeminiCLI', null],
    ['Agents/Python 0.3.0', 'ai-agent', 'Agents/Python', null],
    ['langchain/0.2', 'ai-agent', 'LangChain', null],
    [
      'Mozilla/5.0 (Linux; Android 8.0; Pixel 2; Storebot-Google/1.0) AppleWebKit/537.36',
      'bot',
      'Storebot-Google',
      'storebot-google',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
      'bot',
      'HeadlessChrome',
      null,
    ],
    ['Mediapartners-Google', 'bot', 'Mediapartners-Google', 'mediapartners-google'],
    ['DuplexWeb-Google', 'bot', 'DuplexWeb-Google', null],
    ['curl/8.5.0', 'http-library', 'curl', null],
    ['CURL', 'http-library', 'curl', null],
    ['node', 'http-library', 'node', null],
    ['got (https://github.com/sindresorhus/got)', 'http-library', 'got', null],
    ['my application got node', 'unknown', null, null],
    ['Python/3.12 aiohttp/3.9.1', 'http-library', 'aiohttp', null],
    ['SomeApp/4 CFNetwork/1408.0.4 Darwin/22.5.0', 'http-library', 'CFNetwork', null],
    ['Scrapy/2.11 (+https://scrapy.org)', 'http-library', 'Scrapy', 'scrapy'],
    ['NotebookLM', 'ai-agent', 'NotebookLM', 'google-notebooklm'],
    ['Claude-Code/2.1', 'ai-agent', 'Claude-Code', 'claude-code'],
    ['SomethingBot/1.0 python-requests/2.31.0', 'bot', 'SomethingBot', null],
    [chrome, 'browser', null, null],
    ['', 'unknown', null, null],
    ['Mozilla/5.0', 'unknown', null, null],
    ['Mozilla/5.0 (compatible)', 'unknown', null, null],
    ['hello', 'unknown', null, null],
  ];
  for (const [userAgent, kind, matched, crawler] of rows) {
    it(`${userAgent.slice(0, 70) || '(empty)'}: ${kind}`, () => {
      const found = identifyUserAgent(userAgent);
      assert.deepEqual(
        { kind: found.kind, matched: found.matched, crawler: found.crawler?.id ?? null },
        { kind, matched, crawler },
      );
      assert.equal(found.isLikelyAgent, kind !== 'browser' && kind !== 'unknown');
      assert.equal(found.operator, found.crawler?.operator ?? null);
      assert.match(found.note, /^A User-Agent is a claim that anyone can make, and not proof\. /);
    });
  }

  it('reads 1,024 characters and no more', () => {
    assert.equal(identifyUserAgent(`${' '.repeat(1018)}GPTBot`).crawler?.id, 'gptbot');
    assert.equal(identifyUserAgent(`${' '.repeat(1019)}GPTBot`).kind, 'unknown');
    assert.equal(identifyUserAgent('x'.repeat(100_000)).ua.length, 1024);
    assert.equal(identifyUserAgent(`${'x'.repeat(1023)}😀`).ua.isWellFormed(), true);
  });

  it('takes any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 1500 }), (userAgent) => {
        const { confidence, ua } = identifyUserAgent(userAgent);
        assert.ok(confidence >= 0 && confidence <= 1 && ua.length <= 1024);
      }),
    );
    for (const hostile of [
      '\ud800',
      'constructor',
      '__proto__',
      '(((((',
      '\\',
      'a\nGPTBot',
      'İGPTBot',
      '*'.repeat(5000),
    ]) {
      identifyUserAgent(hostile);
    }
  });

  it('says that a robots.txt token sends no requests', () => {
    const fake = identifyUserAgent('Mozilla/5.0 (compatible; Google-Extended/1.0; +http://www.google.com/bot.html)');
    assert.equal(fake.crawler, null);
    assert.equal(fake.kind, 'bot');
    assert.match(fake.note, /Google-Extended is a robots\.txt token of Google.*anyone who sends it is not Google/);
    assert.equal(fake.confidence, 0.2);
  });

  it('grades its confidence by the evidence', () => {
    const graded = [gptbot, 'deepseekbot', 'SomethingBot/1.0', 'Foo (+https://foo.example/)', 'hello'].map(
      (userAgent) => identifyUserAgent(userAgent).confidence,
    );
    assert.deepEqual(graded, [0.9, 0.7, 0.6, 0.5, 0]);
    assert.deepEqual(
      ['20.171.206.1', undefined, '192.0.2.1'].map(
        (ip) => identifyUserAgent(gptbot, ip ? { ip, today: listDay } : {}).confidence,
      ),
      [0.98, 0.9, 0.2],
    );
    assert.deepEqual(
      ['20.171.206.1', '192.0.2.1'].map((ip) => identifyUserAgent(gptbot, { ip, today: daysAfterList(31) }).confidence),
      [0.85, 0.6],
    );
  });
});

describe('the crawlers dataset', () => {
  for (const { id, ua_full, ua_examples } of crawlers.records) {
    it(`${id} is told by its examples`, () => {
      for (const userAgent of [...ua_examples.accepted, ...(ua_full === null ? [] : [ua_full])]) {
        assert.equal(identifyUserAgent(userAgent).crawler?.id, id, userAgent);
      }
      for (const userAgent of ua_examples.rejected) {
        assert.notEqual(identifyUserAgent(userAgent).crawler?.id, id, userAgent);
      }
    });
  }

  it('has a kind for each record', () => {
    const kindOf = (id: string): CallerKind => {
      const record = crawlers.get(id);
      assert.ok(record, id);
      return kindOfCrawler(record);
    };
    for (const id of ['googlebot', 'bingbot', 'yandexbot', 'baiduspider', 'duckduckbot', 'archive-org-bot']) {
      assert.equal(kindOf(id), 'bot', id);
    }
    for (const id of ['oai-searchbot', 'perplexitybot', 'claude-searchbot', 'ccbot', 'bytespider', 'diffbot']) {
      assert.equal(kindOf(id), 'ai-crawler', id);
    }
    for (const id of ['chatgpt-user', 'claude-user', 'google-agent', 'devin', 'manus-user']) {
      assert.equal(kindOf(id), 'ai-agent', id);
    }
    for (const id of kindExceptions.flatMap(({ ids }) => ids)) {
      assert.ok(crawlers.get(id), id);
    }
    for (const record of crawlers.records) {
      assert.ok(
        ['ai-crawler', 'ai-agent', 'bot', 'http-library', 'unknown'].includes(kindOfCrawler(record)),
        record.id,
      );
    }
  });
});

describe('strings seen in the wild', () => {
  it('recognises each AI crawler of the public list', () => {
    const listed: { tags?: string[]; instances: string[] }[] = crawlerUserAgents;
    const claims = listed
      .filter(({ tags }) => tags?.includes('ai-crawler'))
      .flatMap(({ instances }) => instances)
      // Nobody sends this one: Google-Extended is a token for robots.txt only.
      .filter((userAgent) => !userAgent.includes('Google-Extended'));
    assert.ok(claims.length > 80);
    const missed = claims.filter((userAgent) => !/^ai-/.test(identifyUserAgent(userAgent).kind));
    assert.deepEqual(missed, []);
  });

  it('recognises nearly every string of the public list, and says what its sender does', () => {
    const listed: { instances: string[] }[] = crawlerUserAgents;
    const claims = listed.flatMap(({ instances }) => instances);
    assert.ok(claims.length > 2000);
    const missed = claims.filter((userAgent) => !identifyUserAgent(userAgent).isLikelyAgent);
    assert.ok(missed.length < 10, missed.join('\n'));
    const { listed: uptime, note, operator } = identifyUserAgent('UptimeRobot/2.0');
    assert.deepEqual([uptime?.name, uptime?.purposes, uptime?.source.license], ['UptimeRobot', ['monitoring'], 'MIT']);
    assert.match(note, /crawler-user-agents \(MIT license\)/);
    assert.equal(operator, null);
    assert.equal(identifyUserAgent(gptbot).listed, null, 'the dataset comes first');
  });

  it('reads each pattern of the list as plain tokens', () => {
    const tokens = listedBots.map(({ token }) => token);
    for (const token of ['AhrefsBot', 'AhrefsSiteAudit', 'SEMrushBot', 'Uptimebot.org', 'Netumo', 'gotosocial']) {
      assert.ok(tokens.includes(token), token);
    }
    assert.deepEqual(
      tokens.filter((token) => !/^[\w-][^\\^$*+?()[\]{}|]*$/.test(token)),
      [],
    );
    const patterns: { pattern: string }[] = crawlerUserAgents;
    assert.ok(tokens.length > patterns.length - 20);
  });

  it('calls no browser an agent', () => {
    const file = new URL('./user-agents.json', import.meta.resolve('user-agents'));
    const rows: { userAgent: string }[] = JSON.parse(readFileSync(file, 'utf8'));
    const userAgents = [...new Set(rows.map(({ userAgent }) => userAgent))];
    assert.ok(userAgents.length >= 500);
    const mistaken = userAgents.filter((userAgent) => identifyUserAgent(userAgent).kind !== 'browser');
    assert.deepEqual(mistaken, []);
  });

  const browsers: [name: string, userAgent: string][] = [
    [
      'Cubot telephone',
      'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    ],
    [
      'Cubot with build',
      'Mozilla/5.0 (Linux; U; Android 7.0; en-us; CUBOT NOTE S Build/LMY47I) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
    ],
    [
      'Cubot outside the first comment',
      'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; CUBOT X19) Presto/2.12.423 Version/12.16',
    ],
    [
      'device called Robot',
      'Mozilla/5.0 (Linux; Android 10; Robot Spider) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    ],
    [
      'Silk',
      'Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.2.3 like Chrome/120.0.6099.230 Safari/537.36',
    ],
    [
      'Samsung Internet',
      'Mozilla/5.0 (Linux; Android 13; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36',
    ],
    [
      'UC Browser',
      'Mozilla/5.0 (Linux; U; Android 10; en-US; RMX1911 Build/QKQ1.200209.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.4.0.1306 Mobile Safari/537.36',
    ],
    [
      'Opera Mini',
      'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; SymbOS; Opera Mobi/23.348; U; en) Presto/2.5.25 Version/10.54',
    ],
    ['Lynx', 'Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8'],
    ['w3m', 'w3m/0.5.3+git20230121'],
    ['ELinks', 'ELinks/0.13.1 (textmode; Linux 5.10 x86_64; 150x44-2)'],
    ['Links', 'Links (2.25; Linux 6.1.0 x86_64; GNU C 12.2; text)'],
    ['Konqueror', 'Mozilla/5.0 (compatible; Konqueror/4.5; Linux) KHTML/4.5.4 (like Gecko)'],
    ['NetSurf', 'NetSurf/3.10 (Linux)'],
    [
      'Facebook in-app',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/450.0.0.38.108;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.4]',
    ],
    [
      'Facebook in-app on Android',
      'Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/443.0.0.23.229;]',
    ],
    [
      'Instagram in-app',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/20G75 Instagram 310.0.2.12.329 (iPhone12,1; iOS 16_6; en_GB; en; scale=2.00; 828x1792)',
    ],
    [
      'Electron',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.35.126 Chrome/118.0.5993.159 Electron/27.1.3 Safari/537.36',
    ],
    ['Tor Browser', 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0'],
    ['Internet Explorer', 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko'],
    [
      'Internet Explorer 6 with a web address',
      'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; Embedded Web Browser from: http://bsalsa.com/; .NET CLR 2.0.50727)',
    ],
    ['Pale Moon', 'Mozilla/5.0 (X11; Linux x86_64; rv:102.0) Goanna/6.7 Firefox/102.0 PaleMoon/33.0.0'],
    ['JavaFX', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/538.19 (KHTML, like Gecko) JavaFX/8.0 Safari/538.19'],
    [
      'Kindle',
      'Mozilla/5.0 (Linux; U; en-US) AppleWebKit/528.5+ (KHTML, like Gecko, Safari/528.5+) Version/4.0 Kindle/3.0 (screen 600x800; rotate)',
    ],
    [
      'PlayStation',
      'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
    ],
  ];
  for (const [name, userAgent] of browsers) {
    it(`${name} is a browser`, () => {
      assert.equal(identifyUserAgent(userAgent).kind, 'browser');
    });
  }
});

describe('the token lists', () => {
  it('name at least 40 HTTP clients, each recognised', () => {
    const clients = [...userAgentTokens.clients, ...userAgentTokens.leading_clients];
    assert.ok(clients.length >= 40);
    for (const token of clients) {
      assert.deepEqual(
        [identifyUserAgent(`${token}/1.2.3`).kind, identifyUserAgent(token).matched],
        ['http-library', token],
      );
    }
  });

  it('name bots, each recognised', () => {
    for (const token of [...userAgentTokens.automation, ...userAgentTokens.other_bots]) {
      assert.deepEqual([identifyUserAgent(`${token}/1.2.3`).kind, identifyUserAgent(token).matched], ['bot', token]);
    }
  });

  it('name agents and what they are built with, each recognised', () => {
    for (const token of userAgentTokens.agents) {
      assert.deepEqual(
        [identifyUserAgent(`${token}/1.2.3`).kind, identifyUserAgent(token).matched],
        ['ai-agent', token],
      );
    }
  });

  it('hold no token twice and none of the dataset', () => {
    const all = Object.values(userAgentTokens)
      .flat()
      .map((token) => token.toLowerCase());
    assert.equal(new Set(all).size, all.length);
    const known = new Set(crawlers.records.map(({ ua_substring }) => ua_substring?.toLowerCase()));
    assert.deepEqual(
      all.filter((token) => known.has(token)),
      [],
    );
  });
});

describe('how to prove it', () => {
  it('gives the published list', () => {
    const proof = identifyUserAgent(gptbot).how_to_prove;
    assert.equal(proof.method, 'ip-ranges');
    assert.equal(proof.published_ip_range_url, 'https://openai.com/gptbot.json');
    assert.ok(proof.steps.some((step) => step.includes('https://openai.com/gptbot.json')));
  });

  it('gives the host names and the forward confirmation', () => {
    const proof = identifyUserAgent('Googlebot/2.1 (+http://www.google.com/bot.html)').how_to_prove;
    assert.deepEqual(proof.methods, ['ip-ranges', 'reverse-dns']);
    assert.ok(proof.reverse_dns?.suffixes.includes('googlebot.com'));
    assert.match(proof.reverse_dns?.procedure ?? '', /\(A, AAAA\)/);
  });

  it('gives the signature where requests are signed', () => {
    const proof = identifyUserAgent(
      'Mozilla/5.0 (compatible; ExaSearchBot/1.0; +https://crawler.exa.ai/)',
    ).how_to_prove;
    assert.equal(proof.method, 'web-bot-auth');
    assert.equal(proof.web_bot_auth?.signature_agent_domain, 'crawler.exa.ai');
    assert.ok(proof.steps.some((step) => step.includes('RFC 9421')));
  });

  it('says so when there is no way', () => {
    assert.equal(identifyUserAgent('anthropic-ai').how_to_prove.method, 'none');
    assert.equal(identifyUserAgent('DeepSeekBot').how_to_prove.method, 'user-agent-only');
    assert.equal(identifyUserAgent('Bravebot/1.0').how_to_prove.method, 'user-agent-only');
    assert.equal(identifyUserAgent(chrome).how_to_prove.method, 'none');
  });

  it('has steps for each record', () => {
    for (const { id, ua_full, verification_methods } of crawlers.records) {
      if (ua_full !== null) {
        const { methods, steps } = identifyUserAgent(ua_full).how_to_prove;
        assert.deepEqual([...methods].sort(), [...verification_methods].sort(), id);
        assert.ok(steps.length > 0 && steps.every((step) => step.endsWith('.') && !/null|undefined/.test(step)), id);
      }
    }
  });
});

describe('an address', () => {
  const rows: [ip: string, address: string, inside: boolean | null][] = [
    ['20.171.206.1', '20.171.206.1', true],
    ['::ffff:20.171.206.1', '20.171.206.1', true],
    ['::ffff:14ab:ce01', '20.171.206.1', true],
    ['20.171.208.0', '20.171.208.0', false],
    ['192.0.2.1', '192.0.2.1', false],
    ['2001:db8::1', '2001:db8::1', false],
    ['fe80::1%eth0', 'fe80::1', false],
    ['not an address', 'not an address', null],
    ['1.2.3', '1.2.3', null],
  ];
  for (const [ip, address, inside] of rows) {
    it(`${ip}: ${inside}`, () => {
      const finding = identifyUserAgent(gptbot, { ip, today: daysAfterList(30) }).ip;
      assert.equal(finding?.address, address);
      assert.equal(finding?.in_published_ranges, inside);
    });
  }

  it('in an IPv6 range', () => {
    const record = crawlers.get('googlebot');
    const prefix = record?.ip_ranges?.prefixes.find((candidate) => candidate.endsWith('::/64'));
    assert.ok(prefix);
    const ip = prefix.replace('::/64', '::1');
    assert.equal(
      identifyUserAgent('Googlebot/2.1', { ip, today: record?.ip_ranges?.seen ?? '' }).ip?.in_published_ranges,
      true,
    );
  });

  it('is not judged by a copy of the list that is older than 30 days', () => {
    for (const [ip, contains] of [
      ['20.171.206.1', true],
      ['192.0.2.1', false],
    ] as const) {
      const finding = identifyUserAgent(gptbot, { ip, today: daysAfterList(31) }).ip;
      assert.equal(finding?.in_published_ranges, 'stale');
      assert.deepEqual(finding.list, { seen: listDay, age_days: 31, contains });
      assert.match(finding.note, /31 days old and proves nothing about today: compare with https:\/\/openai\.com/);
    }
  });

  it('is not compared where there is nothing to compare with', () => {
    for (const userAgent of [chrome, 'DeepSeekBot', 'curl/8']) {
      assert.equal(identifyUserAgent(userAgent, { ip: '20.171.206.1' }).ip?.in_published_ranges, null);
    }
    const held = crawlers.records.find(
      ({ ip_ranges, published_ip_range_url, ua_full }) =>
        ip_ranges === null && published_ip_range_url !== null && ua_full !== null,
    );
    assert.ok(held?.ua_full);
    const finding = identifyUserAgent(held.ua_full, { ip: '20.171.206.1' }).ip;
    assert.equal(finding?.in_published_ranges, null);
    assert.ok(finding?.note.includes(String(held.published_ip_range_url)));
  });

  it('is left out when none was given', () => {
    assert.equal('ip' in identifyUserAgent(gptbot), false);
  });
});
