/**
 * Reads JSON as it comes from a file, value by value, without holding more of it than one text: an instance of a million
 * applicants is longer than the longest string there can be. Whoever reads says what is expected where; nothing is kept.
 * Why this is not a library: docs/decisions/0037.
 */

/** The file is no JSON, or not of the shape that is read. */
export class JsonProblem extends Error {
  /** Where in the file, e.g. `line 1, column 17`. */
  readonly place: string
  constructor(message: string, place: string) {
    super(message)
    this.place = place
  }
}

/** Levels of values within values that are skipped; files of people have a handful. */
const MOST_LEVELS = 500
/** Bytes of one text. */
const LONGEST_TEXT = 1 << 28

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO, NINE] = [34, 92, 44, 58, 45, 48, 57]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]
const SHORT_ESCAPES: Readonly<Record<number, number>> = {
  34: 34,
  92: 92,
  47: 47,
  98: 8,
  102: 12,
  110: 10,
  114: 13,
  116: 9,
}
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** FNV-1a, one byte at a time. */
const HASH_BEGIN = 0x811c9dc5 | 0
const HASH_PRIME = 0x01000193

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'true, false or null'

/**
 * A reader of one JSON text. `fill` writes the next bytes into the room it is given and answers how many there were; 0 is the end.
 *
 * After {@link text} and {@link wholeNumber} the text lies in `bytes` from `from` to `to`, in UTF-8 (a lone half of a surrogate
 * pair as its three bytes), with its hash, until anything else is read.
 */
export class JsonReader {
  bytes: Uint8Array = new Uint8Array(0)
  from = 0
  to = 0
  hash = 0
  private readonly fill: (room: Uint8Array) => number
  private buffer: Uint8Array
  private scratch = new Uint8Array(256)
  private pos = 0
  private end = 0
  /** Bytes of the file before the buffer. */
  private before = 0
  private line = 1
  /** Where the line begins, in bytes of the file. */
  private lineAt = 0
  private levels = 0

  constructor(fill: (room: Uint8Array) => number, size = 1 << 20) {
    this.fill = fill
    this.buffer = new Uint8Array(Math.max(16, size))
    // A mark that some programs write before UTF-8.
    while (this.end < 3 && this.more(0));
    if (this.buffer[0] === 0xef && this.buffer[1] === 0xbb && this.buffer[2] === 0xbf) this.pos = 3
  }

  /** Reads on, keeping what begins at `keep`; false at the end of the file. */
  private more(keep: number): boolean {
    if (keep > 0) {
      this.buffer.copyWithin(0, keep, this.end)
      this.before += keep
      this.pos -= keep
      this.end -= keep
    } else if (this.end === this.buffer.length) {
      if (this.end >= LONGEST_TEXT) this.fail('This text is too long.')
      const wider = new Uint8Array(this.buffer.length * 2)
      wider.set(this.buffer)
      this.buffer = wider
    }
    const count = this.fill(this.buffer.subarray(this.end))
    this.end += count
    return count > 0
  }

  /** Where reading is, for people. */
  place(): string {
    return `line ${this.line}, column ${this.before + this.pos - this.lineAt + 1}`
  }
  /** Where the number begins that was read last. */
  placeOfText(): string {
    return `line ${this.line}, column ${this.before + this.from - this.lineAt + 1}`
  }
  /** @throws {JsonProblem} always */
  fail(message: string): never {
    throw new JsonProblem(message, this.place())
  }
  private unexpected(wanted: string): never {
    const c = this.peek()
    const found =
      c < 0 ? 'the file ends' : c > 32 && c < 127 ? `there is ${String.fromCharCode(c)}` : `there is byte ${c}`
    this.fail(`Here ${found}, and ${wanted} is expected.`)
  }

  /** The next byte that is no space, which stays; -1 at the end. */
  private peek(): number {
    for (;;) {
      while (this.pos < this.end) {
        const c = this.buffer[this.pos]!
        if (c === 10) {
          this.line++
          this.lineAt = this.before + this.pos + 1
        } else if (c !== 32 && c !== 13 && c !== 9) return c
        this.pos++
      }
      if (!this.more(this.pos)) return -1
    }
  }

