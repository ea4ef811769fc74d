import type { Almanac } from '#almanac/almanac.ts';
import type { Config } from '../config.ts';

/** The part of the service that reading the almanac needs. */
export interface AlmanacContext {
  config: Pick<Config, 'baseUrl' | 'siteName'>;
  almanac: Almanac;
  now: () => Date;
}
