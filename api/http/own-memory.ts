/** Most bytes around a body that aren't worth a copy. */
const slackBytes = 256;

/**
 * The same bytes in memory of their own. What Node's encoders and decoders give is often a view on a stretch of its
 * pool, 64 KB that stay in memory for as long as any view on them: a cache of small bodies would hold several times
 * what it counts.
 */
export function toOwnMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength - bytes.length <= slackBytes) {
    return bytes;
  }
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
