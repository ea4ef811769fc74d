import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Code, Root, RootContent, Table } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { parse as parseYaml } from 'yaml';
import { techniqueCatalog, techniqueIds } from '#almanac/techniques.ts';
import { sitePages } from '#site/site-map.ts';
import { findNginx } from '../../scripts/support/requirements.ts';

const folder = join(import.meta.dirname, '../../site/content/playbook');
const platforms = ['nginx', 'Apache', 'Caddy', 'Cloudflare', 'Express', 'Next.js', 'Astro', 'WordPress'];
const headings = ['What you will have', 'Before you start', ...platforms, 'Order of work', 'When it goes wrong'];
const languages = ['apache', 'bash', 'caddy', 'html', 'js', 'json', 'jsonc', 'nginx', 'php', 'ts', 'tsx', 'txt'];

interface Chapter {
  id: string;
  fields: Record<string, unknown>;
  tree: Root;
  /** Heading of depth 2 → what stands below it. */
  sections: Map<string, RootContent[]>;
  codes: Code[];
}

const plain = (node: Root | RootContent): string => {
  let text = '';
  visit(node, (child) => {
    if (child.type === 'text' || child.type === 'inlineCode') {
      text += child.value;
    }
  });
  return text;
};

function readChapter(id: string): Chapter {
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(join(folder, `${id}.md`), 'utf8')) ?? [];
  assert.ok(head !== undefined && body !== undefined, `${id}: no front matter`);
  const tree = unified().use(remarkParse).use(remarkGfm).parse(body);
  const sections = new Map<string, RootContent[]>();
  let current: RootContent[] = [];
  for (const node of tree.children) {
    if (node.type === 'heading' && node.depth === 2) {
      current = [];
      sections.set(plain(node), current);
    } else {
      current.push(node);
    }
  }
  const codes: Code[] = [];
  visit(tree, 'code', (node) => void codes.push(node));
  const fields: unknown = parseYaml(head);
  assert.ok(fields !== null && typeof fields === 'object' && !Array.isArray(fields), `${id}: front matter is no map`);
  return { id, fields: { ...fields }, tree, sections, codes };
}

const chapters = techniqueIds.map(readChapter);
const scratch = mkdtempSync(join(tmpdir(), 'playbook-'));
after(() => rmSync(scratch, { recursive: true }));

const codesOf = (...wanted: string[]): { id: string; line: number; value: string }[] =>
  chapters.flatMap(({ id, codes }) =>
    codes
      .filter(({ lang }) => wanted.includes(lang ?? ''))
      .map(({ value, position }) => ({ id, line: position?.start.line ?? 0, value })),
  );

