import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#api/config.ts';
import { buildWhenNeeded } from './support/build/build-when-needed.ts';
import { builtContents, redated, undated } from './support/build/page-content.ts';
import { projectDir } from './support/build/stamp.ts';

// Records the day for each page whose own content has changed: builds the site and compares it with site/content/page-dates.json.
const distDir = join(projectDir, 'node_modules', '.cache', 'porchlight-pages');
const environment = { ...process.env, DIST_DIR: distDir };
const config = readConfig(environment);
await buildWhenNeeded(config, environment);
const contents = await builtContents(join(distDir, 'client'), config);
const changed = undated(contents);
const record = redated(contents, new Date().toISOString().slice(0, 'YYYY-MM-DD'.length));
const file = join(projectDir, 'site', 'content', 'page-dates.json');
const lines = Object.entries(record).map(([path, date]) => `  ${JSON.stringify(path)}: ${JSON.stringify(date)}`);
await writeFile(file, `{\n${lines.join(',\n')}\n}\n`);
console.log(changed.length === 0 ? 'No page has changed.' : `Recorded today for ${changed.join(', ')}.`);
