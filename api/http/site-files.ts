import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ContentCoding, Representation } from './negotiate.ts';

/** One coded form of a body. */
export interface Form {
  /** Bytes. */
  length: number;
  /** The strong ETag. */
  etag: string;
  /** The bytes: at once where they're in memory, else when they have been read. Rejects when they can't be read. */
  read(): Buffer | Promise<Buffer>;
}

/** A body in each content coding that there is; a coded form is there only where it is shorter. */
export type Forms = Partial<Record<ContentCoding, Form>> & { identity: Form };

/** A file of the built site. */
export interface StoredBody {
  /** Path below the folder of the built site, with `/` between its parts. */
  file: string;
  /** Value of the Content-Type header. */
  type: string;
  forms: Forms;
}

/** The built site as the fronts see it. */
export interface SiteFiles {
  /** Pages by path; each has three representations. */
  pages: Map<string, Record<Representation, StoredBody>>;
  /** Everything else by path. */
  files: Map<string, StoredBody>;
}

/** The media types of files by their path, where they're declared. */
export type DeclaredTypes = ReadonlyMap<string, string>;

const typesByEnding: [ending: string, type: string][] = [
  ['.html', 'text/html; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.json', 'application/json'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.csv', 'text/csv; charset=utf-8; header=present'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.xml', 'application/xml; charset=utf-8'],
  ['.woff2', 'font/woff2'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.webmanifest', 'application/manifest+json'],
];

/** The media type of a file of the built site: as it is declared, else by the ending of its name. */
function typeOf(path: string, declaredTypes: DeclaredTypes): string {
  const declared = declaredTypes.get(path) ?? typesByEnding.find(([ending]) => path.endsWith(ending))?.[1];
  if (declared === undefined) {
    throw new Error(`the built file ${path} has no known media type: declare it in api/catalog/endpoints.ts`);
  }
  return declared;
}

/**
 * The second at which a file with these bytes counts as changed: a hash in the form of a time. nginx makes a strong
 * ETag from time and length; with this time it changes exactly when the bytes do.
 */
export const contentTime = (bytes: Buffer): number =>
  (createHash('sha256').update(bytes).digest().readUInt32BE(0) & 0x7fffffff) | 1;

/** The strong ETag of a body in one content coding, in the form in which nginx writes it. */
export const entityTag = (bytes: Buffer): string => `"${contentTime(bytes).toString(16)}-${bytes.length.toString(16)}"`;

/** A form whose bytes are in memory. */
export const toForm = (bytes: Buffer): Form => ({ length: bytes.length, etag: entityTag(bytes), read: () => bytes });

/** Sorts the files of a built site, by name, into pages with their twins and the rest. */
export function toSiteFiles(all: ReadonlyMap<string, Forms>, declaredTypes: DeclaredTypes): SiteFiles {
  const body = (file: string): StoredBody => {
    const forms = all.get(file);
    if (forms === undefined) {
      throw new Error(`the built site has no ${file}: run \`npm run build\``);
    }
    return { file, type: typeOf(`/${file}`, declaredTypes), forms };
  };
  const pages: SiteFiles['pages'] = new Map();
  const files: SiteFiles['files'] = new Map();
  const isTwin = (name: string): boolean => /\.(?:md|json)$/.test(name) && all.has(name.replace(/\.\w+$/, '.html'));
  for (const name of all.keys()) {
    if (isTwin(name)) {
      continue;
    }
    if (name.endsWith('.html')) {
      const stem = name.slice(0, -'.html'.length);
      const path = stem === 'index' ? '/' : `/${stem}`;
      pages.set(path, { html: body(name), markdown: body(`${stem}.md`), json: body(`${stem}.json`) });
    } else {
      files.set(`/${name}`, body(name));
    }
  }
  return { pages, files };
}

/** The files in the build that are read by hosts and not served. */
const unserved = new Set(['_headers']);

/** Reads the files of a built site one by one, coded forms included. Their bytes are read again when they're asked for. */
export function readSiteFiles(clientDir: string, declaredTypes: DeclaredTypes): SiteFiles {
  const names = readdirSync(clientDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(clientDir, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const present = new Set(names);
  const form = (name: string): Form => {
    const path = join(clientDir, name);
    return { ...toForm(readFileSync(path)), read: () => readFileSync(path) };
  };
  const codedForm = (coding: ContentCoding, name: string) => (present.has(name) ? { [coding]: form(name) } : {});
  return toSiteFiles(
    new Map(
      names
        .filter((name) => !/\.(?:br|gz)$/.test(name) && !unserved.has(name))
        .map((name) => [
          name,
          { identity: form(name), ...codedForm('br', `${name}.br`), ...codedForm('gzip', `${name}.gz`) },
        ]),
    ),
    declaredTypes,
  );
}

/** The addresses of a page: its own and those of its twins. */
export const pageAddresses = (path: string): string[] => {
  const stem = path === '/' ? '/index' : path;
  return [path, `${stem}.md`, `${stem}.json`];
};

/** The twin addresses of the pages: `/about.md` is the markdown of `/about`. */
export function twinAddresses(site: SiteFiles): Map<string, { page: string; representation: 'markdown' | 'json' }> {
  const twins = new Map<string, { page: string; representation: 'markdown' | 'json' }>();
  for (const [page, { markdown, json }] of site.pages) {
    twins.set(`/${markdown.file}`, { page, representation: 'markdown' });
    twins.set(`/${json.file}`, { page, representation: 'json' });
  }
  return twins;
}
