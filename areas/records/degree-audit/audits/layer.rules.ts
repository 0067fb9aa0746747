/** Ways in which the same courses have been put, side by side: figures in long arrays, because there may be many. */

/** Whether one value is better than another, in so many figures from there on. */
type Better = (one: Float64Array, other: Float64Array, figures: number, from: number, otherFrom: number) => boolean

const grown = <T extends Int32Array | Float64Array>(array: T, size: number, make: (size: number) => T): T => {
  const more = make(size)
  more.set(array)
  return more
}
const ints = (size: number) => new Int32Array(size)
const floats = (size: number) => new Float64Array(size)

/** A way of the layer before, with one more course: its place (-1: none), and what the leaf of that gets. */
export interface Put {
  readonly way: number
  readonly place: number
  readonly slot: number
  readonly leaf: number
  readonly weight: number
  readonly passed: boolean
}

export class Layer {
  /** So many figures make a value. */
  static readonly FIGURES = 7
  count = 0
  /** By way: what the courses of each leaf weigh, passed ones and with those being taken. */
  passed: Int32Array
  all: Int32Array
  value: Float64Array
  /** By way: contested places that are taken, as bits. */
  taken: Int32Array
  /** By way: from which of the layer before it comes, and where the last course was put; -1: nowhere. */
  before: Int32Array
  place: Int32Array
  private readonly leaves: number
  private readonly words: number
  private capacity = 16
  /** What matters later: ways that are the same in it are one. */
  private open: readonly number[] = []
  private enough: readonly number[] = []
  private ofPassed = false
  private mask: Int32Array
  private width = 0
  private keys: Int32Array
  private key: Int32Array
  private table: Int32Array = ints(64)

  constructor(leaves: number, slots: number) {
    this.leaves = leaves
    this.words = Math.ceil(slots / 32)
    this.passed = ints(leaves * this.capacity)
    this.all = ints(leaves * this.capacity)
    this.value = floats(Layer.FIGURES * this.capacity)
    this.taken = ints(this.words * this.capacity)
    this.before = ints(this.capacity)
    this.place = ints(this.capacity)
    this.mask = ints(this.words)
    this.keys = ints(0)
    this.key = ints(0)
  }

  /**
   * Begins anew, without ways.
   * @param open by what they are told apart: what is in these leaves up to `enough`, and which of the places still wanted
   *   are taken
   */
  begin(
    open: readonly number[],
    enough: readonly number[],
    ofPassed: boolean,
    wanted: (slot: number) => boolean,
  ): void {
    this.count = 0
    this.open = open
    this.enough = open.map((i) => enough[i]!)
    this.ofPassed = ofPassed
    this.table.fill(-1)
    this.mask.fill(0)
    for (let slot = 0; slot < this.words * 32; slot++) if (wanted(slot)) this.mask[slot >> 5]! |= 1 << (slot & 31)
    this.width = open.length + this.words
    if (this.keys.length < this.width * this.capacity) this.keys = ints(this.width * this.capacity)
    if (this.key.length < this.width) this.key = ints(this.width)
  }

  isTaken(way: number, slot: number): boolean {
    return (this.taken[way * this.words + (slot >> 5)]! & (1 << (slot & 31))) !== 0
  }

  /** A way comes here from the layer before; of those that are the same the better stays. */
  reach(from: Layer, put: Put, value: Float64Array, better: Better): void {
    const { key, open, enough, words, mask, width, leaves } = this
    const { way, slot } = put
    const covers = this.ofPassed ? from.passed : from.all
    let hash = 0
    for (let j = 0; j < open.length; j++) {
      const i = open[j]!
      const cover = i === put.leaf ? covers[way * leaves + i]! + put.weight : covers[way * leaves + i]!
      const one = cover < enough[j]! ? cover : enough[j]!
      key[j] = one
      hash = Math.imul(hash ^ one, 0x9e3779b1)
      hash ^= hash >>> 15
    }
    for (let word = 0; word < words; word++) {
      let one = from.taken[way * words + word]!
      if (slot >= 0 && slot >> 5 === word) one |= 1 << (slot & 31)
      one &= mask[word]!
      key[open.length + word] = one
      hash = Math.imul(hash ^ one, 0x85ebca6b)
      hash ^= hash >>> 13
    }
    let bucket = hash & (this.table.length - 1)
    for (; ; bucket = (bucket + 1) & (this.table.length - 1)) {
      const there = this.table[bucket]!
      if (there < 0) break
      let same = true
      for (let j = 0; same && j < width; j++) same = this.keys[there * width + j] === key[j]
      if (!same) continue
      if (better(value, this.value, Layer.FIGURES, 0, there * Layer.FIGURES)) this.write(there, from, put, value)
      return
    }
    if (this.count === this.capacity) this.grow()
    this.table[bucket] = this.count
    this.write(this.count, from, put, value)
    this.count++
    if (this.count * 2 > this.table.length) this.rehash()
  }

