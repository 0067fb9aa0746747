/** Students change program because they were specialised, and go back when that is taken back. */
import { sql, type RawBuilder } from 'kysely'
import { distribute, type Advisor } from '#areas/enrolment/registration/advising/advising.rules.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'

/** A student who is given a program. */
export interface GivenProgram {
  readonly student_id: number
  readonly specialization_id: number
  readonly preference: number | null
}

/**
 * Advisors of the departments into which students come: who is advised from elsewhere gets one of the own department with
 * a free place. Where there is none, the advisor stays.
 */
async function adviseAnew(tx: Tx, studentIds: readonly number[]): Promise<void> {
  // Also whoever assigns advisors at this moment locks them in this order.
  await sql`select from instructors i where i.removed_at is null and i.max_advised is not null and i.department_id in (
      select p.department_id from students s join programs p on p.id = s.program_id where s.id = any(${[...studentIds]}::int[]))
    order by i.id for no key update`.execute(tx)
  const { rows: advisors } = await sql<Advisor>`
    select i.id, i.faculty_id, i.department_id, i.max_advised,
      (select count(*)::int from students s where s.advisor_id = i.id and s.removed_at is null and s.status = 'studying') as advised
    from instructors i where i.removed_at is null and i.max_advised is not null and i.department_id in (
      select p.department_id from students s join programs p on p.id = s.program_id where s.id = any(${[...studentIds]}::int[]))`.execute(
    tx,
  )
  if (!advisors.length) return
  const { rows } = await sql<{ id: number; faculty_id: number; department_id: number }>`
    select s.id, s.faculty_id, p.department_id from students s join programs p on p.id = s.program_id
      left join instructors a on a.id = s.advisor_id
    where s.id = any(${[...studentIds]}::int[]) and p.department_id is not null and p.department_id is distinct from a.department_id`.execute(
    tx,
  )
  // One department at a time: nobody is sent to an advisor of a third one.
  for (const [department_id, students] of Map.groupBy(rows, (row) => row.department_id)) {
    const { assigned } = distribute(
      students,
      advisors.filter((one) => one.department_id === department_id),
    )
    await sql`update students s set advisor_id = x.advisor_id
      from unnest(${assigned.map((one) => one.student_id)}::int[], ${assigned.map((one) => one.advisor_id)}::int[]) as x (id, advisor_id)
      where s.id = x.id`.execute(tx)
  }
}

/**
 * Puts students, who are locked, into the programs they were given: program and faculty change, the advisor where the
 * department is another, and what was true before is kept, so that it can come back. Each is told.
 */
export async function give(
  ctx: Ctx,
  tx: Tx,
  given: readonly GivenProgram[],
  { window_id, reason }: { window_id: number | null; reason?: string | null },
): Promise<void> {
  if (!given.length) return
  const ids = given.map((one) => one.student_id)
  await sql`insert into student_specializations (student_id, specialization_id, specialization_time_id, from_program_id, program_id,
      from_advisor_id, preference, reason, assigned_by)
    select s.id, z.id, ${window_id}::int, s.program_id, z.program_id, s.advisor_id, x.preference, ${reason ?? null}, ${ctx.actor?.user_id ?? null}::int
    from unnest(${ids}::int[], ${given.map((one) => one.specialization_id)}::int[], ${given.map((one) => one.preference)}::int[])
        as x (student_id, specialization_id, preference)
      join students s on s.id = x.student_id join specializations z on z.id = x.specialization_id`.execute(tx)
  const mine = liveOf(ids, window_id)
  await sql`update students s set program_id = p.id, faculty_id = p.faculty_id
    from student_specializations g join programs p on p.id = g.program_id where g.student_id = s.id and ${mine}`.execute(
    tx,
  )
  await adviseAnew(tx, ids)
  await sql`update student_specializations g set advisor_id = s.advisor_id from students s where s.id = g.student_id and ${mine}`.execute(
    tx,
  )
  const { rows } = await sql<{
    id: number
    user_id: number
    name: string
    name_local: string
    preference: number | null
  }>`
    select s.id, s.user_id, p.name, p.name_local, g.preference from student_specializations g join students s on s.id = g.student_id
      join programs p on p.id = g.program_id where s.user_id is not null and ${mine}`.execute(tx)
  await notifyEach(
    tx,
    rows.map(({ id, user_id, name, name_local }) => ({
      user_id,
      records: [id],
      key: 'specializations.notice_specialized',
      data: { program: name, program_local: name_local },
      link: '/specialization',
    })),
  )
}
const liveOf = (ids: readonly number[], window_id: number | null): RawBuilder<unknown> =>
  sql`g.student_id = any(${[...ids]}::int[]) and g.removed_at is null and g.specialization_time_id is not distinct from ${window_id}::int
    and g.assigned_at = now()`

/** Students of whom something was done in their new program, which taking it back would lose, or who cannot go back. */
export async function usedSince(tx: Tx, which: RawBuilder<unknown>): Promise<Reason[]> {
  const there = sql`exists (select from students o where o.user_id = s.user_id and o.id <> s.id and o.removed_at is null
    and o.program_id = g.from_program_id)`
  const { rows } = await sql<{ code: string; why: string; count: number }>`
    select s.code, (count(*) over ())::int as count,
      case when s.program_id <> g.program_id or s.removed_at is not null then 'specialization_moved_since'
        when ${there} then 'specialization_record_there' else 'specialization_used_since' end as why
    from student_specializations g join students s on s.id = g.student_id
    where g.removed_at is null and ${which} and (s.program_id <> g.program_id or s.removed_at is not null or ${there}
      or exists (select from registration_history h where h.student_id = s.id and h.at > g.assigned_at)
      or exists (select from student_terms t where t.student_id = s.id and t.finished_at > g.assigned_at)
      or exists (select from course_credits k where k.student_id = s.id and k.created_at > g.assigned_at))
    order by s.code limit 20`.execute(tx)
  const more = (rows[0]?.count ?? 0) - rows.length
  return [
    ...rows.map(({ code, why }) => ({ code: why, data: { student: code } })),
    ...(more > 0 ? [{ code: 'specialization_changed_more', data: { count: more } }] : []),
  ]
}

/** Takes back what students were given: program, faculty and, where it is still the one of then, the advisor. */
export async function takeBack(ctx: Ctx, tx: Tx, which: RawBuilder<unknown>, reason: string | null): Promise<void> {
  await sql`update students s set program_id = g.from_program_id, faculty_id = p.faculty_id,
      advisor_id = case when s.advisor_id is not distinct from g.advisor_id then g.from_advisor_id else s.advisor_id end
    from student_specializations g join programs p on p.id = g.from_program_id
    where g.student_id = s.id and g.removed_at is null and ${which}`.execute(tx)
  const { rows } = await sql<{ id: number; user_id: number | null; name: string; name_local: string }>`
    with gone as (
      update student_specializations g set removed_at = now(), removed_by = ${ctx.actor?.user_id ?? null}::int, removed_reason = ${reason}
      where g.removed_at is null and ${which} returning g.student_id, g.program_id)
    select s.id, s.user_id, p.name, p.name_local from gone x join students s on s.id = x.student_id join programs p on p.id = x.program_id`.execute(
    tx,
  )
  await notifyEach(
    tx,
    rows.map(({ id, user_id, name, name_local }) => ({
      user_id,
      records: [id],
      key: 'specializations.notice_taken_back',
      data: { program: name, program_local: name_local, reason: reason ?? '' },
      link: '/specialization',
    })),
  )
}
