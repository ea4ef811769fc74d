/**
 * Who may import whom. The rooms of `api/` lie one above the other, and imports run downwards only; the README has
 * the picture. `npx depcruise api almanac site scripts` checks by hand what `test/architecture.test.ts` holds, the
 * code of Astro components excepted, which only the test reads.
 */

/** The rooms of `api/`, the highest first. Rooms of one line don't see each other. */
const floors = [
  ['server.ts'],
  ['app.ts'],
  ['site.ts', 'state.ts'],
  ['interfaces'],
  ['catalog'],
  ['owner', 'monitoring'],
  ['guestbook', 'directory', 'playbook', 'almanac', 'audits'],
  ['live', 'edge'],
  ['http'],
  ['identity', 'payments'],
  ['contract'],
  ['audit'],
  ['text', 'stores', 'fetch', 'render', 'config.ts', 'version.ts'],
];

/** What a feature may take from another of its floor. */
const neighbours = { directory: ['audits'] };

const rooms = floors.flat();
const leaves = floors.at(-1);

/** A pattern for the files of rooms. */
const filesOf = (names) =>
  `^api/(?:${names.map((name) => name.replace('.', '\\.') + (/\.ts$/.test(name) ? '$' : '/')).join('|')})`;

const downwards = floors.slice(0, -1).flatMap((floor, index) =>
  floor.map((room) => {
    const below = floors.slice(index + 1).flat();
    return {
      name: `${room.replace('.ts', '')}-imports-downwards`,
      comment: `api/${room} may import itself and what lies below it: ${[...(neighbours[room] ?? []), ...below].join(', ')}.`,
      severity: 'error',
      from: { path: filesOf([room]) },
      to: { path: '^(?:api|site|scripts|test)/', pathNot: filesOf([room, ...(neighbours[room] ?? []), ...below]) },
    };
  }),
);

const leavesStandAlone = leaves.map((room) => ({
  name: `${room.replace('.ts', '')}-stands-alone`,
  comment: `api/${room} is a leaf: it imports packages and its own files.`,
  severity: 'error',
  from: { path: filesOf([room]) },
  to: { path: '^(?:api|almanac|site|scripts|test)/', pathNot: filesOf([room]) },
}));

/** What a room shows to the site, besides the catalog and the contract: the shapes and rules that pages print, and how CSV is written. */
const shownBySite =
  '^api/(?:(?:catalog|contract)/|(?:audits|directory|guestbook|identity)/(?:page-data|responses|entry|scoring|time|how-to-sign|tiers)\\.ts$|(?:text/(?:csv|feed-documents|signals)|version)\\.ts$)';

/** @type {import('dependency-cruiser').IConfiguration & { forbidden: import('dependency-cruiser').IForbiddenRuleType[] }} */
const configuration = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Two modules that need each other are one module, or a third one is missing below them.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'has-a-room',
      comment: `A file of api/ lies in a room that .dependency-cruiser.mjs knows: ${rooms.join(', ')}.`,
      severity: 'error',
      from: { path: '^(?:api|site|scripts|test)/' },
      to: { path: '^api/', pathNot: filesOf(rooms) },
    },
    ...downwards,
    ...leavesStandAlone,
    {
      name: 'almanac-stands-alone',
      comment: 'The almanac is data with its answers: it imports nothing of ours.',
      severity: 'error',
      from: { path: '^almanac/' },
      to: { path: '^(?:api|site|scripts|test)/' },
    },
    {
      name: 'site-reads-declarations',
      comment:
        'Pages print what the API declares, and know nothing of how it works. Types may come from anywhere in api/.',
      severity: 'error',
      from: { path: '^site/', pathNot: '^site/(?:client/|site\\.ts$|[^/]+\\.d\\.ts$)' },
      to: { path: '^(?:api|scripts|test)/', pathNot: shownBySite, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'site-settings-from-the-configuration',
      comment: 'site/site.ts reads the one configuration, and nothing else outside site/.',
      severity: 'error',
      from: { path: '^site/site\\.ts$' },
      to: { path: '^(?:api|almanac|scripts|test)/', pathNot: '^api/config\\.ts$' },
    },
    {
      name: 'client-stands-alone',
      comment: 'Browser scripts import only each other, and the URLs of sheets: a package would weigh on every page.',
      severity: 'error',
      from: { path: '^site/client/' },
      to: { pathNot: '^site/(?:client/|styles/[^/]+\\.css$)' },
    },
    {
      name: 'nothing-imports-scripts',
      comment: 'Commands and what they share serve the person at the keyboard, not the service or the site.',
      severity: 'error',
      from: { path: '^(?:api|almanac|site)/' },
      to: { path: '^(?:scripts|test)/' },
    },
    {
      name: 'commands-are-not-libraries',
      comment: 'What two commands share lies in scripts/support/.',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^scripts/[^/]+\\.ts$' },
    },
    {
      name: 'no-express-below-http',
      comment: 'The contract, the engine, the leaves and the almanac work without a web server.',
      severity: 'error',
      from: { path: ['^almanac/', filesOf(['contract', 'audit', ...leaves])] },
      to: { path: '(?:^|/)node_modules/(?:@types/)?express(?:-|/)' },
    },
    {
      name: 'declared-packages-only',
      comment: 'An imported package is listed in package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      comment: 'The imported file or package is not there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^astro:' },
    },
  ],
  options: {
    doNotFollow: { path: '(?:^|/)node_modules/' },
    exclude: { path: '^(?:dist|data|\\.astro)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.astro.ts', '.d.ts', '.mjs', '.js'],
      conditionNames: ['import', 'node', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
};

export default configuration;
