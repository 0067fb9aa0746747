/** Filters and paths of SCIM (RFC 7644, 3.4.2.2 and 3.5.2), as a tree. */

type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'
export type Value = string | number | boolean | null
/** Names of attributes are in lower case: they are the same however they are written. */
export type Filter =
  | { readonly op: Comparison; readonly attribute: string; readonly value: Value }
  | { readonly op: 'pr'; readonly attribute: string }
  | { readonly op: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly op: 'not'; readonly of: Filter }
  /** `emails[type eq "work"]` */
  | { readonly op: 'some'; readonly attribute: string; readonly of: Filter }

/** A path of a change: `name.givenName`, `emails[type eq "work"].value`. */
export interface Path {
  readonly attribute: string
  readonly filter: Filter | null
  readonly sub: string | null
}

/** It is none that can be read. */
export class FilterError extends Error {}

/** More than this many comparisons is no question of a directory. */
const MOST = 40
const LONGEST = 4000
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y

function tokens(text: string): string[] {
  if (text.length > LONGEST) throw new FilterError('too long')
  const found: string[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text)
    if (!match) throw new FilterError(`unreadable at ${text.slice(0, 40)}`)
    found.push(match[1] ?? match[2] ?? match[3]!)
  }
  return found
}

/** @throws {FilterError} */
export function parseFilter(text: string): Filter {
  const reader = new Reader(tokens(text))
  const filter = reader.either()
  reader.end()
  return filter
}

/** @throws {FilterError} */
export function parsePath(text: string): Path {
  const reader = new Reader(tokens(text))
  const attribute = reader.name()
  const [head = '', sub = null] = split(attribute)
  if (!reader.is('[')) {
    reader.end()
    return { attribute: head, filter: null, sub }
  }
  if (sub !== null) throw new FilterError(text)
  const filter = reader.inside()
  const rest = reader.more() ? reader.next() : null
  reader.end()
  if (rest !== null && !/^\.[\w$-]+$/.test(rest)) throw new FilterError(text)
  return { attribute: head, filter, sub: rest?.slice(1).toLowerCase() ?? null }
}
const split = (name: string): string[] => {
  // The name of an extension has dots of its own.
  const at = name.lastIndexOf(':') + 1
  const dot = name.indexOf('.', at)
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)]
}

class Reader {
  private at = 0
  private comparisons = 0
  private depth = 0
  private readonly tokens: readonly string[]
  constructor(all: readonly string[]) {
    this.tokens = all
  }
  more = (): boolean => this.at < this.tokens.length
  next(): string {
    const token = this.tokens[this.at++]
    if (token === undefined) throw new FilterError('it ends too early')
    return token
  }
  is(word: string): boolean {
    if (this.tokens[this.at]?.toLowerCase() !== word) return false
    this.at++
    return true
  }
  end(): void {
    if (this.more()) throw new FilterError(`unexpected: ${this.next()}`)
  }
  name(): string {
    const token = this.next()
    if (!/^[a-z$][\w$.:-]*$/i.test(token)) throw new FilterError(`no name of an attribute: ${token}`)
    return token.toLowerCase().replace(CORE, '')
  }
  inside(): Filter {
    const filter = this.either()
    if (!this.is(']')) throw new FilterError('] is missing')
    return filter
  }
  either(): Filter {
    if (++this.depth > MOST) throw new FilterError('too deep')
    let left = this.both()
    while (this.is('or')) left = { op: 'or', left, right: this.both() }
    this.depth--
    return left
  }
  private both(): Filter {
    let left = this.one()
    while (this.is('and')) left = { op: 'and', left, right: this.one() }
    return left
  }
  private one(): Filter {
    if (++this.comparisons > MOST) throw new FilterError('too many comparisons')
    if (this.is('not')) {
      if (!this.is('(')) throw new FilterError('( is missing')
      return { op: 'not', of: this.closed() }
    }
    if (this.is('(')) return this.closed()
    const attribute = this.name()
    if (this.is('[')) return { op: 'some', attribute, of: this.inside() }
    if (this.is('pr')) return { op: 'pr', attribute }
    const op = this.next().toLowerCase()
    if (!['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'].includes(op))
      throw new FilterError(`no operator: ${op}`)
    return { op: op as Comparison, attribute, value: this.value() }
  }
  private closed(): Filter {
    const filter = this.either()
    if (!this.is(')')) throw new FilterError(') is missing')
    return filter
  }
  private value(): Value {
    const token = this.next()
    // Directories write True and False as well.
    if (/^(true|false)$/i.test(token)) return token.toLowerCase() === 'true'
    try {
      const value: unknown = JSON.parse(token)
      if (value === null || typeof value !== 'object') return value as Value
    } catch {
      // Told below.
    }
    throw new FilterError(`no value: ${token}`)
  }
}

/** Whether an entry of a list is meant: `type eq "work"`. */
export function matches(entry: Readonly<Record<string, unknown>>, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return matches(entry, filter.left) && matches(entry, filter.right)
    case 'or':
      return matches(entry, filter.left) || matches(entry, filter.right)
    case 'not':
      return !matches(entry, filter.of)
    case 'some':
      throw new FilterError('a list in a list')
    default: {
      const found = Object.entries(entry).find(([key]) => key.toLowerCase() === filter.attribute)?.[1]
      if (filter.op === 'pr') return found !== undefined && found !== null && found !== ''
      const [a, b] = [found, filter.value].map((x) => (typeof x === 'string' ? x.toLowerCase() : x))
      if (filter.op === 'eq') return String(a) === String(b)
      if (filter.op === 'ne') return String(a) !== String(b)
      if (typeof a !== 'string' || typeof b !== 'string') return false
      if (filter.op === 'co') return a.includes(b)
      if (filter.op === 'sw') return a.startsWith(b)
      if (filter.op === 'ew') return a.endsWith(b)
      throw new FilterError(`no comparison of entries: ${filter.op}`)
    }
  }
}
