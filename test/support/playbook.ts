import type { Playbook } from '#api/playbook/playbook.ts';

/** A playbook of one chapter. */
export const testPlaybook: Playbook = {
  title: 'A playbook',
  description: 'It has one chapter.',
  updated: '2026-11-21',
  chapters: [
    {
      id: 'llms-txt',
      number: 1,
      title: 'An index for language models',
      summary: 'What it is, in a line.',
      minutes: 20,
      updated: '2026-11-21',
      url: 'https://porch.example/techniques/llms-txt',
      markdown: '## First\n\nDo this.\n',
    },
  ],
  markdown: '# A playbook\n\n## 1. An index for language models\n',
  about: 'One file.',
  tested_with: [{ name: 'Node.js', version: '24' }],
  first_week: [{ day: 'Day 1', chapters: ['llms-txt'], why: 'It is the only one.' }],
  programs: {},
  html: '<!doctype html><html lang="en"><title>A playbook</title><h1>A playbook</h1></html>\n',
};
