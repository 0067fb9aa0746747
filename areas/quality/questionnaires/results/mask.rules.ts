/** Names of persons in comments. */

/** What stands where a name was. */
export const MASK = '█████'

/** Letters as they are compared: without marks, and with the Arabic letters that are written for each other made one. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
    .replaceAll('ـ', '')
    .toLowerCase()

/** Words that stand in names and in everything else. */
const COMMON = new Set(['al', 'el', 'abd', 'abu', 'bin', 'ibn', 'عبد', 'ابو', 'بن', 'ابن', 'ال'])

/**
 * A comment with the names of given persons masked: each word of three letters or more that is part of a name. It is a proposal,
 * which somebody reads before the comment is shown.
 */
export function maskNames(text: string, names: readonly string[]): string {
  const parts = new Set(
    names.flatMap((name) => folded(name).split(/[^\p{L}]+/u)).filter((part) => part.length >= 3 && !COMMON.has(part)),
  )
  return text.replaceAll(/[\p{L}\p{M}]+/gu, (word) => {
    const plain = folded(word)
    // "والدكتور", "لمحمد": a letter or two before an Arabic name belong to the sentence.
    const within = /\p{Script=Arabic}/u.test(plain)
      ? [plain, plain.slice(1), plain.slice(2), plain.replace(/^(?:[وفبلك]?ال)/, '')]
      : [plain]
    return within.some((one) => parts.has(one)) ? MASK : word
  })
}
