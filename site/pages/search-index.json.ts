import type { APIRoute } from 'astro';
import { toSearchIndex } from '../search-index.ts';

const texts = import.meta.glob<string>('../content/techniques/*.md', { query: '?raw', import: 'default', eager: true });

/** The index of the search palette, which loads it when it is opened. */
export const GET: APIRoute = () => {
  const byId = Object.entries(texts).map(([file, text]) => [/([\w-]+)\.md$/.exec(file)?.[1] ?? '', text] as const);
  return new Response(JSON.stringify(toSearchIndex(new Map(byId))));
};
