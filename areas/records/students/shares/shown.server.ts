import { sql } from 'kysely'
import { COUNTED_STATE } from '#areas/common/academics/attendance-state.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { coursesOf } from '../own/own.server.ts'
import { gradesByTerm } from '../record/record.server.ts'
import { ownAcademicRecord, readRecord } from '../record/academic-record.server.ts'
import type { SharePart, SharedRecord } from './share.contract.ts'

/** SQL: today, as the university counts days. */
export const TODAY = sql.raw(`(now() at time zone university_zone())::date`)
/** SQL: the share `s` is open. Who is blocked or leaves ends it in the database itself. */
export const OPEN = sql`s.ended_at is null and s.last_day >= ${TODAY}`

type Course = NonNullable<SharedRecord['attendance']>['courses'][number]
/** What was recorded of registrations at meetings that were held. */
async function attendedBy(ctx: Ctx, registrations: readonly number[]) {
  const count = (state: string) => sql.raw(`count(*) filter (where ${COUNTED_STATE} = '${state}')::int as ${state}`)
  const { rows } = await sql<Omit<Course, 'course'>>`
    select r.id as registration_id, ${count('present')}, ${count('late')}, ${count('absent')}, ${count('excused')}
    from registrations r join offerings o on o.id = r.offering_id
      join meeting_occurrences x on x.offering_id = coalesce(o.linked_offering_id, o.id) and x.cancelled_at is null
      join attendance a on a.occurrence_id = x.id and a.student_id = r.student_id
    where r.id = any(${[...registrations]}::int[]) group by r.id`.execute(ctx.db)
  return new Map(rows.map((row) => [row.registration_id, row]))
}
const NEVER = { present: 0, late: 0, absent: 0, excused: 0 }

/** What is shown of a student: as the student sees it, as far as it was chosen. `ctx` is the student's. */
export async function shownOf(
  ctx: Ctx,
  { id, parts, last_day }: { id: number; parts: readonly SharePart[]; last_day: string },
): Promise<SharedRecord> {
  const [record, own] = await Promise.all([
    readRecord(ctx, ownAcademicRecord(ctx)),
    coursesOf(ctx, ownAcademicRecord(ctx).id, null),
  ])
  const { student, revised } = record
  const { term, is_ramadan, hours, courses } = own
  const has = (part: SharePart): boolean => parts.includes(part)
  const taken = courses.filter((one) => one.main !== 'Dropped')
  const attended = has('attendance')
    ? await attendedBy(
        ctx,
        taken.map((one) => one.registration_id),
      )
    : null
  const named = { name: student.name, name_local: student.name_local ?? student.name }
  return {
    id,
    student: { ...named, program: student.program, faculty: student.faculty, level: student.level },
    last_day,
    parts: [...parts],
    timetable: has('timetable')
      ? {
          term,
          is_ramadan,
          courses: taken.map(({ registration_id, course, meetings }) => ({ registration_id, course, meetings })),
        }
      : null,
    registration: has('registration')
      ? {
          term,
          hours,
          courses: courses.map(({ registration_id, course, main }) => ({ registration_id, course, main })),
        }
      : null,
    attendance: attended && {
      term,
      courses: taken.map(({ registration_id, course }) => ({
        ...NEVER,
        ...attended.get(registration_id),
        registration_id,
        course,
      })),
    },
    grades: has('grades')
      ? {
          by_marks: student.by_marks,
          gpa: student.gpa,
          passed_hours: student.passed_hours,
          revised: revised.size > 0,
          terms: gradesByTerm(record).map((one) => ({
            term: one.term,
            gpa: one.result?.gpa ?? null,
            cumulative_gpa: one.result?.cumulative_gpa ?? null,
            courses: one.courses.map(({ registration_id, course, total, maximum, letter, rating, passed }) => ({
              registration_id,
              course,
              total,
              maximum,
              letter,
              rating,
              passed,
            })),
          })),
        }
      : null,
  }
}
