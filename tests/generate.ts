import type { z } from 'zod'

/** What a generator needs to know of the database: an id that stands for a name such as `faculty_id`. */
export interface Hints {
  readonly id: (name: string) => number
}

interface Def {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  options?: readonly z.ZodType[]
  entries?: Record<string, string | number>
  values?: readonly unknown[]
  items?: readonly z.ZodType[]
  in?: z.ZodType
  left?: z.ZodType
  getter?: () => z.ZodType
}
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def
/** Least and greatest value of a number; infinite where there is none. */
const boundsOf = (schema: z.ZodType): [number, number] => {
  const { minValue, maxValue } = schema as z.ZodNumber
  return [minValue ?? -Infinity, maxValue ?? Infinity]
}

let count = 0
/** Texts of every form the contracts know; the first that a schema accepts is taken. Some are new each time. */
const texts = (name: string): string[] => {
  const n = ++count
  const digits = String(n).padStart(6, '0')
  const likely = /local/.test(name) ? [`نص للاختبار ${'أبتثجحخدرس'[n % 10]}`] : /code/.test(name) ? [`T${digits}`] : []
  return [
    ...likely,
    ...(/lang/.test(name) ? ['en', 'ar'] : []),
    digits,
    `Test ${digits}`,
    `T${digits}`,
    `نص للاختبار`,
    String(n),
    '1',
    '12.5',
    '2027-02-01',
    '2027-02-01T08:00:00+02:00',
    '09:00',
    `test${n}@university.example`,
    `+2010${digits}${n % 10}${n % 7}`,
    `29901010${digits}`,
    `A${digits}00`,
    '00000000-0000-4000-8000-000000000000',
    '#1f6f8b',
    'B5',
    'https://university.example/page',
    String(1000 + (n % 2000)),
    'ar',
    '',
  ]
}

/** The schema inside optional, default, nullable and the like. */
export function inner(schema: z.ZodType): z.ZodType {
  const def = defOf(schema)
  if (def.innerType) return inner(def.innerType)
  if (def.type === 'pipe' && def.in && defOf(def.in).type !== 'transform') return inner(def.in)
  if (def.type === 'lazy' && def.getter) return inner(def.getter())
  return schema
}
/** The fields of an object schema; empty for anything else. */
export const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  schema ? (defOf(inner(schema)).shape ?? {}) : {}
/** The schema of the entries of a list; undefined for anything else. */
export const elementOf = (schema: z.ZodType): z.ZodType | undefined => defOf(inner(schema)).element
/** What an enumeration allows; empty for anything else. */
export const choicesOf = (schema: z.ZodType): unknown[] => {
  const def = defOf(inner(schema))
  return def.type === 'enum' ? Object.values(def.entries ?? {}) : def.type === 'literal' ? [...(def.values ?? [])] : []
}

class Endless extends Error {}
/** Schemas that are being filled. */
const open = new Set<z.ZodType>()

/**
 * Input that a schema accepts, as small as it may be: what is optional is left out. Ids come from the hints.
 * @throws {Error} naming the field for which nothing fits
 */
export function generate(schema: z.ZodType, hints: Hints, name = ''): unknown {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'undefined':
      return undefined
    case 'nullable':
    case 'readonly':
    case 'catch':
    case 'nonoptional':
      return generate(def.innerType!, hints, name)
    case 'pipe':
      return generate(def.in!, hints, name)
    case 'lazy': {
      // A schema within itself (a tree): it ends where it may.
      if (open.has(schema)) throw new Endless()
      open.add(schema)
      try {
        return generate(def.getter!(), hints, name)
      } finally {
        open.delete(schema)
      }
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).flatMap(([key, field]) => {
          const value = generate(field, hints, key)
          return value === undefined ? [] : [[key, value]]
        }),
      )
    case 'array': {
      const some = (n: number) => Array.from({ length: n }, () => generate(def.element!, hints, name.replace(/s$/, '')))
      try {
        return [1, 2, 3, 4, 5].map(some).find((list) => schema.safeParse(list).success) ?? some(1)
      } catch (error) {
        if (error instanceof Endless) return []
        throw error
      }
    }
    case 'tuple':
      return (def.items ?? []).map((item) => generate(item, hints, name))
    case 'record':
      return {}
    case 'enum':
    case 'literal':
      return choicesOf(schema)[0]
    case 'null':
      return null
    case 'boolean':
      return true
    case 'union':
      for (const option of def.options ?? []) {
        const type = defOf(option).type
        if (type === 'null' || type === 'pipe') continue
        try {
          const value = generate(option, hints, name)
          if (value !== '' && schema.safeParse(value).success) return value
        } catch (error) {
          if (!(error instanceof Endless)) throw error
        }
      }
      return generate(def.options![0]!, hints, name)
    case 'number':
    case 'int': {
      const [least, most] = boundsOf(schema)
      const isId = /(^|_)ids?$|Id$/.test(name) || most === 2_147_483_647
      const candidates = [isId ? hints.id(name) : Math.max(least, 1), least, 1, 0, most]
      return candidates.find((n) => schema.safeParse(n).success)
    }
    case 'string': {
      const isId = /(^|_)ids?$|Id$/.test(name)
      const found = [...(isId ? [String(hints.id(name))] : []), ...texts(name)].find((t) => schema.safeParse(t).success)
      if (found === undefined) throw new Error(`no text is known that fits ${name}`)
      return found
    }
    default:
      return schema.safeParse('text').success ? 'text' : {}
  }
}

/** Every place in some input, with how to put another value there. */
export function* places(
  input: unknown,
  path: readonly (string | number)[] = [],
): Generator<{
  path: readonly (string | number)[]
  value: unknown
}> {
  yield { path, value: input }
  if (Array.isArray(input)) {
    if (input.length) yield* places(input[0], [...path, 0])
  } else if (input && typeof input === 'object')
    for (const [key, value] of Object.entries(input)) yield* places(value, [...path, key])
}
/** The same input with another value at a place. */
export function put(input: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (Array.isArray(input)) return input.map((one, i) => (i === first ? put(one, rest, value) : one))
  return { ...(input as object), [first]: put((input as Record<string, unknown> | undefined)?.[first], rest, value) }
}
