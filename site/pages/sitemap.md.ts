import type { APIRoute } from 'astro';
import { linkList } from '../link-list.ts';
import { site } from '../site.ts';

export const GET: APIRoute = () =>
  new Response(
    `# ${site.name}: sitemap\n\n> Every page of this site by section. The index for agents is [llms.txt](${site.origin}/llms.txt).\n\n${linkList({ records: true })}`,
  );
