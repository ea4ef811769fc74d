import type { APIRoute } from 'astro';
import { absolute, site } from '../../site.ts';

const lifetimeDays = 300;

/** The security contact (RFC 9116); `Expires` lies less than a year after the build (section 2.5.5). */
export const GET: APIRoute = () => {
  const expires = new Date(Date.now() + lifetimeDays * 86_400_000);
  return new Response(
    [
      `Contact: mailto:${site.contact}`,
      `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
      `Preferred-Languages: ${site.language}`,
      `Canonical: ${absolute('/.well-known/security.txt')}`,
      `Policy: ${absolute('/trust')}`,
      '',
    ].join('\n'),
  );
};
