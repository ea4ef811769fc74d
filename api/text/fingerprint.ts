/**
 * Reduces text to what a comparison should see: compatibility forms (fullwidth and mathematical letters, ligatures)
 * become plain, letters lower-case, typographic apostrophes straight, and white space single spaces. Never shown.
 */
export function toComparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02BC\u00B4`]/g, "'")
    .replace(/[^\S\n]+/g, ' ');
}

/** Reduces text to its letters and digits, folded: equal for texts that say the same in other dress. */
export function toFingerprint(text: string): string {
  return toComparable(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
