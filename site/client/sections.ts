/** Marks the section that is being read in the contents of the page, where there are some. */
export function markSections(): void {
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>(':is(.toc, .viewtabs) a[href^="#"]')) {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target) {
      links.set(target, link);
    }
  }
  if (links.size === 0) {
    return;
  }
  const mark = (): void => {
    // The last heading above the upper third of the window is the one whose text is read.
    const line = innerHeight / 3;
    let current: HTMLAnchorElement | undefined;
    for (const [target, link] of links) {
      if (target.getBoundingClientRect().top <= line) {
        current = link;
      }
    }
    for (const link of links.values()) {
      link.ariaCurrent = link === current ? 'true' : null;
    }
  };
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -66% 0px', threshold: [0, 1] });
  for (const target of links.keys()) {
    observer.observe(target);
  }
  mark();
}
