/** The academic records of many students at once: from their registrations to the rows of their terms. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import { sql } from 'kysely'
import { listedMains, maskOf } from '../grades/grades.rules.ts'
import { computeRegistrationGrades } from '../grades/compute.server.ts'
import { actOn } from '../guard.server.ts'
import { sealsRecords } from '../signing/sign.server.ts'
import { calendarOf, GradingReference } from './gather-record.server.ts'
import { type Records, computeRecords } from './compute-record.server.ts'

/**
 * Finishes terms for some students: computes results that states left empty, then writes rows that are new or differ,
 * and the figures of the students. Doing it again writes nothing.
 *
 * @param ctx null: a loader
 */
export async function writeRecords(
  ctx: Ctx | null,
  tx: Tx,
  reference: GradingReference,
  term_ids: readonly number[],
  student_ids: readonly number[],
): Promise<Records> {
  const finished_by = ctx?.actor?.user_id ?? null
  // A state set after the marks were approved (absent, withdrawn, …) has voided the result: it is computed here.
  const { rows: empty } = await sql<{ id: number }>`
    select r.id from registrations r join offerings o on o.id = r.offering_id
    where r.student_id = any(${student_ids}::int[]) and r.letter is null and r.status & ${sql.raw(maskOf(listedMains))} <> 0
      and (o.control_status in ('Approved', 'Published', 'Frozen')
        or r.status & ${sql.raw(maskOf(['Withdrawn', 'ForcedWithdrawn', 'Excused']))} <> 0)`.execute(tx)
  if (empty.length) {
    await actOn(tx, 'step')
    await computeRegistrationGrades(
      tx,
      empty.map(({ id }) => id),
    )
  }
  const records = await computeRecords(tx, reference, term_ids, student_ids, true)
  sealsRecords(tx)
  if (records.removed.length) {
    await sql`delete from student_terms t using jsonb_to_recordset(${JSON.stringify(records.removed)}::jsonb) as n(student_id int, term_id int)
      where t.student_id = n.student_id and t.term_id = n.term_id`.execute(tx)
  }
  if (records.changed.length) {
    await sql`insert into student_terms as t (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
        cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing,
        graduation, graduation_basis, finished_by)
      select student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
        cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing,
        nullif(graduation, 'null'), graduation_basis, ${finished_by}::int
      from jsonb_to_recordset(${JSON.stringify(records.changed)}::jsonb) as n(student_id int, term_id int, registered_hours numeric,
        attempted_hours numeric, passed_hours numeric, term_points numeric, gpa numeric, cumulative_hours numeric,
        cumulative_passed_hours numeric, cumulative_points numeric, cumulative_gpa numeric, level int, warned boolean,
        warnings int, standing text, graduation jsonb, graduation_basis text)
      on conflict (student_id, term_id) do update set registered_hours = excluded.registered_hours,
        attempted_hours = excluded.attempted_hours, passed_hours = excluded.passed_hours, term_points = excluded.term_points,
        gpa = excluded.gpa, cumulative_hours = excluded.cumulative_hours,
        cumulative_passed_hours = excluded.cumulative_passed_hours, cumulative_points = excluded.cumulative_points,
        cumulative_gpa = excluded.cumulative_gpa, level = excluded.level, warned = excluded.warned,
        warnings = excluded.warnings, standing = excluded.standing, graduation = excluded.graduation,
        graduation_basis = excluded.graduation_basis,
        revised_since = null, finished_at = now(), finished_by = excluded.finished_by`.execute(tx)
  }
  await keepExamined(tx, records.examined)
  if (records.entries.length)
    await sql`update students s set entry_standing = n.standing
      from jsonb_to_recordset(${JSON.stringify(records.entries)}::jsonb) as n (id int, standing jsonb)
      where s.id = n.id and s.entry_standing is distinct from n.standing`.execute(tx)
  await settleStanding(
    ctx,
    tx,
    [...new Set([...records.students, ...records.entries].map((one) => one.id))],
    // What stood before the first finished term stands again when no row does.
    records.students.filter((student) => student.first).map((student) => student.id),
  )
  return records
}

/** Computes again the rows of these students that are being revised, as far as nothing waits for control. */
export async function followRecords(ctx: Ctx | null, tx: Tx, student_ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`select distinct student_id as id from student_terms
    where student_id = any(${[...student_ids]}::int[]) and revised_since is not null order by 1`.execute(tx)
  if (!rows.length) return
  await writeRecords(
    ctx,
    tx,
    new GradingReference(await calendarOf(tx)),
    [],
    rows.map((row) => row.id),
  )
}

/** Students to whom courses were credited, or who began another study: what stands for them follows. */
export const standCredits = async (ctx: Ctx | null, tx: Tx, student_ids: readonly number[]): Promise<void> => {
  await writeRecords(ctx, tx, new GradingReference(await calendarOf(tx)), [], student_ids)
}

/**
 * Students whose degree alone is touched, as by weeks of training: what stands against graduation in their finished terms is found
 * again. Nothing else of these terms changes, nor who finished them when.
 */
export async function followGraduation(tx: Tx, student_ids: readonly number[]): Promise<void> {
  const { changed, examined } = await computeRecords(
    tx,
    new GradingReference(await calendarOf(tx)),
    [],
    student_ids,
    true,
  )
  sealsRecords(tx)
  if (changed.length)
    await sql`update student_terms t set graduation = nullif(n.graduation, 'null'), graduation_basis = n.graduation_basis
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as n (student_id int, term_id int, graduation jsonb, graduation_basis text)
      where t.student_id = n.student_id and t.term_id = n.term_id and t.revised_since is null`.execute(tx)
  await keepExamined(tx, examined)
}

/** Rows whose eligibility stands on something else, and is the same. */
async function keepExamined(tx: Tx, examined: Records['examined']): Promise<void> {
  if (examined.length)
    await sql`update student_terms t set graduation_basis = n.graduation_basis
      from jsonb_to_recordset(${JSON.stringify(examined)}::jsonb) as n (student_id int, term_id int, graduation_basis text)
      where t.student_id = n.student_id and t.term_id = n.term_id`.execute(tx)
}

/**
 * Figures of students as the last valid row says. Whom it dismisses is dismissed by a decision of its own, whom it dismisses
 * no more is back, each with what follows from it, and is told. It takes effect once the figures of the term are
 * published, so that nobody learns from it what is not out.
 */
export async function settleStanding(
  ctx: Ctx | null,
  tx: Tx,
  student_ids: readonly number[],
  first_ids: readonly number[] = [],
): Promise<void> {
  if (!student_ids.length) return
  const { rows } = await sql<{ id: number; term_id: number; code: string; dismissed: boolean }>`
    select x.student_id as id, x.term_id, x.dismissed, t.code
    from settle_standing(${[...student_ids]}::int[], ${[...first_ids]}::int[]) x join terms t on t.id = x.term_id`.execute(
    tx,
  )
  for (const turned of Map.groupBy(rows, (row) => `${row.term_id}/${row.dismissed}`).values()) {
    const { term_id, dismissed, code } = turned[0]!
    const decided = await decideStatus(
      ctx,
      tx,
      turned.map((row) => row.id),
      {
        to: dismissed ? 'dismissed' : 'studying',
        decision: `Results of ${code}`,
        source: 'term_result',
        source_id: term_id,
      },
    )
    await notify(
      tx,
      decided.map((row) => row.user_id),
      {
        key: dismissed ? 'grading.notice_dismissed' : 'grading.notice_readmitted',
        data: {},
        link: '/student-academic',
        records: decided.map((row) => row.id),
      },
    )
  }
}
