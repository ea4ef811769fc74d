/**
 * Makes the tables of the almanac sortable by a column, and narrows them down by words and by facets. What is chosen is in
 * the address, under the names that the API has for it. Without this script they are plain tables.
 */
const compare = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
/** Values of a facet that are listed; the others are found by the words. */
const mostValues = 10;
/** Rows that are shown before somebody asks for all. */
const mostRows = 40;

interface Facet {
  field: string;
  title: string;
  /** Values of each row in this column. */
  values: string[][];
}

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

function facetsOf(heads: HTMLTableCellElement[], rows: HTMLTableRowElement[]): Facet[] {
  return heads.flatMap((head, column) => {
    const field = head.dataset['facet'];
    return field === undefined
      ? []
      : [
          {
            field,
            title: head.textContent ?? field,
            values: rows.map((row) =>
              (row.cells[column]?.textContent ?? '')
                .split(', ')
                .map((value) => value.trim())
                .filter((value) => value !== '' && value !== '–'),
            ),
          },
        ];
  });
}

/** Puts a button into each head that sorts the table by its column, and the other way when pressed again. */
function makeSortable(heads: HTMLTableCellElement[], body: HTMLTableSectionElement, onSort: () => void): void {
  const rows = [...body.rows];
  const sortValue = (row: HTMLTableRowElement, column: number): string => {
    const cell = row.cells[column];
    return cell?.dataset['sort'] ?? cell?.textContent ?? '';
  };
  heads.forEach((head, column) => {
    const button = element('button', 'sort', ...head.childNodes);
    button.type = 'button';
    head.append(button);
    button.addEventListener('click', () => {
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
      onSort();
    });
  });
}

/** Counts the values of a facet among rows; gives the commonest. */
function countValues({ values }: Facet, isCounted: (row: number) => boolean): [string, number][] {
  const counts = new Map<string, number>();
  values.forEach((ofRow, index) => {
    for (const value of isCounted(index) ? ofRow : []) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  });
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, mostValues);
}

/** Puts the field for words and the count above the table; below it what shows all rows, and what is said when none is left. */
function addControls(box: HTMLElement) {
  const input = element('input', 'input');
  input.type = 'search';
  input.autocomplete = 'off';
  input.placeholder = 'Filter by words';
  input.value = new URLSearchParams(location.search).get('q') ?? '';
  const count = element('output', 'soft num');
  const chips = element('div', 'chips');
  const label = element('label', 'table-filter', element('span', 'vh', 'Filter the table'), input);
  box.prepend(element('div', 'listbar', label, chips, count));
  const clear = element('button', 'btn quiet small', 'Clear filters');
  clear.type = 'button';
  const empty = element('div', 'empty', element('p', '', 'No record has these marks.'), clear);
  empty.hidden = true;
  const more = element('button', 'btn quiet listmore');
  more.type = 'button';
  box.append(more, empty);
  return { input, count, chips, empty, clear, more };
}

function enhance(box: HTMLElement, table: HTMLTableElement, body: HTMLTableSectionElement): void {
  const rows = [...body.rows];
  const texts = rows.map((row) => row.textContent?.toLowerCase() ?? '');
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const facets = facetsOf(heads, rows);
  const chosen = new Map<string, string>();
  for (const [field, value] of new URLSearchParams(location.search)) {
    if (facets.some((facet) => facet.field === field)) {
      chosen.set(field, value);
    }
  }

  const { input, count, chips, empty, clear, more } = addControls(box);
  let isWhole = false;
  const side = document.querySelector<HTMLElement>('[data-facets]');

  const fits = (index: number, without?: string): boolean => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    return (
      words.every((word) => texts[index]?.includes(word)) &&
      facets.every(({ field, values }) => {
        const value = chosen.get(field);
        return value === undefined || field === without || values[index]?.includes(value) === true;
      })
    );
  };

  const link = (field: string, value: string, className: string): HTMLAnchorElement => {
    const made = element('a', className);
    const query = new URLSearchParams([...chosen].filter(([name]) => name !== field));
    if (chosen.get(field) === value) {
      made.setAttribute('aria-current', 'true');
    } else {
      query.set(field, value);
    }
    made.href = `${location.pathname}${query.size > 0 ? `?${query}` : ''}`;
    made.addEventListener('click', (event) => {
      event.preventDefault();
      if (chosen.get(field) === value) {
        chosen.delete(field);
      } else {
        chosen.set(field, value);
      }
      apply();
    });
    return made;
  };

  const drawFacets = (): void => {
    side?.replaceChildren(
      ...facets.map((facet) => {
        const { field, title } = facet;
        const group = element('div', 'facet', element('h3', '', title));
        for (const [value, number] of countValues(facet, (row) => fits(row, field))) {
          const made = link(field, value, '');
          made.append(element('b', '', value), element('span', 'num', String(number)));
          group.append(made);
        }
        return group;
      }),
    );
  };

  const apply = (): void => {
    let shown = 0;
    // In the order of the table, which sorting changes.
    for (const row of [...body.rows]) {
      const isIn = fits(rows.indexOf(row));
      shown += isIn ? 1 : 0;
      row.hidden = !isIn || (!isWhole && shown > mostRows && row.id !== location.hash.slice(1));
    }
    more.hidden = isWhole || shown <= mostRows;
    more.textContent = `Show all ${shown}`;
    count.value = shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
    empty.hidden = shown > 0;
    table.hidden = shown === 0;
    chips.replaceChildren(
      ...[...chosen].map(([field, value]) => {
        const made = link(field, value, 'fchip');
        made.append(`${value} ×`);
        made.setAttribute('aria-label', `Remove the filter ${value}`);
        return made;
      }),
    );
    drawFacets();
    const query = new URLSearchParams([...chosen]);
    if (input.value.trim() !== '') {
      query.set('q', input.value.trim());
    }
    history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}${location.hash}`);
  };
  input.addEventListener('input', apply);
  clear.addEventListener('click', () => {
    chosen.clear();
    input.value = '';
    apply();
    input.focus();
  });

  more.addEventListener('click', () => {
    isWhole = true;
    apply();
  });
  addEventListener('beforeprint', () => {
    isWhole = true;
    apply();
  });

  makeSortable(heads, body, apply);
  apply();
}

for (const box of document.querySelectorAll<HTMLElement>('[data-table]')) {
  const table = box.querySelector('table');
  const body = table?.tBodies[0];
  if (table && body) {
    enhance(box, table, body);
  }
}

export {};
