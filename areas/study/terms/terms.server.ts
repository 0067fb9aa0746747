import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import type { Values } from '#kit/server/resource/resource.ts'
import { stage, stageGroup } from './stages/stage.contract.ts'
import { termsArea } from './terms.contract.ts'
import { currentTermHandlers } from './terms/current.server.ts'
import { term } from './terms/term.contract.ts'
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

/**
 * By what a group of students is bound: its most exact criterion names a program, bylaw or faculty, and with it the
 * units above. A group without any, by level alone, is of the whole university.
 */
const groupUnits = (alias: 't' | 'g') => {
  const g = (column: string) => sql.ref(`${alias}.${column}`)
  return {
    faculty: sql`coalesce(${g('faculty_id')}, (select b.faculty_id from bylaws b where b.id = ${g('bylaw_id')}),
      (select p.faculty_id from programs p where p.id = ${g('program_id')}))`,
    bylaw: sql`coalesce(${g('bylaw_id')}, (select p.bylaw_id from programs p where p.id = ${g('program_id')}))`,
    program: g('program_id'),
  }
}
const ofAll = (alias: 't' | 'g') =>
  sql`num_nonnulls(${sql.ref(`${alias}.faculty_id`)}, ${sql.ref(`${alias}.bylaw_id`)}, ${sql.ref(`${alias}.program_id`)}) = 0`
const groupScope = {
  faculty: () => groupUnits('t').faculty,
  bylaw: () => groupUnits('t').bylaw,
  program: () => groupUnits('t').program,
}
const ofGroup = (unit: 'faculty' | 'bylaw' | 'program') => () =>
  sql`(select ${groupUnits('g')[unit]} from stage_groups g where g.id = t.stage_group_id)`
const stageScope = { faculty: ofGroup('faculty'), bylaw: ofGroup('bylaw'), program: ofGroup('program') }

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
    serveResource(stageGroup, { scope: groupScope, common: ofAll('t') }),
    serveResource(stage, {
      scope: stageScope,
      common: sql`(t.stage_group_id is null or exists (select from stage_groups g where g.id = t.stage_group_id and ${ofAll('g')}))`,
      search: [],
      lookups: ['stage_code_id'],
    }),
    currentTermHandlers,
  ],
  lookups: [stageCodeLookup, openLookup('term', ['year_id', 'term_type']), openLookup('year', [])],
})
