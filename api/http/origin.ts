import { z } from 'zod';

/** The origin of a site, in the one form that URL gives it: `https://example.com`, `http://127.0.0.1:8080`. */
export const origin = z
  .string()
  .max(300)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text;
  }, 'is not an origin: scheme http or https, host in lower case, no path');
