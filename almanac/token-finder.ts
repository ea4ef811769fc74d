const word = /[A-Za-z0-9_-]+/g;
/** A UUID after a token, which tells customers of one crawler apart: bedrockbot_6f9619ff-8b86-4d11-b42d-00c04fc964ff. */
const uuid = /[_-][0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;

/**
 * A finder of the longest of some tokens in a text: any case, and no letter, digit, `_` or `-` next to it, except for a UUID
 * after it that tells customers apart. The tokens are kept by their first word, so one look-up for each word of the text
 * decides, however many tokens there are. Each token begins with a letter, digit, `_` or `-`.
 */
export function createTokenFinder(tokens: Iterable<string>): (text: string) => string | null {
  const byFirstWord = new Map<string, string[]>();
  for (const token of tokens) {
    const [first = ''] = token.toLowerCase().match(word) ?? [];
    if (!token.toLowerCase().startsWith(first) || first === '') {
      throw new Error(`The token ${JSON.stringify(token)} does not begin with a word.`);
    }
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), token]);
  }
  return (userAgent) => {
    const text = userAgent.replaceAll(uuid, ' ');
    let longest: string | null = null;
    for (const { 0: found, index } of text.matchAll(word)) {
      for (const token of byFirstWord.get(found.toLowerCase()) ?? []) {
        const end = index + token.length;
        const isWhole = !/^[A-Za-z0-9_-]/.test(text.slice(end, end + 1));
        if (
          token.length > (longest?.length ?? 0) &&
          isWhole &&
          text.slice(index, end).toLowerCase() === token.toLowerCase()
        ) {
          longest = token;
        }
      }
    }
    return longest;
  };
}
