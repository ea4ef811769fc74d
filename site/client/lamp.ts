import { keep } from './memory.ts';

type Lamp = 'system' | 'day' | 'night';

const next: Record<Lamp, Lamp> = { system: 'day', day: 'night', night: 'system' };
const words: Record<Lamp, string> = { system: 'Auto', day: 'Day', night: 'Night' };

const chosen = (): Lamp => {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'day' || theme === 'night' ? theme : 'system';
};

const apply = (lamp: Lamp): void => {
  if (lamp === 'system') {
    delete document.documentElement.dataset['theme'];
  } else {
    document.documentElement.dataset['theme'] = lamp;
  }
};

/** The lamps of the masthead: each click goes from the system's choice to day, to night and back. */
export function lightLamp(): void {
  const switches = [...document.querySelectorAll<HTMLButtonElement>('[data-lamp]')];
  const show = (): void => {
    const lamp = chosen();
    for (const each of switches) {
      const word = each.querySelector('span');
      if (word) {
        word.textContent = words[lamp];
      }
      each.dataset['lamp'] = lamp;
      each.setAttribute('aria-label', `Light: ${words[lamp]}. Switch to ${words[next[lamp]]}`);
      each.hidden = false;
    }
  };
  for (const each of switches) {
    each.addEventListener('click', () => {
      const lamp = next[chosen()];
      apply(lamp);
      keep('lamp', lamp === 'system' ? null : lamp);
      show();
    });
  }
  show();
}
