/** What each identity tier means, in the words that entries, receipts and the manifest use. */
export const identityTiers = {
  A: 'signed; the key is in the trusted registry of the site',
  B: 'signed; the key is not in the registry',
  C: 'unsigned; the identity is self-asserted',
  D: 'a signature was sent and did not verify; the name is unproven',
  'n/a': 'recorded before signatures were checked on writes (2026-09-08)',
} as const;
