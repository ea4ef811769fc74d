import { nginx } from './nginx.ts';
import { type Platform, twinScriptStep } from './platform.ts';

/** A static Astro site: the build writes the markdown, the host negotiates. */
export const astro: Platform = {
  name: 'Astro',
  testedWith: 'Astro 7, served by nginx',
  configure(site, needs) {
    const integration = `// for-agents.mjs: an Astro integration
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** After each build: a markdown file next to each page. */
export const forAgents = (origin) => ({
  name: 'for-agents',
  hooks: {
    'astro:build:done': ({ dir }) => {
      execFileSync(process.execPath, ['make-twins.mjs', fileURLToPath(dir), origin], { stdio: 'inherit' });
    },
  },
});
`;
    const settings = `// astro.config.mjs: merge this into yours
import { defineConfig } from 'astro/config';
import { forAgents } from './for-agents.mjs';

export default defineConfig({
  site: '${site.origin}',
  integrations: [forAgents('${site.origin}')],
});
`;
    const server = nginx.configure(site, needs);
    return {
      files: [
        ...(needs.negotiation
          ? ([
              { path: 'for-agents.mjs', place: 'project', language: 'js', text: integration },
              { path: 'astro.config.mjs', place: 'project', language: 'js', text: settings },
            ] as const)
          : []),
        ...server.files,
      ],
      steps: [
        ...(needs.negotiation
          ? [twinScriptStep, 'Put for-agents.mjs into the root of the project, and merge astro.config.mjs into yours.']
          : []),
        'Put the files for the site (llms.txt, robots.txt and so on) into public/, and build.',
        'Astro only writes files. The server in front chooses: this is the block for nginx; take the one of your own host if it is another.',
      ],
      limits: server.limits,
    };
  },
};
