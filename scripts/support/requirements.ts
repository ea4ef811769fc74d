import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { TestSet } from './test-sets.ts';

/** A program that tests need and npm does not bring. */
interface Requirement {
  name: string;
  /** The sets of tests that run it. */
  sets: readonly TestSet[];
  /** Finds the program, or null. */
  find(): string | null;
  /** Debian packages that bring it. */
  packages: string[];
  /** What to do on a machine that is not Debian. */
  elsewhere: string;
}

const onPath = (...names: string[]): string | null => {
  for (const name of names) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    if (found.status === 0) {
      return found.stdout.trim();
    }
  }
  return null;
};

const firstOf = (files: string[]): string | null => files.find((file) => existsSync(file)) ?? null;

const isDebian = (): boolean =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

/** The first of some interpreters that can run a line, or null. */
const withModule = (interpreters: string[], option: string, line: string): string | null =>
  interpreters.find((name) => spawnSync(name, [option, line], { stdio: 'ignore' }).status === 0) ?? null;

const requirements: Requirement[] = [
  {
    name: 'Chromium',
    sets: ['site', 'slow'],
    find: () => onPath('chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'),
    packages: ['chromium'],
    elsewhere: 'Install Chromium or Chrome and put it on the PATH as `chromium`.',
  },
  {
    name: 'the headless shell of Chromium',
    sets: ['site', 'slow'],
    find: () => onPath('chromium-headless-shell', 'chrome-headless-shell') ?? (isDebian() ? null : findChromium()),
    packages: ['chromium-headless-shell'],
    elsewhere: 'Install the package chromium-headless-shell.',
  },
  {
    name: 'nginx',
    sets: ['site', 'slow'],
    find: () => onPath('nginx') ?? firstOf(['/usr/sbin/nginx', '/usr/local/sbin/nginx']),
    packages: ['nginx'],
    elsewhere: 'Install nginx and put it on the PATH.',
  },
  {
    name: 'the brotli module of nginx',
    sets: ['site', 'slow'],
    find: () => findBrotliModule(),
    packages: ['libnginx-mod-http-brotli-static'],
    elsewhere: 'Install ngx_http_brotli_static_module for your nginx.',
  },
  {
    name: 'Java, which the HTML checker runs on',
    sets: ['site', 'slow'],
    find: () => onPath('java'),
    packages: ['default-jre-headless'],
    elsewhere: 'Install a Java runtime, version 11 or later.',
  },
  {
    name: 'Apache, which pasted fixes are tried on',
    sets: ['slow'],
    find: () => onPath('apache2', 'httpd') ?? firstOf(['/usr/sbin/apache2', '/usr/sbin/httpd']),
    packages: ['apache2'],
    elsewhere: 'Install the Apache HTTP Server 2.4 and put it on the PATH as `apache2` or `httpd`.',
  },
  {
    name: 'Caddy, which pasted fixes are tried on',
    sets: ['slow'],
    find: () => onPath('caddy'),
    packages: ['caddy'],
    elsewhere: 'Install Caddy 2 and put it on the PATH.',
  },
  {
    name: 'Hugo, which a recipe is run with',
    sets: ['slow'],
    find: () => onPath('hugo'),
    packages: ['hugo'],
    elsewhere: 'Install Hugo and put it on the PATH.',
  },
  {
    name: 'PHP, which a recipe is run with',
    sets: ['slow'],
    find: () => onPath('php'),
    packages: ['php-cli'],
    elsewhere: 'Install PHP 8 and put it on the PATH as `php`.',
  },
  {
    name: 'PHP with Laravel, which a recipe is run with',
    sets: ['slow'],
    find: () =>
      withModule(['/usr/bin/php', 'php'], '-r', "exit((@include 'Illuminate/autoload.php') === false ? 1 : 0);"),
    packages: ['php-cli', 'php-laravel-framework'],
    elsewhere: 'Put a folder with Laravel as Illuminate/autoload.php on the include path of PHP, as Debian does.',
  },
  {
    name: 'Python with Django, which a recipe is run with',
    sets: ['slow'],
    find: () => withModule(['/usr/bin/python3', 'python3'], '-c', 'import django'),
    packages: ['python3', 'python3-django'],
    elsewhere: 'Install Django for the `python3` on the PATH.',
  },
  {
    name: 'Ruby with Railties, which a recipe is run with',
    sets: ['slow'],
    find: () => withModule(['/usr/bin/ruby', 'ruby'], '-e', "gem 'railties'"),
    packages: ['ruby', 'ruby-railties'],
    elsewhere: 'Install the gem railties for the `ruby` on the PATH.',
  },
  {
    name: 'buildah, which builds the image',
    sets: ['slow'],
    find: () => onPath('buildah'),
    packages: ['buildah'],
    elsewhere: 'Install buildah (Linux).',
  },
  {
    name: 'OpenSSL 3',
    sets: ['unit', 'site', 'slow'],
    find: () => onPath('openssl'),
    packages: ['openssl'],
    elsewhere: 'Install OpenSSL 3.',
  },
  {
    name: 'curl',
    sets: ['site', 'slow'],
    find: () => onPath('curl'),
    packages: ['curl'],
    elsewhere: 'Install curl.',
  },
  {
    name: 'Python 3',
    sets: ['site', 'slow'],
    find: () => onPath('python3'),
    packages: ['python3'],
    elsewhere: 'Install Python 3.',
  },
  {
    name: 'strace',
    sets: ['slow'],
    find: () => onPath('strace'),
    packages: ['strace'],
    elsewhere: 'Install strace (Linux).',
  },
];

/** The file of the brotli module, or null. */
export const findBrotliModule = (): string | null =>
  firstOf([
    '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so',
    '/usr/share/nginx/modules/ngx_http_brotli_static_module.so',
  ]);

const found = (name: string): string => {
  const path = requirements.find((requirement) => requirement.name === name)?.find() ?? null;
  if (path === null) {
    throw new Error(`${name} is not on this machine; \`npm test\` installs it or says how`);
  }
  return path;
};

export const findChromium = (): string => found('Chromium');
/**
 * The browser that tests drive: the same engine without a window system, which takes a third of the processor time. Where it isn't
 * packaged, the Chromium that is there.
 */
export const findTestBrowser = (): string => found('the headless shell of Chromium');
export const findNginx = (): string => found('nginx');

export const findHugo = (): string => found('Hugo, which a recipe is run with');
export const findPhp = (): string => found('PHP, which a recipe is run with');
export const findLaravel = (): string => found('PHP with Laravel, which a recipe is run with');
export const findDjango = (): string => found('Python with Django, which a recipe is run with');
export const findRails = (): string => found('Ruby with Railties, which a recipe is run with');

/** Chromium without a sandbox of its own and without calls to its maker's hosts. */
export const browserArguments: string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Installs what a set of tests needs where that is possible (Debian, as root), and otherwise says what to install. */
export function provideRequirements(set: TestSet): void {
  const needed = requirements.filter(({ sets }) => sets.includes(set));
  const missing = needed.filter((requirement) => requirement.find() === null);
  if (missing.length === 0) {
    return;
  }
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    const packages = missing.flatMap((requirement) => requirement.packages);
    console.log(`Installing ${packages.join(', ')} with apt-get …`);
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore', env: environment });
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
      stdio: 'inherit',
      env: environment,
    });
  }
  const still = needed.filter((requirement) => requirement.find() === null);
  if (still.length > 0) {
    throw new Error(
      `The tests need what is not on this machine:\n${still.map(({ name, elsewhere }) => `  ${name}. ${elsewhere}`).join('\n')}`,
    );
  }
}
