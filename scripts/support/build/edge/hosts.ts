/** A host that runs a worker before its files. */
export interface Host {
  /** Folder of the built files, below the folder that is deployed. */
  files: string;
  /** The script, below the folder that is deployed. */
  script: string;
  /** Code that makes the script's default export from `manifest`. */
  code: string;
  /** Whether the worker sends the coded forms of the files; otherwise the host codes what it sends. */
  sendsCoded: boolean;
  /** Most files, and most bytes of one, that a deployment may have. */
  limits: { files: number; fileBytes: number };
  /** The other files of the deployment, by their paths. */
  configuration(settings: { origin: string | null }): Record<string, string>;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const mebibyte = 1024 * 1024;

const cloudflare: Host = {
  files: 'files',
  script: 'worker.js',
  code: `import { toCloudflareWorker } from '#api/edge/cloudflare.ts';\nexport default toCloudflareWorker(manifest);`,
  sendsCoded: true,
  limits: { files: 20_000, fileBytes: 25 * mebibyte },
  configuration: ({ origin }) => ({
    'wrangler.jsonc': `// npx wrangler secret put EDGE_SECRET && npx wrangler deploy
${json({
  name: 'porchlight',
  main: 'worker.js',
  compatibility_date: '2026-10-01',
  assets: {
    directory: 'files',
    binding: 'ASSETS',
    html_handling: 'none',
    not_found_handling: 'none',
    run_worker_first: true,
  },
  vars: { ORIGIN: origin ?? '' },
})}`,
  }),
};

const netlify: Host = {
  files: 'site/_files',
  script: 'netlify/edge-functions/front.js',
  code: `import { toNetlifyFunction } from '#api/edge/netlify.ts';
export default toNetlifyFunction(manifest);
export const config = { path: '/*', excludedPath: '/_files/*' };`,
  sendsCoded: false,
  limits: { files: 54_000, fileBytes: Number.POSITIVE_INFINITY },
  configuration: () => ({
    'netlify.toml': `# npx netlify env:set EDGE_SECRET … && npx netlify deploy --prod --no-build
[build]
  publish = "site"
  edge_functions = "netlify/edge-functions"
`,
    // The edge function writes the headers of every other answer.
    'site/_headers': '/_files/*\n  X-Robots-Tag: noindex\n',
  }),
};

const vercel: Host = {
  files: '.vercel/output/static/_files',
  script: '.vercel/output/functions/front.func/index.js',
  code: `import { toVercelFunction } from '#api/edge/vercel.ts';\nexport default toVercelFunction(manifest, process.env);`,
  sendsCoded: false,
  limits: { files: 15_000, fileBytes: 100 * mebibyte },
  configuration: () => ({
    '.vercel/output/config.json': json({
      version: 3,
      routes: [
        { src: '^/_files/.*$', headers: { 'X-Robots-Tag': 'noindex' }, continue: true },
        { src: '^/(?!_files/).*$', dest: '/front' },
        { handle: 'filesystem' },
      ],
    }),
    '.vercel/output/functions/front.func/.vc-config.json': json({
      runtime: 'edge',
      entrypoint: 'index.js',
      envVarsInUse: ['ORIGIN', 'EDGE_SECRET'],
    }),
  }),
};

/** The hosts that a folder can be built for, by name. */
export const hosts = { cloudflare, netlify, vercel } as const satisfies Record<string, Host>;

export type HostName = keyof typeof hosts;

export const hostNames = Object.keys(hosts) as HostName[];
