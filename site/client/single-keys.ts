import { keep, recall } from './memory.ts';

/**
 * The single keys `/` and `m`. Who dictates or types with a switch may hit them by accident (WCAG 2.1.4), so a button in the
 * footer turns them off, and this browser remembers it. Ctrl-K isn't a single key and stays.
 */
const memory = 'keys';

/** The choice where storage is forbidden: it then lasts as long as the page. */
let unkept: 'on' | 'off' | null = null;

/** True unless the reader has turned the single keys off, here or in another tab. */
export const areSingleKeysOn = (): boolean => (unkept ?? recall(memory)) !== 'off';

function remember(areOn: boolean): void {
  unkept = keep(memory, areOn ? null : 'off') ? null : areOn ? 'on' : 'off';
}

/** Shows the button that turns the single keys off and on, and takes them out of the page's hints while they're off. */
export function offerKeySwitch(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-keys]');
  const hints = [...document.querySelectorAll('[aria-keyshortcuts]')].map((element) => ({
    element,
    keys: element.getAttribute('aria-keyshortcuts')?.split(' ') ?? [],
    sign: element.parentElement?.querySelector<HTMLElement>(':scope > .kbd'),
  }));
  const show = (): void => {
    const areOn = areSingleKeysOn();
    for (const { element, keys, sign } of hints) {
      const working = keys.filter((key) => areOn || key.includes('+'));
      if (working.length > 0) {
        element.setAttribute('aria-keyshortcuts', working.join(' '));
      } else {
        element.removeAttribute('aria-keyshortcuts');
      }
      sign?.toggleAttribute('hidden', !areOn);
    }
    if (button) {
      button.textContent = areOn ? 'Turn the keys / and m off' : 'Turn the keys / and m on';
      button.hidden = false;
    }
  };
  button?.addEventListener('click', () => {
    remember(!areSingleKeysOn());
    show();
  });
  addEventListener('storage', ({ key }) => {
    if (key === memory || key === null) {
      show();
    }
  });
  show();
}
