/** A duty is given to another intern of the training, by who plans: where somebody fell ill, say. */
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import type { Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { judgedDuties, KIND, ON_LEAVE } from './facts.server.ts'
import { heldRoster, reachedDuties } from './held.server.ts'
import { judgeDuties, type JudgedDuty } from './judge.rules.ts'
import { rosterCalls as calls, type GivableDuty } from './roster.contract.ts'

type Candidate = Omit<GivableDuty['interns'][number], 'reasons'> & { readonly on_leave: boolean }

async function givable(ctx: Ctx, id: number): Promise<GivableDuty> {
  const { rows } = await sql<
    Omit<GivableDuty, 'interns'> & {
      training_id: number
      starts_at: string
      ends_at: string
      candidates: Candidate[]
    }
  >`
    select d.id, d.version, ${ref('s')} as student, ${sql.raw(KIND)} as kind, d.day::text, d.starts_at, d.ends_at, k.training_id,
      coalesce((select json_agg(json_build_object('id', x.id, 'name', x.name, 'name_local', x.name_local, 'code', x.code,
          'on_leave', ${sql.raw(ON_LEAVE('x.id', 'd.day'))}) order by x.name, x.id) from students x
        where x.id in (select r.student_id from emtyaz_rotations r where r.training_id = k.training_id and r.status = 'accepted'
          and r.removed_at is null and d.day between r.starts_on and coalesce(r.interrupted_on, r.ends_on)) and not exists (select from duty_shifts o
          where o.kind_id = d.kind_id and o.day = d.day and o.student_id = x.id)), '[]') as candidates
    from duty_shifts d join duty_kinds k on k.id = d.kind_id join students s on s.id = d.student_id
      join duty_rosters o on o.id = d.roster_id and o.removed_at is null where d.id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const { training_id, starts_at, ends_at, candidates, ...duty } = rows[0]
  await reachedDuties(ctx, ctx.db, training_id, 'plan_roster')
  const { day, kind } = duty
  const duties = Map.groupBy(
    await judgedDuties(
      ctx.db,
      candidates.map((one) => one.id),
      day,
      day,
    ),
    ({ student_id }) => student_id,
  )
  return {
    ...duty,
    interns: candidates.map(({ on_leave, ...one }) => {
      const named = { name: one.name, name_local: one.name_local ?? one.name }
      const given: JudgedDuty = {
        ...named,
        student_id: one.id,
        day,
        starts_at,
        ends_at,
        kind: kindOf(kind),
        there: true,
        on_leave,
      }
      return { ...one, reasons: judgeDuties([...(duties.get(one.id) ?? []), given]).map(toProblem) }
    }),
  }
}
const kindOf = ({ name, name_local }: GivableDuty['kind']) => ({ name, name_local: name_local ?? name })

/** Both are told, once the roster is published. */
async function tell(tx: Tx, id: number, from: number, to: number): Promise<void> {
  const { rows } = await sql<{ user_id: number; student_id: number; data: Record<string, string> }>`
    select s.user_id, s.id as student_id, json_build_object('duty', k.name, 'duty_local', k.name_local, 'day', d.day,
      'training', x.name, 'training_local', x.name_local) as data
    from duty_shifts d join duty_kinds k on k.id = d.kind_id join emtyaz_trainings x on x.id = k.training_id, students s
    where d.id = ${id} and s.id = any(${[from, to]}::int[]) and s.user_id is not null`.execute(tx)
  for (const { user_id, student_id, data } of rows)
    await notify(tx, [user_id], {
      key: student_id === to ? 'logbook.notice_duty_given' : 'logbook.notice_duty_taken',
      data,
      link: '/emtyaz/duties',
      records: [student_id],
    })
}

export const giveHandlers: readonly Handled[] = [
  handle(calls.givable, async (ctx, { params: { id } }) => ({ data: await givable(ctx, id) })),
  handle(calls.give, (ctx, { params: { id }, body: { student_id, version } }) =>
    ctx.write(async (tx) => {
      const { rows: found } = await sql<{ roster_id: number; student_id: number }>`select roster_id, student_id
        from duty_shifts where id = ${id}`.execute(tx)
      if (!found[0]) throw refuse(404, 'not_found')
      const roster = await heldRoster(ctx, tx, found[0].roster_id)
      await sql`select from students where id = any(${[found[0].student_id, student_id]}::int[]) order by id for no key update`.execute(
        tx,
      )
      // Swapped or given away while these were waited for.
      const { rows } = await sql<{ student_id: number; day: string; kind_id: number; version: number }>`
        select student_id, day::text, kind_id, version from duty_shifts where id = ${id} for update`.execute(tx)
      const [shift] = rows
      if (!shift) throw refuse(404, 'not_found')
      if (version !== undefined && version !== shift.version) throw refuse(409, 'changed_meanwhile')
      const { day, kind_id } = shift
      const { rows: twice } = await sql`select from duty_shifts where kind_id = ${kind_id} and day = ${day}::date
        and student_id = ${student_id}`.execute(tx)
      if (twice.length) throw refuse(409, 'duty_shift_twice')
      const reasons = judgeDuties(await judgedDuties(tx, [student_id], day, day, [[id, student_id]]))
      if (reasons.length) throw new Refusal(409, reasons)
      await sql`update duty_shifts set student_id = ${student_id}, version = version + 1 where id = ${id}`.execute(tx)
      // Swaps that wanted it come to nothing.
      await sql`update duty_swaps set status = 'cancelled', version = version + 1
        where status in ('requested', 'agreed') and ${id} in (shift_id, with_shift_id)`.execute(tx)
      if (roster.status === 'published') await tell(tx, id, shift.student_id, student_id)
      return { data: { id } }
    }),
  ),
]
