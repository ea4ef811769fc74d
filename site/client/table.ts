/**
 * Makes the tables of the almanac sortable by a column, and narrows them down by words, which are kept in the address. Without
 * this script they are plain tables; their facets are links.
 */
const compare = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
/** Rows that are shown before somebody asks for all: as many as the style sheet shows before this script has run. */
const mostRows = 40;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', 'btn quiet', text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

/** Puts a button into each head that sorts the rows by its column. */
function makeSortable(table: HTMLTableElement, body: HTMLTableSectionElement, onSorted: () => void): void {
  const rows = [...body.rows];
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const sortValue = (row: HTMLTableRowElement, column: number): string => {
    const cell = row.cells[column];
    return cell?.dataset['sort'] ?? cell?.textContent ?? '';
  };
  heads.forEach((head, column) => {
    const toggle = element('button', 'sort', head.textContent ?? '');
    toggle.type = 'button';
    head.replaceChildren(toggle);
    toggle.addEventListener('click', () => {
      const ascending = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) {
        other.removeAttribute('aria-sort');
      }
      head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
      // What is not confirmed stays at the end, whichever way the column is sorted.
      const sorted = rows.toSorted((one, other) => {
        const [left, right] = [sortValue(one, column), sortValue(other, column)];
        if ((left === '–') !== (right === '–')) {
          return left === '–' ? 1 : -1;
        }
        return ascending ? compare(left, right) : compare(right, left);
      });
      body.append(...sorted);
      onSorted();
    });
  });
}

interface Parts {
  box: HTMLElement;
  table: HTMLTableElement;
  body: HTMLTableSectionElement;
  /** The label with the field for words, which waits in the HTML where it keeps its room. */
  field: HTMLElement;
  input: HTMLInputElement;
}

function enhance({ box, table, body, field, input }: Parts): void {
  const texts = new Map([...body.rows].map((row) => [row, row.textContent?.toLowerCase() ?? '']));
  field.hidden = false;
  input.value = new URLSearchParams(location.search).get('q') ?? '';
  const count = box.querySelector('[data-count]');
  const whole = [...(count?.childNodes ?? [])];
  count?.setAttribute('role', 'status');
  const more = button('', () => {
    isWhole = true;
    apply();
  });
  more.classList.add('listmore');
  const clear = button('Clear the words', () => {
    input.value = '';
    apply();
    input.focus();
  });
  const empty = element('div', 'empty', element('p', '', 'No record has these words.'), clear);
  let isWhole = false;
  box.append(more, empty);

  const apply = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    // In the order of the table, which sorting changes.
    for (const row of body.rows) {
      const isIn = words.every((word) => texts.get(row)?.includes(word));
      shown += isIn ? 1 : 0;
      row.hidden = !isIn || (!isWhole && shown > mostRows && row.id !== location.hash.slice(1));
    }
    more.hidden = isWhole || shown <= mostRows;
    more.textContent = `Show all ${shown}`;
    count?.replaceChildren(...(words.length === 0 ? whole : [`${shown} of ${texts.size} records have these words`]));
    empty.hidden = shown > 0;
    table.hidden = shown === 0;
    const query = new URLSearchParams(location.search);
    query.delete('q');
    if (words.length > 0) {
      query.set('q', input.value.trim());
    }
    history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}${location.hash}`);
  };
  input.addEventListener('input', apply);
  addEventListener('beforeprint', () => {
    isWhole = true;
    apply();
  });
  makeSortable(table, body, apply);
  apply();
}

for (const box of document.querySelectorAll<HTMLElement>('[data-table]')) {
  const table = box.querySelector('table');
  const body = table?.tBodies[0];
  const field = box.querySelector<HTMLElement>('[data-words]');
  const input = field?.querySelector('input');
  if (table && body && field && input) {
    enhance({ box, table, body, field, input });
    box.dataset['table'] = '';
  }
}

export {};
