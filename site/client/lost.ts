/**
 * The page for missing pages: its field is filled with the words of the address that was asked for, and the pages with the
 * nearest addresses are named. The address comes from whoever made the link, so it's shown as text only.
 */
const field = document.querySelector<HTMLInputElement>('form[data-lost] input');
const place = document.querySelector<HTMLElement>('[data-near]');

/** What the search index holds: `[kind, title, path, other words]`. */
interface Index {
  entries: [kind: number, title: string, path: string, words: string][];
}

function askedFor(): string {
  try {
    return decodeURIComponent(location.pathname)
      .replace(/\/+$/, '')
      .replace(/\.(?:html|md|json)$/, '')
      .slice(0, 200)
      .toLowerCase();
  } catch {
    // Not a text.
    return '';
  }
}

/** How many letters have to change to make one word of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const change = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(change, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Up to three pages whose address, or its last part, differs in at most a third of its letters. */
function nearest(asked: string, { entries }: Index): { title: string; path: string }[] {
  const last = lastOf(asked);
  if (last.length < 3) {
    return [];
  }
  return entries
    .filter(([, , path]) => !path.includes('#') && path !== '/')
    .map(([, title, path]) => {
      const name = lastOf(path);
      const whole = distance(asked, path) / Math.max(asked.length, path.length);
      const part = distance(last, name) / Math.max(last.length, name.length);
      // The same name in another place is nearer than another name in the same place.
      return { title, path, far: Math.min(whole, part + 0.05), isNear: part <= 1 / 3 };
    })
    .filter(({ isNear }) => isNear)
    .sort((one, other) => one.far - other.far)
    .slice(0, 3);
}

async function showNearest(box: HTMLElement): Promise<void> {
  const response = await fetch('/search-index.json');
  const found = response.ok ? nearest(askedFor(), (await response.json()) as Index) : [];
  if (found.length === 0) {
    return;
  }
  box.append('Did you mean ');
  found.forEach(({ title, path }, index) => {
    const link = document.createElement('a');
    link.href = path;
    link.textContent = title;
    box.append(index === 0 ? '' : index === found.length - 1 ? ' or ' : ', ', link);
  });
  box.append('?');
}

const words = lastOf(askedFor()).replace(/[-_+.]+/g, ' ');
if (field && field.value === '') {
  field.value = words.slice(0, 100);
}
if (place) {
  showNearest(place).catch(() => {
    // Without the index the page is as good as before.
  });
}

export {};
