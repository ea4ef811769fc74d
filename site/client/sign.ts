/**
 * Counts down the characters that are left in the fields of the guestbook's form, and refuses to send what would be cut,
 * with the reason at the field. Lengths are those of the service: code points, not UTF-16 units.
 */
const form = document.querySelector<HTMLFormElement>('form[data-sign]');
const fields = [...(form?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[data-most]') ?? [])];

const left = (field: HTMLInputElement | HTMLTextAreaElement): number =>
  Number(field.dataset['most']) - [...field.value.trim()].length;

function count(field: HTMLInputElement | HTMLTextAreaElement): void {
  const foot = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  const counter = foot?.querySelector('output') ?? document.createElement('output');
  const rest = left(field);
  counter.className = rest < 0 ? 'counter num over' : 'counter num';
  counter.textContent =
    rest < 0
      ? `${-rest} ${rest === -1 ? 'character' : 'characters'} too many`
      : field.value === ''
        ? ''
        : `${rest} left`;
  foot?.append(counter);
  field.ariaInvalid = rest < 0 ? 'true' : null;
}

for (const field of fields) {
  field.addEventListener('input', () => count(field));
  if (field.value !== '') {
    count(field);
  }
}

form?.addEventListener('submit', (event) => {
  const wrong = fields.find((field) => left(field) < 0);
  if (wrong) {
    event.preventDefault();
    wrong.focus();
  }
});

export {};
