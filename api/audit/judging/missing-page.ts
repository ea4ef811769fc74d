import type { Evidence } from '../evidence.ts';
import { isSuccess } from '../facts/headers.ts';

/** True when an address that cannot exist is answered as a page: `real-404` fails. */
export const isSoft404 = ({ exchanges }: Evidence): boolean => isSuccess(exchanges['missing'] ?? null);
