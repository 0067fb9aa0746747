/** The demo's own source of chance: seeded, so that the same seed always gives the same university. */

export type Random = {
  /** A number in [0, 1). */
  next(): number
  /** An integer from `from` to `to`, both included. */
  int(from: number, to: number): number
  /** True with probability `p`. */
  chance(p: number): boolean
  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T
  /** A draw from the standard normal distribution. */
  normal(): number
  /** A new array with the same elements in another order. */
  shuffle<T>(list: readonly T[]): T[]
}

/** Mulberry32: 32 bits of state, quick, and good enough for data that only has to look natural. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    int,
    chance: (p) => next() < p,
    pick: (list) => list[Math.floor(next() * list.length)]!,
    // Box and Muller; 1 - next() keeps the logarithm away from zero.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffle: (list) => {
      const copy = [...list]
      for (let i = copy.length - 1; i > 0; i--) {
        const j = int(0, i)
        const kept = copy[i]!
        copy[i] = copy[j]!
        copy[j] = kept
      }
      return copy
    },
  }
}
