/** The second session of a level: offerings of what was failed, in a term of the same year, with whoever sits there again. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { actOn } from '#areas/records/grading/guard.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { chargeFee } from '#kit/server/workflow/fees.ts'
import { gatherLevel, regulationOf, type LevelKey } from './gather.server.ts'
import { requireLevel } from './preview.server.ts'

const MOST_NAMED = 50
/** Of a course that was failed: it is sat again. */
const REPEATED = (flag.Registered | flag.Repeat).toString()
/** What sitting a failed course again costs, among the prices of the year; what was excused is the first attempt still, and costs nothing. */
const FEE_ITEM = 'SECOND'
const WHAT = ['Second session', 'الدور الثاني'] as const

/** Charges each for what is sat again. Whose price cannot be determined still sits: whoever opens the session learns how many. */
async function chargeSitting(
  ctx: Ctx,
  tx: Tx,
  term_id: number,
  students: readonly number[],
): Promise<{ charged: number; not_charged: number }> {
  const { rows } = await sql<{ id: number; quantity: number; student_id: number }>`
    select min(r.id) as id, count(*)::int as quantity, r.student_id from registrations r
    where r.term_id = ${term_id} and r.student_id = any(${[...students]}::int[]) and r.status = ${REPEATED}::bigint
    group by r.student_id order by r.student_id`.execute(tx)
  let [charged, not_charged] = [0, 0]
  for (const row of rows) {
    try {
      const fee = await chargeFee(ctx, tx, { workflow: 'second_session', fee: FEE_ITEM, what: WHAT, ...row })
      if (fee !== null) charged++
    } catch (error) {
      // Nothing was written: prices are looked for before an invoice is.
      if (!(error instanceof Refusal)) throw error
      not_charged++
    }
  }
  return { charged, not_charged }
}

/**
 * Opens the second session: an offering in `term_id` for every course that somebody of the level has not passed, with the
 * parts, the team and the year work of the first one, and a registration for each who sits it again.
 *
 * @throws {Refusal} 409 while a result of the year is missing, or where there is no second session
 */