  /** What comes next. */
  kind(): JsonKind {
    const c = this.peek()
    if (c === QUOTE) return 'string'
    if (c === OPEN_OBJECT) return 'object'
    if (c === OPEN_ARRAY) return 'array'
    if (c === MINUS || (c >= ZERO && c <= NINE)) return 'number'
    if (c === 116 || c === 102 || c === 110) return 'true, false or null'
    this.unexpected('a value')
  }

  /** Reads an object: `name` looks at each name while it is the text, `each` reads the value that follows. */
  object(name: () => number, each: (name: number) => void): void {
    if (this.peek() !== OPEN_OBJECT) this.unexpected('{')
    this.pos++
    if (this.peek() === CLOSE_OBJECT) {
      this.pos++
      return
    }
    for (;;) {
      if (this.peek() !== QUOTE) this.unexpected('a name in quotes')
      this.text()
      const known = name()
      if (this.peek() !== COLON) this.unexpected(':')
      this.pos++
      each(known)
      const c = this.peek()
      if (c !== COMMA && c !== CLOSE_OBJECT) this.unexpected(', or }')
      this.pos++
      if (c === CLOSE_OBJECT) return
    }
  }

  /** Reads an array: `each` reads one value of it. */
  array(each: (index: number) => void): void {
    if (this.peek() !== OPEN_ARRAY) this.unexpected('[')
    this.pos++
    if (this.peek() === CLOSE_ARRAY) {
      this.pos++
      return
    }
    for (let index = 0; ; index++) {
      each(index)
      const c = this.peek()
      if (c !== COMMA && c !== CLOSE_ARRAY) this.unexpected(', or ]')
      this.pos++
      if (c === CLOSE_ARRAY) return
    }
  }

  /** Reads a string. */
  text(): void {
    if (this.peek() !== QUOTE) this.unexpected('a string')
    let hash = HASH_BEGIN
    let buffer = this.buffer
    let i = this.pos + 1
    for (;;) {
      if (i === this.end) {
        i -= this.pos
        if (!this.more(this.pos)) this.fail('This string does not end.')
        buffer = this.buffer
        i += this.pos
        continue
      }
      const c = buffer[i]!
      if (c === QUOTE) break
      if (c === BACKSLASH || c < 32 || c > 126) return this.unusualText()
      hash = Math.imul(hash ^ c, HASH_PRIME)
      i++
    }
    this.bytes = buffer
    this.from = this.pos + 1
    this.to = i
    this.hash = hash
    this.pos = i + 1
  }

