import { almanacOperations } from '../almanac/operations.ts';
import { lookOperation } from '../audits/look.ts';
import type { Tool } from '../contract/tool.ts';
import { joinOperation } from '../directory/operations.ts';
import { guestbookOperations } from '../guestbook/operations.ts';
import { payOperation } from '../payments/operations.ts';
import { type ToolContext, tools } from './tools.ts';

/** Operations of the API that are declared like tools and not offered as tools. */
export const httpOnlyOperations: readonly Tool<ToolContext>[] = [
  ...guestbookOperations,
  joinOperation,
  lookOperation,
  payOperation,
  ...almanacOperations,
];

/** Everything that has a route with validated input: the tools and the plain operations. */
export const operations: readonly Tool<ToolContext>[] = [...tools, ...httpOnlyOperations];
