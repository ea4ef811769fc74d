const memory = 'stack';

const remembered = (): string | null => {
  try {
    return localStorage.getItem(memory);
  } catch {
    return null;
  }
};

/**
 * Opens the reader's stack in all tabs of stacks: the one that the address names (`?stack=nginx`), else the one chosen
 * last. A choice in one place is a choice in all.
 */
export function rememberStack(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('[data-stacks]')];
  if (groups.length === 0) {
    return;
  }
  const open = (stack: string, except?: Element): void => {
    for (const group of groups) {
      const tab = group.querySelector<HTMLDetailsElement>(`details[data-stack="${CSS.escape(stack)}"]`);
      if (tab && group !== except) {
        tab.open = true;
      }
    }
  };
  const wanted = new URLSearchParams(location.search).get('stack') ?? remembered();
  if (wanted !== null) {
    open(wanted);
  }
  for (const group of groups) {
    group.addEventListener('click', (event) => {
      const summary = event.target instanceof Element ? event.target.closest('summary') : null;
      const tab = summary?.parentElement;
      if (!(tab instanceof HTMLDetailsElement) || tab.dataset['stack'] === undefined) {
        return;
      }
      // One of the tabs is always open, as in any set of tabs.
      if (tab.open) {
        event.preventDefault();
        return;
      }
      try {
        localStorage.setItem(memory, tab.dataset['stack']);
      } catch {
        // The choice lasts as long as the page.
      }
      open(tab.dataset['stack'], group);
    });
  }
}
