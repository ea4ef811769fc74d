/** A part of a section: a paragraph, an item of a list, a row of a table, or a block of code. */
export interface PagePart {
  /** As it is said in an answer: a row of a table with the names of its columns. */
  text: string;
  /** As the page has it, letter for letter. */
  quote: string;
  isCode: boolean;
}

/** What is under one heading of a page. */
export interface PageSection {
  /** Path of the page, such as "/developers". */
  path: string;
  /** Title of the page. */
  page: string;
  /** Id of the nearest heading that has one; null at the start of the page. */
  anchor: string | null;
  heading: string;
  /** About how many tokens the section has: a quarter of its bytes. */
  tokens: number;
  parts: PagePart[];
}

/** What a section answers: the parts that say it, and questions that ask for it. */
export interface PageFact {
  /** Index of the section. */
  section: number;
  /** Indexes of parts in the order in which they are said. */
  parts: number[];
  ask: string[];
  /** Index of the sentence of the first part that answers them; 0 where it's left out. */
  sentence?: number;
  /** Other names of what the page is about: "llms txt file". */
  names: string[];
}

/** The pages of the site as the build wrote them down: all text by sections, and what the sections answer. */
export interface PageContent {
  sections: PageSection[];
  facts: PageFact[];
}

/** No pages: without a built site, answers come from the datasets alone. */
export const noPages: PageContent = { sections: [], facts: [] };
