/** A block of an answer: a paragraph, or code that keeps its lines. */
export interface AnswerBlock {
  text: string;
  isCode: boolean;
}

/** Fields whose values are code. */
const codeFields: ReadonlySet<string> = new Set(['robots_snippet', 'code_example']);

/** What a citation says, and of which fields when it is of a record. */
interface Quoting {
  fields?: readonly string[];
  quote: string;
}

/** A list or an object that a citation quotes as JSON, which is shown as on the record's page; null where it quotes text. */
export function quotedValue(quote: string): unknown {
  try {
    return /^[[{]/.test(quote) ? JSON.parse(quote) : null;
  } catch {
    return null;
  }
}

/** Whether what a citation quotes is code: a robots.txt group or an example; of pages only code has several lines. */
export const quotesCode = ({ fields, quote }: Quoting): boolean =>
  fields === undefined ? quote.includes('\n') : fields.some((field) => codeFields.has(field));

/** Whether a page's lines stand on their own in an answer: so do blocks to paste, and what says where they belong ("routes.rb:"). */
const isPasted = ({ fields, quote }: Quoting, [, ...lines]: readonly string[]): boolean =>
  fields === undefined && !quote.endsWith(':') && lines.includes(quote);

/**
 * The blocks of an answer, in order: what it took over from cited code, a robots.txt group of its own, and around them
 * each line as a paragraph.
 */
export function toAnswerBlocks(answer: string, citations: readonly Quoting[]): AnswerBlock[] {
  let blocks: AnswerBlock[] = [{ text: answer, isCode: false }];
  const lines = answer.split('\n');
  for (const { quote } of citations.filter((one) => quotesCode(one) || isPasted(one, lines))) {
    blocks = blocks.flatMap((block) => splitAround(block, quote));
  }
  return blocks
    .flatMap((block) => (block.isCode ? [block] : toParagraphs(block.text)))
    .filter(({ text }) => text.trim() !== '');
}

function splitAround(block: AnswerBlock, quote: string): AnswerBlock[] {
  const at = block.isCode || quote === '' ? -1 : block.text.indexOf(quote);
  return at < 0
    ? [block]
    : [
        { text: block.text.slice(0, at), isCode: false },
        { text: quote, isCode: true },
        { text: block.text.slice(at + quote.length), isCode: false },
      ];
}

const toParagraphs = (text: string): AnswerBlock[] =>
  text
    .split(/\n{2,}/)
    .flatMap((part): AnswerBlock[] =>
      /^User-agent: \S/i.test(part)
        ? [{ text: part, isCode: true }]
        : part.split('\n').map((line) => ({ text: line.trim(), isCode: false })),
    );
