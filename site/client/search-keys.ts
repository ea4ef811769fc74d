import { areSingleKeysOn } from './single-keys.ts';

/** Opens the search palette from its field in the masthead, with `/` and with Ctrl-K; what it needs loads at that moment. */
export function openSearchOnKeys(): void {
  const openers = [...document.querySelectorAll<HTMLElement>('[data-search]')];
  const open = async (typed = ''): Promise<void> => {
    const { openPalette } = await import('./palette.ts');
    await openPalette(typed);
  };
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
