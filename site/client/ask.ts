/**
 * Answers a question without leaving the page. The form works without it. An agent that submits the form as a tool gets
 * the answer of the API as the result.
 */
interface AgentSubmitEvent extends SubmitEvent {
  agentInvoked?: boolean;
  respondWith?: (result: Promise<unknown>) => void;
}

const askApi = async (query: string): Promise<unknown> => {
  const response = await fetch(`/api/ask?${new URLSearchParams({ q: query })}`);
  return response.json();
};

/** Shows the answer page of a question in place of what is below the form. */
async function show(address: string): Promise<void> {
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
  history.pushState(null, '', address);
  target.focus({ preventScroll: true });
}

/** Makes the form of a page answer in place, and be a tool whose result an agent gets. */
export function answerQuestions(): void {
  // What was refused stands around the form, and goes with the whole page.
  const isAskPage = location.pathname === '/ask' && document.querySelector('.form-problem') === null;
  const form = document.querySelector<HTMLFormElement>('form[data-ask]');
  form?.addEventListener('submit', (event: AgentSubmitEvent) => {
    const query = String(new FormData(form).get('q') ?? '').trim();
    const address = `/ask?${new URLSearchParams({ q: query })}`;
    if (query === '') {
      return;
    }
    if (event.agentInvoked && event.respondWith) {
      event.preventDefault();
      event.respondWith(askApi(query));
    } else if (isAskPage) {
      event.preventDefault();
      show(address).catch(() => location.assign(address));
    }
  });
  if (isAskPage) {
    addEventListener('popstate', () => location.reload());
  }
}
