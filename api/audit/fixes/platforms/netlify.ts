import { edgeFunction } from './edge-function.ts';
import { type Platform, twinScriptStep, twinsSteps } from './platform.ts';
import { prefersMarkdown } from './prefers-markdown.ts';

/** Static files on Netlify, with an edge function in front. */
export const netlify: Platform = {
  name: 'Netlify',
  testedWith: null,
  configure(site, needs) {
    const text = `${needs.negotiation ? `${prefersMarkdown}\n` : ''}${edgeFunction(site, needs)}
export default (request, context) => answer(request, (asked) => context.next(asked));

export const config = { path: '/*', excludedPath: ['/.netlify/*'] };
`;
    return {
      files: [{ path: 'netlify/edge-functions/for-agents.js', place: 'project', language: 'js', text }],
      steps: [
        ...(needs.negotiation
          ? [
              twinScriptStep,
              `Run it after the build: set the build command to \`npm run build && node make-twins.mjs dist ${site.origin}\`.`,
            ]
          : []),
        'Commit the edge function and deploy: Netlify finds it by its folder.',
      ],
      limits: [],
    };
  },
};

/** Static files on Vercel, with routing middleware in front. */
export const vercel: Platform = {
  name: 'Vercel',
  testedWith: null,
  configure(site, needs) {
    const text = `${needs.negotiation ? `${prefersMarkdown}\n` : ''}${edgeFunction(site, needs)}
// A request that this function makes itself passes through, so that it doesn't run in a circle.
const passed = 'x-from-agents-middleware';

export default function middleware(request) {
  if (request.headers.has(passed)) return undefined;
  return answer(request, (asked) => {
    const copy = new Request(asked);
    copy.headers.set(passed, '1');
    return fetch(copy, { redirect: 'manual' });
  });
}

export const config = { matcher: '/((?!_next/|_vercel/|api/).*)' };
`;
    return {
      files: [{ path: 'middleware.js', place: 'project', language: 'js', text }],
      steps: [
        ...(needs.negotiation ? twinsSteps('dist', site) : []),
        'Put middleware.js into the root of the project (not for Next.js, which has its own recipe) and deploy.',
      ],
      limits: ['Each request passes through the function: watch its count on your plan.'],
    };
  },
};
