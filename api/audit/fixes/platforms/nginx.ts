import { hostName, hstsValue, type Platform, pageLifetime, siteLinks, twinsSteps } from './platform.ts';

// Markdown is chosen when it is named with weight 1, or with any weight and HTML is neither named nor matched by a
// wildcard. nginx can't compare weights: everything else gets HTML, which is the safe side.
const acceptMap = `map $http_accept $wanted {
    default                                                             html;
    "~*(?:^|,)\\s*text/markdown\\s*(?:;\\s*q=1(?:\\.0{0,3})?\\s*)?(?:,|$)"  md;
    "~*^(?!.*text/html)(?!.*\\*/\\*)(?!.*text/\\*).*text/markdown\\s*;\\s*q=0\\.\\d*[1-9]"  md;
}
# The address without its ending: /about, /about.html -> /about; /docs/ -> /docs/index
map $uri $page {
    "~^(?<folder>.*/)$"       "\${folder}index";
    "~^(?<stem>.+)\\.html?$"   $stem;
    default                   $uri;
}
map $sent_http_content_type $twin_link {
    default        "";
    "~^text/html"  '<$page.md>; rel="alternate"; type="text/markdown"';
}`;

const cacheMap = `# Pages are short-lived; style sheets, scripts and pictures keep what you set for them
map $sent_http_content_type $page_lifetime {
    default                                      "";
    "~^(?:text/(?:html|markdown|plain|xml)|application/(?:xml|json))"  "${pageLifetime}";
}`;

/** The lines that a single finding needs of it, for reports that say what to change in words of nginx. */
export const nginxLines = {
  negotiation: `${acceptMap}
server {
    add_header Vary Accept always;
    add_header Link $twin_link always;
    location / {
        try_files $page.$wanted $uri $uri/ $uri.html =404;
    }
}`,
  markdownType:
    '# A types block replaces the inherited table, so mime.types comes first\ninclude /etc/nginx/mime.types;\ntypes { "text/markdown; charset=utf-8" md; }',
  lifetime: `${cacheMap}\nserver {\n    add_header Cache-Control $page_lifetime;\n}`,
} as const;

/** Static files behind nginx. */
export const nginx: Platform = {
  name: 'nginx',
  testedWith: 'nginx 1.22.1',
  configure(site, needs) {
    const host = hostName(site);
    const secure = site.origin.startsWith('https:');
    const lines = [
      'server {',
      secure
        ? '    listen 443 ssl;   # keep your own listen and ssl_certificate lines'
        : '    listen 80;   # keep your own listen line',
      `    server_name ${host};`,
      '    root /srv/site;   # keep your own root',
      '',
      ...(needs.negotiation
        ? [
            '    # A types block replaces the inherited table, so mime.types comes first',
            '    include /etc/nginx/mime.types;',
            '    types { "text/markdown; charset=utf-8" md; }',
            '',
          ]
        : []),
      '    # A location with an add_header of its own loses these: keep them all here',
      ...(needs.negotiation ? ['    add_header Vary Accept always;', '    add_header Link $twin_link always;'] : []),
      `    add_header Link '${siteLinks(site)}' always;`,
      '    add_header X-Content-Type-Options nosniff always;',
      '    add_header Cache-Control $page_lifetime;',
      ...(needs.hsts ? [`    add_header Strict-Transport-Security "${hstsValue}" always;`] : []),
      '',
      '    location / {',
      needs.negotiation
        ? '        try_files $page.$wanted $uri $uri/ $uri.html =404;'
        : '        try_files $uri $uri.html $uri/ =404;',
      '    }',
      '    location = /llms.txt {',
      '        types { }',
      '        default_type "text/plain; charset=utf-8";',
      '    }',
      ...(needs.negotiation ? ['    error_page 404 /404.$wanted;'] : ['    error_page 404 /404.html;']),
      '}',
    ];
    const text = `${[needs.negotiation ? acceptMap : '', cacheMap, '', lines.join('\n')].join('\n').trim()}\n`;
    return {
      files: [{ path: `${host}.conf`, place: 'server', language: 'nginx', text }],
      steps: [
        ...(needs.negotiation ? twinsSteps('/srv/site', site) : []),
        `Replace the server block of ${host} with this file in /etc/nginx/conf.d/, keeping your own listen, root and certificate lines.`,
        'Run `nginx -t && nginx -s reload`.',
      ],
      limits: [
        'If nginx passes requests on to an application (proxy_pass, fastcgi_pass), negotiate in that application instead and take only the add_header lines.',
      ],
    };
  },
};
