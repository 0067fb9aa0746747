/** How a student would stand by the decisions on the courses of a transfer. */
import { levelFor } from '#areas/study/catalogue/bylaw.rules.ts'
import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import { divideRounded, printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { TakenCourse } from '#areas/records/degree-audit/audits/audit.rules.ts'
import { toDegreeAudit, type AuditAmount } from '#areas/records/degree-audit/audits/plan.rules.ts'
import {
  exceptionsJson,
  heldIn,
  lastAttempts,
  requiredBy,
  withFacts,
  type GrantedFor,
} from '#areas/records/degree-audit/audits/required.server.ts'
import { missingOf, missingProblem } from '#areas/records/degree-audit/audits/wire.server.ts'
import { walk } from '#areas/records/degree-audit/requirements/tree.rules.ts'
import { maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { entryInto } from './entry.rules.ts'
import type { DecisionsInput, EquivalenceOutcome } from './equivalence.contract.ts'
import { withDecisions } from './equivalence.server.ts'
import { equivalencesOf } from './proposal.server.ts'
import { shortCourseOf, targetOf, type Transfer } from './target.server.ts'

/** SQL: flags of who attends a course. */
const RUNNING = sql.raw(maskOf(['Registered', 'DropRequest', 'WithdrawRequest', 'ExcuseRequest', 'Incomplete']))
type Studied = Pick<TakenCourse, 'course_id' | 'credit_hours' | 'points' | 'counts_in_gpa' | 'state'>
/** Courses of the study a student is in, as the audit reads them. */
async function studied(db: Db | Tx, student_id: number, running_only: boolean): Promise<Studied[]> {
  const { rows } = await sql<Studied>`
    select r.course_id, (r.credit_hours * 100)::int as credit_hours, (r.points * 100)::int as points,
      coalesce(r.counts_in_gpa, false) as counts_in_gpa,
      case when o.control_status not in ('Published', 'Frozen') then 'in_progress' when r.passed then 'passed' else 'failed' end as state
    from registrations r join offerings o on o.id = r.offering_id join students s on s.id = r.student_id
    where r.student_id = ${student_id} and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
      and (case when o.control_status in ('Published', 'Frozen') then not ${running_only} and r.passed is not null
        else r.status & ${RUNNING} <> 0 end)
    union all
    select k.course_id, (k.credit_hours * 100)::int, (k.points * 100)::int, k.counts_in_gpa, 'passed' from course_credits k
    where k.student_id = ${student_id} and k.former_study_id is null and not ${running_only}`.execute(db)
  return rows
}

/** What else the audit reads of the student. */
async function standsNow(db: Db | Tx, student_id: number | null) {
  const { rows } = await sql<{ level: number; training_weeks: number; exceptions: GrantedFor[] }>`
    select s.level, coalesce((s.data ->> 'training_weeks')::int, 0) as training_weeks, ${exceptionsJson('s.id')} as exceptions
    from students s where s.id = ${student_id}`.execute(db)
  return rows[0] ?? { level: 0, training_weeks: 0, exceptions: [] }
}

const inHours = ({ required, earned, state }: AuditAmount) => ({
  required: required / 100,
  earned: earned / 100,
  state,
})

/**
 * How the student would stand: the courses decided on as passed, beside what he or she has in the study that goes on, held
 * against everything that program and bylaw require and what was granted to the student there.
 */
export async function outcomeOf(db: Db | Tx, transfer: Transfer, sent: DecisionsInput): Promise<EquivalenceOutcome> {
  const target = await targetOf(db, transfer)
  const decided = withDecisions(await equivalencesOf(db, transfer), sent).flatMap(({ counts }) =>
    counts.flatMap((count): Studied[] => {
      const ours = target.ours.get(count.course_id)
      const range = target.bylaw.grade_ranges.find((grade) => grade.letter === count.letter)
      return ours
        ? [
            {
              course_id: ours.id,
              credit_hours: count.hours ?? ours.hours,
              points: range?.points ?? null,
              counts_in_gpa: count.counts_in_gpa && range !== undefined,
              state: 'passed',
            },
          ]
        : []
    }),
  )
  const beside =
    transfer.student_id === null ? [] : await studied(db, transfer.student_id, transfer.kind === 'internal')
  const { level, training_weeks, exceptions: granted } = await standsNow(db, transfer.student_id)
  const all = [...decided, ...beside]
  const required = await requiredBy(db, {
    program_id: transfer.program_id,
    courses: all.map((one) => one.course_id),
  })
  const equals = await equalCourses(db)
  const counting = all.filter((one) => one.counts_in_gpa && one.points !== null)
  const weight = counting.reduce((sum, one) => sum + one.credit_hours, 0)
  const gpa = weight
    ? divideRounded(
        counting.reduce((sum, one) => sum + one.points! * one.credit_hours, 0),
        weight,
      )
    : null
  const exceptions = heldIn(granted, transfer.program_id)
  const { auditor, names } = required
  const answer = auditor.evaluator.audit({
    courses: lastAttempts(
      all.map((one) => withFacts(required, { ...one, equal_ids: equals.get(one.course_id) ?? [] })),
    ),
    gpa,
    training_weeks,
    exceptions,
  })
  const audit = toDegreeAudit(auditor.input, answer, gpa)
  const passed = new Map(all.filter((one) => one.state === 'passed').map((one) => [one.course_id, one.credit_hours]))
  const lacking = missingOf(auditor.tree, answer)
  const own = answer.root.parts.filter(({ key }) => /^(bylaw|program)\./.test(key))
  const named = (id: number) => names.get(id) ?? target.courses.get(id)
  const { marks } = target.bylaw
  const entry = marks && entryInto(target.plan, marks, new Set(passed.keys()))
  const called = new Map([...walk(auditor.tree)].map(([, one]) => [one.key, one]))
  const courses = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const course = named(id)
      return course ? [shortCourseOf(course)] : []
    })
  return {
    hours: inHours(audit.hours),
    gpa: target.bylaw.marks
      ? null
      : {
          required: printHundredths(target.bylaw.graduation.gpa),
          actual: gpa === null ? null : printHundredths(gpa),
        },
    training: audit.training,
    level: !entry
      ? levelFor(
          target.bylaw.levels,
          [...passed.values()].reduce((sum, hours) => sum + hours, 0),
        )
      : transfer.kind === 'internal'
        ? entry.level
        : level,
    carried: courses(transfer.kind === 'internal' && entry ? entry.carried : []),
    groups: audit.groups.map((group) => {
      const pool = target.pools.find((one) => one.id === group.id)
      return {
        id: group.id,
        kind: group.kind,
        name: pool?.name ?? null,
        name_local: pool?.name_local ?? null,
        ...inHours(group),
        missing: courses(group.courses.flatMap((one) => (one.state === 'missing' ? [one.course_id] : []))),
      }
    }),
    own: own.map((part) => ({
      key: part.key,
      name: called.get(part.key)!.name,
      name_local: called.get(part.key)!.name_local,
      state: part.state,
      lacking: lacking
        .filter(({ key }) => within(part, key))
        .map(({ name, name_local, missing }) => ({
          name,
          name_local,
          missing: missing.map((one) => missingProblem(one, named)),
        })),
    })),
    exceptions: exceptions.length,
  }
}

type Part = { readonly key: string; readonly parts: readonly Part[] }
const within = (part: Part, key: string): boolean => part.key === key || part.parts.some((one) => within(one, key))
