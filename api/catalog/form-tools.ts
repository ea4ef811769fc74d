/** A form that a browser with WebMCP makes a tool of by its attributes, and the pages that have it. */
export interface FormTool {
  name: string;
  description: string;
  pages: readonly string[];
}

/** The box for a question or keywords. */
export const askForm: FormTool = {
  name: 'ask_or_search',
  description: 'Ask the almanac of the agentic web a question, or search it by keyword.',
  pages: ['/', '/almanac', '/ask'],
};

/** The form that joins the directory. */
export const directoryForm: FormTool = {
  name: 'join_directory',
  description: 'Audit a website live and list it in the directory when its score is at least 70.',
  pages: ['/directory'],
};

/**
 * All forms that are tools, as the registry lists them. The form of the guestbook is none: it has a field that has to stay
 * empty, which would be an input. `sign_guestbook` does the same.
 */
export const formTools: readonly FormTool[] = [askForm, directoryForm];
