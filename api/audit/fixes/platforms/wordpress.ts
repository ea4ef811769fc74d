import { hstsValue, type Platform, siteLinks } from './platform.ts';

/** WordPress, as one must-use plugin. */
export const wordpress: Platform = {
  name: 'WordPress',
  testedWith: null,
  configure(site, needs) {
    const negotiation = `
/** The markdown of a post or page: its title and content, with links made absolute. */
function for_agents_markdown( WP_Post $post ): string {
	$html = apply_filters( 'the_content', $post->post_content );
	$html = preg_replace( '#<(script|style)\\b.*?</\\1>#si', '', $html );
	$map  = array(
		'#<h([1-6])[^>]*>(.*?)</h\\1>#si' => static fn( $m ) => "\\n\\n" . str_repeat( '#', (int) $m[1] ) . ' ' . trim( wp_strip_all_tags( $m[2] ) ) . "\\n\\n",
		'#<a\\b[^>]*href="([^"]+)"[^>]*>(.*?)</a>#si' => static fn( $m ) => '[' . trim( wp_strip_all_tags( $m[2] ) ) . '](' . for_agents_absolute( $m[1] ) . ')',
		'#<li[^>]*>(.*?)</li>#si' => static fn( $m ) => "\\n- " . trim( wp_strip_all_tags( $m[1] ) ),
		'#<(?:br|/p|/div|/ul|/ol|/tr)[^>]*>#si' => static fn() => "\\n\\n",
	);
	foreach ( $map as $pattern => $to ) {
		$html = preg_replace_callback( $pattern, $to, $html );
	}
	$text = html_entity_decode( wp_strip_all_tags( $html ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	$text = trim( preg_replace( "/\\n{3,}/", "\\n\\n", $text ) );
	$head = array(
		'title'       => get_the_title( $post ),
		'description' => wp_strip_all_tags( get_the_excerpt( $post ) ),
		'url'         => get_permalink( $post ),
		'updated'     => get_the_modified_date( 'Y-m-d', $post ),
	);
	$yaml = '';
	foreach ( $head as $key => $value ) {
		$yaml .= $key . ': ' . wp_json_encode( $value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ) . "\\n";
	}
	return "---\\n{$yaml}---\\n\\n# " . get_the_title( $post ) . "\\n\\n{$text}\\n";
}

function for_agents_absolute( string $href ): string {
	return str_starts_with( $href, '/' ) ? home_url( $href ) : $href;
}

/** Markdown is named and its weight is not zero, and not below that of HTML. */
function for_agents_wants_markdown(): bool {
	$accept = strtolower( $_SERVER['HTTP_ACCEPT'] ?? '' );
	$weight = static function ( string $type ) use ( $accept ): ?float {
		foreach ( explode( ',', $accept ) as $part ) {
			$bits = array_map( 'trim', explode( ';', $part ) );
			if ( $bits[0] === $type ) {
				return isset( $bits[1] ) && str_starts_with( $bits[1], 'q=' ) ? (float) substr( $bits[1], 2 ) : 1.0;
			}
		}
		return null;
	};
	$markdown = $weight( 'text/markdown' ) ?? 0.0;
	$html     = $weight( 'text/html' ) ?? $weight( 'text/*' ) ?? $weight( '*/*' ) ?? 0.0;
	return $markdown > 0 && $markdown >= $html;
}

/** /about.md and /about/index.md are the markdown of /about/. */
add_filter( 'do_parse_request', function ( $parse ) {
	$path = (string) wp_parse_url( $_SERVER['REQUEST_URI'] ?? '', PHP_URL_PATH );
	if ( preg_match( '#^(.*?)(?:/index)?\\.md$#', $path, $found ) ) {
		$_SERVER['REQUEST_URI'] = $found[1] === '' ? '/' : trailingslashit( $found[1] );
		$_SERVER['HTTP_ACCEPT'] = 'text/markdown';
	}
	return $parse;
} );

add_action( 'template_redirect', function () {
	header( 'Vary: Accept', false );
	$post = is_front_page() && 'page' === get_option( 'show_on_front' ) ? get_post( (int) get_option( 'page_on_front' ) ) : get_queried_object();
	if ( ! is_singular() && ! is_front_page() || ! $post instanceof WP_Post || post_password_required( $post ) ) {
		return;
	}
	if ( for_agents_wants_markdown() ) {
		header( 'Content-Type: text/markdown; charset=utf-8' );
		echo for_agents_markdown( $post );
		exit;
	}
	$path = (string) wp_parse_url( get_permalink( $post ), PHP_URL_PATH );
	header( 'Link: <' . ( '/' === $path ? '/index' : untrailingslashit( $path ) ) . '.md>; rel="alternate"; type="text/markdown"', false );
} );
`;
    const text = `<?php
/**
 * Plugin Name: For agents
 * Description: Markdown for posts and pages, and the headers that agents read.
 */
defined( 'ABSPATH' ) || exit;
${needs.negotiation ? negotiation : ''}
add_action( 'send_headers', function () {
	header( 'Link: ${siteLinks(site)}', false );
	header( 'X-Content-Type-Options: nosniff' );${
    needs.hsts ? `\n\theader( 'Strict-Transport-Security: ${hstsValue}' );` : ''
  }
} );
`;
    return {
      files: [{ path: 'wp-content/mu-plugins/for-agents.php', place: 'project', language: 'php', text }],
      steps: [
        'Upload for-agents.php to wp-content/mu-plugins/ (make the folder if it is missing). It works at once; there is nothing to activate.',
        'Upload llms.txt and robots.txt to the folder that holds wp-config.php.',
        'In your page cache: exclude requests with `Accept: text/markdown`, or switch on variation by the Accept header.',
      ],
      limits: ['A page cache that answers before PHP runs has to respect `Vary: Accept`, or agents get HTML.'],
    };
  },
};
