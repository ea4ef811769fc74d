import type { Representation } from '../http/negotiate.ts';

/**
 * The entity tags of a body without their quotes, with commas between: as it is, brotli, gzip. A form that there is not is left
 * empty. The number behind the hyphen is the length of the form in bytes, in hexadecimal.
 */
export type EntityTags = string;

/** What the worker at a CDN's edge knows of the site. It's written by the build and part of the script, so it's kept small. */
export interface EdgeManifest {
  /** Origin that absolute links are built with. */
  baseUrl: string;
  /** Address of the service that the worker stands in front of, unless the host's settings name one; null for none. */
  origin: string | null;
  /** The built pages by path, without the page of 404. */
  pages: Record<string, Record<Representation, EntityTags>>;
  /** The page that says that there is nothing. */
  missing: Record<Representation, EntityTags>;
  /** Everything else by path. */
  files: Record<string, [type: string, tags: EntityTags]>;
  /** Pages that the origin renders; the built ones stand in for them. */
  livePages: readonly string[];
  /** Built pages of which the origin makes a part, for a query that narrows down what they show. */
  narrowedPages: readonly string[];
  /** Pages that take a form: what doesn't read goes to the origin. */
  formPages: readonly string[];
  /** Addresses that the origin alone answers: whole paths, and beginnings, which end in a slash. */
  originPaths: readonly string[];
}
