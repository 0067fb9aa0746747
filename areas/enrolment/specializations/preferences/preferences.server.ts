/** The wishes of students: one list each, saved as one. */
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ref } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { unmet, type ProgramSeat } from '../distribution/assign.rules.ts'
import { readLadder } from '../distribution/distribution.server.ts'
import { preferenceCalls, type OwnWindow } from './preferences.contract.ts'
import { checkPreferences, whyApart } from './preferences.rules.ts'
import { conditionsMet, programsElsewhere } from '../passed.server.ts'

interface WindowRow {
  id: number
  state: OwnWindow['state']
  start_date: string
  end_date: string
  max_preferences: number
  tie_rule: string
  min_level: number | null
  min_passed_hours: string | null
  run_id: number | null
  choices: number[] | null
  saved_at: string | null
  version: number | null
  in_run: boolean
  seats: (Omit<ProgramSeat, 'min_gpa' | 'min_passed_hours'> & {
    specialization: Ref
    program: Ref
    min_gpa: string | null
    min_passed_hours: string | null
  })[]
}
interface StudentRow {
  student: Ref
  program_id: number
  general: boolean
  studying: boolean
  level: number
  gpa: string | null
  /** A debt keeps the student from the own results. */
  held: boolean
  passed_hours: string
  met: number[]
  elsewhere: number[]
  windows: WindowRow[]
}
const hundredths = (value: string | null): number | null => (value === null ? null : parseHundredths(value))

/**
 * A student with the windows that concern him or her, in one round trip: those that offer something from the own program
 * now, and those in which there are wishes or a result. Figures are those that are out.
 */
async function readStudent(db: Db | Tx, studentId: number, windowId: number | null): Promise<StudentRow | undefined> {
  const { rows } = await sql<StudentRow>`
    select ${ref('s')} as student, s.program_id, g.is_general as general, s.status = 'studying' as studying,
      h.level, h.gpa::numeric(3, 2)::text as gpa, results_held(s.id) as held, h.passed_hours::numeric(6, 2)::text as passed_hours,
      ${conditionsMet()} as met, ${programsElsewhere} as elsewhere,
      coalesce((select json_agg(json_build_object('id', w.id, 'state', w.state, 'start_date', w.start_date, 'end_date', w.end_date,
          'max_preferences', w.max_preferences, 'tie_rule', w.tie_rule, 'min_level', w.min_level,
          'min_passed_hours', w.min_passed_hours::text, 'run_id', w.run_id, 'choices', x.choices, 'saved_at', x.updated_at,
          'version', x.version,
          'in_run', exists (select from specialization_results r where r.run_id = w.run_id and r.student_id = s.id),
          'seats', (select coalesce(json_agg(json_build_object('specialization', ${ref('z')}, 'program', ${ref('p')},
              'specialization_id', z.id, 'general_program_id', z.general_program_id, 'program_id', z.program_id, 'capacity', e.capacity, 'min_gpa', z.min_gpa::text,
              'min_passed_hours', z.min_passed_hours::text,
              'courses', (select coalesce(json_agg(json_build_object('id', c.id, 'course', k.code, 'min_letter', c.min_letter) order by c.position), '[]')
                from specialization_courses c join courses k on k.id = c.course_id where c.specialization_id = z.id))
              order by e.position, e.id), '[]')
            from specialization_seats e join specializations z on z.id = e.specialization_id join programs p on p.id = z.program_id
            where e.specialization_time_id = w.id)) order by w.state <> 'open', w.start_date desc)
        from specialization_windows w left join specialization_preferences x on x.specialization_time_id = w.id and x.student_id = s.id
        where w.removed_at is null and (${windowId}::int is null or w.id = ${windowId}::int)
          and (x.id is not null or ${windowId}::int is not null or (w.state in ('planned', 'open') and exists (
            select from specialization_seats e join specializations z on z.id = e.specialization_id
            where e.specialization_time_id = w.id and z.general_program_id = s.program_id)))), '[]') as windows
    from students s join programs g on g.id = s.program_id join bylaws b on b.id = s.bylaw_id join shown_standing h on h.student_id = s.id
    where s.id = ${studentId} and s.removed_at is null`.execute(db)
  return rows[0]
}

const seatOf = (seat: WindowRow['seats'][number]): ProgramSeat => ({
  ...seat,
  min_gpa: hundredths(seat.min_gpa),
  min_passed_hours: hundredths(seat.min_passed_hours),
})

/** Why a list of wishes cannot be saved by this reader, as things stand. */
function reasonsFor(student: StudentRow, window: WindowRow, staff: boolean, wishes: readonly number[]): Reason[] {
  const mine = window.seats.filter((seat) => seat.general_program_id === student.program_id)
  return checkPreferences({
    state: window.state,
    staff,
    start: window.start_date,
    end: window.end_date,
    apart: whyApart({
      studying: student.studying,
      general: student.general,
      offered: mine.length > 0,
      level: student.level,
      min_level: window.min_level,
      hours: hundredths(student.passed_hours) ?? 0,
      min_hours: hundredths(window.min_passed_hours),
    }),
    most: window.max_preferences,
    offered: mine.map((seat) => seat.specialization_id),
    wishes,
  })
}

