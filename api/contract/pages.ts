import type { PageSection } from '../text/markdown-section.ts';

/** A page of the site as it is served now. */
export interface ReadPage {
  path: string;
  title: string;
  description: string;
  markdown: string;
  sections: PageSection[];
}

/** The pages of the site, for what reads them by other ways than their address. */
export interface Pages {
  /** With everything that is stored; null when there is no page at the path. */
  read(path: string): Promise<ReadPage | null>;
  paths(): string[];
}
