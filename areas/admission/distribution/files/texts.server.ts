/** Texts by number: each text that is met gets the next one. Millions of them are three arrays, and no strings. */
export class TextTable {
  size = 0
  /** Two for each place: hash, and number of the text from 1. */
  private places = new Int32Array(2 * 1024)
  private starts = new Float64Array(1024)
  private letters = new Uint8Array(1 << 14)

  private find(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const { places, starts, letters } = this
    const mask = places.length / 2 - 1
    // The last bits of the hash alone would put texts that end alike side by side.
    let place = (hash ^ (hash >>> 15)) & mask
    for (;;) {
      const id = places[2 * place + 1]! - 1
      if (id < 0) return -1 - place
      if (places[2 * place] === hash) {
        const start = starts[id]!
        let length = to - from
        if (starts[id + 1]! - start === length) {
          while (length > 0 && letters[start + length - 1] === bytes[from + length - 1]) length--
          if (length === 0) return id
        }
      }
      place = (place + 1) & mask
    }
  }

  /** The number of a text that was met; -1 where it was not. */
  numberOf(text: { readonly bytes: Uint8Array; readonly from: number; readonly to: number; readonly hash: number }): number {
    return Math.max(-1, this.find(text.bytes, text.from, text.to, text.hash))
  }

  /** The number of a text, a new one where it was never met. */
  numberFor({ bytes, from, to, hash }: { bytes: Uint8Array; from: number; to: number; hash: number }): number {
    const found = this.find(bytes, from, to, hash)
    if (found >= 0) return found
    const id = this.size++
    this.places[2 * (-1 - found)] = hash
    this.places[2 * (-1 - found) + 1] = id + 1
    if (id + 2 > this.starts.length) this.starts = wider(this.starts, new Float64Array(this.starts.length * 2))
    const start = this.starts[id]!
    const end = start + to - from
    while (end > this.letters.length) this.letters = wider(this.letters, new Uint8Array(this.letters.length * 2))
    this.letters.set(bytes.subarray(from, to), start)
    this.starts[id + 1] = end
    if (this.size * 2 > this.places.length / 2) this.spread()
    return id
  }

  /** Twice the places, so that half of them stay free. */
  private spread(): void {
    const old = this.places
    this.places = new Int32Array(old.length * 2)
    const mask = this.places.length / 2 - 1
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue
      const hash = old[i]!
      let place = (hash ^ (hash >>> 15)) & mask
      while (this.places[2 * place + 1] !== 0) place = (place + 1) & mask
      this.places[2 * place] = hash
      this.places[2 * place + 1] = old[i + 1]!
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
