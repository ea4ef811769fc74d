import { defineCheck } from '../../check.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { contentPages } from '../../judging/sampled-pages.ts';
import { byShare, type Judged, notApplicable } from '../../judging/verdicts.ts';

/** Whether pictures say what they show. */
export const imageAlternatives = defineCheck({
  id: 'image-alternatives',
  technique: 'accessibility-tree',
  topic: 'Text alternatives',
  titles: {
    pass: 'Pictures have text alternatives',
    partial: 'Some pictures have no text alternative',
    fail: 'Pictures have no text alternative',
  },
  causes: ['unnamed-elements'],
  why: 'A text reader sees the alternative alone. An empty one says that the picture is decoration; a missing one says nothing.',
  reference: {
    title: 'WCAG 2.2, success criterion 1.1.1: non-text content',
    url: 'https://www.w3.org/TR/WCAG22/#non-text-content',
  },
  fix: () => ({
    text: 'Add an alt attribute to each picture: what it shows, or empty where it only decorates.',
    snippet: '<img src="/plan.svg" alt="Plan: the entrance is on the north side">\n<img src="/ornament.svg" alt="">',
    language: 'html',
  }),
  judge(evidence) {
    const judged = contentPages(evidence)
      .filter(({ facts }) => facts.images.length > 0)
      .map(({ exchange, facts }): Judged => {
        const without = facts.images.filter((image) => image.alt === null);
        const share = without.length / facts.images.length;
        return {
          credit: share === 0 ? 1 : share <= 0.5 ? 0.5 : 0,
          line: lineOf(exchange, `${without.length} of ${facts.images.length} pictures have no alt attribute.`, {
            excerpt: without[0] === undefined ? undefined : `<img src="${without[0].src ?? ''}">`,
          }),
        };
      });
    return judged.length === 0
      ? notApplicable(bareLine(evidence, 'The sampled pages have no picture.'))
      : byShare(judged);
  },
});
