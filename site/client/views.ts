import sheet from '../styles/agent-pane.css?url';
import { offerCopies } from './copy.ts';
import { loadSheet } from './load-sheet.ts';
import { areSingleKeysOn } from './single-keys.ts';

/**
 * The page as an agent reads it: its twin beside it, as the bytes that an agent receives. Without this script the control is
 * a plain link to the markdown. `m` works it as well, unless the reader has turned that off, and Escape closes.
 */
const control = document.querySelector<HTMLAnchorElement>('[data-agent-view]');
const strip = control?.closest('.topline');

const number = (value: number): string => value.toLocaleString('en');

/** What the markdown spares, in the numbers of the answer: its headers say them to agents as well. */
function toFacts(bytes: number, headers: Headers): string {
  const saved = Number(headers.get('x-bytes-saved'));
  const tokens = headers.get('x-markdown-tokens');
  return [
    `${number(bytes)} bytes${saved > 0 ? `, where the page has ${number(bytes + saved)}: ${Math.round((saved / (bytes + saved)) * 100)} % less` : ''}`,
    ...(tokens === null ? [] : [`about ${number(Number(tokens))} tokens`]),
  ].join(', ');
}

function makePane(markdown: string, json: string) {
  const pane = document.createElement('aside');
  pane.className = 'agentpane no-print';
  pane.tabIndex = -1;
  pane.hidden = true;
  pane.innerHTML = `<div class="agentpane-head"><h2>What an agent reads</h2><button type="button" class="btn quiet small">Close</button></div>
    <p class="small num"></p>
    <div class="agentpane-head"><nav class="views" aria-label="Form"><ul class="plain"><li><a type="text/markdown">Markdown</a></li><li><a type="application/json">JSON</a></li></ul></nav><a class="small alone">Open it alone</a></div>
    <div class="code"><pre tabindex="0" role="region" aria-label="The answer to an agent"></pre></div>`;
  const find = <Type extends Element>(selector: string): Type => {
    const found = pane.querySelector<Type>(selector);
    if (found === null) {
      throw new Error(`the pane has no ${selector}`);
    }
    return found;
  };
  const forms = [...pane.querySelectorAll<HTMLAnchorElement>('nav a')];
  for (const [index, href] of [markdown, json].entries()) {
    forms[index]?.setAttribute('href', href);
  }
  return {
    pane,
    forms,
    facts: find('p'),
    close: find('button'),
    alone: find<HTMLAnchorElement>('.alone'),
    text: find('pre'),
  };
}

/** Makes the control open and close the pane. */
function splitView(opener: HTMLAnchorElement, place: Element): void {
  const { pane, forms, facts, close, alone, text } = makePane(opener.href, opener.dataset['json'] ?? opener.href);
  place.after(pane);
  offerCopies(pane);
  opener.setAttribute('role', 'button');
  opener.setAttribute('aria-expanded', 'false');
  let wanted = '';
  let styles: Promise<unknown> | null = null;

  const set = (isOpen: boolean): void => {
    pane.hidden = !isOpen;
    document.documentElement.toggleAttribute('data-split', isOpen);
    opener.setAttribute('aria-expanded', String(isOpen));
    (isOpen ? pane : opener).focus({ preventScroll: true });
  };

  const show = async (href: string, type: string): Promise<void> => {
    wanted = href;
    styles ??= loadSheet(sheet);
    const [response] = await Promise.all([fetch(href, { headers: { accept: type } }), styles]);
    if (!response.ok) {
      throw new Error(`${href} answered ${response.status}`);
    }
    const body = await response.text();
    const shown = type === 'application/json' ? JSON.stringify(JSON.parse(body), null, 2) : body;
    // The other form was chosen while this one was under way, or the pane was closed.
    if (wanted !== href) {
      return;
    }
    facts.textContent = toFacts(new TextEncoder().encode(body).length, response.headers);
    text.textContent = shown;
    text.scrollTop = 0;
    alone.href = href;
    for (const form of forms) {
      form.toggleAttribute('aria-current', form.href === href);
    }
    pane.setAttribute('aria-label', `What an agent reads at ${new URL(href).pathname}`);
    if (pane.hidden) {
      set(true);
    }
  };

  /** The plain link still leads to the twin when it can't be shown here. */
  const open = (href: string, type: string): void => {
    show(href, type).catch(() => {
      if (wanted === href) {
        location.assign(href);
      }
    });
  };
  const shut = (): void => {
    wanted = '';
    set(false);
  };
  const toggle = (): void => (pane.hidden ? open(opener.href, 'text/markdown') : shut());
  const isModified = (event: MouseEvent | KeyboardEvent): boolean =>
    event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

  opener.addEventListener('click', (event) => {
    if (!isModified(event)) {
      event.preventDefault();
      toggle();
    }
  });
  opener.addEventListener('keydown', (event) => {
    if (event.key === ' ') {
      event.preventDefault();
      toggle();
    }
  });
  for (const form of forms) {
    form.addEventListener('click', (event) => {
      if (!isModified(event)) {
        event.preventDefault();
        open(form.href, form.type);
      }
    });
  }
  close.addEventListener('click', shut);
  addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (isModified(event) || target?.closest('input, textarea, select, dialog, [contenteditable]')) {
      return;
    }
    if (event.key === 'm' && areSingleKeysOn()) {
      toggle();
    } else if (event.key === 'Escape' && !pane.hidden) {
      shut();
    }
  });
}

if (control && strip) {
  splitView(control, strip);
}
