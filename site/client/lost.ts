/** Fills the field of the page for missing pages with the words of the address that was asked for. */
const field = document.querySelector<HTMLInputElement>('form[data-lost] input');
const last = location.pathname.split('/').findLast((part) => part !== '') ?? '';
if (field && field.value === '') {
  try {
    field.value = decodeURIComponent(last)
      .replace(/\.(?:html|md|json)$/, '')
      .replace(/[-_+.]+/g, ' ')
      .slice(0, 100);
  } catch {
    // Not a text: the field stays empty.
  }
}

export {};
