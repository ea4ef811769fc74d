import { z } from 'zod';
import document from './techniques.json' with { type: 'json' };

/** The ids of the catalog, in its order. */
export const techniqueIds = [
  'llms-txt',
  'markdown-negotiation',
  'webmcp',
  'json-ld',
  'robots-welcome',
  'accessibility-tree',
  'no-js-parity',
  'machine-discovery',
  'agent-api',
  'ax-trust',
  'agent-identity',
  'transparent-machine-layer',
] as const;

export type TechniqueId = (typeof techniqueIds)[number];

export const Technique = z.strictObject({
  id: z.enum(techniqueIds).describe('Slug of the technique.'),
  number: z.int().min(1).max(12).describe('Place in the catalog, 1 to 12.'),
  name: z.string().min(3).describe('Name of the technique.'),
  what: z.string().min(40).describe('What it is.'),
  why: z.string().min(40).describe('What a site gains by it.'),
  proof: z
    .string()
    .min(20)
    .describe('How to verify it on this service: plain text, each command on a line of its own.'),
});
export type Technique = z.infer<typeof Technique>;

export const TechniqueCatalog = z.strictObject({
  title: z.string().describe('Title of the catalog.'),
  description: z.string().describe('What the catalog holds.'),
  source: z.url().describe('Address of the page that shows the catalog.'),
  techniques: z.array(Technique).length(12).describe('The twelve techniques, in order.'),
});
export type TechniqueCatalog = z.infer<typeof TechniqueCatalog>;

const ProofStep = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ command: z.string() }),
  z.strictObject({ script: z.string() }),
]);
/**
 * One step of a proof: a sentence in inline markdown, a command for a POSIX shell, or a line for the browser's console. A
 * literal in backticks that follows a command is in what the command prints, in these or other letters.
 */
export type ProofStep = z.infer<typeof ProofStep>;

const Stored = TechniqueCatalog.extend({
  source: z.string(),
  techniques: z.array(Technique.extend({ proof: z.array(ProofStep).min(2) })),
});

const stored = Stored.parse(document);
stored.techniques.forEach((technique, index) => {
  if (technique.id !== techniqueIds[index] || technique.number !== index + 1) {
    throw new Error(`techniques[${index}] ${technique.id}: expected ${techniqueIds[index]}, number ${index + 1}`);
  }
});

const fill = (text: string, baseUrl: string): string => text.replaceAll('{base_url}', baseUrl);

/** The steps that prove a technique on the service at one origin. */
export const proofSteps = (id: TechniqueId, baseUrl: string): ProofStep[] =>
  (stored.techniques.find((technique) => technique.id === id)?.proof ?? []).map((step) =>
    'text' in step
      ? { text: fill(step.text, baseUrl) }
      : 'command' in step
        ? { command: fill(step.command, baseUrl) }
        : { script: fill(step.script, baseUrl) },
  );

const toLine = (step: ProofStep): string =>
  'text' in step ? step.text.replaceAll('`', '') : 'command' in step ? step.command : step.script;

/** The catalog with its addresses filled in for one origin. */
export function techniqueCatalog(baseUrl: string): TechniqueCatalog {
  return {
    title: stored.title,
    description: stored.description,
    source: fill(stored.source, baseUrl),
    techniques: stored.techniques.map((technique) => ({
      ...technique,
      proof: proofSteps(technique.id, baseUrl).map(toLine).join('\n'),
    })),
  };
}
