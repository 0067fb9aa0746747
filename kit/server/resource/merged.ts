import type { Call } from '#kit/contract/index.ts'
import type { Services } from '../base/context.ts'
import { refuse } from '../base/errors.ts'

/**
 * A kind of record that can be merged into another: where its ids appear in addresses. `paths`: prefixes of paths,
 * with the id as `{id}`; `param`: its parameter name in other paths.
 */
export interface Mergeable {
  readonly kind: string
  readonly paths: readonly string[]
  readonly param: string
}
const kinds = new Map<string, Mergeable>()

/** Makes known that records of a kind are merged: their old ids are answered for. */
export const registerMergeable = (one: Mergeable): void => void kinds.set(one.kind, one)

/** Milliseconds after which what was merged is asked again where no message came. */
const GOOD_FOR = 60_000

/** Which record a parameter of a call names; undefined: none of a kind that is merged. */
export function mergeableIn({
  path,
}: Pick<Call, 'path'>): { readonly kind: string; readonly param: string } | undefined {
  for (const { kind, paths, param } of kinds.values()) {
    if (path.includes(`{${param}}`)) return { kind, param }
    if (paths.some((one) => path === one || path.startsWith(`${one}/`))) return { kind, param: 'id' }
  }
  return undefined
}

type Known = ReadonlyMap<string, number>

/**
 * Into which record another one went, by `kind id`: in memory, as few as they are; forgotten in every process as soon as
 * records are merged or taken apart.
 */
export function createMerged({ pool, events }: Services): () => Known | Promise<Known> {
  let known: Known | undefined
  let until = 0
  let asking: Promise<Known> | undefined
  const forget = (): void => {
    until = 0
    asking = undefined
  }
  events.on('records_merged', forget)
  events.onGap(forget)
  return () => {
    if (known && performance.now() < until) return known
    if (asking) return asking
    const mine = pool
      .query<{ kind: string; from_id: number; into_id: number }>({
        name: 'merged_records',
        text: 'select kind, from_id, into_id from merged_records',
      })
      .then(({ rows }): Known => {
        const found = new Map(rows.map((row) => [`${row.kind} ${row.from_id}`, row.into_id]))
        if (asking === mine) {
          known = found
          until = performance.now() + GOOD_FOR
          asking = undefined
        }
        return found
      })
    mine.catch(() => asking === mine && (asking = undefined))
    return (asking = mine)
  }
}

/**
 * The parameters of a call with merged records replaced: reading an old record reads the one it was merged into;
 * changing it is refused with the id of that record. @throws {Refusal} 409 `merged_into`
 */
export function followMerged(
  known: Known,
  { kind, param }: { readonly kind: string; readonly param: string },
  params: Readonly<Record<string, unknown>>,
  reads: boolean,
): { readonly params: Readonly<Record<string, unknown>>; readonly into: number } | undefined {
  const into = known.get(`${kind} ${String(params[param])}`)
  if (into === undefined) return undefined
  if (!reads) throw refuse(409, 'merged_into', { into })
  return { params: { ...params, [param]: into }, into }
}
