import type { Request } from 'express';
import { rawBodyOf } from '../http/raw-body.ts';
import type { SignatureReport } from './signatures/signature-report.ts';
import type { SignatureVerifier } from './signatures/signature-verifier.ts';

const reports = new WeakMap<Request, Promise<SignatureReport>>();

/**
 * What was made of the signature of a request. It is verified at the first call and only then, because a signature counts
 * once. Call it when the body has been read.
 */
export function signatureOf(request: Request, signatures: SignatureVerifier): Promise<SignatureReport> {
  const known = reports.get(request);
  if (known !== undefined) {
    return known;
  }
  const report = signatures.verifyRequest({
    method: request.method,
    targetUri: request.originalUrl,
    rawHeaders: request.rawHeaders,
    body: rawBodyOf(request),
  });
  reports.set(request, report);
  return report;
}
