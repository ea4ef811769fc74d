import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { files, folder } from './archive-files.ts';

test('its own test passes in a folder with nothing else, and can fail', async () => {
  const run = (...only: string[]) =>
    promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', ...only, 'test.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
    });
  const { stdout } = await run();
  assert.match(stdout, /^# fail 0$/m);
  assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 150, stdout.slice(-300));
  const config = join(folder, '05-robots-welcome/nginx/nginx.conf');
  writeFileSync(config, 'server { listen nowhere at all }');
  await assert.rejects(run('--test-name-pattern=^05-'), ({ stdout: printed }) =>
    /^not ok .*05-robots-welcome\/nginx/m.test(printed),
  );
  writeFileSync(config, String(files.get('05-robots-welcome/nginx/nginx.conf')));
});
