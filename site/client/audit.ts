/**
 * Shows how an audit goes while it runs: each request as it is made, and twelve lanterns that light as their checks are
 * judged. The form works without it: what is refused before the audit begins, such as a payment that is due, is left to
 * the form's own page.
 */
const template = document.querySelector<HTMLTemplateElement>('template[data-audit-progress]');
const progress = template?.content.querySelector<HTMLElement>('div') ?? null;
const part = (name: string): HTMLElement | null => progress?.querySelector<HTMLElement>(`[data-audit-${name}]`) ?? null;
const bar = progress?.querySelector('progress');
const total = Number(progress?.dataset['checks']);

/** The number of requests at which the next sentence is said. */
let nextSaid = 1;
let judged = 0;
let startedAt = 0;
let lastAt = 0;
let clock: ReturnType<typeof setInterval> | undefined;

interface AuditEvent {
  name: string;
  data: Record<string, unknown>;
}

const write = (name: string, text: string): void => {
  const element = part(name);
  if (element && element.textContent !== text) {
    element.textContent = text;
  }
};

const cell = (name: string, text: string): HTMLElement => {
  const span = document.createElement('span');
  span.className = name;
  span.textContent = text;
  return span;
};

/**
 * One request in the stream: its path or, elsewhere than on the site, its whole address; the answer; the time since the
 * one before.
 */
function listRequest(data: AuditEvent['data']): void {
  const log = part('log');
  const item = document.createElement('li');
  const status = data['status'] ?? data['outcome'];
  const isGood = typeof status === 'number' && status < 400;
  const now = performance.now();
  item.append(
    cell('path', String(data['url'])),
    cell(isGood ? 'ok' : 'no', ` ${status}`),
    cell('ms', ` ${Math.round(now - lastAt)} ms`),
  );
  lastAt = now;
  log?.append(item);
  while (log && log.childElementCount > 200) {
    log.firstElementChild?.remove();
  }
  log?.scrollTo({ top: log.scrollHeight });
}

function lightLantern(technique: string): void {
  const lantern = progress?.querySelector<HTMLElement>(`[data-technique="${CSS.escape(technique)}"]`);
  const count = lantern?.querySelector('small');
  if (!lantern || !count) {
    return;
  }
  const all = Number(lantern.dataset['checks']);
  const done = Number(lantern.dataset['done'] ?? 0) + 1;
  lantern.dataset['done'] = String(done);
  lantern.className = done >= all ? 'lit' : 'half';
  count.textContent = done >= all ? 'judged' : `${done} of ${all}`;
}

/** The events of a stream, one by one (HTML standard, section 9.2). */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<AuditEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    rest += next.value;
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
    write('status', `Waiting for other audits: place ${data['position']}.`);
  } else if (name === 'progress') {
    listRequest(data);
    const requests = Number(data['requests']);
    write('requests', String(requests));
    // Said now and then, so that a screen reader does not talk all the time.
    if (requests >= nextSaid) {
      nextSaid = requests + 10;
      const found = judged === 0 ? '' : `, ${judged} of ${total} checks judged`;
      write('status', `Asking the site: ${requests} ${requests === 1 ? 'request' : 'requests'} so far${found}.`);
    }
  } else if (name === 'check') {
    judged += 1;
    write('judged', String(judged));
    if (bar) {
      bar.value = judged;
    }
    lightLantern(String(data['technique']));
  } else if (name === 'result') {
    write('status', `Done: ${data['score']} of 100. The report opens.`);
    return `/audit?${new URLSearchParams({ url: String(data['url']) })}`;
  } else if (name === 'problem') {
    throw new Error(String(data['detail']));
  }
  return null;
}

/** Who waited for a report is put at its beginning. Storage may be forbidden: the page then opens as any page. */
const waiting = 'audited';
function keepWaiting(address: string): void {
  try {
    sessionStorage.setItem(waiting, address);
  } catch {
    // The focus stays where a new page has it.
  }
}
function waitedFor(): string | null {
  try {
    const address = sessionStorage.getItem(waiting);
    sessionStorage.removeItem(waiting);
    return address;
  } catch {
    return null;
  }
}

const withScheme = (typed: string): string => (typed.includes('://') ? typed : `https://${typed}`);

/** Runs the audit; resolves with the address of the report, or null when the form has to be sent as it is. */
async function audit(url: string): Promise<string | null> {
  const response = await fetch('/api/audit', {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
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

/** The page of the progress takes the place of the page: one main is shown at any time (HTML section 4.4.14). */
const page = document.querySelector<HTMLElement>('main');
const stage = document.createElement('main');
stage.className = 'runpage';
stage.hidden = true;

function raise(host: string): void {
  if (!page || !progress) {
    return;
  }
  if (progress.parentElement !== stage) {
    stage.append(progress);
    page.after(stage);
  }
  stage.hidden = false;
  page.hidden = true;
  part('log')?.replaceChildren();
  for (const lantern of progress.querySelectorAll<HTMLElement>('[data-technique]')) {
    lantern.className = '';
    delete lantern.dataset['done'];
    lantern.querySelector('small')?.replaceChildren('waits');
  }
  nextSaid = 1;
  judged = 0;
  startedAt = performance.now();
  lastAt = startedAt;
  write('judged', '0');
  write('total', `of ${total} checks judged`);
  write('host', host);
  const heading = part('host');
  if (heading) {
    // Not in the HTML, where it would be a second first-level heading of the page it replaces.
    heading.role = 'heading';
    heading.ariaLevel = '1';
  }
  write('status', `Connecting to ${host}…`);
  clearInterval(clock);
  clock = setInterval(() => write('seconds', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`), 100);
  scrollTo({ top: 0 });
  heading?.focus({ preventScroll: true });
}

function lower(): void {
  clearInterval(clock);
  stage.hidden = true;
  if (page) {
    page.hidden = false;
  }
}

/** Says at the form why the audit ended without a report. */
function complain(form: HTMLFormElement, sentence: string): void {
  const old = form.querySelector('.form-problem');
  const notice = old ?? document.createElement('p');
  notice.className = 'callout form-problem';
  notice.setAttribute('role', 'alert');
  notice.textContent = sentence;
  form.append(notice);
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-audit]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const url = withScheme(String(new FormData(form).get('url')).trim());
    raise(URL.canParse(url) ? new URL(url).host : url);
    try {
      const address = await audit(url);
      if (address === null) {
        lower();
        form.submit();
      } else {
        keepWaiting(address);
        location.assign(address);
      }
    } catch (error) {
      lower();
      complain(form, error instanceof Error ? error.message : String(error));
    }
  });
}

if (waitedFor() === `${location.pathname}${location.search}`) {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

// Visitors who come back through the history find the page as it was.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) {
    lower();
  }
});

export {};
