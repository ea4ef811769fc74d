/**
 * Shows how an audit goes while it runs. The form works without it: what is refused before the audit begins, such as a
 * payment that is due, is left to the form's own page.
 */
const form = document.querySelector<HTMLFormElement>('form[data-audit]');
const progress = form?.querySelector<HTMLElement>('[data-audit-progress]');
const bar = progress?.querySelector('progress');
const status = form?.querySelector<HTMLElement>('[data-audit-status]');
const log = form?.querySelector<HTMLElement>('[data-audit-log]');
const button = form?.querySelector<HTMLButtonElement>('button');

/** The number of requests at which the next sentence is said. */
let nextSaid = 1;
let judged = 0;

interface AuditEvent {
  name: string;
  data: Record<string, unknown>;
}

const say = (sentence: string): void => {
  if (status && status.textContent !== sentence) {
    status.textContent = sentence;
  }
};

const list = (line: string): void => {
  const item = document.createElement('li');
  item.textContent = line;
  log?.append(item);
  while (log && log.childElementCount > 8) {
    log.firstElementChild?.remove();
  }
};

/** The events of a stream, one by one (HTML standard, section 9.2). */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<AuditEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest += part.value;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (name !== undefined && data !== undefined) {
        yield { name, data: JSON.parse(data) as AuditEvent['data'] };
      }
    }
  }
}

/** Shows an event. Returns the address to go to, or null when there is more to come. */
function show({ name, data }: AuditEvent): string | null {
  if (name === 'progress' && data['stage'] === 'queued') {
    say(`Waiting for other audits: place ${data['position']}.`);
  } else if (name === 'progress') {
    list(`${data['status'] ?? data['outcome']} ${data['url']}`);
    const requests = Number(data['requests']);
    // Said now and then: whoever hears it is not to be talked at.
    if (requests >= nextSaid) {
      nextSaid = requests + 10;
      const found = judged === 0 ? '' : `, ${judged} of ${bar?.max} checks judged`;
      say(`Asking the site: ${requests} ${requests === 1 ? 'request' : 'requests'} so far${found}.`);
    }
  } else if (name === 'check') {
    judged += 1;
    if (bar) {
      bar.value = judged;
    }
    list(`${data['status']}: ${data['title']}`);
  } else if (name === 'result') {
    say(`Done: ${data['score']} of 100. The report opens.`);
    return `/audit?${new URLSearchParams({ url: String(data['url']) })}`;
  } else if (name === 'problem') {
    throw new Error(String(data['detail']));
  }
  return null;
}

const typedAddress = (): string => {
  const typed = String(form ? new FormData(form).get('url') : '').trim();
  return typed.includes('://') ? typed : `https://${typed}`;
};

/** Runs the audit; resolves with the address of the report, or null when the form has to be sent as it is. */
async function audit(): Promise<string | null> {
  const response = await fetch('/api/audit', {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ url: typedAddress() }),
  });
  if (!response.ok || response.body === null) {
    return null;
  }
  for await (const event of eventsOf(response.body)) {
    const address = show(event);
    if (address !== null) {
      return address;
    }
  }
  throw new Error('The connection ended before the audit did. Its report may be there in a moment.');
}

const setRunning = (isRunning: boolean): void => {
  progress?.toggleAttribute('hidden', false);
  bar?.toggleAttribute('hidden', !isRunning);
  if (button) {
    button.disabled = isRunning;
  }
};

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  log?.replaceChildren();
  nextSaid = 1;
  judged = 0;
  bar?.removeAttribute('value');
  setRunning(true);
  say('The audit begins.');
  try {
    const address = await audit();
    if (address === null) {
      form.submit();
    } else {
      location.assign(address);
    }
  } catch (error) {
    setRunning(false);
    say(error instanceof Error ? error.message : String(error));
  }
});

// Who comes back by the history finds the form as it was.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && button) {
    button.disabled = false;
    progress?.toggleAttribute('hidden', true);
  }
});

// What is folded is printed too.
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) {
    details.open = true;
  }
});

// A link to a check that is folded leads to it.
const unfold = (): void => {
  const target = location.hash.startsWith('#check-') ? document.getElementById(location.hash.slice(1)) : null;
  target?.closest('details')?.setAttribute('open', '');
};
unfold();
addEventListener('hashchange', unfold);

export {};
