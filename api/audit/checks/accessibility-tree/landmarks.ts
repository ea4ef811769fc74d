import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { judgeContent } from '../../judging/sampled-pages.ts';

/** Whether a page's parts can be distinguished. */
export const landmarks = defineCheck({
  id: 'landmarks',
  technique: 'accessibility-tree',
  topic: 'Landmarks',
  titles: {
    pass: 'Landmarks: main and navigation',
    partial: 'Landmarks are missing on some pages',
    fail: 'Pages have no main element',
  },
  causes: ['page-structure'],
  why: 'main says where the content is, and nav what to leave out. Extractors and screen readers go by it.',
  reference: { title: 'WAI-ARIA 1.2: landmark roles', url: 'https://www.w3.org/TR/wai-aria-1.2/#landmark_roles' },
  fix: () => ({
    text: 'Wrap the content of each page in one main element and the menus in nav.',
    snippet: '<header><nav aria-label="Main">…</nav></header>\n<main>…</main>\n<footer>…</footer>',
    language: 'html',
  }),
  judge: (evidence) =>
    judgeContent(evidence, ({ exchange, facts }) => {
      const counts = Object.entries(facts.landmarks)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ');
      const { main, navigation, banner, contentinfo } = facts.landmarks;
      const note = main === 1 ? 'There is one main.' : `There are ${main} main elements.`;
      const others = navigation + banner + contentinfo > 0;
      return {
        credit: main === 0 ? 0 : main === 1 && (others || facts.links.length === 0) ? 1 : 0.5,
        line: lineOf(exchange, others ? note : `${note} No other landmark.`, {
          excerpt: counts === '' ? 'no landmark' : counts,
        }),
      };
    }),
});
