import sheet from '../styles/palette.css?url';
import { loadSheet } from './load-sheet.ts';
import { keep, recall } from './memory.ts';

/**
 * The search palette: a dialog over everything that has a name here. Words are looked up in an index that is made with the
 * pages; the last row asks the almanac in the reader's own words. It loads when it is first opened.
 */
interface Entry {
  kind: string;
  title: string;
  path: string;
  /** Title and other words, folded to lower case without accents. */
  folded: string;
  foldedTitle: string;
}

const memory = 'searches';
const most = { perKind: 5, all: 24, recent: 5 };
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

let entries: Promise<Entry[]> | null = null;

const load = async (): Promise<Entry[]> => {
  const response = await fetch('/search-index.json');
  if (!response.ok) {
    throw new Error(`The index answered ${response.status}.`);
  }
  const index = (await response.json()) as { kinds: string[]; entries: [number, string, string, string][] };
  return index.entries.map(([kind, title, path, words]) => ({
    kind: index.kinds[kind] ?? '',
    title,
    path,
    foldedTitle: fold(title),
    folded: fold(`${title} ${words}`),
  }));
};

/** How well an entry fits the words: 0 when one of them is missing; a title that begins with them fits best. */
function fit({ folded, foldedTitle, path }: Entry, words: string[], whole: string): number {
  let sum = 0;
  for (const word of words) {
    const at = folded.search(new RegExp(`(?:^|[^\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u'));
    if (at >= 0) {
      sum += at < foldedTitle.length ? 4 : 2;
    } else if (folded.includes(word)) {
      sum += 1;
    } else {
      return 0;
    }
  }
  const exact = foldedTitle === whole ? 20 : foldedTitle.startsWith(whole) ? 8 : 0;
  // A page comes before its sections, a short title before a long one.
  return sum + exact + (path.includes('#') ? 0 : 2) - Math.min(foldedTitle.length / 80, 1.5);
}

function find(all: Entry[], query: string): Map<string, Entry[]> {
  const whole = fold(query.trim());
  const words = whole.split(/\s+/).filter(Boolean);
  const ranked = all
    .map((entry) => ({ entry, rank: fit(entry, words, whole) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank);
  const groups = new Map<string, Entry[]>();
  let shown = 0;
  for (const { entry } of ranked) {
    const group = groups.get(entry.kind) ?? [];
    if (shown < most.all && group.length < most.perKind) {
      groups.set(entry.kind, [...group, entry]);
      shown += 1;
    }
  }
  return groups;
}

const recent = (): { title: string; path: string }[] => {
  try {
    const kept: unknown = JSON.parse(recall(memory) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter((each) => typeof each?.title === 'string' && String(each?.path).startsWith('/'))
      : [];
  } catch {
    return [];
  }
};

const remember = (title: string, path: string): void => {
  const others = recent().filter((each) => each.path !== path);
  keep(memory, JSON.stringify([{ title, path }, ...others].slice(0, most.recent)));
};

interface Parts {
  dialog: HTMLDialogElement;
  field: HTMLInputElement;
  list: HTMLElement;
  status: HTMLElement;
}
let parts: Parts | null = null;
let styles: Promise<unknown> | null = null;

function build(): Parts {
  const dialog = document.createElement('dialog');
  dialog.className = 'palette';
  dialog.setAttribute('aria-label', 'Search');
  dialog.innerHTML = `<form class="palette-field" action="/ask" method="get" role="search" aria-label="Everything here">
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.6" cy="10.6" r="6.4"/><path d="M15.4 15.4l5 5"/></svg>
    <input name="q" type="text" role="combobox" aria-label="Search or ask" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="500" placeholder="Search or ask">
    <button class="btn quiet small" type="button">Close</button></form>
    <div class="palette-list" id="palette-list" role="listbox" aria-label="Results"></div>
    <p class="palette-foot"><span><span class="kbd">↑</span> <span class="kbd">↓</span> choose</span><span><span class="kbd">Enter</span> open</span><span><span class="kbd">Esc</span> close</span></p>
    <p class="vh" role="status"></p>`;
  const field = dialog.querySelector('input');
  const list = dialog.querySelector<HTMLElement>('.palette-list');
  const status = dialog.querySelector<HTMLElement>('[role=status]');
  if (!field || !list || !status) {
    throw new Error('The palette lacks a part.');
  }
  document.body.append(dialog);
  dialog.querySelector('button')?.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  return { dialog, field, list, status };
}

function option(title: string, path: string, hint: string, index: number): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = path;
  link.id = `palette-option-${index}`;
  link.setAttribute('role', 'option');
  link.tabIndex = -1;
  const name = document.createElement('span');
  name.textContent = title;
  const small = document.createElement('small');
  small.textContent = hint;
  link.append(name, small);
  link.addEventListener('click', () => remember(title, path));
  return link;
}

function show({ list, status, field }: Parts, groups: Map<string, { title: string; path: string }[]>): void {
  list.replaceChildren();
  let count = 0;
  for (const [kind, members] of groups) {
    const group = document.createElement('div');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', kind);
    // A listbox holds groups and options alone: the name of the group is its label, and seen here.
    const name = document.createElement('p');
    name.className = 'palette-kind';
    name.setAttribute('aria-hidden', 'true');
    name.textContent = kind;
    group.append(name);
    for (const { title, path } of members) {
      group.append(option(title, path, kind === 'Ask' ? '' : path, count));
      count += 1;
    }
    list.append(group);
  }
  select(list, field, 0);
  status.textContent = `${count} ${count === 1 ? 'row' : 'rows'}`;
}

const options = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role=option]')];

function select(list: HTMLElement, field: HTMLInputElement, index: number): void {
  const all = options(list);
  for (const [at, each] of all.entries()) {
    each.setAttribute('aria-selected', String(at === index));
  }
  const chosen = all[index];
  field.setAttribute('aria-activedescendant', chosen?.id ?? '');
  chosen?.scrollIntoView({ block: 'nearest' });
}

async function update(shown: Parts): Promise<void> {
  const query = shown.field.value;
  if (query.trim() === '') {
    const kept = recent();
    show(shown, kept.length > 0 ? new Map([['Recent', kept]]) : new Map());
    return;
  }
  const ask = { title: `Ask: ${query.trim()}`, path: `/ask?${new URLSearchParams({ q: query.trim() })}` };
  let groups = new Map<string, { title: string; path: string }[]>();
  try {
    entries ??= load();
    groups = find(await entries, query);
  } catch {
    // Without the index the question can still be asked.
    entries = null;
  }
  if (shown.field.value === query) {
    show(shown, new Map([...groups, ['Ask', [ask]]]));
  }
}

function listen(shown: Parts): void {
  const { field, list, dialog } = shown;
  field.addEventListener('input', () => void update(shown));
  field.addEventListener('keydown', (event) => {
    const all = options(list);
    const at = all.findIndex((each) => each.getAttribute('aria-selected') === 'true');
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && all.length > 0) {
      event.preventDefault();
      select(list, field, (at + step + all.length) % all.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = all[at];
      dialog.close();
      if (chosen) {
        chosen.click();
      } else if (field.value.trim() !== '') {
        location.assign(`/ask?${new URLSearchParams({ q: field.value.trim() })}`);
      }
    }
  });
}

/** Opens the palette with what was typed while it loaded. */
export async function openPalette(typed: () => string): Promise<void> {
  styles ??= loadSheet(sheet);
  // Without its styles the palette still works; the next time they're asked for again.
  await styles.catch(() => {
    styles = null;
  });
  if (parts === null) {
    parts = build();
    listen(parts);
  }
  const { dialog, field } = parts;
  if (!dialog.open) {
    dialog.showModal();
  }
  field.value = typed();
  field.focus();
  await update(parts);
}
