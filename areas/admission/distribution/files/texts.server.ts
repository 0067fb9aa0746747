/** A text as a reader has it: bytes from `from` to `to`, with their hash. */
interface ReadText {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
  readonly hash: number
}

/** Bytes of a place: number of the text from 1 and hash, four each; letters; the length, or LONG. */
const PLACE = 32
const LETTERS = 8
const LENGTH = 31
const INSIDE = LENGTH - LETTERS
const LONG = 255

/**
 * Texts by number: each text that is met gets the next one. Millions of them are a few arrays, and no strings. A short text stands
 * in its place of the table as well, so that looking it up fetches one line of memory, not four.
 */
export class TextTable {
  size = 0
  private places = new Int32Array((1024 * PLACE) / 4)
  private shift = 32 - 10
  private placeBytes = new Uint8Array(this.places.buffer)
  private starts = new Float64Array(1024)
  private letters = new Uint8Array(1 << 14)

  /** The number of a text that was met; -1 where it was not. */
  numberOf(text: ReadText): number {
    return this.places[this.placeOf(text)]! - 1
  }

  /** The number of a text, a new one where it was never met. */
  numberFor(text: ReadText): number {
    const place = this.placeOf(text)
    const found = this.places[place]!
    return found > 0 ? found - 1 : this.add(text, place)
  }

  /** Where a text stands, or would stand: an index of `places`. */
  private placeOf({ bytes, from, to, hash }: ReadText): number {
    const { places, placeBytes } = this
    const mask = places.length - 1
    const length = to - from
    let place = this.firstPlace(hash)
    for (; places[place] !== 0; place = (place + PLACE / 4) & mask) {
      if (places[place + 1] !== hash) continue
      const begin = place * 4 + LETTERS
      if (length <= INSIDE) {
        if (placeBytes[place * 4 + LENGTH] !== length) continue
        let i = 0
        while (i < length && placeBytes[begin + i] === bytes[from + i]) i++
        if (i === length) break
      } else if (placeBytes[place * 4 + LENGTH] === LONG) {
        const there = this.bytesOf(places[place]! - 1)
        let i = there.length === length ? 0 : -1
        while (i >= 0 && i < length && there[i] === bytes[from + i]) i++
        if (i === length) break
      }
    }
    return place
  }

  /** Texts that are alike have hashes that are alike: a factor spreads them (Knuth's multiplicative hashing). */
  private firstPlace(hash: number): number {
    return ((Math.imul(hash, 0x9e3779b1) >>> this.shift) * (PLACE / 4)) | 0
  }

  private add({ bytes, from, to, hash }: ReadText, place: number): number {
    const id = this.size++
    if (id + 2 > this.starts.length) this.starts = wider(this.starts, new Float64Array(this.starts.length * 2))
    const start = this.starts[id]!
    const end = start + to - from
    while (end > this.letters.length) this.letters = wider(this.letters, new Uint8Array(this.letters.length * 2))
    this.letters.set(bytes.subarray(from, to), start)
    this.starts[id + 1] = end
    this.places[place] = id + 1
    this.places[place + 1] = hash
    const inside = to - from <= INSIDE
    this.placeBytes[place * 4 + LENGTH] = inside ? to - from : LONG
    if (inside) this.placeBytes.set(bytes.subarray(from, to), place * 4 + LETTERS)
    if (this.size * 2 * (PLACE / 4) > this.places.length) this.spread()
    return id
  }

  /** Twice the places, so that half of them stay free. */
  private spread(): void {
    const old = this.places
    this.places = new Int32Array(old.length * 2)
    this.shift--
    this.placeBytes = new Uint8Array(this.places.buffer)
    const mask = this.places.length - 1
    for (let i = 0; i < old.length; i += PLACE / 4) {
      if (old[i] === 0) continue
      let place = this.firstPlace(old[i + 1]!)
      while (this.places[place] !== 0) place = (place + PLACE / 4) & mask
      this.places.set(old.subarray(i, i + PLACE / 4), place)
    }
  }

  /** The bytes of a text, not to be changed. */
  bytesOf(id: number): Uint8Array {
    return this.letters.subarray(this.starts[id], this.starts[id + 1])
  }
  /** The text, for people. */
  textOf(id: number): string {
    return Buffer.from(this.bytesOf(id)).toString('utf8')
  }
}

function wider<T extends Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
