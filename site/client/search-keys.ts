import { areSingleKeysOn } from './single-keys.ts';

/** Opens the search palette from its field in the masthead, with `/` and with Ctrl-K; what it needs loads at that moment. */
export function openSearchOnKeys(): void {
  const openers = [...document.querySelectorAll<HTMLElement>('[data-search]')];
  /** What is typed while the palette loads; null when it doesn't. */
  let typed: string | null = null;
  const take = (): string => {
    const taken = typed ?? '';
    typed = null;
    return taken;
  };
  const open = async (): Promise<void> => {
    typed = '';
    try {
      const { openPalette } = await import('./palette.ts');
      await openPalette(take);
    } finally {
      typed = null;
    }
  };
  // Before other keys of the page, for which these letters aren't meant.
  const keep = (event: KeyboardEvent): void => {
    if (typed !== null && [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopImmediatePropagation();
      typed += event.key;
    }
  };
  addEventListener('keydown', keep, { capture: true });
  for (const opener of openers) {
    opener.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
        return;
      }
      event.preventDefault();
      void open();
    });
  }
  addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const isTyping = target?.closest('input, textarea, select, [contenteditable]') !== null && target !== null;
    const isSlash =
      event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && areSingleKeysOn();
    const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (isSlash || isK) {
      event.preventDefault();
      void open();
    }
  });
}
