import { crawlers, glossary, models, protocols, state } from '#almanac/datasets/index.ts';
import type { AlmanacRecords } from './check.ts';

/** The records of the almanac as they are. */
export const almanacRecords: AlmanacRecords = {
  crawlers: crawlers.records,
  protocols: protocols.records,
  models: models.records,
  glossary: glossary.records,
  state: state.records,
};
