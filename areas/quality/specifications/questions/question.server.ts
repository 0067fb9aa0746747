/** Questions of the components of an offering, and marks by question. The mark of a component itself stays with grading. */
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { takesMarks, listedMains, maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import { readMark } from '#areas/records/grading/grading.rules.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { fold } from '#kit/contract/index.ts'
import {
  questionMarkCalls,
  type QuestionCell,
  type QuestionSheet,
  type QuestionedComponent,
} from './question.contract.ts'
import { checkQuestions, questionGaps, type QuestionStanding } from './question.rules.ts'

const SEES = ['show_questionMarks', 'enter_questionMarks'] as const
const sees = (ctx: Ctx) => scopeCondition(ctx, [...SEES], offeringReach(ctx, 'o'))
const enters = (ctx: Ctx) => scopeCondition(ctx, 'enter_questionMarks', offeringReach(ctx, 'o'))
/** SQL: the specification in force for the offering `o`, as far as it is approved. */
const SPEC = sql`(select s.id from specifications s join terms w on w.id = o.term_id
  where s.id = specification_in_force(o.course_id, null, w.year_id) and s.status = 'approved')`

interface Questioned {
  readonly offering: QuestionSheet['offering']
  readonly outcomes: QuestionSheet['outcomes']
  readonly components: readonly QuestionedComponent[]
  readonly enters: boolean
  /** Its papers are marked without names: nobody enters marks beside names. */
  readonly closed: boolean
}

/** An offering within reach with its questions. @throws {Refusal} 404; 409 while its papers are marked without names */
async function questionedOffering(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  within: RawBuilder<unknown>,
  lock: RawBuilder<unknown> = sql``,
): Promise<Questioned> {
  type Stored = Omit<Questioned, 'components'> & { readonly components: readonly Omit<QuestionedComponent, 'gaps'>[] }
  const { rows } = await sql<Stored>`
    select json_build_object('id', o.id, 'code', o.code, 'course', ${ref('c')}, 'term', ${ref('t')}, 'frozen', o.control_status = 'Frozen') as offering,
      coalesce((select json_agg(json_build_object('code', u.code, 'text', u.text, 'text_local', u.text_local) order by u.position, u.id)
        from specification_outcomes u where u.specification_id = ${SPEC}), '[]') as outcomes,
      coalesce((select json_agg(json_build_object('id', m.id, 'name', k.name, 'name_local', k.name_local, 'code', k.code, 'max', trim_scale(m.max)::text,
          'weight', (select trim_scale(sum(a.weight))::text from specification_assessments a
            where a.specification_id = ${SPEC} and a.mark_category_id = m.mark_category_id),
          'questions', coalesce((select json_agg(json_build_object('id', q.id, 'label', q.label, 'max', trim_scale(q.max)::text, 'outcomes', q.outcomes)
            order by q.position, q.id) from assessment_questions q where q.offering_mark_id = m.id), '[]')) order by m.position, m.id)
        from offering_marks m join mark_categories k on k.id = m.mark_category_id where m.offering_id = o.id), '[]') as components,
      ${enters(ctx)} as enters, names_are_closed(o.id) as closed
    from offerings o join courses c on c.id = o.course_id join terms t on t.id = o.term_id
    where o.id = ${id} and o.removed_at is null and ${within} ${lock}`.execute(db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  if (found.closed) throw refuse(409, 'names_closed', { course: found.offering.course.code, offering_id: id })
  const known = new Set(found.outcomes.map(({ code }) => code))
  return {
    ...found,
    components: found.components.map((one) => ({ ...one, gaps: questionGaps(one, known).map(toProblem) })),
  }
}

/** An offering whose questions and marks may be changed now, held: two who write follow each other, and control waits. */
export async function heldForQuestions(ctx: Ctx, tx: Tx, id: number): Promise<Questioned> {
  await sql`select from offerings o where o.id = ${id} for no key update`.execute(tx)
  const found = await questionedOffering(ctx, tx, id, enters(ctx))
  if (found.offering.frozen) throw refuse(409, 'question_marks_frozen')
  return found
}

/** The offering of a component. @throws {Refusal} 404 */
export async function offeringOfComponent(db: Db | Tx, component: number): Promise<number> {
  const { rows } = await sql<{
    offering_id: number
  }>`select offering_id from offering_marks where id = ${component}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].offering_id
}

/** Students of an offering with the marks of its components and by question, in the order of their codes. */
export async function questionRows(db: Db | Tx, offering_id: number): Promise<QuestionSheet['rows']> {
  const { rows } = await sql<Omit<QuestionSheet['rows'][number], 'writable'> & { status: string }>`
    select r.id as registration_id, ${ref('s')} as student, r.status::text as status,
      coalesce((select json_object_agg(m.offering_mark_id, case when m.absent then 'A' else trim_scale(m.mark)::text end)
        from registration_marks m where m.registration_id = r.id), '{}') as components,
      coalesce((select json_object_agg(m.question_id, json_build_object('mark', trim_scale(m.mark)::text, 'version', m.version))
        from question_marks m where m.registration_id = r.id), '{}') as marks
    from registrations r join students s on s.id = r.student_id
    where r.offering_id = ${offering_id} and r.status & ${sql.raw(maskOf(listedMains))} <> 0 order by s.code`.execute(
    db,
  )
  return rows.map(({ status, ...row }) => ({ ...row, writable: takesMarks(BigInt(status)) }))
}

/** What stands against cells, each with its place; and the cells as they are kept. */
export function judgeQuestionCells(
  cells: readonly QuestionCell[],
  of: { readonly components: readonly QuestionedComponent[]; readonly rows: QuestionSheet['rows'] },
  field: (i: number) => string,
): {
  values: { registration_id: number; question_id: number; mark: string | null; seen: number | null }[]
  reasons: Reason[]
} {
  const questions = new Map(of.components.flatMap((one) => one.questions.map((question) => [question.id, question])))
  const rows = new Map(of.rows.map((row) => [row.registration_id, row]))
  const reasons: Reason[] = []
  const sent = new Set<string>()
  const values = cells.flatMap(({ registration_id, question_id, mark, version }, i) => {
    const at = (code: string, data?: Readonly<Record<string, unknown>>) => {
      reasons.push({ field: field(i), code, ...(data && { data }) })
      return []
    }
    const key = `${registration_id}/${question_id}`
    if (sent.has(key)) return at('mark_twice')
    sent.add(key)
    const question = questions.get(question_id)
    const row = rows.get(registration_id)
    if (!question) return at('question_elsewhere')
    if (!row) return at('registration_not_in_offering')
    if (!row.writable) return at('question_no_marks', { student: row.student.code ?? '' })
    const read = readMark(mark ?? '', parseHundredths(question.max) ?? 0)
    if ('problem' in read) return at(read.problem.code, read.problem.data)
    if (read.mark === 'A') return at('question_absent')
    return [
      { registration_id, question_id, mark: read.mark === null ? null : trimHundredths(read.mark), seen: version },
    ]
  })
  return { values, reasons }
}

/** Writes marks by question. What somebody else changed since it was seen stays, and is answered. */
export async function writeQuestionMarks(
  ctx: Ctx,
  tx: Tx,
  values: ReturnType<typeof judgeQuestionCells>['values'],
): Promise<{ saved: number; conflicts: { registration_id: number; question_id: number; theirs: string | null }[] }> {
  const { rows } = await sql<{
    registration_id: number
    question_id: number
    theirs: string | null
    fresh: boolean
    same: boolean
  }>`
    with input as (
      select * from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as n(registration_id int, question_id int, mark numeric, seen int)),
    judged as (
      select i.*, m.mark as stored, m.version is not distinct from i.seen as fresh, m.mark is not distinct from i.mark as same
      from input i left join question_marks m on m.registration_id = i.registration_id and m.question_id = i.question_id),
    gone as (
      delete from question_marks m using judged j where m.registration_id = j.registration_id and m.question_id = j.question_id
        and j.fresh and not j.same and j.mark is null),
    written as (
      insert into question_marks (registration_id, question_id, mark, entered_by)
      select registration_id, question_id, mark, ${ctx.actor?.user_id ?? null}::int from judged where fresh and not same and mark is not null
      on conflict (registration_id, question_id) do update set mark = excluded.mark, entered_by = excluded.entered_by,
        version = nextval('question_mark_version'))
    select registration_id, question_id, trim_scale(stored)::text as theirs, fresh, same from judged`.execute(tx)
  return {
    saved: rows.filter(({ fresh, same }) => fresh && !same).length,
    conflicts: rows
      .filter(({ fresh, same }) => !fresh && !same)
      .map(({ registration_id, question_id, theirs }) => ({ registration_id, question_id, theirs })),
  }
}

export const questionMarkHandlers: readonly Handled[] = [
  handle(questionMarkCalls.offerings, async (ctx, { query }) => {
    const words = fold(query.search ?? '')
    return cutRows<{
      id: number
      code: string
      course: { id: number; name: string; name_local: string; code: string | null }
      questions: number
      students: number
      marked: number
    }>(
      ctx.db,
      sql`select o.id, o.code, ${ref('c')} as course,
          (select count(*)::int from assessment_questions q join offering_marks m on m.id = q.offering_mark_id where m.offering_id = o.id) as questions,
          (select count(*)::int from registrations r where r.offering_id = o.id and r.status & ${sql.raw(maskOf(listedMains))} <> 0) as students,
          (select count(distinct k.registration_id)::int from question_marks k join assessment_questions q on q.id = k.question_id
            join offering_marks m on m.id = q.offering_mark_id where m.offering_id = o.id) as marked
        from offerings o join courses c on c.id = o.course_id
        where o.removed_at is null and o.term_id = ${query.term_id ?? currentTermId()} and ${sees(ctx)}
          and exists (select from offering_marks m where m.offering_id = o.id)
          and (${words} = '' or c.search_text like '%' || ${words} || '%') order by c.code, o.code, o.id`,
      query.most,
    )
  }),
  handle(questionMarkCalls.show, async (ctx, { params }) => {
    const { closed: _, ...of } = await questionedOffering(ctx, ctx.db, params.id, sees(ctx))
    return { data: { ...of, components: [...of.components], rows: await questionRows(ctx.db, params.id) } }
  }),
  handle(questionMarkCalls.set, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const of = await heldForQuestions(ctx, tx, params.id)
      if (!of.components.some(({ id }) => id === body.component_id))
        throw refuse(422, 'reference_missing', undefined, 'component_id')
      const { rows: before } = await sql<QuestionStanding>`
        select q.id, q.label, q.outcomes, count(m.*)::int as marked, trim_scale(max(m.mark))::text as highest
        from assessment_questions q left join question_marks m on m.question_id = q.id
        where q.offering_mark_id = ${body.component_id} group by q.id`.execute(tx)
      const reasons = checkQuestions(body.questions, before, new Set(of.outcomes.map(({ code }) => code)))
      if (reasons.length) throw new Refusal(422, reasons)
      const rows = body.questions.map((question, i) => ({ ...question, id: question.id ?? null, position: i + 1 }))
      const input = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id int, label text, max numeric, outcomes jsonb, position smallint)`
      const codes = sql`array(select distinct jsonb_array_elements_text(n.outcomes) order by 1)`
      // Two labels may change places.
      await sql`set constraints assessment_question_twice deferred`.execute(tx)
      await sql`delete from assessment_questions where offering_mark_id = ${body.component_id}
        and id <> all(${rows.flatMap(({ id }) => id ?? [])}::int[])`.execute(tx)
      await sql`update assessment_questions q set label = n.label, max = n.max, outcomes = ${codes}, position = n.position
        from ${input} where q.id = n.id and (q.label, q.max, q.outcomes, q.position) is distinct from (n.label, n.max, ${codes}, n.position)`.execute(
        tx,
      )
      await sql`insert into assessment_questions (offering_mark_id, label, max, outcomes, position)
        select ${body.component_id}, n.label, n.max, ${codes}, n.position from ${input} where n.id is null`.execute(tx)
      await sql`set constraints assessment_question_twice immediate`.execute(tx)
      const { components } = await questionedOffering(ctx, tx, params.id, enters(ctx))
      return { data: components.find(({ id }) => id === body.component_id)?.questions ?? [] }
    }),
  ),
  handle(questionMarkCalls.save, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const { components } = await heldForQuestions(ctx, tx, params.id)
      const { values, reasons } = judgeQuestionCells(
        body.cells,
        { components, rows: await questionRows(tx, params.id) },
        (i) => `cells.${i}.mark`,
      )
      if (reasons.length) throw new Refusal(422, reasons)
      return writeQuestionMarks(ctx, tx, values)
    }),
  ),
]

/** Questions of one component with the rows of its offering, for its sheet. */
export async function componentSheet(ctx: Ctx, component: number) {
  const id = await offeringOfComponent(ctx.db, component)
  const of = await questionedOffering(ctx, ctx.db, id, sees(ctx))
  const found = firstRow(of.components.filter((one) => one.id === component))
  return { offering: of.offering, component: found, rows: await questionRows(ctx.db, id) }
}
