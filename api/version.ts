import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };

/** The version of the service: of its tools, its API description, its MCP server and its User-Agents. */
export const { version } = z.object({ version: z.string() }).parse(manifest);
