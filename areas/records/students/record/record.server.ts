import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { sql } from 'kysely'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { classificationFor } from '#areas/study/catalogue/bylaw.rules.ts'
import { parseHundredths, sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { canFinish } from '#areas/common/academics/control.rules.ts'
import type { ControlStatus, GradesVisibility } from '#areas/common/academics/control.rules.ts'
import { listedMains } from '#areas/records/grading/grades/grades.rules.ts'
import { attemptOf, countsInLoad, mainOf } from '#areas/common/academics/status.rules.ts'
import type { MainFlag } from '#areas/common/academics/status.rules.ts'
import type { Access } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { graceText, ratingJson } from '#areas/common/academics/rating.server.ts'
import { students } from '../student/student.server.ts'
import { levelsOf, yearResult } from './levels.server.ts'
import { academicRecordCalls } from './record.contract.ts'
import type { CourseHistoryRow, StudentDashboard, GradesTerm, StudentHead } from './record.contract.ts'
import { seen } from './record.rules.ts'
import type { Eyes } from './record.rules.ts'
import {
  type Reader,
  recordOf,
  nothingSeen,
  ownAcademicRecord,
  type Taken,
  type AcademicRecord,
  readRecord,
} from './academic-record.server.ts'

const ASKS_IN: readonly MainFlag[] = ['RegisterRequest', 'AddRequest']

/** Asked for, and not accepted yet. */
export const isRequested = (one: Taken): boolean =>
  ASKS_IN.includes(one.main) && one.letter === null && one.passed === null

/**
 * What a registration counts as. Passed: with a grade that control has approved; for students, that they may see.
 * In progress: being taken, or graded but not settled. null: neither; a request to get in is not accepted yet.
 */
export function countsAs(one: Taken, eyes: Eyes): 'passed' | 'in_progress' | null {
  const settled = eyes !== null || canFinish(one.control_status)
  if (one.letter !== null || one.passed !== null) return settled ? (one.passed ? 'passed' : null) : 'in_progress'
  return countsInLoad(one.main) && !ASKS_IN.includes(one.main) ? 'in_progress' : null
}

/**
 * Courses passed by results that control has approved, in terms that are not finished: the passed hours, GPA and level of
 * the student do not hold them yet. Each once, and none that was passed before.
 */
export function studentPassedSince({ taken, eyes, counted }: AcademicRecord): ReadonlyMap<number, Taken> {
  const passed = taken.filter((one) => countsAs(one, eyes) === 'passed')
  const before = new Set(passed.filter((one) => one.credited || counted.has(one.term.id)).map((one) => one.course.id))
  return new Map(passed.filter((one) => !before.has(one.course.id)).map((one) => [one.course.id, one]))
}
const hoursOf = (courses: Iterable<Taken>): number => sumDecimals([...courses].map((one) => one.course.credit_hours))

const headOf = ({ student: s, revised }: AcademicRecord): StudentHead => ({
  by_marks: s.by_marks,
  revised: revised.size > 0,
  id: s.id,
  code: s.code,
  name: s.name,
  name_local: s.name_local,
  level: s.level,
  status: s.status,
  faculty: s.faculty,
  program: s.program,
  bylaw: s.bylaw,
  advisor: s.advisor,
  gpa: s.gpa,
  passed_hours: s.passed_hours,
  warnings: s.warnings,
})

// --- Grades by term -------------------------------------------------------------------------------------------------

/** Terms with their courses and figures, newest first. */
export function gradesByTerm(record: AcademicRecord): GradesTerm[] {
  const listed = [...record.former, ...record.taken].filter((one) => !one.credited && listedMains.includes(one.main))
  const results = new Map(record.results.map((one) => [one.term.id, one]))
  return [...Map.groupBy(listed, (one) => one.term.id).values()]
    .map((courses) => {
      const { term } = courses[0]!
      return { term, courses, result: results.get(term.id) ?? null, revised: record.revised.has(term.id) }
    })
    .toReversed()
}
async function termsGrades(ctx: Ctx, reader: Reader) {
  const record = await readRecord(ctx, reader)
  const years =
    (record.student.by_marks || record.former.length) && !nothingSeen(record.eyes)
      ? await levelsOf(ctx, reader.id, reader.staff)
      : []
  return {
    data: {
      student: headOf(record),
      terms: gradesByTerm(record),
      credits: [...record.credits],
      years: years.toReversed().map((one) => ({ ...yearResult(one), terms: one.terms })),
    },
  }
}

// --- At a glance ----------------------------------------------------------------------------------------------------

/** Rights on a student that the detail offers as actions, by the ability they give. */
const ABILITIES = {
  edit: 'edit_students',
  remove: 'remove_students',
  restore: 'restore_students',
  edit_notes: 'edit_student_notes',
  block: 'block_student',
  attach_tag: 'attach_tag',
  change_status: 'change_student_status',
  statement: 'show_statement',
  documents: 'show_studentDocument',
  record: 'show_student_record',
  print_transcript: 'print_transcript',
  register: ['request_registration', 'enroll_students', 'accept_registration'],
} as const satisfies Record<string, Access>

async function dashboard(ctx: Ctx, reader: Reader): Promise<{ data: StudentDashboard }> {
  // A reader who may open students but not their records gets the person without the figures of the record.
  const record = await readRecord(ctx, reader, reader.staff ? ABILITIES : {})
  const held = new Set(record.held)
  const closed = reader.staff && !held.has('record')
  const { student, taken, results, current } = record
  const last = record.standing.at(-1)
  const gpa = last?.cumulative_gpa ?? student.gpa
  const bylaw = await bylawSettings(ctx.db, student.bylaw.id, student.bylaw_version)
  const range = gpa === null || student.by_marks ? null : classificationFor(bylaw.gpa_ranges, parseHundredths(gpa)!)
  const running = taken.filter((one) => countsAs(one, record.eyes) === 'in_progress')
  const now = current && taken.filter((one) => !one.credited && one.term.id === current.id)
  const load = now?.filter((one) => countsInLoad(one.main)) ?? []
  held.delete('record')
  const abilities = new Set(held)
  if (student.removed) {
    for (const name of ['edit', 'remove', 'block', 'edit_notes', 'register', 'attach_tag', 'change_status'])
      abilities.delete(name)
  } else abilities.delete('restore')
  if (student.blocked_at && abilities.delete('block')) abilities.add('unblock')
  if (!closed && reader.staff) abilities.add('record')
  if (abilities.has('print_transcript') && abilities.has('record')) abilities.add('print_all')
  if (!reader.staff) abilities.add('print_transcript')
  return {
    data: {
      student: {
        ...headOf(record),
        version: student.version,
        removed: student.removed,
        entry_term: student.entry_term,
        email: student.email,
        phone: student.phone,
        blocked_at: student.blocked_at,
        blocked_reason: student.blocked_reason,
        notes: student.notes,
        tags: student.tags,
      },
      year: closed ? null : student.year,
      standing: closed ? null : (last?.standing ?? null),
      classification: closed || !range ? null : { name: range.name, name_local: range.name_local },
      hours:
        closed || student.by_marks
          ? null
          : {
              required: student.required_hours,
              passed: student.passed_hours ?? 0,
              since: hoursOf(studentPassedSince(record).values()),
              in_progress: hoursOf(running),
              awaited: hoursOf(running.filter((one) => current && !one.credited && one.term.id !== current.id)),
            },
      terms: closed ? [] : [...results],
      current:
        current && !closed
          ? {
              term: current,
              courses: now ?? [],
              hours: hoursOf(load),
              waiting: load.filter((one) => one.main.endsWith('Request')).length,
            }
          : null,
      holds: [...record.holds],
      abilities: [...abilities],
    },
  }
}

// --- History --------------------------------------------------------------------------------------------------------

interface StoredHistory extends Omit<CourseHistoryRow, 'main' | 'attempt' | 'events'> {
  status: string | null
  control_status: ControlStatus
  visibility: GradesVisibility
  events: {
    at: string
    action: string
    by: string | null
    from: string | null
    to: string | null
    reason: string | null
    overrides: { code: string; reason?: string | null }[] | null
  }[]
}
const flagOf = (status: string | null): MainFlag | null => (status === null ? null : mainOf(BigInt(status)))

async function coursesHistory(ctx: Ctx, reader: Reader): Promise<{ data: CourseHistoryRow[] }> {
  const { rows } = await sql<{ courses: StoredHistory[] }>`
    select coalesce((select json_agg(json_build_object(
        'offering_id', o.id, 'registration_id', r.id, 'offering_code', o.code, 'control_status', o.control_status,
        'visibility', ${reader.staff ? sql`b.grades_visibility` : sql`own_visibility(t.id, b.grades_visibility)`},
        'term', json_build_object('id', w.id, 'name', w.name, 'name_local', w.name_local, 'code', w.code, 'term_type', w.term_type),
        'course', json_build_object('id', c.id, 'name', c.name, 'name_local', c.name_local, 'code', c.code, 'credit_hours', coalesce(r.credit_hours, c.credit_hours)),
        'status', r.status::text, 'total', r.total::text, 'maximum', r.maximum, 'grace', ${sql.raw(graceText('r'))}, 'letter', r.letter, 'rating', ${ratingJson('r')}, 'points', r.points::text, 'passed', r.passed,
        'events', coalesce((select json_agg(json_build_object('at', h.at, 'action', h.action, 'by', u.name, 'from', h.from_status::text,
            'to', h.to_status::text, 'reason', h.reason, 'overrides', h.overrides) order by h.at, h.id)
          from registration_history h left join users u on u.id = h.actor_id
          where h.student_id = any(same_record('student', t.id)) and h.offering_id = o.id), '[]')) order by w.start_date desc, w.id desc, c.code)
      from (select offering_id from registrations where student_id = t.id
        union select offering_id from registration_history where student_id = any(same_record('student', t.id))) mine
      join offerings o on o.id = mine.offering_id ${sql.raw(joinCourse('o.course_id', 'o.id'))} join terms w on w.id = o.term_id
      left join registrations r on r.offering_id = o.id and r.student_id = t.id), '[]') as courses
    from students t join bylaws b on b.id = t.bylaw_id
    where t.id = ${reader.id} and ${students.scope(ctx, reader.access)}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  return {
    data: row.courses.map(({ status, visibility, events, ...one }) => ({
      ...seen(one, reader.staff ? null : visibility),
      main: flagOf(status),
      attempt: status === null ? null : attemptOf(BigInt(status)),
      events: events.map(({ overrides, ...event }) => ({
        ...event,
        from: flagOf(event.from),
        to: flagOf(event.to),
        overrides: reader.staff ? (overrides ?? []) : [],
      })),
    })),
  }
}

/** Handlers of the academic record. */
export const academicRecordHandlers: readonly Handled[] = [
  handle(academicRecordCalls.dashboardOf, (ctx, { params: { id } }) =>
    dashboard(ctx, { id, access: ['show_student_record', 'show_students'], staff: true }),
  ),
  handle(academicRecordCalls.dashboard, (ctx) => dashboard(ctx, ownAcademicRecord(ctx))),
  handle(academicRecordCalls.termsGradesOf, (ctx, { params: { id } }) => termsGrades(ctx, recordOf(id))),
  handle(academicRecordCalls.termsGrades, (ctx) => termsGrades(ctx, ownAcademicRecord(ctx))),
  handle(academicRecordCalls.coursesHistoryOf, (ctx, { params: { id } }) => coursesHistory(ctx, recordOf(id))),
  handle(academicRecordCalls.coursesHistory, (ctx) => coursesHistory(ctx, ownAcademicRecord(ctx))),
]
