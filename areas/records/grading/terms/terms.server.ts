/** Students in control: their terms, the marks of one student, and finishing terms. */
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { basisSql } from '#areas/records/degree-audit/audits/basis.server.ts'
import { ratingJson } from '#areas/common/academics/rating.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { attemptOf, mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { AnswerOf, ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { defineJob, type Progress } from '#kit/server/jobs/jobs.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { controlTerm } from '../control/control.server.ts'
import { statusReached, type ControlStatus } from '#areas/common/academics/control.rules.ts'
import { wholesOf } from '../grades/compute.server.ts'
import { checkScheme } from '../grading.rules.ts'
import { mayChange, type Authority } from '../guard.rules.ts'
import { sealsRecords } from '../signing/sign.server.ts'
import { actOn } from '../guard.server.ts'
import type { SchemeCategory } from '../grades/grades.contract.ts'
import { takesMarks } from '../grades/grades.rules.ts'
import { marksJson, schemeJson, statusData } from '../grades/read-grades.server.ts'
import { requireCells, writeMarks } from '../grades/marks.server.ts'
import { settleStanding, writeRecords } from './record.server.ts'
import { computeRecords, type RecordDifference } from './compute-record.server.ts'
import { GradingReference, calendarOf } from './gather-record.server.ts'
import {
  termCalls,
  type ControlStudent,
  type FinishReport,
  type TermGrade,
  type FinishForeseen,
  type TermResultAnswer,
} from './terms.contract.ts'
import {
  LISTED,
  WAITING_STATUSES,
  SETTLED,
  recordsInTerm,
  WAITS,
  BY_MARKS,
  UNTYPED,
  COUNTS,
  outdated,
  source,
  filteredTermOf,
  type Selection,
  selection,
  selected,
} from './listed.server.ts'

async function listStudents(ctx: Ctx, query: ListQuery) {
  const { term_id: asked, rest } = filteredTermOf(query.filters)
  const term_id = asked ?? (await controlTerm(ctx)) ?? 0
  const { data, meta } = await pagedList<Omit<ControlStudent, 'abilities'> & { may_finish: boolean }>(
    ctx,
    source(ctx, term_id, 'access_control'),
    { ...query, filters: rest },
  )
  return {
    data: data.map(({ may_finish, ...row }) => ({
      ...row,
      abilities: may_finish && !row.by_marks ? ['finish', ...(row.finished || row.revised ? ['unfinish'] : [])] : [],
    })),
    meta: { ...meta, details: { term_id } },
  }
}

// --- Finishing ------------------------------------------------------------------------------------------------------

/** Students per transaction: one query gathers them, one statement writes them. */
const CHUNK = 1000
/** More students than this are finished by a job. */
const AT_ONCE = 300
const MOST_TOLD = 500

/**
 * Finishes a term: rows of the term, standing, warnings, level, GPA and eligibility for the students whose offerings are
 * all approved; the others are listed. Rows of later terms follow. Doing it again gives the same rows. Students are taken
 * in portions, each in a transaction of its own, so that a large university is not locked meanwhile.
 *
 * @throws {Refusal} 422 `FinishTermError` without a term; 404 when it does not exist
 */
