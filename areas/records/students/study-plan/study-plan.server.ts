import { letterPoints, loadFor } from '#areas/study/catalogue/bylaw.rules.ts'
import {
  fromHundredths,
  parseHundredths,
  printHundredths,
  sumDecimals,
  toHundredths,
} from '#areas/study/catalogue/decimal.rules.ts'
import { evaluateRequisites } from '#areas/study/catalogue/requisites.rules.ts'
import type { AuditAmount } from '#areas/records/degree-audit/audits/plan.rules.ts'
import { auditOf, type RecordAudit } from './record-audit.server.ts'
import { neededCourses, shortestWay, type WayCourse } from '#areas/records/degree-audit/audits/way.rules.ts'
import { auditToWire } from '#areas/records/degree-audit/audits/wire.server.ts'
import type { Ref } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { hear } from '#kit/server/base/hears.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { countsAs, studentPassedSince } from '../record/record.server.ts'
import { ownAcademicRecord, readRecord, recordOf } from '../record/academic-record.server.ts'
import type { Reader } from '../record/academic-record.server.ts'
import { degreeReasons } from '../student/student.server.ts'
import { studyPlanCalls } from './study-plan.contract.ts'
import type { StudyPlanAudit } from './study-plan.contract.ts'

/** Hours of a term where the bylaw sets no load. */
const USUAL_LOAD = 18

const inHours = ({ required, earned, in_progress, state }: AuditAmount): AuditAmount => ({
  required: fromHundredths(required),
  earned: fromHundredths(earned),
  in_progress: fromHundredths(in_progress),
  state,
})

/** What an audit leaves to be taken, in terms of the load that the student may take. */
function wayOf(
  { hoped, own, requested, equals, required, names, student }: RecordAudit,
  warnings: number,
): StudyPlanAudit['way'] {
  const { stored, settings, auditor } = required
  const placed = new Map(auditor.input.plan.courses.map((course, order) => [course.course_id, { ...course, order }]))
  const courses = new Map<number, WayCourse>()
  for (const { id, credit_hours } of required.names.values())
    courses.set(id, {
      credit_hours: toHundredths(credit_hours),
      prerequisites: placed.get(id)?.prerequisites ?? stored.courses.get(id)?.prerequisites ?? null,
      order: placed.get(id)?.order ?? placed.size,
    })
  const { needed, open } = neededCourses(hoped.root, courses)
  const excused = student.excused_ids ?? []
  const asked = requested.map((one) => one.course.id)
  const had = new Set([...own.keys(), ...asked, ...excused].flatMap((id) => [id, ...(equals.get(id) ?? [])]))
  const load = loadFor(settings, { gpa: student.gpa ?? null, warnings, hours_to_degree: null }, 'fall')
  const way = shortestWay(needed, open, courses, had, (load?.max_ch ?? USUAL_LOAD) * 100)
  return { ...way, terms: way.terms.map((term) => term.map((id) => names(id)!)) }
}

/** The bylaw of an audit; mostly one that is known already. */
async function bylawRef(ctx: Ctx, id: number, known: readonly Ref[]): Promise<Ref> {
  const one = known.find((bylaw) => bylaw.id === id)
  if (one) return one
  const { rows } = await sql<{ bylaw: Ref }>`select ${ref('b')} as bylaw from bylaws b where b.id = ${id}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].bylaw
}

/**
 * The degree audit of a student, against the own program or another, under the own bylaw or another. A course counts as
 * passed once control has approved its grade; for students, once they may see it.
 * @throws {Refusal} 404; 409 `ProgramTypeError` when neither program nor bylaw says how the study advances
 */
export async function studyPlanOf(
  ctx: Ctx,
  reader: Reader,
  other: { program_id?: number | undefined; bylaw_id?: number | undefined } = {},
): Promise<{ data: StudyPlanAudit }> {
  const record = await readRecord(ctx, reader)
  const { student } = record
  const found = await auditOf(ctx.db, record, other)
  const { audit, answer, own, equals, required, names } = found
  const { stored, settings: bylaw, auditor } = required
  const { plan } = auditor.input
  const { program } = stored
  const what_if =
    program.id !== student.program.id || (other.bylaw_id !== undefined && other.bylaw_id !== student.bylaw.id)
  const program_type = program.program_type ?? bylaw.program_type
  if (!program_type) throw refuse(409, 'ProgramTypeError', { program: program.code })
  const passed = record.taken.filter((one) => countsAs(one, record.eyes) === 'passed')
  const since = studentPassedSince(record)
  const bare = plan.courses.length === 0
  const counting = answer.courses.flatMap((one) => (bare || one.counts_in.length > 0 ? [one.course_id] : []))
  const known = passed.flatMap((one) =>
    [one.course.id, ...(equals.get(one.course.id) ?? [])].map((course_id) => ({
      course_id,
      letter: one.letter,
      points: one.points === null ? null : parseHundredths(one.points),
    })),
  )
  // Courses from which a placement excuses count as passed where others ask for them, whatever grade they ask for.
  for (const course_id of found.student.excused_ids ?? []) known.push({ course_id, letter: null, points: 100_000 })
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
      bylaw: await bylawRef(
        ctx,
        other.bylaw_id ?? (program.id === student.program.id ? student.bylaw.id : program.bylaw.id),
        [student.bylaw, program.bylaw],
      ),
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
          const lacks =
            one.state === 'missing' && !one.excused ? evaluateRequisites(prerequisites, known, letters) : null
          return {
            course: short(one.course_id),
            level,
            semester,
            state: one.state,
            excused: (one.excused ?? false) && by === undefined,
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
          fromHundredths(audit.hours.earned),
          sumDecimals(counting.map((id) => since.get(id)?.course.credit_hours ?? 0)),
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
      requested: found.requested.map(({ course, term }) => ({ course, term })),
      complete: audit.complete,
      requirements: auditToWire(auditor.tree, answer, names),
      percent: answer.percent,
      proved: answer.proved,
      revisions: required.revisions,
      way: wayOf(found, student.warnings ?? 0),
      exceptions: found.exceptions.map((exception) => ({
        id: exception.id,
        kind: exception.kind,
        key: exception.key,
        course_id: 'course_id' in exception ? exception.course_id : null,
        reason: exception.reason,
      })),
    },
  }
}

/** What a degree lacks is what the plan of studies says. */
export const degreeAnswers = hear(degreeReasons, async (ctx, id) => {
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
  handle(studyPlanCalls.studyPlanOf, (ctx, { params: { id }, query }) => studyPlanOf(ctx, recordOf(id), query)),
  handle(studyPlanCalls.studyPlan, (ctx, { query }) => studyPlanOf(ctx, ownAcademicRecord(ctx), query)),
]
