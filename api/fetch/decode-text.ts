import type { Buffer } from 'node:buffer';

const byteOrderMarks: [mark: number[], label: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

const decoderFor = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
};

function declaredCharset(bytes: Buffer, contentType: string): string | null {
  const fromHeader = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  if (fromHeader !== undefined) {
    return fromHeader;
  }
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType)) {
    return null;
  }
  const fromMeta = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024))?.[1];
  // HTML section 13.2.3.2: a page that can be read to say so is not in UTF-16.
  return fromMeta === undefined || /^utf-16/i.test(fromMeta) ? null : fromMeta;
}

/**
 * Decodes a body: by its byte order mark, else the charset of its Content-Type, else (in HTML) that of a meta element,
 * else as UTF-8. A charset nobody knows counts as UTF-8. With `partial`, a character that the end tears is left out.
 */
export function decodeText(bytes: Buffer, contentType: string, partial: boolean): string {
  const mark = byteOrderMarks.find(([prefix]) => prefix.every((byte, index) => bytes[index] === byte));
  const decoder = decoderFor(mark?.[1] ?? declaredCharset(bytes, contentType) ?? 'utf-8') ?? new TextDecoder('utf-8');
  return decoder.decode(bytes, { stream: partial });
}
