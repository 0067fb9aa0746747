/**
 * What values looked like that a statement answered: which kinds, which columns, which words. Two shapes of the same place
 * are joined, so that a null of one test and a number of another stand together.
 */
export interface Shape {
  null?: true
  number?: true
  boolean?: true
  bytes?: true
  /** The words seen, in order; true once there are too many to be a closed list. */
  string?: string[] | true
  /** Elements of arrays, all together. */
  array?: Shape
  object?: Columns
}
export interface Columns {
  /** How many objects were seen. */
  seen: number
  /** Name of a column → in how many objects it stood, and how it looked. */
  columns: Record<string, [seen: number, shape: Shape]>
}
/** What one statement answered. */
export interface Answered {
  rows: Columns
  /** Columns as the database described them, with the id of their type: known even where no row came. */
  described?: Record<string, number>
}

/** More words than this are no closed list. */
const MOST_WORDS = 30
const LONGEST_WORD = 40
/** Elements of an array that are looked at. */
const MOST_ELEMENTS = 50

export const noColumns = (): Columns => ({ seen: 0, columns: {} })

/** Notes one more value. @returns true: it told something new */
export function note(shape: Shape, value: unknown): boolean {
  if (value === null || value === undefined) return !shape.null && (shape.null = true)
  if (typeof value === 'string') return noteWord(shape, value)
  if (typeof value === 'number' || typeof value === 'boolean') {
    const kind = typeof value as 'number' | 'boolean'
    return !shape[kind] && (shape[kind] = true)
  }
  if (value instanceof Uint8Array) return !shape.bytes && (shape.bytes = true)
  // A test may ask by a connection without the parsers of `db/connect.ts`; the program gets texts.
  if (value instanceof Date) return false
  if (!Array.isArray(value)) return noteObject((shape.object ??= noColumns()), value as object)
  let news = !shape.array
  const elements = (shape.array ??= {})
  for (const element of value.slice(0, MOST_ELEMENTS)) news = note(elements, element) || news
  return news
}

function noteWord(shape: Shape, word: string): boolean {
  if (shape.string === true) return false
  const words = shape.string ?? []
  shape.string = words
  if (words.includes(word)) return false
  if (word.length > LONGEST_WORD || words.length >= MOST_WORDS) shape.string = true
  else words.push(word)
  return true
}

/** Notes one more object. @returns true: it told something new */
export function noteObject(columns: Columns, value: object): boolean {
  let news = !columns.seen
  columns.seen++
  let found = 0
  for (const [name, inner] of Object.entries(value)) {
    found++
    const column = (columns.columns[name] ??= [0, {}])
    // A column that comes late was missing before.
    if (!column[0]) news = true
    column[0]++
    news = note(column[1], inner) || news
  }
  // One that is missing for the first time is news as well.
  if (found < Object.keys(columns.columns).length) {
    for (const [name, column] of Object.entries(columns.columns)) {
      if (!(name in value) && column[0] === columns.seen - 1) news = true
    }
  }
  return news
}

/** Joins what another process saw at the same place. */
export function join(into: Columns, other: Columns): Columns {
  into.seen += other.seen
  for (const [name, [seen, shape]] of Object.entries(other.columns)) {
    const column = (into.columns[name] ??= [0, {}])
    column[0] += seen
    joinShape(column[1], shape)
  }
  return into
}
function joinShape(into: Shape, other: Shape): void {
  for (const kind of ['null', 'number', 'boolean', 'bytes'] as const) if (other[kind]) into[kind] = true
  if (other.string === true) into.string = true
  else for (const word of other.string ?? []) noteWord(into, word)
  if (other.array) joinShape((into.array ??= {}), other.array)
  if (other.object) join((into.object ??= noColumns()), other.object)
}
