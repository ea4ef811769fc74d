import { crawlers } from './crawlers.ts';
import { glossary } from './glossary.ts';
import { models } from './models.ts';
import { protocols } from './protocols.ts';
import { state } from './state.ts';

export { crawlers, glossary, models, protocols, state };

/** The five datasets of the almanac, in the order in which the site shows them. */
export const datasets = [crawlers, protocols, models, glossary, state] as const;

export type AlmanacDataset = (typeof datasets)[number];
export type AlmanacRecord = AlmanacDataset['records'][number];
