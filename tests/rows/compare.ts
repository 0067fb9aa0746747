import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { SymbolFlags, TypeFlags } from 'typescript/unstable/sync'
import type { Checker, Type } from 'typescript/unstable/sync'
import { isOf, openSources } from './places.ts'
import type { Place, Sources } from './places.ts'
import { join, noColumns } from './shape.ts'
import type { Answered, Columns, Shape } from './shape.ts'

/** What every process of a run saw, by the text of the statement, then by the columns that it answered. */
function readSeen(folder: string): Map<string, Map<string, Answered>> {
  const all = new Map<string, Map<string, Answered>>()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    for (const [key, answered] of JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as [string, Answered][]) {
      const [text = '', columns = ''] = key.split('\u0001')
      const variants = all.get(text) ?? new Map<string, Answered>()
      const before = variants.get(columns) ?? { rows: noColumns() }
      join(before.rows, answered.rows)
      before.described ??= answered.described
      all.set(text, variants.set(columns, before))
    }
  }
  return all
}
/** What is known of the rows: those that came, else what the database described. */
function rowsOf({ rows, described }: Answered): Columns | null {
  if (rows.seen) return rows
  if (!described) return null
  const columns = Object.entries(described).map(([name, id]) => [name, [1, BECOMES.get(id) ?? {}]] as const)
  return { seen: 1, columns: Object.fromEntries(columns) as Columns['columns'] }
}

/** Types of the database by id → what they become in JavaScript (`db/connect.ts`); others are not judged. */
const BECOMES = new Map<number, Shape>([
  ...[21, 23, 26, 700, 701].map((id) => [id, { number: true }] as const),
  ...[18, 19, 20, 25, 1042, 1043, 1082, 1083, 1114, 1184, 1186, 1700, 2950].map(
    (id) => [id, { string: true }] as const,
  ),
  [16, { boolean: true }],
  [17, { bytes: true }],
])

const NOT_JUDGED = TypeFlags.Any | TypeFlags.Unknown

/** Compares shapes with types; see `compare`. */
class Judge {
  private readonly checker: Checker
  constructor(checker: Checker) {
    this.checker = checker
  }
  /** Whether a type is that of a row: an object, or one of several. */
  isRow(type: Type): boolean {
    return this.membersOf(type).every(
      (one) => (one.isObjectType() || one.isIntersectionType()) && !one.isTypeParameter(),
    )
  }
  membersOf(type: Type): readonly Type[] {
    if (type.isUnionType()) return (type.getTypes() ?? []).flatMap((one) => this.membersOf(one))
    return [type]
  }
  private say = (types: readonly Type[]) =>
    types.map((type) => this.checker.typeToString(type).slice(0, 80)).join(' | ')
  private has = (type: Type, flags: number): boolean => {
    if (type.flags & flags) return true
    return type.isIntersectionType() && (type.getTypes() ?? []).some((one) => this.has(one, flags))
  }

  /** What of the shape the types deny, of which each value is of one; each with the path of the column. */
  shape(shape: Shape, types: readonly Type[], at: string): string[] {
    const members = types.flatMap((type) => this.membersOf(type))
    // A type that callers give is held against what they may give.
    for (const [index, one] of members.entries()) {
      if (one.isTypeParameter())
        members[index] = this.checker.getBaseConstraintOfType(one) ?? this.checker.getUnknownType()
    }
    if (members.some((one) => one.flags & NOT_JUDGED)) return []
    const some = (flags: number) => members.some((one) => this.has(one, flags))
    const wrong: string[] = []
    const denied = (what: string) => wrong.push(`${at} is ${what}, the type says ${this.say(types)}`)
    if (shape.null && !some(TypeFlags.Null)) denied('null')
    if (shape.number && !some(TypeFlags.NumberLike)) denied('a number')
    if (shape.boolean && !some(TypeFlags.BooleanLike)) denied('a boolean')
    if (shape.string === true || shape.string?.length) {
      if (!some(TypeFlags.StringLike)) denied('a text')
      else if (shape.string !== true && !some(TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping)) {
        const known = new Set(members.map((one) => (one as { value?: unknown }).value))
        const unknown = shape.string.filter((word) => !known.has(word))
        if (unknown.length) denied(`also ${unknown.map((word) => `"${word}"`).join(', ')}`)
      }
    }
    const objects = members.filter((one) => one.isObjectType() || one.isIntersectionType())
    const named = (name: string) => objects.some((one) => one.getSymbol()?.name === name)
    if (shape.bytes && !named('Buffer') && !named('Uint8Array')) denied('bytes')
    const lists = objects.filter((one) => this.checker.isArrayLikeType(one))
    if (shape.array) {
      const elements = lists.map((one) => (one.isTypeReference() ? this.checker.getTypeArguments(one) : []))
      if (!lists.length) denied('a list')
      else if (elements.every((one) => one.length)) wrong.push(...this.shape(shape.array, elements.flat(), `${at}[]`))
    }
    const records = objects.filter((one) => !lists.includes(one))
    if (shape.object && !some(TypeFlags.NonPrimitive)) {
      if (!records.length) denied('an object')
      else wrong.push(...this.columns(shape.object, records, at))
    }
    return wrong
  }

