import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { readConfig } from './api/config.ts';

const config = readConfig();

export default defineConfig({
  site: config.baseUrl,
  srcDir: './site',
  publicDir: './site/public',
  outDir: config.distDir,
  output: 'static',
  adapter: node({ mode: 'middleware' }),
  trailingSlash: 'never',
  compressHTML: true,
  devToolbar: { enabled: false },
  // A page is one file beside its twins: /about.html, /about.md, /about.json. The content security policy allows
  // neither inline styles nor inline scripts.
  build: { format: 'file', inlineStylesheets: 'never', assets: 'assets' },
  vite: { build: { assetsInlineLimit: 0 } },
});
