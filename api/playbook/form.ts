import compression from 'compression';
import type { Router } from 'express';
import { toFormProblem } from '../contract/form-problem.ts';
import { paymentMark } from '../contract/playbook-files.ts';
import { prices } from '../contract/prices.ts';
import { type FormContext, type FormLimit, formPage, type ReadField } from '../http/form-page.ts';
import { createRouter } from '../http/router.ts';
import type { RenderLive } from '../live/renderer.ts';
import { withQuotePaid } from '../payments/pay-quote.ts';
import { escapeMarkup } from '../text/escape-markup.ts';
import { toPlaybookArchive } from './archive.ts';
import { deliverPlaybook, type PlaybookContext } from './deliver.ts';

const path = '/playbook';

/** What a person reads who has not paid yet. */
const toDueSentence = (): string =>
  `The playbook costs ${prices.playbook.amountUsd} USD, in a demonstration: no money moves.`;

/** The fields of the buttons that came filled in. */
const keptFields = (typed: ReadField): [name: string, value: string][] =>
  ['quote', 'payment', 'as'].flatMap((name): [string, string][] => (typed(name) === '' ? [] : [[name, typed(name)]]));

/**
 * The form that sells the playbook, which works without scripts. It is answered with the price and a second button,
 * which sends the quote and pays it; that is answered with a page of all chapters. Buttons on it send the payment again,
 * for the files as a zip or, with `as=page`, for the page.
 */
export function playbookForm(context: PlaybookContext & FormContext, render: RenderLive, limit: FormLimit): Router {
  const toPage = (payment: string): string =>
    context.playbook.html.replaceAll(paymentMark, () => escapeMarkup(payment));
  const form = formPage(
    {
      path,
      jsonGoesTo: 'POST /api/pay',
      submit: async (field, request) => {
        const { playbook } = context;
        const made = field('payment');
        if (made !== '') {
          const paid = { ...request, headers: { ...request.headers, 'x-payment': made } };
          const { headers } = await deliverPlaybook(context, paid);
          if (field('as') === 'page') {
            return { status: 200, headers, html: toPage(made) };
          }
          const bytes = toPlaybookArchive(playbook, playbook.chapters);
          return { status: 200, headers, zip: { name: 'playbook.zip', bytes } };
        }
        const paying = withQuotePaid(request, field('quote'), context);
        const { headers } = await deliverPlaybook(context, paying);
        return { status: 200, headers, html: toPage(String(paying.headers['x-payment'])) };
      },
      toProblemPage: (problem, typed) =>
        render('/playbook/payment', {
          playbookProblem: toFormProblem(problem, { priced: 'playbook', toDueSentence }),
          // What was refused for now can be sent as it is.
          playbookKept: problem.slug === 'rate-limited' ? keptFields(typed) : [],
        }),
    },
    context,
    limit,
  );
  const router = createRouter();
  router.post(path, compression({ threshold: 1024 }));
  return router.use(form);
}
