import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { id } from '#kit/contract/index.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'

interface NamedTerm {
  id: number
  code: string
  name: string
  name_local: string
}
/** A term by id, or the one in which the university works now; null when there is none. */
export async function namedTermOf(db: Db | Tx, id?: number): Promise<NamedTerm | null> {
  const { rows } = await sql<NamedTerm>`select id, code, name, name_local from terms where removed_at is null
    and id = ${id === undefined ? currentTermId() : sql`${id}`}`.execute(db)
  return rows[0] ?? null
}
/** The same for a change. @throws {Refusal} 422 */
export async function requireTerm(tx: Tx, id?: number): Promise<NamedTerm> {
  const term = await namedTermOf(tx, id)
  if (!term) throw refuse(422, id === undefined ? 'required' : 'reference_missing', undefined, 'term_id')
  return term
}

/** A list looks at the current term unless another is asked for; `term_id: null` looks at all. */
export async function queryInTerm(ctx: Ctx, query: ListQuery): Promise<{ query: ListQuery; term: NamedTerm | null }> {
  const { term_id, ...rest } = query.filters
  if (term_id === null) return { query: { ...query, filters: rest }, term: null }
  if (term_id !== undefined && typeof term_id !== 'number') return { query, term: null }
  const term = await namedTermOf(ctx.db, term_id === undefined ? undefined : parse(id, term_id, ['filters', 'term_id']))
  return { query: { ...query, filters: { ...rest, ...(term && { term_id: term.id }) } }, term }
}
