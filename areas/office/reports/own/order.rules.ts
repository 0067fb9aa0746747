/** In which order rows and columns of several dimensions stand, and how many of them. */
import { dimensionOf, type DimensionKey } from '../figures/dimensions.contract.ts'

export interface PlacedLine {
  readonly keys: readonly (string | null)[]
  readonly people: number
}
/** More rows are not looked at on a screen or a page; the sums hold all. */
export const MOST_OWN_ROWS = 1000
/** So many figures stand beside each other in a row, at most. */
const MOST_FIGURES = 60
/** How many columns there are, where each has so many figures. */
export const mostColumns = (figures: number): number => Math.max(1, Math.floor(MOST_FIGURES / figures))

/**
 * Lines in the order of each of their dimensions. Where one has no order, what has most persons comes first; those without a
 * value come last. `placeOf`: by dimension, where its records stand.
 */
export function linesInOrder<L extends PlacedLine>(
  lines: readonly L[],
  by: readonly DimensionKey[],
  placeOf: readonly ReadonlyMap<string, string>[],
): L[] {
  const people = by.map((_, depth) => {
    const sums = new Map<string, number>()
    for (const { keys, people } of lines) {
      const key = JSON.stringify(keys.slice(0, depth + 1))
      sums.set(key, (sums.get(key) ?? 0) + people)
    }
    return (keys: PlacedLine['keys']) => sums.get(JSON.stringify(keys.slice(0, depth + 1))) ?? 0
  })
  const choices = by.map((key) => new Map((dimensionOf(key).choices ?? []).map((one, at) => [String(one.value), at])))
  const compare = (a: L, b: L): number => {
    for (const [depth, key] of by.entries()) {
      const [x, y] = [a.keys[depth] ?? null, b.keys[depth] ?? null]
      if (x === y) continue
      if (x === null || y === null) return x === null ? 1 : -1
      const { order, kind, choices: given } = dimensionOf(key)
      const place = (value: string) => placeOf[depth]?.get(value) ?? value
      const found = given
        ? (choices[depth]!.get(x) ?? 99) - (choices[depth]!.get(y) ?? 99)
        : kind === 'number'
          ? Number(x) - Number(y)
          : order
            ? 0
            : people[depth]!(b.keys) - people[depth]!(a.keys)
      return found || place(x).localeCompare(place(y)) || x.localeCompare(y)
    }
    return 0
  }
  return lines.toSorted(compare)
}

/** At most so many lines: those with the most persons, in their order. */
export function keptWithin<L extends { readonly people: number }>(lines: readonly L[], most: number): L[] {
  if (lines.length <= most) return [...lines]
  const least = lines.map(({ people }) => people).toSorted((a, b) => b - a)[most - 1]!
  let same = most - lines.filter(({ people }) => people > least).length
  return lines.filter(({ people }) => people > least || (people === least && same-- > 0))
}