  /** The next byte inside a string. */
  private next(): number {
    if (this.pos === this.end && !this.more(this.pos)) this.fail('This string does not end.')
    return this.buffer[this.pos++]!
  }
  /** A string with escapes, or with letters of more than one byte, put together apart. */
  private unusualText(): void {
    let length = 0
    let high = 0
    const put = (byte: number): void => {
      if (length === this.scratch.length) {
        if (length >= LONGEST_TEXT) this.fail('This text is too long.')
        const wider = new Uint8Array(length * 2)
        wider.set(this.scratch)
        this.scratch = wider
      }
      this.scratch[length++] = byte
    }
    const putLetter = (code: number): void => {
      // Two halves that follow each other are one letter.
      if (high > 0 && code >= 0xdc00 && code < 0xe000) {
        length -= 3
        code = 0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00)
      }
      high = code >= 0xd800 && code < 0xdc00 ? code : 0
      if (code < 0x80) put(code)
      else {
        if (code < 0x800) put(0xc0 | (code >> 6))
        else {
          if (code < 0x10000) put(0xe0 | (code >> 12))
          else {
            put(0xf0 | (code >> 18))
            put(0x80 | ((code >> 12) & 63))
          }
          put(0x80 | ((code >> 6) & 63))
        }
        put(0x80 | (code & 63))
      }
    }
    this.pos++
    for (;;) {
      const c = this.next()
      if (c === QUOTE) break
      if (c < 32) this.fail(`A string has byte ${c}, which must be written as an escape.`)
      if (c === BACKSLASH) {
        const escape = this.next()
        if (escape === 117) putLetter(this.hexadecimal())
        else if (escape in SHORT_ESCAPES) putLetter(SHORT_ESCAPES[escape]!)
        else this.fail('This escape does not exist.')
      } else if (c < 128) putLetter(c)
      else putLetter(this.letter(c))
    }
    let hash = HASH_BEGIN
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ this.scratch[i]!, HASH_PRIME)
    this.bytes = this.scratch
    this.from = 0
    this.to = length
    this.hash = hash
  }
  private hexadecimal(): number {
    let code = 0
    for (let k = 0; k < 4; k++) {
      const digit = Number.parseInt(String.fromCharCode(this.next()), 16)
      if (Number.isNaN(digit)) this.fail('\\u is followed by four hexadecimal digits.')
      code = code * 16 + digit
    }
    return code
  }
  /** The letter that begins with this byte of UTF-8. */
  private letter(first: number): number {
    const rest =
      first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0
    let code = first & (0x3f >> rest)
    for (let k = 0; k < rest; k++) {
      const c = this.next()
      if ((c & 0xc0) !== 0x80) this.fail('This string is not written in UTF-8.')
      code = (code << 6) | (c & 63)
    }
    const least = rest === 1 ? 0x80 : rest === 2 ? 0x800 : 0x10000
    if (rest === 0 || code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
      this.fail('This string is not written in UTF-8.')
    return code
  }

  /** Reads a number without fraction and exponent as a text, however long; false where it is another number, which is skipped. */
  wholeNumber(): boolean {
    const c = this.peek()
    let hash = HASH_BEGIN
    let i = this.pos
    for (;;) {
      if (i === this.end) {
        i -= this.pos
        const more = this.more(this.pos)
        i += this.pos
        if (!more) break
        continue
      }
      const digit = this.buffer[i]!
      if ((digit < ZERO || digit > NINE) && (digit !== MINUS || i > this.pos)) break
      hash = Math.imul(hash ^ digit, HASH_PRIME)
      i++
    }
    const first = c === MINUS ? this.pos + 1 : this.pos
    const after = i < this.end ? this.buffer[i]! : 0
    // Whatever is no plain whole number: a fraction, an exponent, a zero in front, or no number at all.
    const plain = i > first && (this.buffer[first] !== ZERO || (i === first + 1 && c !== MINUS))
    if (!plain || after === 46 || after === 69 || after === 101 || after === 43 || after === MINUS) {
      this.numberText()
      return false
    }
    this.bytes = this.buffer
    this.from = this.pos
    this.to = i
    this.hash = hash
    this.pos = i
    return true
  }
  /** Reads a number. */
  number(): number {
    return Number(this.numberText())
  }
  private numberText(): string {
    this.peek()
    let i = this.pos
    for (;;) {
      if (i === this.end) {
        i -= this.pos
        const more = this.more(this.pos)
        i += this.pos
        if (!more) break
        continue
      }
      const c = this.buffer[i]!
      if ((c < ZERO || c > NINE) && c !== MINUS && c !== 43 && c !== 46 && c !== 69 && c !== 101) break
      i++
    }
    let written = ''
    for (let k = this.pos; k < i; k++) written += String.fromCharCode(this.buffer[k]!)
    if (!NUMBER.test(written)) this.unexpected('a number')
    this.bytes = this.buffer
    this.from = this.pos
    this.to = i
    this.pos = i
    return written
  }

  /** Reads true, false or null. */
  literal(): boolean | null {
    const first = this.peek()
    const word = first === 116 ? 'true' : first === 102 ? 'false' : 'null'
    for (const letter of word)
      if ((this.pos === this.end && !this.more(this.pos)) || this.buffer[this.pos++] !== letter.charCodeAt(0))
        this.fail('A value is a string, a number, an object, an array, true, false or null.')
    return word === 'null' ? null : word === 'true'
  }

  /** Reads whatever comes and forgets it. */
  skip(): void {
    const kind = this.kind()
    if (kind === 'string') this.text()
    else if (kind === 'number') this.number()
    else if (kind === 'true, false or null') this.literal()
    else {
      if (++this.levels > MOST_LEVELS) this.fail(`Values are nested more than ${MOST_LEVELS} levels deep.`)
      if (kind === 'array') this.array(() => this.skip())
      else
        this.object(
          () => 0,
          () => this.skip(),
        )
      this.levels--
    }
  }

  /** Nothing but spaces may follow. */
  finish(): void {
    if (this.peek() >= 0) this.unexpected('the end of the file')
  }
}
