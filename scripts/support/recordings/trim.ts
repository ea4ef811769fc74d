const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};

/** The media type of a file that is recorded; null for styles, scripts, pictures and data. */
export const typeOf = (path: string): string | null => types[/\.([a-z]+)$/.exec(path)?.[1] ?? ''] ?? null;

/** An inline script longer than this is left out: the audit reads none of it. */
const longScript = 600;

/** A page without style sheets, drawings and long inline scripts. */
export const trimmed = (text: string): string =>
  text
    .replace(/(<style\b[^>]*>)[^<]*(<\/style>)/g, '$1$2')
    .replace(/(<svg\b[^>]*>).*?(<\/svg>)/gs, '$1$2')
    .replace(
      /(<script\b(?![^>]*ld\+json)[^>]*>)([^<]*)(<\/script>)/g,
      (all, open: string, code: string, close: string) => (code.length > longScript ? `${open}${close}` : all),
    );