  private write(at: number, from: Layer, put: Put, value: Float64Array): void {
    const { leaves, words, width, key } = this
    const { way, place, leaf } = put
    for (let i = 0; i < leaves; i++) {
      this.passed[at * leaves + i] = from.passed[way * leaves + i]!
      this.all[at * leaves + i] = from.all[way * leaves + i]!
    }
    if (leaf >= 0) {
      this.all[at * leaves + leaf]! += put.weight
      if (put.passed) this.passed[at * leaves + leaf]! += put.weight
    }
    for (let j = 0; j < width; j++) this.keys[at * width + j] = key[j]!
    for (let word = 0; word < words; word++) this.taken[at * words + word] = key[width - words + word]!
    for (let f = 0; f < Layer.FIGURES; f++) this.value[at * Layer.FIGURES + f] = value[f]!
    this.before[at] = way
    this.place[at] = place
  }

  private grow(): void {
    this.capacity *= 4
    this.passed = grown(this.passed, this.leaves * this.capacity, ints)
    this.all = grown(this.all, this.leaves * this.capacity, ints)
    this.value = grown(this.value, Layer.FIGURES * this.capacity, floats)
    this.taken = grown(this.taken, this.words * this.capacity, ints)
    this.before = grown(this.before, this.capacity, ints)
    this.place = grown(this.place, this.capacity, ints)
    this.keys = grown(this.keys, this.width * this.capacity, ints)
  }

  private rehash(): void {
    const { width, keys, open } = this
    const table = ints(this.table.length * 4).fill(-1)
    for (let at = 0; at < this.count; at++) {
      let hash = 0
      for (let j = 0; j < width; j++) {
        const word = j >= open.length
        hash = Math.imul(hash ^ keys[at * width + j]!, word ? 0x85ebca6b : 0x9e3779b1)
        hash ^= hash >>> (word ? 13 : 15)
      }
      let bucket = hash & (table.length - 1)
      while (table[bucket]! >= 0) bucket = (bucket + 1) & (table.length - 1)
      table[bucket] = at
    }
    this.table = table
  }

  /** Only ways of which this figure is the least. */
  keepLeast(figure: number): void {
    let least = Infinity
    for (let w = 0; w < this.count; w++) least = Math.min(least, this.value[w * Layer.FIGURES + figure]!)
    const kept: number[] = []
    for (let w = 0; w < this.count; w++) if (this.value[w * Layer.FIGURES + figure] === least) kept.push(w)
    if (kept.length < this.count) this.keep(kept)
  }

  /** Only the best. */
  keepBest(width: number, better: Better): void {
    const { value } = this
    const size = Layer.FIGURES
    const order = Array.from({ length: this.count }, (_, w) => w).sort((a, b) =>
      better(value, value, size, a * size, b * size) ? -1 : better(value, value, size, b * size, a * size) ? 1 : 0,
    )
    this.keep(order.slice(0, width).sort((a, b) => a - b))
  }

  /** Only these, which stand in their order. */
  private keep(ways: readonly number[]): void {
    const { leaves, words } = this
    const move = (array: Int32Array | Float64Array, each: number, to: number, from: number) =>
      array.copyWithin(to * each, from * each, (from + 1) * each)
    for (const [at, w] of ways.entries()) {
      if (at === w) continue
      move(this.passed, leaves, at, w)
      move(this.all, leaves, at, w)
      move(this.value, Layer.FIGURES, at, w)
      move(this.taken, words, at, w)
      this.before[at] = this.before[w]!
      this.place[at] = this.place[w]!
    }
    this.count = ways.length
  }
}
