/** What both ways out of a program have in common: what is known of who leaves, and what becomes of what is open. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { listedMains, maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import { changeRegistrations } from '#areas/enrolment/registration/changes/change.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { statusDecided } from '#areas/common/academics/student-status.server.ts'
import { LEFT_STATUSES } from '#areas/common/academics/student-status.rules.ts'
import { hear, type Hearing } from '#kit/server/base/hears.ts'
import { asSystem } from '#kit/server/unit/request.ts'

/** SQL of what is known of the student `s` who wants to leave: pairs of a JSON object. */
export const LEAVER: RawBuilder<unknown> = sql.raw(`'studying', s.status = 'studying', 'holds', array(
    select h.kind from standing_holds h where h.student_id = s.id
    union select 'blocked' where s.blocked_at is not null)`)

/** Whoever asks for a student holds the student: of two requests at one moment the second sees the first. */
export const lockLeaver = (ctx: Ctx, tx: Tx, student_id: number): Promise<unknown> =>
  sql`select from students s where s.id = ${student_id} and ${scopeCondition(ctx, 'ask_transfer', studentReach(ctx, 's'))}
    for no key update`.execute(tx)

/** SQL: the term in which transfers are made. */
export const TRANSFER_TERM: RawBuilder<number | null> =
  sql`coalesce(${currentTermId('current_transfer_term')}, ${currentTermId()})`

/** SQL: a term `w` is over for the student `s`: finished, or before the one that runs. */
const OVER = sql`(exists (select from student_terms f where f.student_id = s.id and f.term_id = w.id)
  or (w.start_date, w.id) < (select c.start_date, c.id from terms c where c.id = ${currentTermId()}))`

const LEFT = maskOf(['Withdrawn', 'ForcedWithdrawn', 'Excused'])
/** SQL: how many results of the student `s` in terms that are over are not published, or incomplete. */
export const OPEN_RESULTS: RawBuilder<number> = sql`(select count(*)::int from registrations r
    join offerings o on o.id = r.offering_id join terms w on w.id = r.term_id
  where r.student_id = s.id and r.status & ${sql.raw(maskOf(listedMains))} <> 0 and r.status & ${sql.raw(LEFT)} = 0 and ${OVER}
    and term_after(r.term_id, s.study_after_term_id)
    and (o.control_status not in ('Published', 'Frozen') or r.status & ${sql.raw(maskOf(['Incomplete']))} <> 0))`

/** SQL: the last term of the student `s` that is over; null: none is. */
export const LAST_TERM: RawBuilder<number | null> = sql`(select w.id from terms w
  where (exists (select from registrations r where r.student_id = s.id and r.term_id = w.id)
      or exists (select from student_terms f where f.student_id = s.id and f.term_id = w.id) or w.id = s.study_after_term_id) and ${OVER}
  order by w.start_date desc, w.id desc limit 1)`

/** Rejects what a student has asked for and nobody has decided, and takes the student out of every queue. */
export async function closeRequests(ctx: Ctx, tx: Tx, student_id: number, reason: string): Promise<void> {
  // Whoever registers the student at this moment judges again: program and bylaw are other ones.
  await sql`update registration_turns set turn = turn + 1 where student_id = ${student_id}`.execute(tx)
  await sql`update wait_list set state = 'left', moved_at = now() where student_id = ${student_id} and state = 'waiting'`.execute(
    tx,
  )
  const { rows } = await sql<{ id: number }>`select r.id from registrations r where r.student_id = ${student_id}
    and r.status & ${sql.raw(maskOf(['RegisterRequest', 'AddRequest']))} <> 0 and r.letter is null order by r.id`.execute(
    tx,
  )
  if (!rows.length) return
  await changeRegistrations(
    asSystem(ctx.services, reason, ctx.lang),
    rows.map((row) => row.id),
    { action: 'reject' },
    { reason },
  )
}

/**
 * A transfer that waits is rejected when the student leaves by results; by a decision nobody leaves while one waits.
 * `waiting`: SQL of the states in which it waits.
 */
export const endWithStatus = (
  table: 'internal_transfers' | 'transfers_out',
  waiting: string,
  reject: (ctx: Ctx, id: number, reason: string) => Promise<unknown>,
): Hearing =>
  hear(statusDecided, async (ctx, tx, students, { to, decision, source }) => {
    if (!LEFT_STATUSES.has(to) || source === 'transfer_out') return
    const { rows } = await sql<{
      id: number
    }>`select id from ${sql.raw(table)} where student_id = any(${students.map((student) => student.id)}::int[])
      and status in (${sql.raw(waiting)}) order by id`.execute(tx)
    for (const { id } of rows) await reject(asSystem(ctx.services, decision, ctx.lang), id, decision)
  })

/**
 * SQL: codes of courses that the transfer `t` is to credit and that are no more in the plan of its program, or were removed;
 * null: all are there. A program without a plan takes every course.
 */
export const goneFrom = (kind: 'internal' | 'external'): RawBuilder<string | null> =>
  sql.raw(`(
  select string_agg(c.code, ', ' order by c.code) from equivalences e join courses c on c.id = e.course_id
  where e.${kind}_transfer_id = t.id and (c.removed_at is not null
    or (exists (select from program_courses p where p.program_id = t.program_id)
      and not exists (select from program_courses p where p.program_id = t.program_id and p.course_id = c.id))))`)
