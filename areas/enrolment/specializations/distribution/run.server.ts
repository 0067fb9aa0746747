/** Makes a distribution and keeps it beside the one before, so that the two can be compared. */
import { sql } from 'kysely'
import { printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { Percent } from '#kit/server/workflow/workflow.ts'
import { assign, type Placed } from './assign.rules.ts'
import { readApplicants, readSeats, type RunSeat } from './inputs.server.ts'

/** A distribution as it is kept. */
interface Run {
  id: number
  number: number
  made_at: string
  made_by: { name: string; name_local: string } | null
  tie_rule: string
  seats: RunSeat[]
  applicants: number
  placed: number
}

/** Distributes the students of a window, which is locked, and answers the new run's id. The last two runs keep their results. */
export async function makeRun(ctx: Ctx, tx: Tx, windowId: number, progress?: Percent): Promise<number> {
  const [seats, applicants] = [await readSeats(tx, windowId), await readApplicants(tx, windowId)]
  await progress?.(30)
  const result = assign(applicants, seats)
  await progress?.(40)
  const kept: RunSeat[] = seats.map((seat, i) => ({ ...seat, ...result.seats[i]! }))
  const { rows } = await sql<{ id: number }>`
    insert into specialization_runs (specialization_time_id, number, made_by, tie_rule, seats, applicants, placed, by_preference)
    select w.id, coalesce((select max(number) from specialization_runs where specialization_time_id = w.id), 0) + 1,
      ${ctx.actor?.user_id ?? null}::int, w.tie_rule, ${JSON.stringify(kept)}::jsonb, ${applicants.length}::int,
      ${result.placed.filter((one) => one.specialization_id !== null).length}::int, ${countByPreference(result.placed)}::int[]
    from specialization_times w where w.id = ${windowId} returning id`.execute(tx)
  const runId = firstRow(rows).id
  for (let i = 0; i < result.placed.length; i += CHUNK) {
    await keep(tx, runId, result.placed.slice(i, i + CHUNK))
    await progress?.(40 + Math.floor((55 * (i + CHUNK)) / Math.max(result.placed.length, CHUNK)))
  }
  await sql`update specialization_runs r set moved = (select count(*)::int
      from (select * from specialization_results where run_id = r.id) l
        full join (select * from specialization_results where run_id = p.id) o using (student_id)
      where l.specialization_id is distinct from o.specialization_id)
    from specialization_runs p
    where r.id = ${runId} and p.specialization_time_id = r.specialization_time_id and p.number = r.number - 1`.execute(
    tx,
  )
  await sql`delete from specialization_results where run_id in (select id from specialization_runs
    where specialization_time_id = ${windowId} and number <= (select number from specialization_runs where id = ${runId}) - 2)`.execute(
    tx,
  )
  return runId
}

/** How many were given their first wish, their second, and so on. */
function countByPreference(placed: readonly Placed[]): number[] {
  const counts: number[] = []
  for (const { preference } of placed)
    if (preference !== null) {
      while (counts.length < preference) counts.push(0)
      counts[preference - 1]!++
    }
  return counts
}

const CHUNK = 10_000

async function keep(tx: Tx, runId: number, placed: readonly Placed[]): Promise<void> {
  const of = <T>(value: (one: Placed) => T): T[] => placed.map(value)
  // A column a list: of thousands of rows the database reads these in a fraction of what rows of JSON would take.
  await sql`insert into specialization_results (run_id, student_id, rank, program_id, gpa, passed_hours, tie, choices, met,
      elsewhere, specialization_id, preference)
    select ${runId}::int, x.student_id, x.rank, x.program_id, x.gpa, x.hours, x.tie, x.choices::int[], x.met::int[], x.elsewhere::int[], x.given, x.preference
    from unnest(${of((one) => one.applicant.student_id)}::int[], ${of((one) => one.rank)}::int[],
      ${of((one) => one.applicant.program_id)}::int[],
      ${of(({ applicant: { gpa } }) => (gpa === null ? null : printHundredths(gpa)))}::numeric[],
      ${of((one) => printHundredths(one.applicant.passed_hours))}::numeric[], ${of((one) => one.applicant.tie)}::text[],
      ${of((one) => `{${one.applicant.choices.join(',')}}`)}::text[], ${of((one) => `{${one.applicant.met.join(',')}}`)}::text[],
      ${of((one) => `{${one.applicant.elsewhere.join(',')}}`)}::text[],
      ${of((one) => one.specialization_id)}::int[], ${of((one) => one.preference)}::int[])
      as x (student_id, rank, program_id, gpa, hours, tie, choices, met, elsewhere, given, preference)`.execute(tx)
}

/** A run by its id. */
export async function runOf(db: Db | Tx, runId: number): Promise<Run> {
  const { rows } = await sql<Run>`select r.id, r.number, r.made_at, r.tie_rule, r.seats, r.applicants, r.placed,
      case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end as made_by
    from specialization_runs r left join users u on u.id = r.made_by where r.id = ${runId}`.execute(db)
  return firstRow(rows)
}
