import { bylawSettings } from '#areas/catalogue/bylaws/settings.server.ts'
import { letterPoints } from '#areas/catalogue/bylaw.rules.ts'
import { parseHundredths, printHundredths } from '#areas/catalogue/decimal.rules.ts'
import { equalCourses } from '#areas/catalogue/courses/equals.server.ts'
import { programPlan } from '#areas/catalogue/programs/plan.server.ts'
import { evaluate } from '#areas/catalogue/requisites.rules.ts'
import { auditDegree } from '#areas/catalogue/study-plan.rules.ts'
import type { AuditAmount, AuditCourse } from '#areas/catalogue/study-plan.rules.ts'
import { handle } from '#kit/server/context.ts'
import type { Ctx, Handled } from '#kit/server/context.ts'
import { refuse } from '#kit/server/errors.ts'
import { countsAs, ownRecord, passedSince, readRecord, recordOf } from '../record/record.server.ts'
import type { Reader, Taken } from '../record/record.server.ts'
import { setDegreeCheck } from '../student/student.server.ts'
import { studyPlanCalls } from './study-plan.contract.ts'
import type { StudyPlanAudit } from './study-plan.contract.ts'

const inHours = ({ required, earned, in_progress, state }: AuditAmount): AuditAmount => ({
  required: required / 100,
  earned: earned / 100,
  in_progress: in_progress / 100,
  state,
})

/**
 * The degree audit of a student, against the own program or another. A course counts as passed once control has approved
 * its grade; for students, once they may see it.
 * @throws {Refusal} 404; 409 `ProgramTypeError` when neither program nor bylaw says how the study advances
 */
export async function studyPlanOf(ctx: Ctx, reader: Reader, program_id?: number): Promise<{ data: StudyPlanAudit }> {
  const record = await readRecord(ctx, reader)
  const { student } = record
  const [stored, equals] = await Promise.all([
    programPlan(ctx.db, program_id ?? student.program.id),
    equalCourses(ctx.db),
  ])
  const { program } = stored
  const what_if = program.id !== student.program.id
  const bylaw = await bylawSettings(
    ctx.db,
    what_if ? program.bylaw.id : student.bylaw.id,
    what_if ? undefined : student.bylaw_version,
  )
  const program_type = program.program_type ?? bylaw.program_type
  if (!program_type) throw refuse(409, 'ProgramTypeError', { program: program.code })

  const passed = record.taken.filter((one) => countsAs(one, record.eyes) === 'passed')
  const running = record.taken.filter((one) => countsAs(one, record.eyes) === 'in_progress')
  // The last attempt of a course is the one that is shown; a passed one comes before one that runs.
  const own = new Map<number, Taken>([...running, ...passed].map((one) => [one.course.id, one]))
  const courses = [...own.values()].map((one): AuditCourse => ({
    course_id: one.course.id,
    credit_hours: one.course.credit_hours * 100,
    state: countsAs(one, record.eyes) === 'passed' ? 'passed' : 'in_progress',
    equal_ids: equals.get(one.course.id) ?? [],
  }))
  const gpa = record.results.at(-1)?.cumulative_gpa ?? student.gpa
  const plan = stored.plan.min_credit_hours
    ? stored.plan
    : { ...stored.plan, min_credit_hours: bylaw.graduation.hours * 100 }
  const audit = auditDegree({
    plan,
    courses,
    gpa: gpa === null ? null : parseHundredths(gpa),
    min_gpa: bylaw.graduation.gpa,
    training_weeks: student.training_weeks,
    min_training_weeks: program.min_training_weeks || bylaw.graduation.training_weeks,
  })

  const since = passedSince(record)
  const counting =
    plan.courses.length === 0
      ? [...own.keys()]
      : audit.groups.flatMap((group) => group.courses.map((one) => one.satisfied_by))

  const known = passed.flatMap((one) =>
    [one.course.id, ...(equals.get(one.course.id) ?? [])].map((course_id) => ({
      course_id,
      letter: one.letter,
      points: one.points === null ? null : parseHundredths(one.points),
    })),
  )
  const letters = letterPoints(bylaw.grade_ranges)
  const failed = Map.groupBy(
    record.taken.filter((one) => one.passed === false),
    (one) => one.course.id,
  )
  const placed = new Map(plan.courses.map((one) => [one.course_id, one]))
  const pools = new Map(stored.pools.map((pool) => [pool.id, pool]))
  const short = (id: number) => {
    const { code, name, name_local, credit_hours } = stored.courses.get(id)!
    return { id, code, name, name_local, credit_hours }
  }
  return {
    data: {
      student: {
        id: student.id,
        code: student.code,
        name: student.name,
        name_local: student.name_local,
        level: student.level,
      },
      program: { id: program.id, code: program.code, name: program.name, name_local: program.name_local, program_type },
      bylaw: what_if ? program.bylaw : student.bylaw,
      what_if,
      groups: audit.groups.map((group) => ({
        id: group.id,
        kind: group.kind,
        name: pools.get(group.id)?.name ?? null,
        name_local: pools.get(group.id)?.name_local ?? null,
        whole: plan.groups.find((one) => one.id === group.id)?.min_credit_hours === null,
        ...inHours(group),
        courses: group.courses.map((one) => {
          const { level, semester, prerequisites } = placed.get(one.course_id)!
          const by = one.satisfied_by === null ? undefined : own.get(one.satisfied_by)
          const lacks = one.state === 'missing' ? evaluate(prerequisites, known, letters) : null
          return {
            course: short(one.course_id),
            level,
            semester,
            state: one.state,
            satisfied_by: by ? { course: by.course, term: by.term, letter: by.letter, points: by.points } : null,
            failed_attempts: failed.get(one.course_id)?.length ?? 0,
            open: lacks?.met ?? false,
            lacks: [
              ...new Set(lacks?.missing.map((m) => stored.courses.get(m.course)?.code ?? String(m.course)) ?? []),
            ],
          }
        }),
      })),
      hours: {
        ...inHours(audit.hours),
        since: Math.min(
          audit.hours.earned / 100,
          counting.reduce<number>((sum, id) => sum + ((id !== null && since.get(id)?.course.credit_hours) || 0), 0),
        ),
      },
      gpa: {
        required: printHundredths(audit.gpa.required),
        actual: audit.gpa.actual === null ? null : printHundredths(audit.gpa.actual),
        state: audit.gpa.state,
      },
      training: audit.training,
      other: audit.other.map(({ course_id, state }) => {
        const one = own.get(course_id)!
        return { course: one.course, term: one.term, state, letter: one.letter }
      }),
      complete: audit.complete,
    },
  }
}

setDegreeCheck(async (ctx, id) => {
  const { data } = await studyPlanOf(ctx, { id, access: 'edit_students', staff: true })
  return data.complete
    ? []
    : [
        {
          field: 'status',
          code: 'degree_not_complete',
          data: { earned: data.hours.earned, required: data.hours.required },
        },
      ]
})

/** Handlers of the degree audit. */
export const studyPlanHandlers: readonly Handled[] = [
  handle(studyPlanCalls.studyPlanOf, (ctx, { params: { id }, query }) =>
    studyPlanOf(ctx, recordOf(id), query.program_id),
  ),
  handle(studyPlanCalls.studyPlan, (ctx, { query }) => studyPlanOf(ctx, ownRecord(ctx), query.program_id)),
]