export async function finishTerm(
  ctx: Ctx,
  { term_id, student_ids }: { term_id: number | null | undefined; student_ids: readonly number[] },
  progress?: Progress,
): Promise<FinishReport> {
  if (!term_id) throw refuse(422, 'FinishTermError', undefined, 'term_id')
  const reference = new GradingReference(await calendarOf(ctx.db))
  if (!reference.calendar.order.has(term_id)) throw refuse(404, 'not_found')
  const asked = [...new Set(student_ids)].sort((a, b) => a - b)
  const report: FinishReport = { term_id, finished: 0, changed: 0, not_finished: 0, dismissed: 0, students: [] }
  const waiting: Waiting[] = []
  // Nobody guesses by which rules a term would be finished.
  const { rows: untyped } = await sql<{ id: number }>`
    select t.id from students t where t.id = any(${asked}::int[]) and ${sql.raw(UNTYPED)} order by t.id`.execute(ctx.db)
  const apart = new Set(untyped.map((one) => one.id))
  const ids = apart.size ? asked.filter((id) => !apart.has(id)) : asked
  report.not_finished = apart.size
  for (const id of [...apart].slice(0, MOST_TOLD)) waiting.push({ student_id: id, without_result: 0, untyped: true })
  for (let i = 0; i < ids.length; i += CHUNK) {
    const records = await ctx.write((tx) => writeRecords(ctx, tx, reference, [term_id], ids.slice(i, i + CHUNK)), {
      reason: 'finish term',
    })
    report.finished += records.rows.filter((row) => row.term_id === term_id).length
    report.changed += records.changed.length
    report.dismissed += records.rows.filter((row) => row.term_id === term_id && row.standing === 'dismissed').length
    report.not_finished += records.unfinished.length
    for (const { student_id, without_result } of records.unfinished)
      if (waiting.length < MOST_TOLD) waiting.push({ student_id, without_result, untyped: false })
    await progress?.(Math.round((Math.min(i + CHUNK, ids.length) * 100) / ids.length))
  }
  report.students = await waitingFor(ctx.db, term_id, waiting)
  return report
}

interface Waiting {
  readonly student_id: number
  readonly without_result: number
  /** The bylaw has no program type. */
  readonly untyped: boolean
}
/** What students wait for: offerings below Approved in the term, and in earlier finished terms that are being revised. */
async function waitingFor(
  db: Db | Tx,
  term_id: number,
  waiting: readonly Waiting[],
): Promise<FinishReport['students']> {
  if (!waiting.length) return []
  const { rows } = await sql<Omit<FinishReport['students'][number], 'without_result' | 'untyped'>>`
    select ${ref('s')} as student, coalesce((
        select json_agg(json_build_object('id', o.id, 'name', c.code || ' ' || c.name, 'name_local', c.code || ' ' || c.name_local,
          'control_status', o.control_status) order by c.code)
        from registrations r join offerings o on o.id = r.offering_id ${sql.raw(joinCourse('o.course_id', 'o.id'))}
        where r.student_id = s.id and r.status & ${sql.raw(WAITING_STATUSES)} <> 0 and not ${sql.raw(SETTLED)} and (r.term_id = ${term_id}
          or exists (select from student_terms y join terms a on a.id = y.term_id join terms b on b.id = ${term_id}
            where y.student_id = s.id and y.term_id = r.term_id and y.revised_since is not null
              and (a.start_date, a.id) < (b.start_date, b.id)))), '[]') as below
    from students s where s.id = any(${waiting.map((one) => one.student_id)}::int[]) order by s.code`.execute(db)
  const missing = new Map(waiting.map((one) => [one.student_id, one]))
  return rows.map((row) => {
    const { without_result = 0, untyped = false } = missing.get(row.student.id) ?? {}
    return { ...row, without_result, untyped }
  })
}

/** Who of a selection is ready, who waits for results: by the same conditions as the list shows and filters them. */
async function foreseen(ctx: Ctx, given: Selection): Promise<FinishForeseen> {
  const { term_id, rows: from } = selection(ctx, given)
  const { rows } = await sql<FinishForeseen>`
    select count(*) filter (where not waits)::int as ready, count(*) filter (where waits)::int as waiting,
      count(*) filter (where there and not waits)::int as again
    from (select ${sql.raw(`(${UNTYPED} or exists ${recordsInTerm('', term_id, WAITS)})`)} as waits,
        exists (select from student_terms x where x.student_id = t.id and x.term_id = ${term_id}) as there ${from}) n`.execute(
    ctx.db,
  )
  return firstRow(rows)
}

/** Finishing for many: the selection is made again with the rights of the person who asked. */
export const finishTermJob = defineJob<Selection, FinishReport>({
  name: 'finish-term',
  retries: 2,
  run: async (ctx, selection, progress) =>
    finishTerm(ctx, { term_id: selection.term_id, student_ids: await selected(ctx, selection) }, progress),
})

