import { chapter, type Generator, generators, origin, start } from './generators.ts';

/** The base of a generator of the list, with more packages, other files and files that are not recorded. */
function grown(id: string, name: string, more: Pick<Generator, 'packages' | 'files' | 'skip'>): Generator {
  const base = generators[id];
  if (base === undefined) {
    throw new Error(`There is no generator ${id}.`);
  }
  return {
    ...base,
    name,
    ...(base.packages === undefined ? {} : { packages: { ...base.packages, ...more.packages } }),
    files: { ...base.files, ...more.files },
    ...(more.skip === undefined ? {} : { skip: more.skip }),
  };
}

const vitepressTheme =
  "themeConfig: { sidebar: [{ text: 'Guides', items: [{ text: 'Oil', link: '/guides/oil' }, { text: 'Wick', link: '/guides/wick' }] }] }";

const markdownPages = {
  'docs/index.md': `---\ntitle: Lamp Manual\ndescription: Lamp Manual, step by step, for owners of oil lamps.\n---\n\n# Lamp Manual\n\n${start('/guides/oil')}`,
  'docs/guides/oil.md': `# Oil\n\n${chapter('oil')}`,
  'docs/guides/wick.md': `# Wick\n\n${chapter('wick')}`,
};

const viteFiles = {
  'index.html':
    '<!doctype html>\n<html lang="en">\n  <head>\n    <meta charset="UTF-8" />\n    <meta name="viewport" content="width=device-width, initial-scale=1.0" />\n    <title>Lamp Works</title>\n  </head>\n  <body>\n    <div id="root"></div>\n    <script type="module" src="/src/main.jsx"></script>\n  </body>\n</html>\n',
  'src/main.jsx':
    "import { createElement } from 'react';\nimport { createRoot } from 'react-dom/client';\ncreateRoot(document.getElementById('root')).render(createElement('main', null, createElement('h1', null, 'Lamp Works'), createElement('p', null, 'We repair lamps of every kind, and sell oil and wicks for them.')));\n",
};

/** Generators with what their users add for agents: plugins that write llms.txt and markdown. And two more without. */
export const moreGenerators: Record<string, Generator> = {
  'starlight-llms': grown('starlight', 'Starlight with starlight-llms-txt,', {
    packages: { 'starlight-llms-txt': '0.12.0' },
    files: {
      'astro.config.mjs': `import starlight from '@astrojs/starlight';\nimport { defineConfig } from 'astro/config';\nimport llmsTxt from 'starlight-llms-txt';\nexport default defineConfig({ site: '${origin}', integrations: [starlight({ title: 'Lamp Manual', plugins: [llmsTxt()] })] });\n`,
    },
  }),
  'vitepress-llms': grown('vitepress', 'VitePress with vitepress-plugin-llms,', {
    packages: { 'vitepress-plugin-llms': '1.14.0' },
    files: {
      '.vitepress/config.mjs': `import llms from 'vitepress-plugin-llms';\nexport default {\n  title: 'Lamp Manual', description: 'Lamp Manual, step by step, for owners of oil lamps.', lang: 'en', sitemap: { hostname: '${origin}' },\n  vite: { plugins: [llms({ domain: '${origin}' })] },\n  ${vitepressTheme},\n};\n`,
    },
  }),
  'docusaurus-llms': grown('docusaurus', 'Docusaurus with docusaurus-plugin-llms,', {
    packages: { 'docusaurus-plugin-llms': '0.6.1' },
    files: {
      'docusaurus.config.mjs': `export default {\n  title: 'Lamp Manual', url: '${origin}', baseUrl: '/',\n  presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.mjs' }, blog: false }]],\n  plugins: [['docusaurus-plugin-llms', { generateMarkdownFiles: true }]],\n};\n`,
    },
  }),
  'docusaurus-llms-txt': grown('docusaurus', 'Docusaurus with @signalwire/docusaurus-plugin-llms-txt,', {
    packages: { '@signalwire/docusaurus-plugin-llms-txt': '1.2.2' },
    files: {
      'docusaurus.config.mjs': `export default {\n  title: 'Lamp Manual', url: '${origin}', baseUrl: '/',\n  presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.mjs' }, blog: false }]],\n  plugins: ['@signalwire/docusaurus-plugin-llms-txt'],\n};\n`,
    },
  }),
  'eleventy-llms': grown('eleventy', 'Eleventy with eleventy-plugin-llms-txt,', {
    packages: { 'eleventy-plugin-llms-txt': '1.4.0' },
    files: {
      'eleventy.config.js': `import llms from 'eleventy-plugin-llms-txt';\nexport default function (config) {\n  config.addPlugin(llms, { siteUrl: '${origin}' });\n}\n`,
    },
  }),
  rspress: {
    name: 'Rspress',
    packages: { '@rspress/core': '2.0.22', react: '^19.0.0', 'react-dom': '^19.0.0' },
    files: {
      'rspress.config.mjs': `export default { root: 'docs', lang: 'en', title: 'Lamp Manual', description: 'Lamp Manual, step by step, for owners of oil lamps.' };\n`,
      ...markdownPages,
    },
    build: ['node_modules/.bin/rspress', ['build']],
    output: 'doc_build',
  },
  'rspress-llms': {
    name: 'Rspress with its option llms,',
    packages: { '@rspress/core': '2.0.22', react: '^19.0.0', 'react-dom': '^19.0.0' },
    files: {
      'rspress.config.mjs': `export default { root: 'docs', lang: 'en', title: 'Lamp Manual', description: 'Lamp Manual, step by step, for owners of oil lamps.', siteOrigin: '${origin}', llms: true };\n`,
      ...markdownPages,
    },
    build: ['node_modules/.bin/rspress', ['build']],
    output: 'doc_build',
  },
  'vite-react': {
    name: 'Vite with React, as its template leaves it,',
    packages: { vite: '^8.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
    files: viteFiles,
    build: ['node_modules/.bin/vite', ['build']],
    output: 'dist',
  },
};