describe('the playbook', () => {
  it('has one chapter for each technique, and an index that says the same', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
    assert.deepEqual(files.sort(), [...techniqueIds].map((id) => `${id}.md`).sort());
    const index: unknown = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    assert.ok(index !== null && typeof index === 'object' && 'chapters' in index && 'free_chapter' in index);
    assert.deepEqual(
      index.chapters,
      chapters.map(({ id, fields: { title, summary, minutes } }) => ({ id, title, summary, minutes })),
    );
    assert.ok(techniqueIds.some((id) => id === index.free_chapter));
  });

  for (const chapter of chapters) {
    describe(chapter.id, () => {
      const { id, fields, tree, sections, codes } = chapter;

      it('has a title, a one-sentence summary, minutes and a date', () => {
        assert.deepEqual(Object.keys(fields), ['title', 'summary', 'minutes', 'updated']);
        const technique = techniqueCatalog('https://example.com').techniques.find((entry) => entry.id === id);
        assert.equal(fields['title'], technique?.name);
        assert.match(String(fields['summary']), /^[A-Z][^\n]{40,200}\.$/);
        assert.match(String(fields['updated']), /^\d{4}-\d{2}-\d{2}$/);
      });

      it('has the sections in order, without jumps, and no markup', () => {
        assert.deepEqual([...sections.keys()], headings);
        let depth = 1;
        visit(tree, 'html', ({ value }) => assert.fail(`${id} holds raw HTML: ${value}`));
        visit(tree, 'heading', (node) => {
          assert.ok(node.depth > 1 && node.depth <= depth + 1, `${plain(node)} is a heading of depth ${node.depth}`);
          depth = node.depth;
        });
      });

      it('names a language for each fence', () => {
        for (const { lang, position } of codes) {
          assert.ok(languages.includes(lang ?? ''), `${id}: fence at line ${position?.start.line} is ${lang}`);
        }
      });

      for (const platform of platforms) {
        it(`has code for ${platform} and ends it with a command and what it prints`, () => {
          const nodes = sections.get(platform) ?? [];
          const [label, command, output] = nodes.slice(-3);
          assert.ok(label?.type === 'paragraph' && plain(label) === 'Prove it:', `${id}: no proof for ${platform}`);
          assert.ok(command?.type === 'code' && command.lang === 'bash');
          assert.ok(output?.type === 'code' && output.lang === 'txt');
          assert.ok(nodes.slice(0, -3).some(({ type }) => type === 'code'));
        });
      }

      it('promises at least three things, and its steps take the minutes it states', () => {
        const boxes = (sections.get('What you will have') ?? []).flatMap((node) =>
          node.type === 'list' ? node.children : [],
        );
        assert.ok(boxes.length >= 3 && boxes.every(({ checked }) => checked === false));
        const isTable = (node: RootContent): node is Table => node.type === 'table';
        const rows = (sections.get('Order of work') ?? []).find(isTable)?.children.slice(1) ?? [];
        const minutes = rows.map(({ children }) => Number(children[1] ? plain(children[1]) : Number.NaN));
        assert.equal(
          minutes.reduce((sum, count) => sum + count, 0),
          fields['minutes'],
        );
      });

      it('links to https addresses and to pages of this site', () => {
        const paths = new Set(sitePages.map(({ path }) => path));
        visit(tree, 'link', ({ url }) => {
          const isKnown = url.startsWith('/')
            ? paths.has(url)
            : URL.canParse(url) && new URL(url).protocol === 'https:';
          assert.ok(isKnown, `${id} links to ${url}`);
        });
      });
    });
  }

  it('repeats no line of prose from one chapter in another', () => {
    const owner = new Map<string, string>();
    for (const { id, tree } of chapters) {
      visit(tree, 'paragraph', (node) => {
        const text = plain(node);
        if (text !== 'Prove it:') {
          assert.equal(owner.get(text) ?? id, id, `${id} repeats: ${text}`);
          owner.set(text, id);
        }
      });
    }
  });

  it('shows JSON and TypeScript that parse', () => {
    for (const { id, line, value } of codesOf('json', 'jsonc')) {
      assert.doesNotThrow(() => JSON.parse(value), `${id}, line ${line} of the body`);
    }
    for (const { id, line, value } of codesOf('ts')) {
      assert.doesNotThrow(() => stripTypeScriptTypes(value), `${id}, line ${line} of the body`);
    }
  });

  it('shows JavaScript that Node accepts', async () => {
    const check = promisify(execFile);
    const typed = codesOf('ts')
      .filter(({ value }) => !/^declare /m.test(value))
      .map((code) => ({ ...code, value: stripTypeScriptTypes(code.value) }));
    const queue = [...codesOf('js'), ...typed].map((code, index) => ({ ...code, index }));
    const work = async (): Promise<void> => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        const file = join(scratch, `${next.index}.mjs`);
        writeFileSync(file, next.value);
        await assert.doesNotReject(
          check(process.execPath, ['--check', file]),
          `${next.id}, line ${next.line} of the body`,
        );
      }
    };
    await Promise.all([work(), work()]);
  });

  it('shows nginx configuration that nginx accepts', () => {
    for (const { id, line, value } of codesOf('nginx')) {
      const text = value
        // The njs module and generated includes are not there: stand-ins define their variables.
        .replace(/^load_module .*$/m, '')
        .replace(/^js_import .*$/m, '')
        .replace(/^js_set (\$\w+) .*$/m, 'map "" $1 { default html; }')
        .replace('include /srv/servers/http.nginx;', 'map "" $discovery_link { default ""; }')
        .replace(/^ *include \/.*$/gm, '')
        .replace(/\/var\/(?:log|cache)\/nginx/g, scratch)
        .replace(/^server \{\n(?! *listen)/gm, `$&    listen unix:${scratch}/nginx.sock;\n`)
        .replace(/listen 127\.0\.0\.1:\d+;/g, `listen unix:${scratch}/inner.sock;`);
      const file = join(scratch, 'nginx.conf');
      const log = join(scratch, 'error.log');
      writeFileSync(
        file,
        `pid ${scratch}/nginx.pid;\nerror_log ${log};\nevents {}\nhttp {\naccess_log ${scratch}/access.log;\n${text}\n}\n`,
      );
      const { status, stderr } = spawnSync(findNginx(), ['-t', '-c', file, '-e', log], { encoding: 'utf8' });
      assert.equal(status, 0, `${id}, line ${line} of the body: ${stderr}`);
    }
  });
});