async function finish(ctx: Ctx, selection: Selection) {
  const student_ids = await selected(ctx, selection)
  if (student_ids.length <= AT_ONCE)
    return { job_id: null, data: await finishTerm(ctx, { term_id: selection.term_id, student_ids }) }
  const job_id = await ctx.write((tx) =>
    ctx.services.jobs.send(tx, finishTermJob, selection, { actor: ctx.actor, lang: ctx.lang }),
  )
  return { job_id, data: null }
}

/**
 * Takes back the finishing of a term: its rows go, figures and status of the students are again those of the term before
 * (or before the first). Refused for whom a later term is finished: that one is taken back first.
 */
async function unfinish(ctx: Ctx, { reason, ...selection }: Selection & { reason: string }) {
  const ids = await selected(ctx, selection)
  const done: number[] = []
  const failed: { id: number; name?: string; errors: ReturnType<typeof toProblem>[] }[] = []
  for (let i = 0; i < ids.length; i += CHUNK) {
    const chunk = ids.slice(i, i + CHUNK)
    await ctx.write(
      async (tx) => {
        const { rows } = await sql<{ id: number; name: string; finished: boolean; later: string | null }>`
          select s.id, s.code as name, exists (select from student_terms t where t.student_id = s.id and t.term_id = ${selection.term_id}) as finished,
            (select w.code from student_terms t join terms w on w.id = t.term_id join terms o on o.id = ${selection.term_id}
              where t.student_id = s.id and (w.start_date, w.id) > (o.start_date, o.id) order by w.start_date desc, w.id desc limit 1) as later
          from students s where s.id = any(${chunk}::int[]) order by s.id for no key update of s`.execute(tx)
        const able = rows.filter((row) => row.finished && row.later === null).map((row) => row.id)
        for (const { id, name, finished, later } of rows) {
          if (!finished) failed.push({ id, name, errors: [toProblem({ code: 'term_not_finished' })] })
          else if (later !== null)
            failed.push({ id, name, errors: [toProblem({ code: 'later_term_finished', data: { term: later } })] })
        }
        if (able.length) {
          sealsRecords(tx)
          await sql`delete from student_terms where term_id = ${selection.term_id} and student_id = any(${able}::int[])`.execute(
            tx,
          )
          await settleStanding(ctx, tx, able)
        }
        done.push(...able)
      },
      { reason },
    )
  }
  return { done, failed }
}

async function recompute(ctx: Ctx, selection: Selection) {
  const ids = await selected(ctx, selection)
  const reference = new GradingReference(await calendarOf(ctx.db))
  const found: RecordDifference[] = []
  let more = 0
  for (let i = 0; i < ids.length; i += CHUNK) {
    const { differences } = await computeRecords(ctx.db, reference, [selection.term_id!], ids.slice(i, i + CHUNK))
    for (const difference of differences) {
      if (found.length < MOST_TOLD) found.push(difference)
      else more++
    }
  }
  const [students, terms] = await Promise.all([
    sql<{ id: number; code: string; name: string; name_local: string }>`select id, code, name, name_local from students
      where id = any(${[...new Set(found.map((one) => one.student_id))]}::int[])`.execute(ctx.db),
    sql<{ id: number; code: string; name: string; name_local: string }>`select id, code, name, name_local from terms
      where id = any(${[...new Set(found.map((one) => one.term_id))]}::int[])`.execute(ctx.db),
  ])
  const student = new Map(students.rows.map((row) => [row.id, row]))
  const term = new Map(terms.rows.map((row) => [row.id, row]))
  return {
    checked: ids.length,
    differences: found.map(({ student_id, term_id, ...one }) => ({
      student: student.get(student_id)!,
      term: term.get(term_id)!,
      ...one,
    })),
    more,
  }
}

// --- One student ----------------------------------------------------------------------------------------------------

interface GradeSource extends Omit<TermGrade, 'main' | 'attempt' | 'abilities'> {
  may_edit: boolean
}
const FROZEN: ControlStatus = 'Frozen'
/** On whose authority the control head changes marks of one registration. */
const correctionOf = (main: MainFlag | null): Authority => (main === 'Incomplete' ? 'incomplete' : 'correction')

