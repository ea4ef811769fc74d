import type { Evidence } from '../evidence.ts';

/** True when the audited origin is the auditor's own machine or network, which has no certificate that all would trust. */
export function isLocal(evidence: Evidence): boolean {
  const host = new URL(evidence.origin).hostname.replace(/^\[|\]$/g, '');
  return (
    /^(?:localhost|.*\.localhost|.*\.local|.*\.internal|.*\.test|::1)$/.test(host) ||
    /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./.test(host) ||
    /^f[cde]/.test(host.includes(':') ? host : '')
  );
}
