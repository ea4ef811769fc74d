import { getCollection } from 'astro:content';
import type { z } from 'zod';
import type { ContentSchemas } from './content.config.ts';

/** A text of site/content/ with its front matter. */
export interface ContentText<Data> {
  /** Its file's name without the ending. */
  id: string;
  data: Data;
  /** Markdown, in which `{base_url}` stands for the origin of the site. */
  body: string;
}

/**
 * The texts of a collection by id. Typed by the schemas themselves: the types that Astro generates are there only after a
 * build.
 */
export async function textsOf<Name extends keyof ContentSchemas>(
  name: Name,
): Promise<Map<string, ContentText<z.infer<ContentSchemas[Name]>>>> {
  const read = getCollection as (name: string) => Promise<unknown[]>;
  const texts = (await read(name)) as ContentText<z.infer<ContentSchemas[Name]>>[];
  return new Map(texts.map(({ id, data, body }) => [id, { id, data, body: body.trim() }]));
}

/** One of them. Throws an Error that names the file when there is none. */
export function textWith<Data>(
  texts: ReadonlyMap<string, ContentText<Data>>,
  name: keyof ContentSchemas,
  id: string,
): ContentText<Data> {
  const text = texts.get(id);
  if (text === undefined) {
    throw new Error(`site/content/${name}/${id}.md is missing`);
  }
  return text;
}