/** Registrations with their marks, as control sees them. */
async function termGrades(ctx: Ctx, db: Db | Tx, where: RawBuilder<unknown>): Promise<TermGrade[]> {
  const { rows } = await sql<GradeSource>`
    select r.id as registration_id, o.id as offering_id, o.code as offering_code, ${ref('c')} as course, r.credit_hours::float8, r.status,
      o.control_status, ${schemeJson('o')} as scheme, ${marksJson('r')} as marks, r.total, r.maximum, r.letter, r.points, r.passed,
      r.counts_in_gpa, ${ratingJson('r')} as rating, ${scopeCondition(ctx, 'edit_term_grades', offeringReach(ctx, 'o'))} as may_edit
    from registrations r join offerings o on o.id = r.offering_id ${sql.raw(joinCourse('o.course_id', 'o.id'))}
    where ${where} and r.status & ${sql.raw(LISTED)} <> 0 order by c.code, r.id`.execute(db)
  return rows.map(({ may_edit, ...row }) => {
    const status = BigInt(row.status)
    const main = mainOf(status) as MainFlag
    const editable =
      may_edit &&
      takesMarks(status) &&
      row.scheme.length > 0 &&
      mayChange(row.control_status, 'mark', correctionOf(main))
    return { ...row, main, attempt: attemptOf(status), abilities: editable ? ['edit_marks'] : [] }
  })
}

interface ResultSource extends Omit<TermResultAnswer, 'graduation' | 'may_graduate'> {
  graduation: { code: string; data: Record<string, unknown> }[] | null
}
/** Rows of finished terms, newest first; the student stands under `t`. */
async function termResults(db: Db | Tx, where: RawBuilder<unknown>): Promise<TermResultAnswer[]> {
  const { rows } = await sql<ResultSource>`
    select json_build_object('id', x.id, 'code', x.code, 'name', x.name, 'name_local', x.name_local, 'term_type', x.term_type) as term,
      y.registered_hours::float8, y.attempted_hours::float8, y.passed_hours::float8, y.term_points, y.gpa,
      y.cumulative_hours::float8, y.cumulative_passed_hours::float8,
      y.cumulative_points, y.cumulative_gpa, y.level, y.warned, y.warnings, y.standing, y.graduation, y.finished_at, y.revised_since,
      exists (select from student_terms x where x.student_id = y.student_id and x.term_id = y.term_id
        and ${sql.raw(`${outdated(basisSql('t'))} and ${COUNTS}`)}) as graduation_outdated
    from student_terms y join students t on t.id = y.student_id join terms x on x.id = y.term_id
    where ${where} order by x.start_date desc, x.id desc`.execute(db)
  return rows.map(({ graduation, ...row }) => ({
    ...row,
    may_graduate: graduation === null,
    graduation: (graduation ?? []).map((one) => {
      const { code, en, ar } = toProblem(one)
      return { code, en, ar, data: one.data }
    }),
  }))
}

async function requireStudent(ctx: Ctx, id: number, access: readonly PermissionKey[]): Promise<void> {
  const { rows } =
    await sql`select from students t where t.id = ${id} and ${scopeCondition(ctx, access, studentReach(ctx))}`.execute(
      ctx.db,
    )
  if (!rows.length) throw refuse(404, 'not_found')
}