/** Whose wishes are meant: the own ones, or those of a student whom the reader reaches with one of the keys. */
async function whose(
  ctx: Ctx,
  db: Db | Tx,
  asked: number | undefined,
  key: 'access_student_specialization' | 'edit_specialization_preferences',
): Promise<{ id: number; staff: boolean }> {
  const own = ctx.actor?.student_id ?? null
  if (own !== null && (asked === undefined || asked === own) && ctx.can('access_student'))
    return { id: own, staff: false }
  if (asked === undefined) throw refuse(422, 'required', undefined, 'student_id')
  const { rows } = await sql`select from students s where s.id = ${asked} and s.removed_at is null
    and ${scopeCondition(ctx, key, studentReach(ctx, 's'))}`.execute(db)
  if (!rows.length) throw refuse(404, 'not_found')
  return { id: asked, staff: true }
}

export const preferenceHandlers: readonly Handled[] = [
  handle(preferenceCalls.windows, async (ctx, { query }) => {
    const { id, staff } = await whose(ctx, ctx.db, query.student_id, 'access_student_specialization')
    const student = await readStudent(ctx.db, id, null)
    if (!student) throw refuse(404, 'not_found')
    const edits = staff ? ctx.can('edit_specialization_preferences') : true
    const windows: OwnWindow[] = []
    for (const window of student.windows) {
      // What a distribution came to is the student's to know once it is confirmed.
      const told =
        window.in_run &&
        window.run_id !== null &&
        (window.state === 'confirmed' || (staff && window.state === 'distributed'))
      const closed = edits ? reasonsFor(student, window, staff, []) : [{ code: 'not_allowed' }]
      windows.push({
        id: window.id,
        // That it was distributed and waits for who confirms it is no news for a student.
        state: !staff && window.state === 'distributed' ? 'closed' : window.state,
        start_date: window.start_date,
        end_date: window.end_date,
        most: window.max_preferences,
        tie_rule: window.tie_rule,
        offers: window.seats
          .filter(
            (seat) =>
              seat.general_program_id === student.program_id || window.choices?.includes(seat.specialization_id),
          )
          .map((seat) => ({
            specialization: seat.specialization,
            program: seat.program,
            capacity: seat.capacity,
            min_gpa: seat.min_gpa,
            min_passed_hours:
              seat.min_passed_hours === null ? null : trimHundredths(hundredths(seat.min_passed_hours) ?? 0),
            courses: seat.courses.map(({ course, min_letter }) => ({ course, min_letter })),
            unmet:
              told || (student.held && !staff)
                ? []
                : unmet(
                    {
                      program_id: student.program_id,
                      gpa: hundredths(student.gpa),
                      passed_hours: hundredths(student.passed_hours) ?? 0,
                      met: student.met,
                      elsewhere: student.elsewhere,
                    },
                    seatOf(seat),
                  ).map(toProblem),
          })),
        wishes: window.choices ?? [],
        saved_at: window.saved_at,
        version: window.version ?? 0,
        closed: closed.map(toProblem),
        result: told ? await readLadder(ctx, window.run_id!, id) : null,
      })
    }
    const { gpa: stands, held, passed_hours } = student
    const gpa = held && !staff ? null : stands
    return {
      data: { student: student.student, gpa, passed_hours: trimHundredths(hundredths(passed_hours) ?? 0), windows },
    }
  }),
  handle(preferenceCalls.save, (ctx, { params: { id: windowId }, body }) =>
    ctx.write(async (tx) => {
      const { id, staff } = await whose(ctx, tx, body.student_id, 'edit_specialization_preferences')
      // Whoever takes a step with the window waits, or is waited for.
      const { rows: locked } =
        await sql`select from specialization_times where id = ${windowId} and removed_at is null for key share`.execute(
          tx,
        )
      const { rows: before } = await sql<{ version: number }>`select version from specialization_preferences
        where specialization_time_id = ${windowId} and student_id = ${id} for update`.execute(tx)
      const student = locked.length ? await readStudent(tx, id, windowId) : undefined
      const window = student?.windows[0]
      if (!student || !window) throw refuse(404, 'not_found')
      const version = before[0]?.version ?? 0
      if (body.version !== undefined && body.version !== version) throw refuse(409, 'changed_meanwhile', { version })
      const reasons = reasonsFor(student, window, staff, body.specialization_ids)
      if (reasons.length) {
        const state = reasons.some(({ field }) => !field)
        throw new Refusal(state ? 409 : 422, reasons)
      }
      const { rows } = await sql<{ wishes: number[]; version: number; saved_at: string }>`
        insert into specialization_preferences as p (specialization_time_id, student_id, choices)
        values (${windowId}, ${id}, ${body.specialization_ids}::int[])
        on conflict (specialization_time_id, student_id) do update set choices = excluded.choices, updated_at = now()
        returning choices as wishes, version, updated_at as saved_at`.execute(tx)
      return { data: firstRow(rows) }
    }),
  ),
]
