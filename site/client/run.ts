/**
 * Runs a GET request of the page on the site itself, and shows the status, the header fields and the start of the body. An
 * element names the request: `data-run` is the path, `data-run-headers` the header fields as JSON, and `data-run-part` says that the
 * command above it does more than the request.
 */

/** Characters of a body that are shown. */
const most = 3000;

const shown = (headers: Headers): string =>
  [...headers]
    .filter(([name]) => !/^(?:connection|keep-alive|date|transfer-encoding)$/.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function pretty(body: string, type: string): string {
  if (!/[/+]json/.test(type)) {
    return body;
  }
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

async function run(path: string, headers: Record<string, string>): Promise<{ title: string; text: string }> {
  const begun = performance.now();
  const response = await fetch(path, { headers, cache: 'no-store', redirect: 'manual' });
  const body = await response.text();
  const text = pretty(body, response.headers.get('content-type') ?? '');
  const rest = text.length > most ? `\n… ${(text.length - most).toLocaleString('en')} more characters` : '';
  return {
    title: `${response.status} in ${Math.round(performance.now() - begun)} ms`,
    text: `${shown(response.headers)}\n\n${text.slice(0, most)}${rest}`,
  };
}

function offer(place: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn quiet small';
  // Of a command with pipes only the request is sent: what the other programs would print is not shown.
  button.textContent = place.dataset['runPart'] === undefined ? 'Run here' : 'Fetch here';
  const state = document.createElement('span');
  state.className = 'small soft';
  state.setAttribute('role', 'status');
  const box = document.createElement('div');
  box.className = 'code runresult';
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  box.append(pre);
  button.addEventListener('click', async () => {
    button.disabled = true;
    state.textContent = 'Sending …';
    try {
      const { title, text } = await run(
        place.dataset['run'] ?? '/',
        JSON.parse(place.dataset['runHeaders'] ?? '{}') as Record<string, string>,
      );
      state.textContent = title;
      box.dataset['language'] = `Answer: ${title}`;
      pre.textContent = text;
      place.after(box);
    } catch {
      state.textContent = 'The site did not answer. Are you online?';
    }
    button.disabled = false;
  });
  place.append(button, state);
}

for (const place of document.querySelectorAll<HTMLElement>('[data-run]')) {
  offer(place);
}

export {};
