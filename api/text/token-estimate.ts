/** A rough count of tokens: four bytes of English text make about one. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / 4);
