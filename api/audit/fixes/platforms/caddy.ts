import { hostName, hstsValue, type Platform, pageLifetime, siteLinks, twinsSteps } from './platform.ts';

const wanted = '(?i)(^|,)\\s*text/markdown\\s*(;\\s*q=1(\\.0{0,3})?\\s*)?(,|$)';

const negotiation = `	# The page without its ending: /about, /about.html -> /about; /docs/ -> /docs/index
	@html_address path_regexp page ^(.+)\\.html?$
	@folder path_regexp folder ^(.*/)$
	vars page {path}
	vars @html_address page {re.page.1}
	vars @folder page {re.folder.1}index

	@markdown {
		header_regexp Accept ${wanted}
		file {
			try_files {vars.page}.md
		}
	}
	handle @markdown {
		rewrite * {file_match.relative}
		file_server
	}
	handle {
		@page file {vars.page}.html
		header @page +Link "<{vars.page}.md>; rel=\\"alternate\\"; type=\\"text/markdown\\""
		try_files {path} {path}.html
		file_server
	}

	handle_errors {
		@markdown_404 header_regexp Accept ${wanted}
		rewrite @markdown_404 /404.md
		@other not header_regexp Accept ${wanted}
		rewrite @other /404.html
		file_server
	}`;

/** Static files behind Caddy. */
export const caddy: Platform = {
  name: 'Caddy',
  testedWith: 'Caddy 2.6.2',
  configure(site, needs) {
    const links = siteLinks(site).replaceAll('"', '\\"');
    const lines = [
      `${site.origin.startsWith('https:') ? hostName(site) : site.origin} {`,
      '\troot * /srv/site   # keep your own root',
      '',
      ...(needs.negotiation
        ? ['\theader Vary Accept', '\t@md path *.md', '\theader @md Content-Type "text/markdown; charset=utf-8"']
        : []),
      '\t@plain path *.txt',
      '\theader @plain Content-Type "text/plain; charset=utf-8"',
      '\t@pages not path_regexp \\.(css|js|mjs|png|jpe?g|gif|svg|webp|avif|woff2?|ico)$',
      `\theader @pages Link "${links}"`,
      `\theader @pages Cache-Control "${pageLifetime}"`,
      '\theader X-Content-Type-Options nosniff',
      ...(needs.hsts ? [`\theader Strict-Transport-Security "${hstsValue}"`] : []),
      '',
      ...(needs.negotiation
        ? [negotiation]
        : [
            '\ttry_files {path} {path}.html',
            '\tfile_server',
            '\thandle_errors {',
            '\t\trewrite * /404.html',
            '\t\tfile_server',
            '\t}',
          ]),
      '}',
    ];
    return {
      files: [{ path: 'Caddyfile', place: 'server', language: 'caddyfile', text: `${lines.join('\n')}\n` }],
      steps: [
        ...(needs.negotiation ? twinsSteps('/srv/site', site) : []),
        `Replace the block of ${hostName(site)} in your Caddyfile, keeping your own root.`,
        'Run `caddy validate --config Caddyfile --adapter caddyfile && caddy reload`.',
      ],
      limits: [
        'If Caddy passes requests on to an application (reverse_proxy), negotiate in that application instead and take only the header lines.',
      ],
    };
  },
};
