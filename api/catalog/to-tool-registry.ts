import { type HttpTwin, type Tool, toHttpTwin, toInputSchema } from '../contract/tool.ts';
import { version } from '../version.ts';
import type { FormTool } from './form-tools.ts';
import { formTools } from './form-tools.ts';

export interface RegisteredToolDocument {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: { readOnlyHint: boolean };
  http: HttpTwin;
  example?: Record<string, unknown>;
}

export interface ToolRegistryDocument {
  $comment: string;
  version: string;
  spec: string;
  tools: RegisteredToolDocument[];
  /** Forms that a browser makes tools of by itself, with the pages that have them. */
  forms: readonly FormTool[];
}

/** The tools as the registry and the manifest show them. */
export const toRegisteredTools = (tools: readonly Tool[]): RegisteredToolDocument[] =>
  tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toInputSchema(tool),
    annotations: { readOnlyHint: tool.readOnly },
    http: toHttpTwin(tool),
    ...(tool.example === undefined ? {} : { example: tool.example }),
  }));

/** The document that `/api/tool-registry` serves. */
export const toToolRegistry = (tools: readonly Tool[]): ToolRegistryDocument => ({
  $comment:
    'The tools that the home page registers through document.modelContext.registerTool, each with its HTTP twin. Where the twin answers with more than the tool, http.note says what to take. forms: those that a browser makes tools of by their attributes, with their pages.',
  version,
  spec: 'https://webmachinelearning.github.io/webmcp/',
  tools: toRegisteredTools(tools),
  forms: formTools,
});
