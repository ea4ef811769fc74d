/**
 * Top-level domains under which a bare host name counts as an address. Those that are file endings (md, sh, rs, py) or
 * that begin English sentences after a forgotten space (it, in, at, to, me, us, no) count with a path only.
 */
const domains =
  'com|net|org|info|biz|io|ai|app|dev|co|xyz|site|online|shop|store|tech|club|link|click|gg|ly|tv|cc|eu|' +
  'uk|de|fr|es|nl|ch|se|dk|pl|cz|ru|ua|cn|jp|kr|br|mx|ca|au|nz|edu|gov';

const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\-]{0,61}[\p{L}\p{N}])?`;
/** The characters that browsers take for the dot of a host name (UTS #46). */
const dot = '[.\u3002]';
const host = String.raw`(?<![\p{L}\p{N}.\-_@])${label}(?:${dot}${label}){0,8}`;
const hostEnd = String.raw`(?![\p{L}\p{N}\-_@]|${dot}[\p{L}\p{N}])`;

const urlPatterns = [
  /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/]/u,
  /(?<![\p{L}\p{N}])(?:javascript|data|vbscript):[^\s]/u,
  new RegExp(`(?<![\\p{L}\\p{N}.\\-_])www${dot}${label}${dot}`, 'u'),
  new RegExp(`${host}${dot}(?:${domains}|xn--[a-z0-9-]{2,59})${hostEnd}`, 'u'),
  new RegExp(`${host}${dot}\\p{L}{2,24}(?::\\d{1,5})?/[^\\s]`, 'u'),
];

const contactPatterns = [
  new RegExp(String.raw`[^\s@<>()[\]:;,"]@${label}(?:${dot}${label}){0,8}${dot}\p{L}{2,24}`, 'u'),
  /(?<![\p{L}\p{N}])(?:mailto|tel|sms|xmpp|matrix|whatsapp|tg):[^\s/]/u,
  /(?<![\p{L}\p{N}+])\+[1-9](?:[ ().-]{0,2}\d){7,14}(?!\d)/u,
  /(?<![\p{L}\p{N}.])(?:t\.me|wa\.me|discord\.gg|discord\.com\/invite|signal\.me|line\.me)\/[^\s]/u,
  /(?<![\p{L}\p{N}])(?:telegram|whatsapp|signal|discord|wechat|line|skype|matrix)(?: (?:id|me|at|is))?[:@ ] ?@[\p{L}\p{N}._-]{2,32}/u,
];

/**
 * `contains-url`: folded text holds `scheme://` and something after it; or `javascript:`, `data:` or `vbscript:` and
 * something after it; or `www.` and a name; or a host name under one of the listed top-level domains; or a host name
 * under any, followed by a path. Mail addresses are no URLs.
 */
export const hasUrl = (folded: string): boolean => urlPatterns.some((pattern) => pattern.test(folded));

/**
 * `contains-contact`: folded text holds a mail address; a `mailto:`, `tel:`, `sms:`, `xmpp:`, `matrix:`, `whatsapp:` or
 * `tg:` address; a telephone number in international form (+, then 8 to 15 digits); an invitation link of a messenger; or
 * a messenger's name followed by an @name.
 */
export const hasContact = (folded: string): boolean => contactPatterns.some((pattern) => pattern.test(folded));
