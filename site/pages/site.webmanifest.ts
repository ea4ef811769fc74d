import type { APIRoute } from 'astro';
import { site } from '../site.ts';

/** What a phone needs to keep the site on its home screen (W3C Web Application Manifest). */
export const GET: APIRoute = () =>
  new Response(
    JSON.stringify({
      name: site.name,
      short_name: site.name,
      description: site.description,
      start_url: '/',
      display: 'browser',
      background_color: '#1b1a2b',
      theme_color: '#1b1a2b',
      icons: [192, 512].flatMap((size) =>
        ['any', 'maskable'].map((purpose) => ({
          src: `/icon-${size}.png`,
          sizes: `${size}x${size}`,
          type: 'image/png',
          purpose,
        })),
      ),
    }),
  );
