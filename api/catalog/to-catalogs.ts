import { mcpPath } from './to-mcp.ts';

interface SiteFacts {
  name: string;
  description: string;
  origin: string;
}

/** The API catalog of RFC 9727: a linkset (RFC 9264) with the API as its anchor. */
export const toApiCatalog = ({ origin }: SiteFacts): Record<string, unknown> => ({
  linkset: [
    {
      anchor: `${origin}/api`,
      'service-desc': [{ href: `${origin}/openapi.json`, type: 'application/vnd.oai.openapi+json;version=3.1' }],
      'service-doc': [
        { href: `${origin}/developers`, type: 'text/html' },
        { href: `${origin}/developers.md`, type: 'text/markdown' },
      ],
      'service-meta': [{ href: `${origin}/.well-known/agents.json`, type: 'application/json' }],
      status: [{ href: `${origin}/api/health`, type: 'application/json' }],
    },
  ],
});

/** A skill of the site: a SKILL.md that tells an agent how to use it. */
export interface Skill {
  name: string;
  description: string;
  path: string;
  /** SHA-256 of the file, lower-case hex. */
  sha256: string;
}

/** The index of Agent Skills Discovery 0.2.0. */
export const toSkillIndex = ({ origin }: SiteFacts, skills: readonly Skill[]): Record<string, unknown> => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: skills.map((skill) => ({
    name: skill.name,
    type: 'skill-md',
    description: skill.description,
    url: `${origin}${skill.path}`,
    digest: `sha256:${skill.sha256}`,
  })),
});

/** The AI catalog of Agentic Resource Discovery (ARD 0.91, and 0.9 at the older address): what an agent can use here. */
export const toAiCatalog = (site: SiteFacts, skills: readonly Skill[], updatedAt: string): Record<string, unknown> => {
  const host = new URL(site.origin).hostname;
  return {
    specVersion: '1.0',
    host: { displayName: site.name, identifier: `urn:air:${host}`, documentationUrl: `${site.origin}/developers` },
    entries: [
      {
        identifier: `urn:air:${host}:mcp:porchlight`,
        displayName: `${site.name} over MCP`,
        type: 'application/mcp-server-card+json',
        url: `${site.origin}${mcpPath}/server-card`,
        description: 'Server card of the MCP endpoint, which has the tools of the site.',
        tags: ['agent-readiness', 'reference'],
        representativeQueries: ['Which crawler is GPTBot?', 'Who governs MCP?'],
        updatedAt,
      },
      ...skills.map((skill) => ({
        identifier: `urn:air:${host}:skills:${skill.name}`,
        displayName: skill.name,
        type: 'text/markdown; profile="urn:air:agent-skills"',
        url: `${site.origin}${skill.path}`,
        description: skill.description,
        tags: ['agent-readiness', 'reference'],
        representativeQueries: ['How do I serve markdown to AI agents?', 'How do I use this site without a browser?'],
        updatedAt,
      })),
    ],
  };
};
