/** The audit of one student, from the record that somebody may read. */
import { parseHundredths, toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import { countsAs, isRequested } from '../record/record.server.ts'
import type { AcademicRecord, Taken } from '../record/academic-record.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import type {
  AuditAnswer,
  AuditStudent,
  Exception,
  TakenCourse,
} from '#areas/records/degree-audit/audits/audit.rules.ts'
import { toDegreeAudit, type DegreeAudit } from '#areas/records/degree-audit/audits/plan.rules.ts'
import {
  excusedJson,
  lastAttempts,
  requiredBy,
  withFacts,
  type CourseName,
  type Required,
} from '#areas/records/degree-audit/audits/required.server.ts'

/** Against what a record is audited; the student's own program and bylaw unless told. */
export interface AuditOptions {
  program_id?: number | undefined
  bylaw_id?: number | undefined
}

/** An exception that holds, with why it was given. */
export type HeldException = Exception & { reason: string }

export interface RecordAudit {
  required: Required
  /** What was audited: for another question about the same student. */
  student: AuditStudent
  answer: AuditAnswer
  /** The same as the study plan shows it. */
  audit: DegreeAudit
  /** The attempt that counts of each course of the record. */
  own: ReadonlyMap<number, Taken>
  /** What was asked for and is not accepted yet, nor had already. */
  requested: readonly Taken[]
  /** The answer if all of that is accepted: what is left to be chosen goes by it. */
  hoped: AuditAnswer
  exceptions: HeldException[]
  equals: ReadonlyMap<number, readonly number[]>
  /** Names of courses: of the requirements and of the record. */
  names: (id: number) => CourseName | undefined
}

/**
 * Audits a record against what a program requires. A course counts as passed once control has approved its grade; for
 * students, once they may see it. Exceptions hold in the program for which they were given.
 * @throws {Refusal} 404 where there is no such program
 */
export async function auditOf(db: Db | Tx, record: AcademicRecord, options: AuditOptions = {}): Promise<RecordAudit> {
  const { student } = record
  const program_id = options.program_id ?? student.program.id
  const moved = program_id !== student.program.id
  const bylaw_id = options.bylaw_id ?? (moved ? undefined : student.bylaw.id)
  const [required, equals, exceptions, excused] = await Promise.all([
    requiredBy(db, {
      program_id,
      bylaw_id,
      bylaw_version: bylaw_id === student.bylaw.id ? student.bylaw_version : undefined,
      courses: record.taken.map((one) => one.course.id),
    }),
    equalCourses(db),
    sql<HeldException>`select id, kind, key, course_id, for_course_id, reason from degree_exceptions
      where student_id = ${student.id} and program_id = ${program_id} and revoked_at is null order by id`.execute(db),
    sql<{ ids: number[] }>`select ${excusedJson(String(student.id))} as ids`.execute(db),
  ])
  const passed = record.taken.filter((one) => countsAs(one, record.eyes) === 'passed')
  const running = record.taken.filter((one) => countsAs(one, record.eyes) === 'in_progress')
  // The last attempt of a course is the one that is shown; a passed one comes before one that runs.
  const own = new Map<number, Taken>([...running, ...passed].map((one) => [one.course.id, one]))
  const terms = new Map([...new Set(record.taken.map((one) => one.term.id))].map((id, i) => [id, i + 1]))
  const failed = record.taken.filter(
    (one) => one.passed === false && countsAs(one, record.eyes) === null && own.get(one.course.id) === undefined,
  )
  const taken = (one: Taken, state: TakenCourse['state']): TakenCourse =>
    withFacts(required, {
      course_id: one.course.id,
      credit_hours: toHundredths(one.course.credit_hours),
      state,
      points: one.points === null ? null : parseHundredths(one.points),
      counts_in_gpa: one.counts_in_gpa ?? false,
      equal_ids: equals.get(one.course.id) ?? [],
      semester: terms.get(one.term.id) ?? null,
    })
  const gpa = record.standing.at(-1)?.cumulative_gpa ?? student.gpa
  const facts: AuditStudent = {
    courses: lastAttempts([
      ...failed.map((one) => taken(one, 'failed')),
      ...[...own.values()].map((one) => taken(one, countsAs(one, record.eyes) === 'passed' ? 'passed' : 'in_progress')),
    ]),
    exceptions: exceptions.rows,
    excused_ids: firstRow(excused.rows).ids,
    gpa: gpa === null ? null : parseHundredths(gpa),
    training_weeks: student.training_weeks,
    semester: terms.size || null,
  }
  const answer = required.auditor.evaluator.audit(facts)
  const requested = record.taken.filter((one) => isRequested(one) && !own.has(one.course.id))
  const hoped = requested.length
    ? required.auditor.evaluator.audit({
        ...facts,
        courses: lastAttempts([...facts.courses, ...requested.map((one) => taken(one, 'in_progress'))]),
      })
    : answer
  const named = new Map<number, CourseName>()
  for (const { course } of record.taken)
    named.set(course.id, {
      ...course,
      code: course.code ?? String(course.id),
      name_local: course.name_local ?? course.name,
    })
  return {
    required,
    student: facts,
    answer,
    audit: toDegreeAudit(required.auditor.input, answer, facts.gpa ?? null),
    own,
    requested,
    hoped,
    exceptions: exceptions.rows,
    equals,
    names: (id) => required.names.get(id) ?? named.get(id),
  }
}
