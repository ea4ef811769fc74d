/**
 * What a script adds to a report: the list of techniques becomes a filter of the checks, and a button prints. Without it the
 * techniques lead to their first finding.
 */
const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-only]')];
const checks = [...document.querySelectorAll<HTMLDetailsElement>('.finding[data-of]')];
const showAll = document.querySelector<HTMLButtonElement>('[data-show-all]');
const said = document.createElement('p');
said.className = 'vh';
said.role = 'status';
showAll?.parentElement?.after(said);

/** Causes and folds in which nothing is left are hidden with what they hold. */
function hideEmpty(): void {
  for (const group of document.querySelectorAll<HTMLElement>('#findings > section, #findings .fold, #passed > .fold')) {
    const held = [...group.querySelectorAll<HTMLElement>('.finding[data-of]')];
    group.hidden = held.length > 0 && held.every((check) => check.hidden);
  }
}

/** Leaves the checks of one technique alone; null shows those of all. */
function filter(technique: string | null): void {
  for (const check of checks) {
    check.hidden = technique !== null && check.dataset['of'] !== technique;
  }
  for (const link of links) {
    link.ariaCurrent = link.dataset['only'] === technique ? 'true' : null;
  }
  hideEmpty();
  if (showAll?.parentElement) {
    showAll.parentElement.hidden = technique === null;
  }
  const left = checks.filter((check) => !check.hidden).length;
  said.textContent =
    technique === null
      ? 'All checks are shown.'
      : `${left} of ${checks.length} checks are shown: those of one technique.`;
}

for (const link of links) {
  link.addEventListener('click', () => filter(link.dataset['only'] ?? null));
}
showAll?.addEventListener('click', () => {
  filter(null);
  links[0]?.focus();
});

/** A link to something folded opens it: a check, or the configuration of the server. */
function reveal(): void {
  const wanted = document.getElementById(location.hash.slice(1));
  for (let fold = wanted?.closest('details'); fold; fold = fold.parentElement?.closest('details')) {
    fold.open = true;
  }
  if (wanted?.closest('details')) {
    wanted.scrollIntoView();
  }
  const inside = wanted?.querySelector<HTMLDetailsElement>(':scope > .fold');
  if (inside && wanted?.id === 'server') {
    inside.open = true;
  }
}
reveal();

// A link to a check that the filter hides shows it.
addEventListener('hashchange', () => {
  reveal();
  const wanted = document.getElementById(location.hash.slice(1));
  if (checks.some((check) => check === wanted && check.hidden)) {
    filter(null);
    wanted?.scrollIntoView();
  }
});

const printer = document.querySelector<HTMLButtonElement>('[data-print]');
if (printer) {
  printer.hidden = false;
  printer.addEventListener('click', () => window.print());
}
