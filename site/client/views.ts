/**
 * The switch between a page and its twins. Without this script its three entries are plain links; with it the twin is
 * shown in place, as the bytes that an agent receives.
 */
const bar = document.querySelector<HTMLElement>('[data-views]');
const main = document.querySelector<HTMLElement>('main');

if (bar && main) {
  const links = [...bar.querySelectorAll<HTMLAnchorElement>('a')];
  const page = links[0];
  // A second main, of which one is hidden at any time (HTML section 4.4.14): the twin takes the page's place.
  const panel = document.createElement('main');
  panel.className = 'frame agent-view';
  panel.hidden = true;
  panel.tabIndex = -1;
  main.after(panel);
  let wanted: HTMLAnchorElement | undefined;

  const mark = (current: HTMLAnchorElement): void => {
    for (const link of links) {
      if (link === current) {
        link.setAttribute('aria-current', 'page');
      } else {
        link.removeAttribute('aria-current');
      }
    }
  };

  const showPage = (link: HTMLAnchorElement): void => {
    if (!panel.hidden) {
      panel.hidden = true;
      main.hidden = false;
      main.id = panel.id;
      panel.removeAttribute('id');
      mark(link);
    }
  };

  const showTwin = async (link: HTMLAnchorElement): Promise<void> => {
    const accept = link.type;
    const response = await fetch(link.href, { headers: { accept } });
    if (!response.ok) {
      throw new Error(`${link.href} answered ${response.status}`);
    }
    const body = await response.text();
    const text = accept === 'application/json' ? JSON.stringify(JSON.parse(body), null, 2) : body;
    // Another entry was chosen while this one was under way.
    if (wanted !== link) {
      return;
    }
    const heading = document.createElement('h1');
    heading.textContent = `What an agent reads at ${new URL(link.href).pathname}`;
    const facts = document.createElement('p');
    facts.className = 'soft num';
    const bytes = new TextEncoder().encode(body).length.toLocaleString('en');
    facts.textContent = `${response.headers.get('content-type')} · ${bytes} bytes before compression`;
    const code = document.createElement('pre');
    code.tabIndex = 0;
    code.textContent = text;
    panel.replaceChildren(heading, facts, code);
    panel.setAttribute('aria-label', heading.textContent);
    if (panel.hidden) {
      // The skip link leads to what is shown.
      panel.id = main.id;
      main.removeAttribute('id');
    }
    panel.hidden = false;
    main.hidden = true;
    mark(link);
    panel.focus({ preventScroll: true });
  };

  bar.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const modified = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || !page || modified || event.button !== 0) {
      return;
    }
    event.preventDefault();
    wanted = link;
    if (link === page) {
      showPage(page);
      return;
    }
    // The plain link still leads to the twin when it cannot be shown here.
    showTwin(link).catch(() => {
      if (wanted === link) {
        location.assign(link.href);
      }
    });
  });
}