  /** The columns of objects, of which each is of one of the types. */
  columns(columns: Columns, types: readonly Type[], at: string): string[] {
    const wrong: string[] = []
    if (!columns.seen) return wrong
    const known = types.map((type) => new Map(this.checker.getPropertiesOfType(type).map((one) => [one.name, one])))
    for (const [name, property] of known[0] ?? []) {
      const seen = columns.columns[name]?.[0] ?? 0
      if (seen === columns.seen || !known.every((one) => one.has(name))) continue
      const optional = known.some((one) => {
        const found = one.get(name)!
        if (found.flags & SymbolFlags.Optional) return true
        const type = this.checker.getTypeOfSymbol(found)
        return !type || this.membersOf(type).some((inner) => inner.flags & (TypeFlags.Undefined | NOT_JUDGED))
      })
      if (!optional) wrong.push(`${at}.${name} is missing${seen && property ? ' now and then' : ''}`)
    }
    for (const [name, [, shape]] of Object.entries(columns.columns)) {
      const found = known.flatMap((one) => one.get(name) ?? [])
      const said = found.flatMap((one) => this.checker.getTypeOfSymbol(one) ?? [])
      const indexed = types.flatMap((type) => this.checker.getIndexInfosOfType(type)).map((one) => one.valueType)
      const all = said.length ? said : indexed
      // Of several kinds of objects some may have no such column: it is null there.
      const { null: nothing, ...rest } = shape
      const judged = nothing && found.length === types.length ? shape : rest
      if (all.length) wrong.push(...this.shape(judged, all, `${at}.${name}`))
    }
    return wrong
  }
}

export interface Verdict {
  /** Where what was seen is not what the type says. */
  readonly wrong: string[]
  /** Statements with a type of which no test saw an answer. */
  readonly unseen: string[]
  readonly places: number
}

/** Holds what a test run saw against the types written in the sources. */
export function compare(folder: string, sources?: Sources): Verdict {
  const seen = readSeen(folder)
  const { checker, places, close } = openSources(sources)
  try {
    const judge = new Judge(checker)
    const wrong: string[] = []
    const unseen: string[] = []
    // What is no row is a piece of a statement; of a type that callers give they are asked.
    const typed = places.filter(({ row }) => judge.isRow(row))
    for (const alike of Map.groupBy(typed, (place) => place.key || place.pieces?.join('\0') || place.file).values()) {
      const [{ key, pieces }] = alike as [Place]
      const variants = pieces
        ? [...seen].filter(([text]) => isOf(text, pieces)).flatMap(([, some]) => [...some.values()])
        : [...(seen.get(key)?.values() ?? [])]
      const answers = variants.flatMap((one) => rowsOf(one) ?? [])
      const told = alike.map((place) => ({
        where: `${place.file}:${place.line}`,
        wrong: answers.map((columns) =>
          judge.columns(columns, judge.membersOf(place.row), '').map((one) => one.replace(/^\./, '')),
        ),
      }))
      // Of places that are written alike, each answer belongs to one.
      const strangers = new Set(
        answers.keys().filter((n) => alike.length > 1 && told.some((one) => !one.wrong[n]!.length)),
      )
      for (const { where, wrong: found } of told) {
        const own = found.filter((one, n) => !strangers.has(n) || !one.length)
        if (!own.length) unseen.push(where)
        for (const one of new Set(own.flat())) wrong.push(`${where} ${one}`)
      }
    }
    return { wrong, unseen, places: typed.length }
  } finally {
    close()
  }
}

if (import.meta.main) {
  const { wrong, unseen, places } = compare(process.argv[2]!)
  console.log(wrong.join('\n'))
  console.log(`\n${places} statements with a type, ${wrong.length} wrong, ${unseen.length} not seen`)
  if (process.argv.includes('--unseen')) console.log(unseen.join('\n'))
}
