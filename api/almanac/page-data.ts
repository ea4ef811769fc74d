import type { Identification } from '#almanac/identification.ts';
import type { ListQuery } from '#almanac/record-list.ts';
import type { Choices, RobotsTxt } from '#almanac/robots-txt.ts';
import type { listAnswer } from './operations.ts';

/** What the page of a dataset shows when its query asks for some of the records. */
export interface NarrowedList {
  /** The dataset by its path, `crawlers`. */
  path: string;
  /** The parameters as they were given, in their order; those of the API. */
  given: readonly (readonly [name: string, value: string])[];
  query: ListQuery;
  /** What the API answers to the same query. */
  answer: ReturnType<typeof listAnswer>;
}

/** What a page with a form for a query shows when it can't be answered. */
export interface QueryRefusal {
  /** What is in the form: untrusted text of the visitor. */
  given: string;
  problem: { slug: string; detail: string; due: null };
}

/** What the page of the crawlers shows when its query asks whose User-Agent a string is. */
export interface IdentifiedPageData {
  /** The string as it was given: untrusted text of the visitor. */
  given: string;
  /** What the API answers to the same string. */
  answer: Identification;
}

/** What the page that makes a robots.txt shows when its query has a choice. */
export interface RobotsPageData {
  choices: Choices;
  /** Address of the sitemap, for the last line. */
  sitemap: string | null;
  /** What the API answers to the same query; null where it refuses it. */
  made: RobotsTxt | null;
  problem: { slug: string; detail: string; due: null } | null;
  /** The fields that couldn't be read. */
  wrong: readonly string[];
}
