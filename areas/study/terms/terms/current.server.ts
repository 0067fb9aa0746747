import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { ref } from '#kit/server/base/sql.ts'
import { CURRENT_TERM_KEYS, getCurrentTerms, setCurrentTerms } from './term.contract.ts'
import type { CurrentTermKey } from './term.contract.ts'

/** A current term as calls answer it. */
export interface CurrentTerm {
  id: number
  name: string
  name_local: string
  code: string
  term_type: string
  start_date: string
  end_date: string
  year: { id: number; name: string; name_local: string; code: string } | null
}
export type CurrentTerms = Record<CurrentTermKey, CurrentTerm | null>

/** The terms each part of the university works in now, in one round trip. */
export async function currentTerms(ctx: Pick<Ctx, 'db'>): Promise<CurrentTerms> {
  const { rows } = await sql<{ key: CurrentTermKey; term: CurrentTerm }>`
    select c.key, json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'code', t.code,
      'term_type', t.term_type, 'start_date', t.start_date, 'end_date', t.end_date,
      'year', ${ref('y')}) as term
    from current_terms c join terms t on t.id = c.term_id join years y on y.id = t.year_id`.execute(ctx.db)
  const found = new Map(rows.map((r) => [r.key, r.term]))
  return Object.fromEntries(CURRENT_TERM_KEYS.map((key) => [key, found.get(key) ?? null])) as CurrentTerms
}

/** Handlers of the current terms. */
export const currentTermHandlers: readonly Handled[] = [
  handle(getCurrentTerms, async (ctx) => ({ data: await currentTerms(ctx) })),
  handle(setCurrentTerms, async (ctx, { body }) => {
    const chosen = Object.entries(body).filter(([, id]) => id !== undefined)
    await ctx.write(async (tx) => {
      for (const [key, term_id] of chosen) {
        await sql`insert into current_terms (key, term_id) values (${key}, ${term_id})
          on conflict (key) do update set term_id = excluded.term_id
          where current_terms.term_id <> excluded.term_id`.execute(tx)
      }
    })
    return { data: await currentTerms(ctx) }
  }),
]
