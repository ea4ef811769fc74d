import { host, page, type ServedSite, words } from './served-sites.ts';

const code = Array.from({ length: 12 }, (_, index) => `<pre><code>lamp.light(${index})</code></pre>`).join('');

const manual = page(
  'lamp.js',
  `<main><h1>lamp.js</h1><p>${'Lamps in a few lines of code. '.repeat(12)}</p>${code}<a href="https://github.com/lamps/lamp.js/issues">Report a fault</a></main>`,
).body.replace(/<nav>.*<\/nav>/, '<nav><a href="/#install">Install</a></nav>');

const menuOf404 =
  '<!doctype html><title>Not here</title><a href="/lamps/index.html">Lamps</a> <a href="/lamps/hours.html">Hours</a>';

const article = (title: string): { type: string; body: string } =>
  page(
    title,
    `<main itemscope itemtype="https://schema.org/Article"><h1 itemprop="name">${title}</h1>${'<p>We repair lamps of every kind, and sell oil.</p>'.repeat(8)}<time datetime="2026-11-01">1 November</time></main>`,
  );

const alike = (title: string): { type: string; body: string } => {
  const { type, body } = page(title, words(title));
  return { type, body: body.replace(/content="[^"]*"/, 'content="Lamps, in a few words."') };
};

const aboutMenu = (title: string): { type: string; body: string } => {
  const { type, body } = page(title, words(title));
  return { type, body: body.replace('href="/about"', 'href="#"') };
};

const post = (title: string, bodyClass: string): { type: string; body: string } => ({
  type: 'text/html; charset=UTF-8',
  body: `<!doctype html><html lang="en-US"><head><meta charset="UTF-8"><title>${title} – Lamp notes</title><meta name="generator" content="WordPress 6.9"><link rel="alternate" type="application/rss+xml" title="Lamp notes" href="ORIGIN/feed/"><link rel="https://api.w.org/" href="ORIGIN/wp-json/"></head><body class="${bodyClass} wp-embed-responsive"><div class="wp-site-blocks"><header class="wp-block-template-part"><nav aria-label="Menu"><a href="ORIGIN/">Home</a> <a href="ORIGIN/the-wick/">The wick</a> <a href="ORIGIN/about/">About us</a></nav></header><main class="wp-block-group"><h1 class="wp-block-post-title">${title}</h1><div class="entry-content"><p>${'We repair lamps of every kind, and sell oil and wicks for them. '.repeat(6)}</p></div></main><footer><form role="search" method="get" action="ORIGIN/"><label for="s">Search</label><input id="s" type="search" name="s"><button>Search</button></form></footer></div></body></html>`,
});

const wikiPage = (title: string, more: string): { type: string; body: string } => ({
  type: 'text/html',
  body: `<!doctype html><html lang="en"><head><title>${title} - Harbour wiki</title></head><body><nav><a href="/lamps.html">Lamps</a> <a href="/edit.html" rel="nofollow">Edit this page</a></nav><main><h1>${title}</h1><p>${'Boats wait for the tide at the outer quay, and lamps are lit at dusk. '.repeat(6)}</p>${more}</main><footer><a href="/about.html">About Harbour wiki</a></footer></body></html>`,
});

/** Classes of sites that the audit misjudged on real websites, as small sites of our own. */
export const misjudgedSites: Record<string, ServedSite> = {
  manual: {
    what: 'A library on one page of examples, with a link to its issues',
    answer: host({ '/index.html': { type: 'text/html', body: manual } }),
    path: '/',
    verdicts: { 'about-and-contact': 'partial' },
    type: 'documentation',
    score: [45, 80],
  },
  'menu of a missing page': {
    what: 'A project page whose missing pages have the menu of the project',
    answer: (request, origin) =>
      request.path.startsWith('/lamps/no-such-page')
        ? { status: 404, type: 'text/html', body: menuOf404 }
        : host({
            '/lamps/index.html': page('Lamp Works', words('Lamp Works')),
            '/lamps/hours.html': page('Hours', words('Hours')),
          })(request, origin),
    path: '/lamps/',
    verdicts: { 'helpful-404': 'partial', 'real-404': 'pass' },
    score: [50, 80],
  },
  microdata: {
    what: 'A blog with microdata in place of JSON-LD',
    answer: host({
      '/index.html': article('Lamp notes'),
      '/hours.html': article('On hours'),
      '/about.html': article('About us'),
    }),
    path: '/',
    verdicts: { 'json-ld-parses': 'partial' },
    score: [50, 80],
  },
  dialog: {
    what: 'A page with a dialog that has a heading of its own',
    answer: host({
      '/index.html': page('Lamp Works', `${words('Lamp Works')}<div class="modal" role="dialog"><h4>Search</h4></div>`),
    }),
    path: '/',
    verdicts: { headings: 'pass' },
    score: [50, 80],
  },
  extension: {
    what: 'An inn that has the extension of a shop and sells nothing',
    answer: host({
      '/index.html': page('The Lamp Inn', words('The Lamp Inn'), '<meta name="generator" content="WooCommerce 9.7.1">'),
    }),
    path: '/',
    verdicts: {},
    type: 'site',
    score: [50, 80],
  },
  'shop of files': {
    what: 'A shop whose basket and checkout are files',
    answer: host({
      '/index.html': page(
        'Lamp shop',
        `${words('Lamp shop')}<a href="/cart.html">Basket</a> <a href="/checkout.html">Pay</a>`,
      ),
      '/cart.html': page('Basket', words('Basket')),
      '/checkout.html': page('Pay', words('Pay')),
    }),
    path: '/',
    verdicts: {},
    type: 'shop',
    score: [50, 80],
  },
  'feed as a page': {
    what: 'A blog exported to files, whose feed is sent as HTML',
    answer: host({
      '/index.html': {
        ...page('Lamp notes', words('Lamp notes'), '<link rel="alternate" type="application/rss+xml" href="/feed/">'),
      },
      '/feed/index.html': {
        type: 'text/html',
        body: '<?xml version="1.0"?><rss version="2.0"><channel><item><pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>',
      },
    }),
    path: '/',
    verdicts: { feed: 'partial' },
    score: [50, 80],
  },
  frames: {
    what: 'A site with a page that is a set of frames',
    answer: host({
      '/index.html': page('Lamp Works', words('Lamp Works')),
      '/hours.html': {
        type: 'text/html',
        body: '<html><head><title>Hours</title></head><frameset cols="20%,80%"><frame src="/a.html"><frame src="/b.html"></frameset></html>',
      },
    }),
    path: '/',
    verdicts: { 'content-without-scripts': 'partial' },
    score: [30, 60],
  },
  'flag of England': {
    what: 'A page with an emoji that is spelled with tag characters',
    answer: host({
      '/index.html': page(
        'Lamp Works',
        `${words('Lamp Works')}<p>\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}</p>`,
      ),
    }),
    path: '/',
    verdicts: { 'no-hidden-instructions': 'pass' },
    score: [50, 80],
  },
  'addresses of the CDN': {
    what: 'A site whose CDN adds a page of its own',
    answer: host({
      '/index.html': page('Lamp Works', `${words('Lamp Works')}<a href="/cdn-cgi/l/email-protection">Write to us</a>`),
      '/cdn-cgi/l/email-protection.html': {
        type: 'text/html',
        body: '<title>x</title><meta name="robots" content="noindex"><p>Hidden.</p>',
      },
    }),
    path: '/',
    verdicts: { indexable: 'pass' },
    score: [50, 80],
  },
  'basket button': {
    what: 'A shop in Russian that has no address of a shop',
    answer: host({
      '/index.html': page(
        'Лампы',
        `<main><h1>Лампы</h1><p>${'Лампа на столе. '.repeat(20)}</p><button>В корзину</button></main>`,
      ),
    }),
    path: '/',
    verdicts: {},
    type: 'shop',
    score: [40, 80],
  },
  'list of articles': {
    what: 'A blog that WordPress wrote',
    answer: host({
      '/index.html': {
        type: 'text/html',
        body: page('Lamp notes', words('Lamp notes')).body.replace('<body>', '<body class="home blog">'),
      },
    }),
    path: '/',
    verdicts: {},
    type: 'blog',
    score: [50, 80],
  },
  wordpress: {
    what: 'A blog as WordPress serves it: a feed, its own sitemap, the address of its API in the head',
    answer: host({
      '/index.html': post('Lamp notes', 'home blog'),
      '/the-wick/index.html': post('The wick', 'post-template-default single single-post'),
      '/about/index.html': post('About us', 'page-template-default page'),
      '/feed/index.html': {
        type: 'application/rss+xml; charset=UTF-8',
        body: '<?xml version="1.0"?><rss version="2.0"><channel><item><title>The wick</title><pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>',
      },
      '/wp-sitemap.xml': {
        type: 'application/xml',
        body: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>ORIGIN/the-wick/</loc><lastmod>2026-11-01</lastmod></url><url><loc>ORIGIN/about/</loc></url></urlset>',
      },
      '/robots.txt': {
        type: 'text/plain',
        body: 'User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\nSitemap: ORIGIN/wp-sitemap.xml\n',
      },
    }),
    path: '/',
    verdicts: {
      'content-without-scripts': 'pass',
      'sitemap-valid': 'pass',
      'robots-valid': 'pass',
      'sitemap-in-robots': 'pass',
      feed: 'pass',
      'forms-without-scripts': 'pass',
      'markdown-on-request': 'fail',
    },
    type: 'blog',
    score: [50, 80],
  },
  'one description': {
    what: 'Pages that all have the description of the site',
    answer: host({
      '/index.html': alike('Lamp Works'),
      '/hours.html': alike('Hours'),
      '/about.html': alike('About us'),
    }),
    path: '/',
    verdicts: { 'title-and-description': 'partial' },
    score: [50, 69],
  },
  'documentation by script': {
    what: 'A documentation that a script writes into an empty page',
    answer: host({
      '/index.html': {
        type: 'text/html',
        body: '<!doctype html><html lang="en"><title>lamp.js</title><div id="app"></div><script>window.$docsify = { name: "lamp.js" }</script><script src="/docsify.js"></script>',
      },
    }),
    path: '/',
    verdicts: { 'content-without-scripts': 'fail', 'about-and-contact': 'not-applicable' },
    type: 'documentation',
    score: [0, 15],
  },
  'menu named about': {
    what: 'A menu named About that opens by script',
    answer: host({ '/index.html': aboutMenu('Lamp Works'), '/hours.html': aboutMenu('Hours') }),
    path: '/',
    verdicts: { 'about-and-contact': 'partial' },
    score: [50, 69],
  },
  javadoc: {
    what: 'Javadoc of a small package, which tells readers without scripts so, with a field for its script and a Help page',
    answer: host({
      '/index.html': {
        type: 'text/html',
        body: '<!doctype html><html lang="en"><head><!-- Generated by javadoc (17) --><title>lamp</title><script src="script.js"></script></head><body><noscript><div>JavaScript is disabled on your browser.</div></noscript><header><nav><a href="help-doc.html">Help</a><input type="text" id="search-input" placeholder="Search"></nav></header><main><h1>Package lamp</h1><div>Lamps and their oil, in a few words.</div><table><tr><td><a href="Lamp.html">Lamp</a></td><td>A lamp.</td></tr></table></main></body></html>',
      },
      '/help-doc.html': {
        type: 'text/html',
        body: `<!doctype html><html lang="en"><title>API Help</title>${words('API Help')}</html>`,
      },
    }),
    path: '/',
    verdicts: { 'content-without-scripts': 'pass', 'about-and-contact': 'fail', 'forms-without-scripts': 'fail' },
    type: 'documentation',
    score: [45, 69],
  },
  'language inside': {
    what: 'A book whose language stands on an element around its text',
    answer: host({
      '/index.html': {
        type: 'text/html',
        body: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Manual da lâmpada</title></head><body><p>Início</p><div class="book" lang="pt-BR"><div class="titlepage"><h1>Manual da lâmpada</h1></div>${'<p>A lâmpada precisa de óleo limpo e de um pavio cortado.</p>'.repeat(12)}</div></body></html>`,
      },
    }),
    path: '/',
    verdicts: { language: 'partial' },
    type: 'documentation',
    score: [45, 69],
  },
  wiki: {
    what: 'A wiki that names itself in the link to what it is about, and asks robots not to follow its tools',
    answer: host({
      '/index.html': wikiPage('Start', ''),
      '/lamps.html': wikiPage('Lamps', ''),
      '/edit.html': wikiPage('Edit Start', '<textarea name="text"></textarea>'),
      '/about.html': wikiPage('Harbour wiki:About', ''),
    }),
    path: '/',
    verdicts: { 'about-and-contact': 'partial', 'named-controls': 'pass' },
    score: [45, 69],
  },
  'feed of posts': {
    what: 'A journal that lists its posts without marking up their dates',
    answer: host({
      '/index.html': {
        type: 'text/html',
        body: `<!doctype html><html lang="en"><head><title>Harbour letters</title><link rel="alternate" type="application/rss+xml" href="/index.xml"></head><body><main><h1>Harbour letters</h1>${[1, 2, 3].map((number) => `<h2><a href="/posts/${number}.html">Letter ${number}</a></h2><p>${'The boats came in late and the quay was wet until noon. '.repeat(3)}</p>`).join('')}</main></body></html>`,
      },
      ...Object.fromEntries(
        [1, 2, 3].map((number) => [`/posts/${number}.html`, page(`Letter ${number}`, words('Letter'))]),
      ),
      '/index.xml': {
        type: 'application/rss+xml',
        body: '<?xml version="1.0"?><rss version="2.0"><channel><item><title>Letter 1</title><pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>',
      },
    }),
    path: '/',
    verdicts: { feed: 'pass' },
    type: 'blog',
    score: [45, 75],
  },
  'console of an API': {
    what: 'A console of an API that scripts write into an empty element',
    answer: host({
      '/index.html': {
        type: 'text/html',
        body: '<!doctype html><html lang="en"><title>Lamps API</title><div id="swagger-ui"></div><script src="/swagger-ui-bundle.js"></script></html>',
      },
    }),
    path: '/',
    verdicts: { 'content-without-scripts': 'fail', 'page-size': 'not-applicable' },
    type: 'documentation',
    score: [0, 15],
  },
};
