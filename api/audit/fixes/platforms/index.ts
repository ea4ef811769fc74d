import { apache } from './apache.ts';
import { astro } from './astro.ts';
import { caddy } from './caddy.ts';
import { cloudflare } from './cloudflare.ts';
import { express } from './express.ts';
import { netlify, vercel } from './netlify.ts';
import { nextjs } from './nextjs.ts';
import { nginx } from './nginx.ts';
import type { Platform } from './platform.ts';
import { githubPages, hostedBuilder } from './static-hosts.ts';
import { wordpress } from './wordpress.ts';

/** Every platform that has a configuration, in the order in which they are offered. */
export const platforms = {
  nginx,
  apache,
  caddy,
  cloudflare,
  netlify,
  vercel,
  express,
  nextjs,
  astro,
  wordpress,
  'github-pages': githubPages,
  'hosted-builder': hostedBuilder,
} as const satisfies Record<string, Platform>;

export type PlatformId = keyof typeof platforms;

export const platformIds = Object.keys(platforms) as [PlatformId, ...PlatformId[]];
