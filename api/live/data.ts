/** A record or page that an answer leads to. */
interface Linked {
  dataset: string;
  id: string;
  title: string;
  url: string;
  api_url: string;
}

/** What `/ask?q=…` shows: the answer and the matches of the API, for one question. */
export interface AskData {
  query: string;
  answer: {
    answer: string;
    answered: boolean;
    confidence: number;
    note: string | null;
    grounded_in: (Linked & { fields: string[]; quote: string })[];
    alternatives: Linked[];
  };
  results: (Linked & { snippet: string; score: number; matched: string[] })[];
}
