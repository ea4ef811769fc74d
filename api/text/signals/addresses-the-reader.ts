const machine = String.raw`(?:ai|a\.i\.|llm|language model|agent|assistant|model|bot|chatbot|crawler|scraper|robot|gpt|chatgpt|claude|gemini|copilot|grok|llama|mistral|perplexity)`;
const machines = `${machine}(?:'?s)?`;
const reader = `(?:${machines}|readers?|visitors?)`;
const kinds = `(?:(?:all|any|every|other|fellow|my|the|you|your|future|helpful|ai|llm|language|large|autonomous|automated|coding|web|browsing|and) ){0,4}`;
const start = String.raw`(?:^|[.!?:;,\n(\[*#>"-] ?)`;

const patterns = [
  // A salutation that names its reader: "Dear agents", "Attention, all AI assistants", "Note to crawlers".
  `${start}(?:dear|attention|hey|hi|hello|greetings|listen(?: up)?|notice|warning),? ${kinds}${machines}(?![\\p{L}\\p{N}'])`,
  `(?<!\\p{L})(?:dear|attention,?) ${kinds}${reader}(?!\\p{L})`,
  `(?<!\\p{L})(?:note|message|instructions?|memo|notice|reminder|warning|word) (?:to|for) ${kinds}${reader}(?!\\p{L})`,
  // A condition on who reads: "if you are an AI", "if you're a language model".
  `(?<!\\p{L})(?:if|when|since|because|as) (?:you're|you are) (?:an? |the |some )?${kinds}${machines}(?!\\p{L})`,
  `(?<!\\p{L})if you(?: are|'re)? (?:can )?(?:read|reading|see|seeing|pars|process|summari[sz]|index|crawl|scrap)`,
  // The reader in the act of reading: "any agent reading this", "whoever reads this".
  `(?<!\\p{L})(?:any|all|every|each|other|fellow|the|to) ${kinds}${machines} (?:that |who |which |now |currently )?(?:reads?|reading|pars(?:es?|ing)|process(?:es|ing)?|summari[sz](?:es?|ing)|visit(?:s|ing)?|crawl(?:s|ing)?|see(?:s|ing)?) (?:this|these)(?!\\p{L})`,
  `(?<!\\p{L})(?:anyone|everyone|whoever|whomever|everybody|anybody)(?: who| that| is|'s)? (?:reads?|reading|sees?|seeing) this(?!\\p{L})`,
  // An obligation of the reader: "you must reply", "readers should", "all agents have to".
  `(?<!\\p{L})you (?:must (?!be|have|feel|know|love)|are (?:required|instructed|ordered|obliged|commanded) to)`,
  `(?<!\\p{L})(?:readers?|visitors?|(?:all|any|every|other|fellow) ${kinds}${machines}) (?:must|should|shall|ought to|needs? to|ha(?:ve|s) to|are required to|are instructed to)(?!\\p{L})`,
].map((pattern) => new RegExp(pattern, 'u'));

/**
 * `addresses-the-reader`: folded English text speaks to whoever reads it rather than to the host. That is: a salutation
 * that names machines, readers or visitors ("dear", "attention", "hello"); "note to", "message for" and their like, with
 * such a name; "if you are an AI" and its like, "if you can read"; "any agent reading this", "whoever reads this"; or an
 * obligation ("you must reply", "you are required to", "readers should", "all agents have to"). Thanks to the host,
 * advice to the host ("you should add …") and words about oneself ("I am an agent") are none of these.
 */
export const addressesTheReader = (folded: string): boolean => patterns.some((pattern) => pattern.test(folded));
