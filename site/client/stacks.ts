import { keep, recall } from './memory.ts';

/** Opens the reader's choice in all tabs of one kind: the one that the address names, else the one chosen last. */
function rememberChoice(kind: string, groups: readonly HTMLElement[]): void {
  const open = (stack: string, except?: Element): void => {
    for (const group of groups) {
      const tab = group.querySelector<HTMLDetailsElement>(`details[data-stack="${CSS.escape(stack)}"]`);
      if (tab && group !== except) {
        tab.open = true;
      }
    }
  };
  const wanted = new URLSearchParams(location.search).get(kind) ?? recall(kind);
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
      keep(kind, tab.dataset['stack']);
      open(tab.dataset['stack'], group);
    });
  }
}

/**
 * Opens the reader's stack (`?stack=nginx`) and language (`?language=python`) in all tabs of them: `data-stacks` names what
 * a group of tabs is a choice of, a stack by default. A choice in one place is a choice in all of its kind.
 */
export function rememberStack(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('[data-stacks]')];
  const kindOf = (group: HTMLElement): string => group.dataset['stacks'] || 'stack';
  for (const kind of new Set(groups.map(kindOf))) {
    rememberChoice(
      kind,
      groups.filter((group) => kindOf(group) === kind),
    );
  }
}
