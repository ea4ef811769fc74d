import type { APIRoute } from 'astro';
import { toSearchIndex } from '../search-index.ts';
import { techniqueTexts } from '../technique-text.ts';

/** The index of the search palette, which loads it when it is opened. */
export const GET: APIRoute = () => {
  const texts = new Map([...techniqueTexts].map(([id, { markdown }]) => [id, markdown]));
  return new Response(JSON.stringify(toSearchIndex(texts)));
};
