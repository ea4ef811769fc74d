/** Makes the tables of the almanac sortable by a column and filterable by words. Without it they are plain tables. */
for (const box of document.querySelectorAll<HTMLElement>('[data-table]')) {
  const table = box.querySelector('table');
  const body = table?.tBodies[0];
  if (!table || !body) {
    continue;
  }
  const rows = [...body.rows];
  const texts = rows.map((row) => row.textContent?.toLowerCase() ?? '');

  const label = document.createElement('label');
  label.className = 'table-filter';
  const input = document.createElement('input');
  input.type = 'search';
  input.autocomplete = 'off';
  const count = document.createElement('output');
  count.value = `${rows.length} rows`;
  label.append('Filter the table ', input);
  const tools = document.createElement('div');
  tools.className = 'table-tools';
  tools.append(label, count);
  box.prepend(tools);

  const filter = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, index) => {
      const visible = words.every((word) => texts[index]?.includes(word));
      row.hidden = !visible;
      shown += visible ? 1 : 0;
    });
    count.value = words.length > 0 ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
  };
  input.addEventListener('input', filter);

  const sortValue = (row: HTMLTableRowElement, column: number): string => {
    const cell = row.cells[column];
    return cell?.dataset['sort'] ?? cell?.textContent ?? '';
  };
  const compare = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.append(...head.childNodes);
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
    });
  });
}