async function showStudent(ctx: Ctx, student_id: number, term_id: number) {
  const [{ rows }, registrations, [result = null]] = await Promise.all([
    sql<Pick<AnswerOf<typeof termCalls.student>['data'], 'student' | 'term' | 'terms'> & { may_finish: boolean }>`
      select json_build_object('id', t.id, 'code', t.code, 'name', t.name, 'name_local', t.name_local, 'level', t.level, 'gpa', t.gpa::text,
          'passed_hours', t.passed_hours, 'warnings', t.warnings, 'program', ${ref('p')}, 'faculty', ${ref('f')},
          'bylaw', ${ref('b')},
          'by_marks', ${sql.raw(BY_MARKS)}) as student,
        ${ref('x')} as term,
        coalesce((select json_agg(${ref('y')} order by y.start_date desc, y.id desc) from terms y where exists (
          select from registrations r where r.student_id = t.id and r.term_id = y.id and r.status & ${sql.raw(LISTED)} <> 0)), '[]') as terms,
        ${scopeCondition(ctx, 'finish_term', studentReach(ctx))} and not ${sql.raw(BY_MARKS)} as may_finish
      from students t join programs p on p.id = t.program_id join faculties f on f.id = t.faculty_id join bylaws b on b.id = t.bylaw_id
        join terms x on x.id = ${term_id}
      where t.id = ${student_id} and ${scopeCondition(ctx, 'access_control', studentReach(ctx))}`.execute(ctx.db),
    termGrades(ctx, ctx.db, sql`r.student_id = ${student_id} and r.term_id = ${term_id}`),
    termResults(ctx.db, sql`t.id = ${student_id} and x.id = ${term_id}`),
  ])
  const row = rows[0]
  if (!row) throw refuse(404, 'not_found')
  const { may_finish, ...rest } = row
  return {
    data: {
      ...rest,
      result,
      registrations,
      abilities: may_finish ? [...(registrations.length ? ['finish'] : []), ...(result ? ['unfinish'] : [])] : [],
    },
  }
}

/**
 * Changes marks of one registration, with a reason that stands in the audit trail; the grade and rows of finished terms
 * follow in the same transaction. A frozen result stays, but the missing mark of an incomplete one can be entered.
 */
async function updateTermGrades(
  ctx: Ctx,
  registration: number,
  body: { marks: readonly { offering_mark_id: number; mark: string | null; version: number | null }[]; reason: string },
) {
  return ctx.write(
    async (tx) => {
      const { rows } = await sql<{
        student_id: number
        user_id: number | null
        offering_id: number
        status: string
        control_status: ControlStatus
        closed: boolean
        course: string
        name: string
        name_local: string
        scheme: SchemeCategory[]
        marks: Record<string, unknown>
      }>`
        select r.student_id, s.user_id, r.offering_id, r.status, o.control_status, names_are_closed(o.id) as closed, c.code as course, c.name, c.name_local,
          ${schemeJson('o')} as scheme, ${marksJson('r')} as marks
        from registrations r join offerings o on o.id = r.offering_id ${sql.raw(joinCourse('o.course_id', 'o.id'))} join students s on s.id = r.student_id
        where r.id = ${registration} and ${scopeCondition(ctx, 'edit_term_grades', offeringReach(ctx, 'o'))}
        for no key update of o, r`.execute(tx)
      const row = rows[0]
      if (!row) throw refuse(404, 'not_found')
      if (row.closed) throw refuse(409, 'names_closed', { course: row.course, offering_id: row.offering_id })
      const authority = correctionOf(mainOf(BigInt(row.status)))
      if (!mayChange(row.control_status, 'mark', authority))
        throw refuse(409, 'control_status', statusData(row.control_status))
      if (row.control_status === FROZEN && body.marks.some((one) => row.marks[one.offering_mark_id]))
        throw refuse(409, 'mark_exists_frozen')
      await actOn(tx, authority)
      const categories = row.scheme.map(({ id, max, is_final_exam }) => ({
        id,
        maximum: parseHundredths(max) ?? 0,
        final_exam: is_final_exam,
      }))
      const problems = checkScheme({ categories }, (await wholesOf(tx, [row.offering_id])).get(row.offering_id))
      if (problems.length)
        throw new Refusal(
          409,
          problems.map(({ code, data }) => ({ code, data })),
        )
      const cells = body.marks.map((one) => ({ registration_id: registration, ...one }))
      const values = requireCells(
        cells,
        { scheme: categories, states: new Map([[registration, row.status]]) },
        (i) => `marks.${i}.mark`,
      )
      const { saved, conflicts } = await writeMarks(ctx, tx, values, { completes: true })
      if (conflicts.length) {
        throw new Refusal(
          409,
          conflicts.map((conflict) => ({
            field: `marks.${body.marks.findIndex((cell) => cell.offering_mark_id === conflict.offering_mark_id)}.mark`,
            code: 'changed_meanwhile',
            data: { theirs: conflict.theirs, yours: conflict.yours, version: conflict.version, by: conflict.by },
          })),
        )
      }
      const records = saved
        ? await writeRecords(ctx, tx, new GradingReference(await calendarOf(tx)), [], [row.student_id])
        : null
      if (saved && statusReached(row.control_status, 'Published')) {
        await notify(tx, [row.user_id], {
          key: 'grading.notice_changed',
          data: { course: row.course, name: row.name, name_local: row.name_local },
          link: `/myCourses/${row.offering_id}`,
          records: [row.student_id],
        })
      }
      const [data] = await termGrades(ctx, tx, sql`r.id = ${registration}`)
      return { data: data!, terms_changed: records?.changed.length ?? 0 }
    },
    { reason: body.reason },
  )
}

