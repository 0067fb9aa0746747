/** What a debt keeps from a student, and who sets that aside. */
import { firstRow } from '#db/rows.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Access } from '#kit/contract/index.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { ownAcademicRecord } from '../record/academic-record.server.ts'
import { heldCalls as calls, type HeldStudents } from './held.contract.ts'
import { checkUntil } from './held.rules.ts'

async function heldOf(ctx: Ctx, id: number, access: Access, own: boolean): Promise<{ data: HeldStudents }> {
  const { rows } = await sql<Omit<HeldStudents, 'abilities'> & { overridable: boolean }>`
    select results_held(s.id) as results, certificates_held(s.id) as certificates,
      coalesce((select array_agg(h.note order by h.since, h.id) from student_holds h where h.student_id = s.id and h.kind = 'unpaid_invoice'
        and h.lifted_at is null and h.invoice_id is not null), '{}') as invoices,
      ${
        own
          ? sql`'[]'::json`
          : sql`coalesce((select json_agg(json_build_object('what', o.what, 'reason', o.reason, 'until', o.until, 'by', case when u.id is not null then
              json_build_object('name', u.name, 'name_local', u.name_local) end) order by o.id)
          from hold_overrides o left join users u on u.id = o.created_by where o.student_id = s.id and o.ended_at is null
            and (o.until is null or o.until >= university_today())), '[]')`
      } as overrides,
      ${own ? sql`false` : sql`(${scopeCondition(ctx, 'override_hold', studentReach(ctx, 's'))} and not coalesce(s.user_id = any(${peopleOf(ctx)}::int[]), false))`} as overridable
    from students s where s.id = ${id} and ${scopeCondition(ctx, access, studentReach(ctx, 's'))}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const { overridable, ...held } = rows[0]
  return {
    data: {
      ...held,
      abilities: [
        ...(overridable && (held.results || held.certificates) ? (['override'] as const) : []),
        ...(overridable && held.overrides.length ? (['end'] as const) : []),
      ],
    },
  }
}

/** The student within reach, and the open pages told. */
async function change(
  ctx: Ctx,
  id: number,
  reason: string | null,
  work: (tx: Parameters<Parameters<Ctx['write']>[0]>[0]) => Promise<number>,
) {
  return ctx.write(
    async (tx) => {
      const { rows } = await sql<{
        user_id: number | null
      }>`select s.user_id from students s where s.id = ${id} and s.removed_at is null
        and ${scopeCondition(ctx, 'override_hold', studentReach(ctx, 's'))} for no key update of s`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      if (rows[0].user_id !== null && peopleOf(ctx).includes(rows[0].user_id)) throw refuse(403, 'not_allowed')
      const made = await work(tx)
      if (rows[0].user_id !== null) await ctx.services.events.publish(rows[0].user_id, { type: 'holds' }, tx)
      return { data: { id: made } }
    },
    { reason },
  )
}

export const heldHandlers: readonly Handled[] = [
  handle(calls.own, (ctx) => {
    const { id, access } = ownAcademicRecord(ctx)
    return heldOf(ctx, id, access, true)
  }),
  handle(calls.of, (ctx, { params: { id } }) =>
    heldOf(ctx, id, ['show_students', 'show_student_record', 'override_hold'], false),
  ),
  handle(calls.override, (ctx, { params: { id }, body }) =>
    change(ctx, id, body.reason, async (tx) => {
      const { rows: day } = await sql<{ today: string }>`select university_today()::text as today`.execute(tx)
      const reasons = checkUntil(body.until ?? null, day[0]!.today)
      if (reasons.length) throw new Refusal(422, reasons)
      // One that has run out makes room for the next.
      await sql`update hold_overrides set ended_at = now(), version = version + 1 where student_id = ${id} and what = ${body.what}
        and ended_at is null and until < university_today()`.execute(tx)
      const { rows: there } =
        await sql`select from hold_overrides where student_id = ${id} and what = ${body.what} and ended_at is null`.execute(
          tx,
        )
      if (there.length) throw refuse(409, 'hold_override_twice')
      const { rows } = await sql<{
        id: number
      }>`insert into hold_overrides (student_id, what, reason, until, created_by)
        values (${id}, ${body.what}, ${body.reason}, ${body.until ?? null}, ${ctx.actor?.user_id ?? null}) returning id`.execute(
        tx,
      )
      return firstRow(rows).id
    }),
  ),
  handle(calls.end, (ctx, { params: { id }, body }) =>
    change(ctx, id, null, async (tx) => {
      const { rows } = await sql<{
        id: number
      }>`update hold_overrides set ended_at = now(), ended_by = ${ctx.actor?.user_id ?? null}, version = version + 1
        where student_id = ${id} and what = ${body.what} and ended_at is null returning id`.execute(tx)
      if (!rows[0]) throw refuse(409, 'hold_override_none')
      return rows[0].id
    }),
  ),
]
