/**
 * Alphabets whose letters can be taken for one another's. Greek without the letters that science mixes with Latin ones
 * and that look like none of them (kΩ, μm, Δx, πr, λx).
 */
const alphabets = [
  /[\p{Script=Latin}&&\p{L}]/v,
  /[[\p{Script=Greek}&&\p{L}]--[ΩμΔπλ]]/v,
  /[\p{Script=Cyrillic}&&\p{L}]/v,
  /[\p{Script=Armenian}&&\p{L}]/v,
  /[\p{Script=Coptic}&&\p{L}]/v,
  /[\p{Script=Cherokee}&&\p{L}]/v,
  /[\p{Script=Georgian}&&\p{L}]/v,
  /[\p{Script=Lisu}&&\p{L}]/v,
  /[\p{Script=Deseret}&&\p{L}]/v,
];

/**
 * `mixed-script`: one word, a run of letters and marks, holds letters of two of these alphabets: Latin, Greek, Cyrillic,
 * Armenian, Coptic, Cherokee, Georgian, Lisu, Deseret. Words of different scripts next to one another are no mixture, nor
 * is Latin next to Chinese, Japanese or Korean.
 */
export function hasMixedScript(text: string): boolean {
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    if (alphabets.filter((alphabet) => alphabet.test(word)).length > 1) {
      return true;
    }
  }
  return false;
}
