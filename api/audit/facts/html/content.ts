import type { HtmlFacts } from '../html.ts';
import { attributeOf, type HtmlElement, shortTextOf, startOf, textOf } from '../html-tree.ts';
import type { WalkedPage } from './walk.ts';

type Content = Pick<HtmlFacts, 'text' | 'prose' | 'textLength' | 'noscript' | 'contentStartsAt' | 'shell'>;

/** A main part with more text than this has content, whatever its scripts add. */
const shellCharacters = 200;

/** How many nodes are read for the text that is compared with markdown. A page with 2 MB of text has no more. */
const mostProseNodes = 20_000;

/** The first paragraph of this length is content, where nothing else says where it starts. */
const paragraphCharacters = 80;

const asksForScripts =
  /\b(?:enable|turn on|requires?|needs?|without)\b.{0,30}\bjava\s?script\b|\bjava\s?script\b.{0,40}\b(?:disabled|required|enabled?)\b/i;

const mountIds = new Set([
  'root',
  'app',
  '__next',
  '__nuxt',
  '___gatsby',
  'svelte',
  'ember-application',
  'application',
]);

/** "Loading" as pages say it while scripts fetch their content, at the beginning or the end of a short text. */
const placeholder = new RegExp(
  `(?:^|[\\s(])(?:${[
    'loading|please wait|just a sec(?:ond)?|fetching',
    'a carregar|carregando|aguarde|cargando|espere|chargement|patientez|caricamento|attendere',
    'wird geladen|lädt|bitte warten|bezig met laden|laddar|läser in|indlæser|laster|ladataan',
    'ładowanie|wczytywanie|načítání|načítá se|načítava sa|betöltés|se încarcă|učitavanje|nalaganje|yükleniyor',
    'загрузка|загружается|завантаження|зареждане|φόρτωση|đang tải|memuat|sedang memuat',
    'जारी है|लोड हो रहा है|กำลังโหลด|جار(?:ٍ)? التحميل|جاري التحميل|טוען',
  ].join('|')})\\s*(?:[.…!)]|$)|読み込み中|ロード中|加载中|正在加载|載入中|로딩|불러오는 중`,
  'iu',
);

/** So much of a page's own text, under a heading and with a link, is content, even where a noscript element asks for scripts. */
const contentCharacters = 40;

/** True where a page has content, if little: javadoc tells every reader without scripts that they have none. */
const hasContent = (page: WalkedPage, core: string): boolean => {
  const isOwn = (element: HtmlElement): boolean => {
    const around = page.around(element);
    return around?.margin !== true && around?.hidden !== true;
  };
  return (
    core.length >= contentCharacters &&
    page.elements.some((element) => /^h[1-3]$/.test(element.tagName) && isOwn(element)) &&
    page.all('a').some((element) => attributeOf(element, 'href') !== null && isOwn(element))
  );
};

const isBusy = (element: HtmlElement): boolean =>
  attributeOf(element, 'aria-busy')?.toLowerCase() === 'true' ||
  attributeOf(element, 'role')?.toLowerCase() === 'progressbar';

interface Parts {
  body: HtmlElement | undefined;
  main: HtmlElement | undefined;
  /** The text that is the page's own: of main, else of the body without its margins. */
  core: string;
}

/** What shows that scripts would bring the content, one sentence each; empty when nothing does. */
function signsOfShell(page: WalkedPage, { main, core }: Parts, noscript: string): string[] {
  const mount = page.elements.find(
    (element) => mountIds.has(attributeOf(element, 'id') ?? '') && shortTextOf(element) === '',
  );
  // A noscript element of the head loses its text to the body.
  const asked = asksForScripts.test(core) || (asksForScripts.test(noscript.slice(0, 2000)) && !hasContent(page, core));
  const said = placeholder.exec(core)?.[0]?.trim();
  const busy = page.elements.some((element) => isBusy(element) && page.around(element)?.margin !== true);
  return [
    ...(mount === undefined ? [] : [`The element #${attributeOf(mount, 'id')} is empty until scripts fill it.`]),
    ...(core === '' ? [main === undefined ? 'It has no text at all.' : 'The main element is empty.'] : []),
    ...(said === undefined ? [] : [`The page says "${said.slice(0, 40)}".`]),
    ...(busy ? ['A part of the page is marked as still loading.'] : []),
    ...(asked ? [`It asks for scripts: "${(noscript || core).slice(0, 120)}".`] : []),
  ];
}

/** An application shell: next to no text of its own, scripts that would bring it, and a sign that they do. */
function readShell(page: WalkedPage, scripts: HtmlFacts['scripts'], parts: Parts, noscript: string): Content['shell'] {
  const hasScripts = scripts.some(({ src, isRun, text }) => isRun && (src !== null || text.trim() !== ''));
  const signs = hasScripts && parts.core.length < shellCharacters ? signsOfShell(page, parts, noscript) : [];
  const likely = signs.length > 0;
  const measured = `The page has ${parts.core.length} characters of text of its own without scripts.`;
  return { likely, reasons: likely ? [measured, ...signs] : [] };
}

function startOfContent(page: WalkedPage, main: HtmlElement | undefined): number | null {
  const found =
    main ??
    page.first('h1') ??
    page.first('article') ??
    page.all('p').find((element) => shortTextOf(element).length >= paragraphCharacters);
  return found === undefined ? null : startOf(found);
}

/** The readable text of a page, and whether it is one that scripts have yet to fill. */
export function readContent(page: WalkedPage, scripts: HtmlFacts['scripts']): Content {
  // What is out of sight of eyes but in reach of a reader of the source; aria-hidden text is seen, so it counts as read.
  const isUnread = (element: HtmlElement): boolean =>
    element.tagName === 'noscript' || !['aria-hidden', undefined].includes(page.hidden.get(element));
  const body = page.first('body');
  const main = page.elements.find((element) => element.tagName === 'main' || attributeOf(element, 'role') === 'main');
  const bodyText = body === undefined ? '' : textOf(body, isUnread);
  const text = main === undefined ? bodyText : textOf(main, isUnread);
  const leads = (element: HtmlElement): boolean =>
    ['nav', 'button'].includes(element.tagName) ||
    (element.tagName === 'a' && attributeOf(element, 'href')?.startsWith('#') === true);
  const content = main ?? body;
  const noscript = page
    .all('noscript')
    .map((element) => shortTextOf(element))
    .join(' ')
    .trim()
    .slice(0, 20_000);
  const isMargin = (element: HtmlElement): boolean =>
    isUnread(element) || ['nav', 'header', 'footer', 'aside'].includes(element.tagName);
  const core = main !== undefined || body === undefined ? text : textOf(body, isMargin);
  return {
    text,
    prose:
      content === undefined ? '' : textOf(content, (element) => isUnread(element) || leads(element), mostProseNodes),
    textLength: bodyText.length,
    noscript,
    contentStartsAt: startOfContent(page, main),
    shell: readShell(page, scripts, { body, main, core }, noscript),
  };
}
