import type { Tool } from '../tool.ts';
import { getTechnique } from './get_technique.ts';
import { getVisitorInfo } from './get_visitor_info.ts';
import { listTechniques } from './list_techniques.ts';

/** Every tool of the service, in the order of the catalog. */
export const tools: readonly Tool[] = [listTechniques, getTechnique, getVisitorInfo];
