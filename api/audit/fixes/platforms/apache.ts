import { hstsValue, type Platform, pageLifetime, siteLinks, twinsSteps } from './platform.ts';

const wantsMarkdown =
  '(^|,)\\s*text/markdown\\s*(;\\s*q=1(\\.0{0,3})?\\s*)?(,|$)|^(?!.*text/html)(?!.*\\*/\\*)(?!.*text/\\*).*text/markdown\\s*;\\s*q=0\\.[0-9]*[1-9]';

const negotiation = `AddType text/markdown .md
AddCharset utf-8 .md .txt
Options -MultiViews

RewriteEngine On
# The markdown file of the page: /about, /about.html -> /about.md; /docs/ -> /docs/index.md
RewriteRule ^$ - [E=TWIN:/index.md]
RewriteRule ^(.+/)$ - [E=TWIN:/$1index.md]
RewriteRule ^(.+)\\.html?$ - [E=TWIN:/$1.md]
RewriteRule ^([^.]+[^./])$ - [E=TWIN:/$1.md]
RewriteCond %{DOCUMENT_ROOT}%{ENV:TWIN} !-f
RewriteRule ^ - [E=!TWIN]
RewriteCond %{ENV:TWIN} .
RewriteCond %{HTTP:Accept} "${wantsMarkdown}" [NC]
RewriteRule ^ %{ENV:TWIN} [END]
# Addresses without an ending
RewriteCond %{REQUEST_FILENAME} !-d
RewriteCond %{REQUEST_FILENAME}.html -f
RewriteRule ^(.+[^/])$ $1.html [END]

<If "%{HTTP:Accept} =~ m#text/markdown# && %{HTTP:Accept} !~ m#text/markdown\\s*;\\s*q=0(\\.0*)?(,|$)#">
    ErrorDocument 404 /404.md
</If>
<Else>
    ErrorDocument 404 /404.html
</Else>`;

/** Static files behind Apache, in one .htaccess file. */
export const apache: Platform = {
  name: 'Apache (.htaccess)',
  testedWith: 'Apache 2.4',
  configure(site, needs) {
    const isText = `"expr=%{CONTENT_TYPE} =~ m#^text/(html|markdown)#"`;
    const headers = [
      '<IfModule mod_headers.c>',
      ...(needs.negotiation
        ? [
            '    Header always merge Vary Accept',
            `    Header always add Link "<%{TWIN}e>; rel=\\"alternate\\"; type=\\"text/markdown\\"" "expr=reqenv('TWIN') != '' && %{CONTENT_TYPE} =~ m#^text/html#"`,
            `    Header always add Link "<%{REDIRECT_TWIN}e>; rel=\\"alternate\\"; type=\\"text/markdown\\"" "expr=reqenv('REDIRECT_TWIN') != '' && %{CONTENT_TYPE} =~ m#^text/html#"`,
          ]
        : []),
      `    Header always add Link '${siteLinks(site)}' ${isText}`,
      '    Header always set X-Content-Type-Options nosniff',
      `    Header set Cache-Control "${pageLifetime}" "expr=%{CONTENT_TYPE} =~ m#^(text/(html|markdown|plain|xml)|application/(xml|json))#"`,
      ...(needs.hsts ? [`    Header always set Strict-Transport-Security "${hstsValue}"`] : []),
      '</IfModule>',
    ];
    const text = `${[needs.negotiation ? `${negotiation}\n` : '', headers.join('\n')].join('\n').trim()}\n`;
    return {
      files: [{ path: '.htaccess', place: 'site', language: 'apache', text }],
      steps: [
        ...(needs.negotiation ? twinsSteps('/var/www/html', site) : []),
        'Save this as .htaccess in the document root. If you have one, put these lines above yours.',
        'It needs mod_rewrite and mod_headers, and `AllowOverride All` for the folder; most hosts have all three.',
      ],
      limits: ['A cache plugin or CDN in front has to respect `Vary: Accept`, or be configured to key on it.'],
    };
  },
};
