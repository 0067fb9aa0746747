import type { z as Zod } from 'zod'

/**
 * What a contract asks of Zod, kept until something is checked. Most screens only send calls and show answers: they need
 * no schema, so the browser's build puts this in the place of Zod in everything but `zod.ts`. A form fetches `zod.ts`,
 * and then a schema is built the first time something is checked with it, by the same steps as on the server.
 */
type Step = () => unknown

let real: unknown
/** Gives what builds schemas; until then none can check anything. */
export const provide = (zod: unknown): void => {
  real = zod
}

const builds = new WeakMap<object, Step>()
const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'
const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

/** Stands in an object for the fields of another that are not known yet: `{ ...schema.shape }`. */
const SPREAD = '\u0000spread:'
let spreads = 0

/** What was recorded as what it stands for, wherever it stands in an argument. */
function built(value: unknown): unknown {
  if (!isObject(value)) return value
  const build = builds.get(value)
  if (build) return build()
  if (Array.isArray(value)) return value.map(built)
  // What a function answers with may be recorded as well: `z.lazy(() => problem)`.
  if (typeof value === 'function')
    return (...given: unknown[]) => {
      const answer: unknown = (value as (...given: unknown[]) => unknown)(...given)
      return isObject(answer) && builds.has(answer) ? built(answer) : answer
    }
  if (!isPlain(value)) return value
  const out: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value)) {
    if (key.startsWith(SPREAD)) Object.assign(out, built(one))
    else out[key] = built(one)
  }
  return out
}

/** By these a schema is asked for at once. */
const CHECKS: ReadonlySet<PropertyKey> = new Set(['parse', 'safeParse'])

function recorded(build: Step, call: (given: unknown[]) => unknown): object {
  let made: { readonly value: unknown } | undefined
  const value = (): unknown => (made ??= { value: build() }).value
  const spread = `${SPREAD}${++spreads}`
  // Spread before Zod is there, its fields are not known: one stands for all.
  const isSpread = (key: PropertyKey) => !real && key === spread
  // A function, because it may be called.
  const node: object = new Proxy(() => undefined, {
    get(_target, key) {
      if (key === spread) return node
      // Nobody waits for a schema (`then`), and none is iterated.
      if (typeof key === 'symbol' || key === 'then') return undefined
      const own = (): unknown => (value() as Record<string, unknown>)[key]
      if (CHECKS.has(key)) return (own() as (...given: unknown[]) => unknown).bind(value())
      return recorded(own, (given) => (value() as Record<string, (...given: unknown[]) => unknown>)[key]!(...given))
    },
    apply: (_target, _self, given: unknown[]) => {
      const answer = () => call(given.map(built))
      return recorded(answer, (more) => (answer() as (...more: unknown[]) => unknown)(...more))
    },
    has: (_target, key) => key in (value() as object),
    ownKeys: () => (real ? Reflect.ownKeys(value() as object) : [spread]),
    getOwnPropertyDescriptor(_target, key) {
      if (!isSpread(key) && !(real && Object.hasOwn(value() as object, key))) return undefined
      const own = isSpread(key) ? node : (value() as Record<PropertyKey, unknown>)[key]
      return { value: own, enumerable: true, configurable: true, writable: true }
    },
  })
  builds.set(node, value)
  return node
}

const provided = (): unknown => {
  if (!real) throw new Error('nothing can be checked yet: import kit/web/zod/zod.ts where schemas are used')
  return real
}

export const z = recorded(provided, () => {
  throw new Error('z is no function')
}) as unknown as typeof Zod

/** The schema itself: of one that was recorded, or as it is. */
export const schemaOf = <S>(schema: S): S => built(schema) as S
