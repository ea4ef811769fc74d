/** A place in a dataset: enough to link to the record's page (`path`) and to its API address (`/api` + `path`). */
export interface RecordReference {
  dataset: string;
  id: string;
  title: string;
  path: string;
}

/** A page of the site, or the section of it that its anchor names. */
export interface PageReference {
  /** Path of the page, such as "/developers". */
  page: string;
  title: string;
  /** Id of the section's heading; null for the start of the page. */
  anchor: string | null;
  /** Page and anchor in one: "/developers#limits". */
  path: string;
}

export type Reference = RecordReference | PageReference;

/** The part of a record that a statement of the answer was taken from. */
export interface RecordCitation extends RecordReference {
  fields: string[];
  /** The value of the field as it is: text as text, anything else as JSON. */
  quote: string;
}

/** The part of a page that a statement of the answer was taken from. */
export interface PageCitation extends PageReference {
  /** Words of the section, letter for letter. */
  quote: string;
}

export type Citation = RecordCitation | PageCitation;

/** Why a question was not answered. */
export type DeclineReason =
  | 'empty'
  | 'instruction'
  | 'opinion'
  | 'prediction'
  | 'unknown-name'
  | 'unconfirmed'
  | 'not-understood'
  | 'outside';

/** How the question was read, so that a caller can see why it got this answer. */
export interface Understanding {
  intent: string | null;
  entities: { dataset: string; id: string; title: string; matched: string }[];
  /** Values of fields that the question names, such as an operator. */
  values: { facet: string; value: string; matched: string }[];
  corrections: { from: string; to: string }[];
  declined: DeclineReason | null;
}

/** What `/api/ask` says. A declined question has no citations, and its confidence is under 0.3. */
export interface Answer {
  question: string;
  answer: string;
  grounded_in: Citation[];
  /** 0 to 1: how likely it is that this answers what was asked. */
  confidence: number;
  answered: boolean;
  /** The parts of the question that the answer leaves open, in their order. */
  unanswered: string[];
  understood_as: Understanding;
  alternatives: Reference[];
  note: string | null;
}
