/** Licences that a package may have, beside those of `conditional`: they ask for their text to be kept, and for nothing more. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Zlib',
]);

/** Licences with conditions of their own, the packages that may have them, and why that is no burden. */
const conditional: readonly { license: string; packages: RegExp; why: string }[] = [
  { license: 'OFL-1.1', packages: /^@fontsource/, why: 'fonts, served under their own names with their licence' },
  {
    license: 'BSD',
    packages: /^dictionary-en$/,
    why: 'lists of words, used as they are, with their licence',
  },
  { license: 'CC-BY-4.0', packages: /^caniuse-lite$/, why: 'data that the build of Next.js reads, in a test' },
  { license: 'MPL-2.0', packages: /^(?:lightningcss|axe-core)/, why: 'used as it is, in the build and in tests' },
  {
    license: 'LGPL-3.0-or-later',
    packages: /^@img\/sharp-/,
    why: 'a library that is loaded, used as it is, in the build',
  },
];

/** What of a lock file matters here: entries by the path of the package. */
export interface Lock {
  packages: Record<string, { license?: string; optionalDependencies?: Record<string, string> }>;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Whether a package may have what an SPDX expression says: one of several, all of several, or a single licence. */
function isAllowed(name: string, expression: string): boolean {
  const plain = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  if (plain.includes(' OR ')) {
    return plain.split(' OR ').some((each) => isAllowed(name, each));
  }
  return plain
    .split(' AND ')
    .every(
      (each) =>
        permissive.has(each.trim()) ||
        conditional.some(({ license, packages }) => license === each.trim() && packages.test(name)),
    );
}

/**
 * The packages of a lock file whose licence isn't one that this project accepts, a sentence each. npm leaves the licence out for a
 * platform's own package that it didn't install: such a one has that of the package which asks for it.
 */
export function refusedLicenses({ packages }: Lock): string[] {
  const askers = new Map<string, string | undefined>();
  for (const { license, optionalDependencies = {} } of Object.values(packages)) {
    for (const name of Object.keys(optionalDependencies)) {
      askers.set(name, license);
    }
  }
  return Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .flatMap(([path, { license }]) => {
      const name = nameOf(path);
      const stated = license ?? askers.get(name);
      if (stated === undefined) {
        return [`${name} states no licence.`];
      }
      return isAllowed(name, stated) ? [] : [`${name} has the licence ${stated}.`];
    });
}
