/** What is recorded on the way: more time, reports, seminars, proofs. */
import { firstRow } from '#db/rows.ts'
import { addDays, addMonths } from '#kit/contract/day.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { lastDayOf } from './clock.rules.ts'
import { factsOfTheses, keepDue } from './facts.server.ts'
import { findThesis, holdThesis, touchThesis } from './reach.server.ts'
import { thesisCalls as calls } from './whole.contract.ts'

const UNDER_WAY: ReadonlySet<string> = new Set(['registered', 'approved', 'changing', 'discussed'])

export const progressHandlers: readonly Handled[] = [
  handle(calls.extend, (ctx, { params: { id }, body: { kind, reason, decision, ...given } }) =>
    ctx.write(
      async (tx) => {
        const { status } = await holdThesis(ctx, tx, id, 'approve_thesis')
        const facts = (await factsOfTheses(tx, [id])).get(id)!
        const latest = lastDayOf(facts)
        if (!latest || status === 'discussed') throw refuse(409, 'thesis_no_clock')
        let from = facts.today
        let until: string
        if (kind === 'extension') {
          const { max_extensions: most, extension_months } = facts.rules
          const since = status === 'registered' ? facts.registered_on! : facts.approved_on!
          const count = facts.clock.filter((one) => one.kind === 'extension' && one.from_date >= since).length
          if (count >= most) throw refuse(409, 'thesis_extensions', { count, most })
          until = addMonths(latest, extension_months)
        } else {
          const { from_date, until_date } = given
          if (!from_date || !until_date || until_date <= from_date)
            throw refuse(422, 'thesis_suspension_period', undefined, 'until_date')
          if (from_date < facts.registered_on!) throw refuse(422, 'thesis_suspension_early', undefined, 'from_date')
          from = from_date
          until = until_date
        }
        // An extension that was given late still ends after it begins.
        if (until <= from) until = addDays(from, 1)
        const { rows } = await sql<{
          id: number
        }>`insert into thesis_clock (thesis_id, kind, from_date, until_date, reason, decision, created_by)
          values (${id}, ${kind}, ${from}::date, ${until}::date, ${reason}, ${decision}, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(
          tx,
        )
        await keepDue(tx, [id])
        return { data: firstRow(rows) }
      },
      { reason },
    ),
  ),
  handle(calls.report, (ctx, { params: { id }, body: { until_date, progress, satisfied, text } }) =>
    ctx.write(async (tx) => {
      const { status } = await holdThesis(ctx, tx, id, 'supervise_thesis')
      if (!UNDER_WAY.has(status)) throw refuse(409, 'thesis_not_under_way')
      const { rows: last } = await sql<{
        late: boolean
        last: string | null
      }>`select ${until_date}::date > university_today() as late,
        (select max(until_date)::text from thesis_reports where thesis_id = ${id}) as last`.execute(tx)
      const { late, last: before } = firstRow(last)
      if (late) throw refuse(422, 'thesis_day_future', undefined, 'until_date')
      if (before && until_date <= before) throw refuse(422, 'thesis_report_order', { day: before }, 'until_date')
      const { rows } = await sql<{
        id: number
      }>`insert into thesis_reports (thesis_id, until_date, progress, satisfied, text, created_by)
        values (${id}, ${until_date}::date, ${progress}, ${satisfied}, ${text}, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(
        tx,
      )
      await touchThesis(tx, id)
      return { data: firstRow(rows) }
    }),
  ),
  handle(calls.seminar, (ctx, { params: { id }, body: { held_on, title } }) =>
    ctx.write(async (tx) => {
      const { status } = await holdThesis(ctx, tx, id, 'supervise_thesis')
      if (!UNDER_WAY.has(status)) throw refuse(409, 'thesis_not_under_way')
      const { rows: day } = await sql<{ late: boolean }>`select ${held_on}::date > university_today() as late`.execute(
        tx,
      )
      if (firstRow(day).late) throw refuse(422, 'thesis_day_future', undefined, 'held_on')
      const { rows } = await sql<{ id: number }>`insert into thesis_seminars (thesis_id, held_on, title, created_by)
        values (${id}, ${held_on}::date, ${title}, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(tx)
      await touchThesis(tx, id)
      return { data: firstRow(rows) }
    }),
  ),
  handle(calls.proof, (ctx, { params: { id }, body: { kind, text }, file }) =>
    ctx.write(async (tx) => {
      const { status } = await holdThesis(ctx, tx, id, 'write_thesis')
      if (status !== 'draft' && !UNDER_WAY.has(status)) throw refuse(409, 'thesis_not_under_way')
      const kept = file ? await ctx.services.files.save(ctx, file, tx) : null
      const { rows } = await sql<{ id: number }>`insert into thesis_proofs (thesis_id, kind, text, file_id, created_by)
        values (${id}, ${kind}, ${text}, ${kept?.id ?? null}::int, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(
        tx,
      )
      await touchThesis(tx, id)
      return { data: firstRow(rows) }
    }),
  ),
  handle(calls.acceptProof, (ctx, { params: { id }, body: { accepted } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{
        thesis_id: number
      }>`select thesis_id from thesis_proofs where id = ${id} for update`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      const { status } = await findThesis(ctx, tx, rows[0].thesis_id, 'supervise_thesis')
      if (status !== 'draft' && !UNDER_WAY.has(status)) throw refuse(409, 'thesis_not_under_way')
      await sql`update thesis_proofs set accepted_at = ${accepted ? sql`now()` : null}, accepted_by = ${accepted ? (ctx.actor?.user_id ?? null) : null}::int
        where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
]
