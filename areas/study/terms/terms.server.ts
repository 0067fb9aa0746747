import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import type { Values } from '#kit/server/resource/resource.ts'
import { stageGroups, stages } from './stages/stage.server.ts'
import { takeOverHandlers } from './stages/take-over.server.ts'
import { termsArea } from './terms.contract.ts'
import { currentTermHandlers } from './terms/current.server.ts'
import { term, termsBeside } from './terms/term.contract.ts'
import { timelineHandler } from './timeline/timeline.server.ts'
import { year } from './years/year.contract.ts'
import { termsTold } from './terms.told.contract.ts'

/** A term lies within its year; a year keeps its terms. Every reason at once. */
async function termWithinYear(tx: Tx, merged: Values): Promise<void> {
  const { rows } = await sql<{ start_date: string; end_date: string }>`
    select start_date, end_date from years where id = ${merged.year_id} for share`.execute(tx)
  const [found] = rows
  if (!found) return
  const data = { start: found.start_date, end: found.end_date }
  const outside = (['start_date', 'end_date'] as const).filter(
    (field) => String(merged[field]) < found.start_date || String(merged[field]) > found.end_date,
  )
  if (outside.length)
    throw new Refusal(
      422,
      outside.map((field) => ({ field, code: 'term_outside_year', data })),
    )
}

/** Other terms whose days these share, the earliest first. */
async function besideOf(
  ctx: Ctx,
  { id, start_date, end_date }: { id?: number | undefined; start_date: string; end_date: string },
) {
  const { rows } = await sql<{
    id: number
    name: string
    name_local: string
    code: string
    start_date: string
    end_date: string
  }>`select id, name, name_local, code, start_date, end_date from terms
    where removed_at is null and id is distinct from ${id ?? null} and start_date <= ${end_date}::date and end_date >= ${start_date}::date
    order by start_date, id`.execute(ctx.db)
  return rows
}

async function yearKeepsTerms(tx: Tx, merged: Values, id: number): Promise<void> {
  const { rows } = await sql<{ name: string; start_date: string; end_date: string }>`
    select name, start_date, end_date from terms where year_id = ${id} and removed_at is null order by start_date`.execute(
    tx,
  )
  const cut = rows.filter((t) => t.start_date < String(merged.start_date) || t.end_date > String(merged.end_date))
  if (cut.length) {
    throw new Refusal(
      422,
      cut.map((t) => ({
        field: t.start_date < String(merged.start_date) ? 'start_date' : 'end_date',
        code: 'year_cuts_term',
        data: { term: t.name },
      })),
    )
  }
}

/** When the university works is no secret in it: whoever is signed in chooses a term or a year, e.g. of the own timetable. */
const openLookup = (name: 'term' | 'year', filters: readonly string[]): LookupSource => ({
  name,
  table: `${name}s`,
  label: { name: 'r.name', name_local: 'r.name_local', code: 'r.code' },
  search: 'r.search_text',
  where: 'r.removed_at is null',
  permission: 'signed_in',
  scope: 'university',
  filters,
})

/** The ten kinds of window are fixed: others could not be read by any rule. */
const stageCodeLookup: LookupSource = {
  name: 'stageCode',
  table: 'stage_codes',
  label: { name: 'r.name', name_local: 'r.name_local', code: 'r.code' },
  search: 'r.search_text',
  order: 'r.id',
  permission: 'signed_in',
  scope: 'university',
}

export const termsServer = defineAreaServer({
  area: termsArea,
  told: termsTold,
  handlers: [
    timelineHandler,
    serveResource(year, {
      beforeWrite: (_ctx, tx, merged, current) => (current ? yearKeepsTerms(tx, merged, current.id) : undefined),
    }),
    serveResource(term, {
      beforeWrite: (_ctx, tx, merged) => termWithinYear(tx, merged),
      beforeRemove: async (_ctx, tx, id) => {
        const { rows } = await sql`select from current_terms where term_id = ${id}`.execute(tx)
        if (rows.length) throw refuse(409, 'term_is_current')
      },
      lookups: ['year_id'],
    }),
    stageGroups.handlers,
    stages.handlers,
    takeOverHandlers,
    handle(termsBeside, async (ctx, { body }) => ({ data: await besideOf(ctx, body) })),
    currentTermHandlers,
  ],
  lookups: [stageCodeLookup, openLookup('term', ['year_id', 'term_type']), openLookup('year', [])],
})
