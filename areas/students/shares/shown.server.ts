import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { coursesOf } from '../own/own.server.ts'
import { gradesByTerm, ownRecord, readRecord } from '../record/record.server.ts'
import type { SharePart, Shown } from './share.contract.ts'

/** SQL: today, as the university counts days. */
export const TODAY = sql.raw(`(now() at time zone university_zone())::date`)
/** SQL: the share `s` is open. Who is blocked or leaves ends it in the database itself. */
export const OPEN = sql`s.ended_at is null and s.last_day >= ${TODAY}`

/** What is shown of a student: as the student sees it, as far as it was chosen. `ctx` is the student's. */
export async function shownOf(
  ctx: Ctx,
  { id, parts, last_day }: { id: number; parts: readonly SharePart[]; last_day: string },
): Promise<Shown> {
  const [record, own] = await Promise.all([readRecord(ctx, ownRecord(ctx)), coursesOf(ctx, ownRecord(ctx).id, null)])
  const { student, revised } = record
  const { term, is_ramadan, hours, courses } = own
  const has = (part: SharePart): boolean => parts.includes(part)
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
          courses: courses
            .filter((one) => one.main !== 'Dropped')
            .map(({ registration_id, course, meetings }) => ({ registration_id, course, meetings })),
        }
      : null,
    registration: has('registration')
      ? {
          term,
          hours,
          courses: courses.map(({ registration_id, course, main }) => ({ registration_id, course, main })),
        }
      : null,
    grades: has('grades')
      ? {
          gpa: student.gpa,
          passed_hours: student.passed_hours,
          revised: revised.size > 0,
          terms: gradesByTerm(record).map((one) => ({
            term: one.term,
            gpa: one.result?.gpa ?? null,
            cumulative_gpa: one.result?.cumulative_gpa ?? null,
            courses: one.courses.map(({ registration_id, course, total, letter, passed }) => ({
              registration_id,
              course,
              total,
              letter,
              passed,
            })),
          })),
        }
      : null,
  }
}
