import { almanacOperations } from '../almanac/operations.ts';
import type { Tool } from '../contract/tool.ts';
import { guestbookOperations } from '../guestbook/operations.ts';
import { serviceOperations } from './service-operations.ts';
import { tools } from './tools.ts';

/** Operations of the API that are declared like tools and not offered as tools. */
export const plainOperations: readonly Tool[] = [...guestbookOperations, ...serviceOperations, ...almanacOperations];

/** Everything that has a route with validated input: the tools and the plain operations. */
export const operations: readonly Tool[] = [...tools, ...plainOperations];
