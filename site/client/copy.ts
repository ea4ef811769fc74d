const drawing =
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 8.4h10.4v12H9z"/><path d="M5 15.6H4V3.6h10.6v1.2"/></svg>';

let live: HTMLElement | null = null;

/** Says something to people who listen to the page. */
function say(sentence: string): void {
  if (live === null) {
    live = document.createElement('p');
    live.className = 'vh';
    live.setAttribute('role', 'status');
    document.body.append(live);
  }
  live.textContent = sentence;
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const label = button.querySelector('span');
  const before = label?.textContent ?? '';
  let word = 'Copied';
  try {
    await navigator.clipboard.writeText(text);
    button.classList.add('done');
  } catch {
    word = 'Not allowed';
  }
  if (label) {
    label.textContent = word;
  }
  say(word === 'Copied' ? 'Copied to the clipboard.' : 'The browser does not allow copying here.');
  setTimeout(() => {
    button.classList.remove('done');
    if (label) {
      label.textContent = before;
    }
  }, 2000);
}

function makeButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.innerHTML = `${drawing}<span>Copy</span>`;
  return button;
}

/**
 * Gives every block of code below a node a button that copies it, and makes the buttons with `data-copy-from` copy the
 * text at the address that they name. Tabs have one button: it copies the one that is open.
 */
export function offerCopies(root: ParentNode): void {
  for (const block of root.querySelectorAll<HTMLElement>('.code:not(.stream)')) {
    if (block.querySelector(':scope > .copy') !== null || block.closest('.code .code') !== null) {
      continue;
    }
    const button = makeButton();
    button.addEventListener('click', () => {
      const shown = block.querySelector('details[open] pre') ?? block.querySelector('pre');
      void copy(button, shown?.textContent ?? '');
    });
    block.append(button);
  }
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy-from]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const response = await fetch(button.dataset['copyFrom'] ?? '', { headers: { accept: 'text/markdown' } });
      await copy(button, response.ok ? await response.text() : '');
    });
  }
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button, button.dataset['copy'] ?? ''));
  }
}
