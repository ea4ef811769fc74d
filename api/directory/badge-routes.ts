import { createHash } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import { gradeOf } from '../audit/grade.ts';
import { Problem } from '../contract/problem.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { type Badge, type BadgeStyle, badgeStyles, toBadgeSvg } from './badge.ts';
import type { DirectoryContext } from './context.ts';

function sendBadge(request: Request, response: Response, badge: Badge, maxAgeSeconds: number): void {
  const svg = toBadgeSvg(badge, readStyle(request));
  response.setHeader('Cache-Control', `public, max-age=${maxAgeSeconds}`);
  response.setHeader('ETag', `"${createHash('sha256').update(svg).digest('base64url').slice(0, 22)}"`);
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', 'image/svg+xml; charset=utf-8');
  response.send(svg);
}

/** The look that a query asks for: paper when it names none. */
function readStyle(request: Request): BadgeStyle {
  const given = queryOf(request).getAll('style');
  const style = given.length === 0 ? 'paper' : badgeStyles.find((each) => given.length === 1 && each === given[0]);
  if (style === undefined) {
    const styles = badgeStyles.join(', ');
    throw new Problem('invalid-query', `A badge has one style of ${styles}.`, {
      errors: [{ pointer: '?style', detail: `is one of ${styles}, given once.` }],
    });
  }
  return style;
}

/** The score that a query asks for: one parameter, an integer from 0 to 100. */
function readScore(request: Request): number {
  const given = queryOf(request).getAll('score');
  const [value = ''] = given;
  const detail = !/^\d{1,3}$/.test(value) || Number(value) > 100 ? 'is no integer from 0 to 100.' : null;
  const errors = [
    ...(given.length > 1 ? [{ pointer: '?score', detail: `comes ${given.length} times; give it once.` }] : []),
    ...(detail === null ? [] : [{ pointer: '?score', detail }]),
  ];
  if (errors.length > 0) {
    throw new Problem(
      'invalid-query',
      `A badge is drawn for a score: /badge.svg?score=85. ${errors[0]?.pointer} ${errors[0]?.detail}`,
      {
        errors,
      },
    );
  }
  return Number(value);
}

/** The badges: for any score, and for a site what the directory holds for it. */
export function badges({ directory, config }: Pick<DirectoryContext, 'config' | 'directory'>): Router {
  const router = createRouter();
  router.get('/badge.svg', (request, response) => {
    const score = readScore(request);
    sendBadge(request, response, { label: config.siteName, score, grade: gradeOf(score) }, 86_400);
  });
  router.get('/badge/:id.svg', (request, response) => {
    const { id } = request.params;
    if (!/^[0-9a-f]{12}$/.test(id)) {
      throw new Problem(
        'not-found',
        'A badge has the id of a site in the directory: 12 lowercase hexadecimal characters.',
      );
    }
    const listing = directory.get(id);
    // An image that is embedded somewhere is answered with an image, also when the site is not listed.
    const badge: Badge =
      listing === null
        ? { label: config.siteName, state: 'not-listed' }
        : { label: new URL(listing.url).host, score: listing.score, grade: gradeOf(listing.score) };
    sendBadge(request, response, badge, 300);
  });
  return router;
}
