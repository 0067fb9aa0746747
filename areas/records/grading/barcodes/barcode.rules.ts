/** Codes on exam papers: drawn by chance, read by scanners and by hand, printed as bars. */

/** Letters and figures that nobody mistakes for each other. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const CODE_LENGTH = 12

/** A code from random bytes, five bits of each. */
export const barcodeOf = (random: Uint8Array): string =>
  Array.from(random.subarray(0, CODE_LENGTH), (byte) => LETTERS[byte & 31]).join('')

/** Code 39: nine bars and gaps by turns for each sign, of which three are wide (1). */
const BARS: Readonly<Record<string, string>> = Object.fromEntries(
  `0 000110100 1 100100001 2 001100001 3 101100000 4 000110001 5 100110000 6 001110000 7 000100101 8 100100100 9 001100100
  A 100001001 B 001001001 C 101001000 D 000011001 E 100011000 F 001011000 G 000001101 H 100001100 I 001001100 J 000011100
  K 100000011 L 001000011 M 101000010 N 000010011 O 100010010 P 001010010 Q 000000111 R 100000110 S 001000110 T 000010110
  U 110000001 V 011000001 W 111000000 X 010010001 Y 110010000 Z 011010000 * 010010100`
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, i, all) => (i % 2 ? [...pairs, [all[i - 1]!, word]] : pairs), []),
)
const WIDE = 3

/** The bars of a code: where each begins and how wide it is, in units, and the width of the whole with its margins. */
export function barsOf(code: string): {
  readonly width: number
  readonly bars: readonly (readonly [number, number])[]
} {
  const bars: [number, number][] = []
  let at = 10
  for (const sign of `*${code}*`) {
    for (const [i, wide] of [...BARS[sign]!].entries()) {
      const width = wide === '1' ? WIDE : 1
      if (i % 2 === 0) bars.push([at, width])
      at += width
    }
    at++
  }
  return { width: at + 9, bars }
}