async function takenCourses(ctx: Ctx, student_id: number) {
  await requireStudent(ctx, student_id, ['access_control', 'show_student_record'])
  const { rows } = await sql<{ status: string }>`
    select r.id as registration_id, r.offering_id, ${ref('x')} as term, ${ref('c')} as course, r.credit_hours::float8, r.status,
      o.control_status, r.total, r.maximum, r.letter, ${ratingJson('r')} as rating, r.points, r.passed, r.counts_in_gpa
    from registrations r join offerings o on o.id = r.offering_id ${sql.raw(joinCourse('r.course_id', 'r.offering_id'))} join terms x on x.id = r.term_id
    where r.student_id = ${student_id} and r.status & ${sql.raw(LISTED)} <> 0 order by x.start_date desc, c.code`.execute(
    ctx.db,
  )
  return {
    data: rows.map(({ status, ...row }) => ({
      ...row,
      main: mainOf(BigInt(status)),
      attempt: attemptOf(BigInt(status)),
    })) as never,
  }
}

export const termHandlers = [
  handle(termCalls.students, (ctx, { body }) => listStudents(ctx, body)),
  handle(termCalls.finish, (ctx, { body }) => finish(ctx, body)),
  handle(termCalls.foreseen, async (ctx, { body }) => ({ data: await foreseen(ctx, body) })),
  handle(termCalls.finishOffering, async (ctx, { params }) => {
    const { rows } = await sql<{ term_id: number; control_status: ControlStatus; ids: number[] }>`
      select o.term_id, o.control_status, array(select r.student_id from registrations r where r.offering_id = o.id and r.status & ${sql.raw(LISTED)} <> 0) as ids
      from offerings o where o.id = ${params.id} and o.removed_at is null
        and ${scopeCondition(ctx, 'finish_term', offeringReach(ctx, 'o'))}`.execute(ctx.db)
    const offering = rows[0]
    if (!offering) throw refuse(404, 'not_found')
    if (!statusReached(offering.control_status, 'Approved'))
      throw refuse(409, 'control_status', statusData(offering.control_status))
    return finish(ctx, { term_id: offering.term_id, ids: offering.ids, filters: {}, search: '' })
  }),
  handle(termCalls.unfinish, (ctx, { body }) => unfinish(ctx, body)),
  handle(termCalls.recompute, (ctx, { body }) => recompute(ctx, body)),
  handle(termCalls.student, (ctx, { params }) => showStudent(ctx, params.student_id, params.term_id)),
  handle(termCalls.termGrades, async (ctx, { params }) => {
    await requireStudent(ctx, params.a, ['access_control'])
    return { data: await termGrades(ctx, ctx.db, sql`r.student_id = ${params.a} and r.term_id = ${params.b}`) }
  }),
  handle(termCalls.updateTermGrades, (ctx, { params, body }) => updateTermGrades(ctx, params.registration, body)),
  handle(termCalls.takenCourses, (ctx, { params }) => takenCourses(ctx, params.id)),
  handle(termCalls.passedSemesters, async (ctx, { params }) => {
    await requireStudent(ctx, params.id, ['access_control', 'show_student_record'])
    return { data: await termResults(ctx.db, sql`t.id = ${params.id}`) }
  }),
]
