import { workerData } from 'node:worker_threads';
import { type TwinJob, writeShareOfTwins } from './twins.ts';

await writeShareOfTwins(workerData as TwinJob);