export async function openSecondSession(
  ctx: Ctx,
  { term_id, ...key }: LevelKey & { term_id: number },
): Promise<{ students: number; offerings: number; registrations: number; charged: number; not_charged: number }> {
  return ctx.write(
    async (tx) => {
      await requireLevel(ctx, tx, key)
      // Two officers: the second waits here, and finds it open.
      const { rows: opened } = await sql`insert into second_sessions (bylaw_id, year_id, level, term_id, opened_by)
        select ${key.bylaw_id}, ${key.year_id}, ${key.level}, id, ${ctx.actor?.user_id ?? null}::int from terms where id = ${term_id}
        on conflict (bylaw_id, year_id, level) do nothing returning id`.execute(tx)
      const { rows: terms } = await sql<{ later: boolean }>`
        select t.start_date > coalesce((select max(w.start_date) from student_years y join registrations r on r.student_id = y.student_id
          join terms w on w.id = r.term_id and w.year_id = y.year_id
          where y.bylaw_id = ${key.bylaw_id} and y.year_id = ${key.year_id} and y.level = ${key.level}), '-infinity') as later
        from terms t where t.id = ${term_id} and t.year_id = ${key.year_id} and t.removed_at is null`.execute(tx)
      if (!terms[0]) throw refuse(422, 'second_session_term', undefined, 'term_id')
      if (!opened.length) throw refuse(409, 'second_session_opened')
      if (!terms[0].later) throw refuse(422, 'second_session_earlier', undefined, 'term_id')
      const regulation = await regulationOf(tx, key)
      if (!regulation.rules.second_session) throw refuse(409, 'second_session_none')
      const students = await gatherLevel(tx, key, regulation)
      const missing = students.flatMap((student) =>
        student.year.stopped
          ? []
          : student.courses.filter((course) => course.state === 'missing').map((course) => course.code),
      )
      if (missing.length)
        throw new Refusal(
          409,
          [...Map.groupBy(missing, (code) => code)]
            .slice(0, MOST_NAMED)
            .map(([course, all]) => ({ code: 'level_without_result', data: { course, count: all.length } })),
        )
      const again = students.flatMap((student) =>
        student.year.stopped
          ? []
          : student.courses
              .filter((course) => course.state !== 'passed')
              .map((course) => ({
                student_id: student.student_id,
                course_id: course.course_id,
                offering_id: course.offering_id,
                registration_id: course.registration_id,
                // What was excused is the first attempt still: its true mark counts.
                status: course.state === 'excused' ? (flag.Registered | flag.Fresh).toString() : REPEATED,
              })),
      )
      if (!again.length) throw refuse(409, 'second_session_nobody')
      const given = sql`jsonb_to_recordset(${JSON.stringify(again)}::jsonb) as n(student_id int, course_id int, offering_id int,
        registration_id int, status bigint)`
      const { rows: offered } = await sql<{ id: number; source: number }>`
        with wanted as (
          select distinct on (n.course_id) n.course_id, n.offering_id as source from ${given}
          where n.offering_id is not null order by n.course_id, n.offering_id desc),
        made as (
          insert into offerings (term_id, course_id, faculty_id, department_id, code, level, is_open, mark_id)
          select ${term_id}, w.course_id, o.faculty_id, o.department_id, '2-' || ${key.bylaw_id}::text || '-' || ${key.level}::text, o.level, false, o.mark_id
          from wanted w join offerings o on o.id = w.source returning id, course_id),
        parts as (
          insert into offering_marks (offering_id, mark_category_id, max, position)
          select m.id, p.mark_category_id, p.max, p.position from made m join wanted w using (course_id)
          join offering_marks p on p.offering_id = w.source),
        team as (
          insert into offering_instructors (offering_id, instructor_id, role)
          select m.id, i.instructor_id, i.role from made m join wanted w using (course_id)
          join offering_instructors i on i.offering_id = w.source)
        select m.id, w.source from made m join wanted w using (course_id)`.execute(tx)
      await actOn(tx, null)
      const { rows: made } = await sql<{ id: number }>`
        with sits as (
          insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status)
          select n.student_id, o.id, ${term_id}, n.course_id, coalesce(q.credit_hours, c.credit_hours), n.status
          from ${given} join offerings o on o.term_id = ${term_id} and o.course_id = n.course_id
            and o.code = '2-' || ${key.bylaw_id}::text || '-' || ${key.level}::text
          join courses c on c.id = n.course_id left join registrations q on q.id = n.registration_id
          returning id, student_id, course_id, offering_id, status),
        history as (
          insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action, to_status, reason)
          select id, student_id, offering_id, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, 'enroll', status, 'second session' from sits)
        select id from sits`.execute(tx)
      // The work of the year stands; the exam is sat again.
      await sql`
        insert into registration_marks (registration_id, offering_mark_id, mark, absent, entered_by)
        select r.id, b.id, m.mark, m.absent, m.entered_by
        from ${given} join registrations r on r.student_id = n.student_id and r.term_id = ${term_id} and r.course_id = n.course_id
        join registration_marks m on m.registration_id = n.registration_id
        join offering_marks a on a.id = m.offering_mark_id join mark_categories k on k.id = a.mark_category_id and not k.is_final_exam
        join offering_marks b on b.offering_id = r.offering_id and b.mark_category_id = a.mark_category_id
        where not m.absent`.execute(tx)
      const fees = await chargeSitting(ctx, tx, term_id, [
        ...new Set(again.flatMap((one) => (one.status === REPEATED ? [one.student_id] : []))),
      ])
      return {
        ...fees,
        students: new Set(again.map((one) => one.student_id)).size,
        offerings: offered.length,
        registrations: made.length,
      }
    },
    { reason: 'second session' },
  )
}
