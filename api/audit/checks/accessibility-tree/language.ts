import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { judgePages } from '../../judging/sampled-pages.ts';

/** Whether the language is named. */
export const language = defineCheck({
  id: 'language',
  technique: 'accessibility-tree',
  topic: 'Language',
  titles: {
    pass: 'The language of the page is named',
    partial: 'Some pages do not name their language, or not on the html element',
    fail: 'Pages do not name their language',
  },
  causes: ['page-structure'],
  why: 'Readers choose pronunciation, tokenisation and translation by it.',
  reference: {
    title: 'WCAG 2.2, success criterion 3.1.1: language of page',
    url: 'https://www.w3.org/TR/WCAG22/#language-of-page',
  },
  fix: () => ({ text: 'Put the language on the html element.', snippet: '<html lang="en">', language: 'html' }),
  judge: (evidence) =>
    judgePages(evidence, ({ exchange, facts }) => {
      const isTag = (lang: string | null): boolean => lang !== null && /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(lang);
      const isValid = isTag(facts.lang);
      const isInside = facts.lang === null && isTag(facts.innerLang);
      const note = isValid
        ? 'The language is named.'
        : isInside
          ? `The language, ${facts.innerLang}, is named on an element inside the page and not on the html element.`
          : facts.lang === null
            ? 'No language is named.'
            : 'The language is no BCP 47 tag.';
      return {
        credit: isValid ? 1 : isInside ? 0.5 : 0,
        line: lineOf(exchange, note, { excerpt: facts.lang === null ? '<html>' : `<html lang="${facts.lang}">` }),
      };
    }),
});
