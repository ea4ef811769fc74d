/**
 * Answers a question without leaving the page. The form works without it. An agent that submits the form as a tool gets
 * the answer of the API as the result.
 */
interface AgentSubmitEvent extends SubmitEvent {
  agentInvoked?: boolean;
  respondWith?: (result: Promise<unknown>) => void;
}

const form = document.querySelector<HTMLFormElement>('form[data-ask]');

const askApi = async (query: string): Promise<unknown> => {
  const response = await fetch(`/api/ask?${new URLSearchParams({ q: query })}`);
  return response.json();
};

/** Shows the answer page of a question in place of what is below the form. */
async function show(address: string, push: boolean): Promise<void> {
  const target = document.querySelector<HTMLElement>('[data-answer]');
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  const answer = next.querySelector('[data-answer]');
  const heading = next.querySelector('h1');
  if (!response.ok || !target || !answer) {
    location.assign(address);
    return;
  }
  target.replaceChildren(...answer.childNodes);
  document.title = next.title;
  const own = document.querySelector('h1');
  if (own && heading) {
    own.textContent = heading.textContent;
  }
  if (push) {
    history.pushState(null, '', address);
  }
  target.focus({ preventScroll: true });
}

form?.addEventListener('submit', (event: AgentSubmitEvent) => {
  const query = String(new FormData(form).get('q') ?? '').trim();
  const address = `/ask?${new URLSearchParams({ q: query })}`;
  if (query === '') {
    return;
  }
  if (event.agentInvoked && event.respondWith) {
    event.preventDefault();
    event.respondWith(askApi(query));
    return;
  }
  if (location.pathname === '/ask') {
    event.preventDefault();
    show(address, true).catch(() => location.assign(address));
  }
});

addEventListener('popstate', () => location.reload());
