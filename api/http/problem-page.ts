import type { ProblemDocument, ProblemForm } from '../contract/problem.ts';
import { escapeMarkup } from '../text/escape-markup.ts';

/** A form of one button, which needs no script. */
function toForm({ action, fields, button }: ProblemForm): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
  );
  return `<form action="${escapeMarkup(action)}" method="post">${hidden.join('')}<button class="btn" type="submit">${escapeMarkup(button)}</button></form>`;
}

/** The page of an error type, with what happened in this case written under its heading. */
export function toProblemPage(page: string, document: ProblemDocument, form?: ProblemForm): string {
  const errors = (document.errors ?? []).map(
    ({ pointer, detail }) => `<li><code>${escapeMarkup(pointer)}</code>: ${escapeMarkup(detail)}</li>`,
  );
  const notice = [
    '<div class="callout form-problem"><p>',
    escapeMarkup(document.detail).replaceAll(/`([^`]+)`/g, '<code>$1</code>'),
    '</p>',
    errors.length > 0 ? `<ul class="bullets">${errors.join('')}</ul>` : '',
    form === undefined ? '' : toForm(form),
    `<p class="soft">Request <code>${escapeMarkup(document.request_id)}</code></p></div>`,
  ].join('');
  return (
    page
      .replace(/<link rel="canonical"[^>]*>/, '<meta name="robots" content="noindex">')
      // Below the line of the title, which has room for a mark beside the heading.
      .replace(/<\/h1>\s*(?:<\/div>)?/, (end) => `${end}${notice}`)
  );
}
