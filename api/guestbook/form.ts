import { type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import { Problem } from '../contract/problem.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { formBody, readForm } from '../http/form-body.ts';
import { toToolRequest } from '../interfaces/tools.ts';
import type { RenderLive } from '../live/renderer.ts';
import { withdrawEntry } from './withdraw.ts';
import { writeEntry } from './write.ts';

/** The field that people do not see and programs that fill in everything do. */
export const trapField = 'homepage';

/** The forms of the guestbook, which work without scripts: sign, and withdraw. Both answer with a page. */
export function guestbookForm(context: AppContext, render: RenderLive, limitWrites: readonly RequestHandler[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const before = [...limitWrites, refuseCrossSite(context.config.baseUrl), ...formBody('POST /api/guestbook')];

  router.post('/guestbook', ...before, async (request, response) => {
    const field = readForm(request);
    if (field(trapField) !== '') {
      throw new Problem(
        'invalid-fields',
        `Nothing was stored: leave the field ${trapField} empty. It is there for spam.`,
        {
          errors: [
            { pointer: `/${trapField}`, detail: 'is not empty: only programs that fill in everything fill it in.' },
          ],
        },
      );
    }
    const model = field('model');
    const { created, receipt } = await writeEntry(
      { name: field('name'), message: field('message'), ...(model === '' ? {} : { model }) },
      'form',
      context,
      toToolRequest(request, context),
    );
    const page = await render('/guestbook/receipt', { guestbookReceipt: receipt });
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Location', receipt.url);
    response
      .status(created ? 201 : 200)
      .type('html')
      .send(page.html);
  });

  router.post('/guestbook/withdraw', ...before, async (request, response) => {
    const field = readForm(request);
    const id = field('id').trim();
    await withdrawEntry(id, field('token').trim(), context);
    const page = await render('/guestbook/withdrawn', { guestbookWithdrawn: { id } });
    response.setHeader('Cache-Control', 'no-store');
    response.type('html').send(page.html);
  });

  router.all('/guestbook', (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    throw new Problem('method-not-allowed', '/guestbook is read with GET or HEAD and signed with POST.', {
      headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
    });
  });
  return router;
}
