import type { Config } from '../config.ts';
import type { Guestbook } from './store.ts';

/** The part of the service that the guestbook needs. */
export interface GuestbookContext {
  config: Pick<Config, 'baseUrl' | 'contact'>;
  guestbook: Guestbook;
  /** Resolves when every page and list shows what was stored before the call, or after eight seconds. */
  waitUntilVisible(): Promise<void>;
}
