import { Problem } from '../contract/problem.ts';
import { type FormContext, type FormLimit, formPage, type ReadField } from '../http/form-page.ts';
import type { RenderLive } from '../live/renderer.ts';
import type { GuestbookContext } from './context.ts';
import { formFields, type GuestbookRefusal, type WithdrawalRefusal } from './page-data.ts';
import { withdrawalNote, withdrawEntry } from './withdraw.ts';
import { writeEntry } from './write.ts';

/** The field that people do not see and programs that fill in everything do. */
export const trapField = 'homepage';

function refuseSpam(trap: string): void {
  if (trap !== '') {
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
}

/** What a person is shown whose entry wasn't taken: the form with what was typed, and the reason at the field. */
function toRefusal({ slug, status, title, plain, errors = [] }: Problem, typed: ReadField): GuestbookRefusal {
  const wrong = formFields.flatMap((field) => {
    const error = errors.find(({ pointer }) => pointer === `/${field}`);
    return error === undefined ? [] : [[field, error.detail] as const];
  });
  return {
    problem: { slug, status, title, detail: plain, due: null },
    kept: { name: typed('name'), message: typed('message'), model: typed('model') },
    errors: Object.fromEntries(wrong),
  };
}

/** The form that signs the guestbook; it's answered with the receipt, or with the form again and what was typed. */
export const signingForm = (context: GuestbookContext & FormContext, render: RenderLive, limit: FormLimit) =>
  formPage(
    {
      path: '/guestbook',
      jsonGoesTo: 'POST /api/guestbook',
      submit: async (field, request) => {
        refuseSpam(field(trapField));
        const model = field('model');
        const submission = {
          name: field('name'),
          message: field('message'),
          ...(model === '' ? {} : { model }),
        };
        const { created, receipt } = await writeEntry(submission, 'form', context, request);
        const { html } = await render('/guestbook/receipt', { guestbookReceipt: receipt });
        return { status: created ? 201 : 200, headers: { Location: receipt.url }, html };
      },
      toProblemPage: (problem, typed) => render('/guestbook/unsigned', { guestbookRefusal: toRefusal(problem, typed) }),
    },
    context,
    limit,
  );

/** The form that withdraws an entry; it's answered with a page that confirms it, or with the form again and what was typed. */
export const withdrawalForm = (context: GuestbookContext & FormContext, render: RenderLive, limit: FormLimit) =>
  formPage(
    {
      path: '/guestbook/withdraw',
      jsonGoesTo: 'DELETE /api/guestbook/{id}',
      submit: async (field, request) => {
        const id = field('id').trim();
        const { isErased } = await withdrawEntry(id, field('token').trim(), context, request);
        const { html } = await render('/guestbook/withdrawn', {
          guestbookWithdrawn: { id, note: withdrawalNote(isErased) },
        });
        return { status: 200, html };
      },
      toProblemPage: ({ slug, status, title, plain }, typed) =>
        render('/guestbook/not-withdrawn', {
          guestbookUnwithdrawn: {
            problem: { slug, status, title, detail: plain, due: null },
            kept: { id: typed('id'), token: typed('token') },
          } satisfies WithdrawalRefusal,
        }),
    },
    context,
    limit,
  );
