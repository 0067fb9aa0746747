import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Basis, Fact } from '#kit/contract/basis.ts'
import type { Ctx } from '../base/context.ts'
import type { ScopeParts } from '../base/scope.ts'

/** A fact that a decision rests on: its kind, and the id of its row. */
export interface StoodOn {
  readonly fact: string
  readonly fact_id: number
  /** What the decision was made on, where that was read before; absent: what the fact is now. */
  readonly stood?: unknown
}

/**
 * Stores the facts that decisions rest on, replacing earlier ones; without facts, they rest on nothing. The facts are
 * locked until the transaction ends.
 */
export async function keepBasis(
  tx: Tx,
  { kind }: Pick<Basis, 'kind'>,
  decisions: readonly { readonly id: number; readonly facts: readonly StoodOn[] }[],
): Promise<void> {
  if (!decisions.length) return
  const kept = decisions.flatMap(({ id, facts }) => facts.map((fact) => ({ ...fact, decision_id: id })))
  await sql`select keep_basis(${kind}, ${decisions.map((decision) => decision.id)}::int[], ${JSON.stringify(kept)}::jsonb)`.execute(
    tx,
  )
}

/** Locks facts until the transaction ends, for code that reads them now and decides afterwards. */
export async function holdFacts(tx: Tx, facts: readonly Pick<StoodOn, 'fact' | 'fact_id'>[]): Promise<void> {
  const kinds = [...Map.groupBy(facts, (one) => one.fact)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, some] of kinds)
    await sql`select ${sql.ref(`hold_${name}`)}(${[...new Set(some.map((one) => one.fact_id))]}::int[])`.execute(tx)
}

/** Removes the facts of these decisions. */
export const dropBasis = (tx: Tx, basis: Pick<Basis, 'kind'>, ids: readonly number[]): Promise<void> =>
  keepBasis(
    tx,
    basis,
    ids.map((id) => ({ id, facts: [] })),
  )

/** A kind of fact as it is served. */
export interface ServedFact {
  readonly fact: Fact
  /** SQL that selects `id, code, name, name_local` of what was looked at, for the ids of facts. */
  readonly named: (ids: RawBuilder<unknown>) => RawBuilder<unknown>
  /** A value in short, or a code of the fact's words; null: nothing. */
  readonly tell: (value: Readonly<Record<string, unknown>>) => string | null
}
/** Serves a kind of fact: how what was looked at is called, and what its value is in short. */
export const serveFact = (fact: Fact, options: Omit<ServedFact, 'fact'>): ServedFact => ({ fact, ...options })

interface BasisOptions {
  /** SQL of the decision: what follows `from`. */
  readonly from: string
  /** SQL of its id; `t.id` unless told. */
  readonly id?: string
  /** SQL that is true while the decision still matters; always unless told. */
  readonly where?: string
  /** SQL of the id of the student whom it concerns; absent: nobody. */
  readonly student?: string
  /** SQL of JSON that names it: `code`, `name`, `name_local`. */
  readonly named: string
  /** SQL of the address where it is decided. */
  readonly link: string
  /** By what it is reached; `university`: everybody who holds the key. */
  readonly scope: 'university' | ((ctx: Ctx) => ScopeParts)
  /** The same for who decides, where that differs. */
  readonly bound?: (ctx: Ctx) => ScopeParts
  /**
   * For kinds whose being outdated is kept elsewhere: SQL that selects `decision_id, since`. Absent: it follows from what
   * `keepBasis` kept, or from what a trigger wrote into `decision_facts`.
   */
  readonly outdated?: RawBuilder<unknown>
  /** Its facts were not kept when it was decided but are written by a trigger where they speak against it: they go once it is dealt with. */
  readonly derived?: true
  /** Shown of one student alone: finding all of them would be too much work for a list. */
  readonly ofOne?: true
  /** No line on the home: the area has one of its own. */
  readonly silent?: true
  /** Decides anew on what is now. What it stands on then is kept by the mechanism, or by the function itself. */
  readonly renew?: (ctx: Ctx, tx: Tx, ids: readonly number[]) => Promise<void>
  /** What else is done where one is kept as it is. */
  readonly kept?: (ctx: Ctx, tx: Tx, ids: readonly number[], reason: string) => Promise<void>
  /** What follows by itself. */
  readonly follow?: (ctx: Ctx, tx: Tx, ids: readonly number[]) => Promise<void>
  /** Whom the notice is told: SQL of an array of users, of what fills its places, and of its address. */
  readonly tells?: { readonly users: string; readonly data?: string; readonly link?: string }
}
export interface ServedBasis extends BasisOptions {
  readonly basis: Basis
}
/**
 * Serves a kind of decision that rests on facts; the area lists it in `basis`. SQL calls the decision `t` unless
 * stated otherwise.
 */
export const serveBasis = (basis: Basis, options: BasisOptions): ServedBasis => {
  if (basis.renew && !options.renew) throw new Error(`${basis.kind} is renewed by a step: say what it does`)
  return { basis, ...options }
}

// --- What is known ----------------------------------------------------------------------------------------------------

export const bases = new Map<string, ServedBasis & { readonly area: string }>()
export const facts = new Map<string, ServedFact & { readonly area: string }>()

/** Makes known which decisions of an area rest on facts, and the kinds of fact that it serves. */
export function registerBases(area: string, served: readonly ServedBasis[], of: readonly ServedFact[]): void {
  for (const one of served) {
    const known = bases.get(one.basis.kind)
    if (known && known.basis !== one.basis) throw new Error(`Two kinds of decision are named '${one.basis.kind}'`)
    bases.set(one.basis.kind, { ...one, area })
  }
  for (const one of of) facts.set(one.fact.name, { ...one, area })
}
/** Every kind of decision that rests on facts. */
export const servedBases = (): readonly (ServedBasis & { readonly area: string })[] => [...bases.values()]
