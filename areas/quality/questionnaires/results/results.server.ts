/** Results: sums of what is stored of each set, and nothing else (docs/decisions/0047-anonymous-answers.md). */
import { offeringReach, taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { questionForm } from '../types/form.contract.ts'
import { resultCalls, type QuestionnaireResult } from './results.contract.ts'
import { maskNames } from './mask.rules.ts'
import { resultFiguresOf, sumAtoms, type AtomSums, type ResultAtom } from './compare.rules.ts'
import { whyNoResults } from './stats.rules.ts'

export type ResultNamed = { id: number; name: string; name_local?: string | null; code?: string | null }
export const RESULT_READERS = ['results_questionnaire', 'show_questionnaire'] as const

/** Which sets `x` of questionnaires `t` a reader reaches: those of offerings `o` by the offering, others by the faculty. */
export const reachedSets = (
  ctx: Ctx,
  keys: readonly ('results_questionnaire' | 'show_questionnaire' | 'mask_questionnaire')[],
): RawBuilder<SqlBool> =>
  sql<SqlBool>`case when x.offering_id is not null then ${scopeCondition(ctx, keys, offeringReach(ctx, 'o'))}
    when t.faculty_id is null then ${scopeCondition(ctx, keys, 'university')} else ${scopeCondition(ctx, keys, { faculty: sql`t.faculty_id` })} end`
/** An instructor sees who was asked about: the course, and himself or herself, not a colleague. */
const ofOwn = (ctx: Ctx): RawBuilder<SqlBool> =>
  sql<SqlBool>`(x.instructor_id is null or x.instructor_id is not distinct from ${ctx.actor?.instructor_id ?? null}::int)`
/** SQL: the reader teaches in the offering `o`, as whoever really sits there as well. */
const teaches = (ctx: Ctx): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(x.offering_id is not null and (${taughtBy(ctx.actor?.instructor_id ?? null, 'o')}
    or ${taughtBy(sql<number>`(select i.id from instructors i where i.user_id = ${ctx.actor?.impersonator_id ?? null}::int)`, 'o')}), false)`
/** Whoever teaches sees of an offering the own results alone, and only once its marks are published. */
export const shownSets = (ctx: Ctx): RawBuilder<SqlBool> =>
  sql<SqlBool>`(not ${teaches(ctx)} or (o.control_status in ('Published', 'Frozen') and ${ofOwn(ctx)}))`
/** Sets `x` with their questionnaire `t`, type `y`, offering `o`, course `c` and instructor `i`. */
export const RESULT_SETS = sql`questionnaire_sets x join questionnaires t on t.id = x.questionnaire_id and t.removed_at is null
  join questionnaire_types y on y.id = t.type_id left join offerings o on o.id = x.offering_id
  left join courses c on c.id = o.course_id left join instructors i on i.id = x.instructor_id`

/** What is stored of sets `x` with their questionnaire `t` and offering `o`. */
async function atomsWhere(ctx: Ctx, where: RawBuilder<unknown>): Promise<AtomSums> {
  const { rows } =
    await sql<ResultAtom>`select f.question, f.part::int as part, f.n, f.counts from questionnaire_figures f
    join questionnaire_sets x on x.id = f.set_id join questionnaires t on t.id = x.questionnaire_id and t.counted_on is not null
    left join offerings o on o.id = x.offering_id where ${where}`.execute(ctx.db)
  return sumAtoms(rows)
}

interface Found {
  id: number
  type: ResultNamed
  form: unknown
  counted: boolean
  teaches: boolean
  control_status: string | null
  set_id: number
  course: ResultNamed | null
  instructor: ResultNamed | null
  own: boolean
  pooled: boolean
  small: boolean
  asked: number | null
  answered: number | null
  course_id: number | null
  faculty_id: number | null
  department_id: number | null
  type_id: number
}

/** Results of a set, or of all within reach. */
export async function resultsOf(
  ctx: Ctx,
  questionnaire_id: number,
  set_id: number | undefined,
): Promise<QuestionnaireResult> {
  const { rows } =
    await sql<Found>`select t.id, ${ref('y')} as type, t.form, t.counted_on is not null as counted, ${teaches(ctx)} as teaches,
      o.control_status, x.id as set_id, ${refOrNull('c')} as course, ${refOrNull('i')} as instructor, ${ofOwn(ctx)} as own, x.pooled, x.small, x.asked, x.answered,
      o.course_id, o.faculty_id, o.department_id, t.type_id
    from ${RESULT_SETS} where t.id = ${questionnaire_id} and (${set_id ?? null}::int is null or x.id = ${set_id ?? null}::int) and ${reachedSets(ctx, RESULT_READERS)}`.execute(
      ctx.db,
    )
  const [first] = rows
  if (!first) throw refuse(409, 'results_none')
  const reasons = rows.map((row): QuestionnaireResult['withheld'] =>
    row.teaches && !row.own ? 'results_others' : whyNoResults(row),
  )
  const seen = rows.filter((_, i) => reasons[i] === null)
  const one = set_id !== undefined
  const withheld: QuestionnaireResult['withheld'] =
    seen.length === 0 ? (reasons[0] ?? null) : one && first.small ? 'results_small' : null
  const questions = questionForm.parse(first.form ?? [])
  const base = {
    id: first.id,
    type: first.type,
    course: one ? first.course : null,
    instructor: one ? first.instructor : null,
    pooled: one && first.pooled,
    asked: seen.reduce((sum, row) => sum + (row.small ? 0 : (row.asked ?? 0)), 0),
    answered: seen.reduce((sum, row) => sum + (row.small ? 0 : (row.answered ?? 0)), 0),
    withheld,
    questions,
  }
  if (withheld !== null) return { ...base, figures: [], strong: [], weak: [] }
  const own = await atomsWhere(ctx, sql`x.id = any(${seen.map((row) => row.set_id)}::int[])`)
  const none: AtomSums = new Map()
  const beside = (where: RawBuilder<unknown>) =>
    one && first.course_id !== null ? atomsWhere(ctx, sql`x.id <> ${first.set_id} and ${where}`) : Promise.resolve(none)
  const department = await beside(sql`t.id = ${first.id} and o.department_id = ${first.department_id}::int`)
  const faculty = await beside(sql`t.id = ${first.id} and o.faculty_id = ${first.faculty_id}::int`)
  const before = await beside(
    sql`t.type_id = ${first.type_id} and t.id <> ${first.id} and o.course_id = ${first.course_id}::int`,
  )
  const { figures, strong, weak } = resultFiguresOf(questions, own, (key) => ({
    department: department.get(key),
    faculty: faculty.get(key),
    before: before.get(key),
  }))
  return { ...base, figures, strong: [...strong], weak: [...weak] }
}

export const questionnaireResultHandlers: readonly Handled[] = [
  handle(resultCalls.stats, async (ctx, { params, body }) => ({ data: await resultsOf(ctx, params.id, body?.set_id) })),
  handle(resultCalls.sets, (ctx, { params, query }) =>
    cutRows<{
      id: number
      course: ResultNamed | null
      instructor: ResultNamed | null
      pooled: boolean
      asked: number
      answered: number
      small: boolean
    }>(
      ctx.db,
      sql`select x.id, ${refOrNull('c')} as course, ${refOrNull('i')} as instructor, x.pooled,
          coalesce(x.asked, (select count(distinct a.user_id)::int from questionnaire_asked(t.id) a where a.set_id = x.id)) as asked,
          coalesce(x.answered, (select count(*)::int from questionnaire_participations p where p.set_id = x.id)) as answered, x.small
        from ${RESULT_SETS} where t.id = ${params.id} and ${reachedSets(ctx, RESULT_READERS)} and (not ${teaches(ctx)} or ${ofOwn(ctx)})
        order by c.code nulls last, i.name, x.id`,
      query.most,
    ),
  ),
  handle(resultCalls.taught, (ctx, { query }) =>
    cutRows<{
      id: number
      questionnaire_id: number
      type: ResultNamed
      course: ResultNamed
      instructor: ResultNamed | null
      term: ResultNamed | null
      asked: number
      answered: number
      small: boolean
    }>(
      ctx.db,
      sql`select x.id, t.id as questionnaire_id, ${ref('y')} as type, ${ref('c')} as course, ${refOrNull('i')} as instructor,
          ${refOrNull('w')} as term, coalesce(x.asked, 0) as asked, coalesce(x.answered, 0) as answered, x.small
        from ${RESULT_SETS} left join terms w on w.id = t.term_id
        where t.counted_on is not null and ${teaches(ctx)} and ${shownSets(ctx)} and ${reachedSets(ctx, RESULT_READERS)}
        order by t.closes_on desc, c.code, x.id`,
      query.most,
    ),
  ),
  handle(resultCalls.comments, async (ctx, { params, body, query }) => {
    // Who masks reads all of them, but never those about the own teaching; everybody else reads what is shown.
    const masks = sql<SqlBool>`(${reachedSets(ctx, ['mask_questionnaire'])} and not ${teaches(ctx)})`
    const found = sql`from questionnaire_comments k join ${RESULT_SETS} on x.id = k.set_id
      where t.id = ${params.id} and t.counted_on is not null and (${body.set_id ?? null}::int is null or x.id = ${body.set_id ?? null}::int)
        and (${body.search} = '' or k.search_text like (select search_pattern(${body.search}))) and k.state <> 'withheld'
        and (${masks} or (k.state = 'shown' and ${reachedSets(ctx, ['results_questionnaire'])} and ${shownSets(ctx)}))`
    // Their keys are of chance, and so is this order; what waits to be read stands first.
    const { data, total } = await cutRows<{
      id: string
      question: string
      text: string
      state: string
      masks: boolean
      names: string[]
    }>(
      ctx.db,
      sql`select k.id, k.question, k.text, k.state, ${masks} as masks,
        array(select n.name from instructors n where ${taughtBy(sql<number>`n.id`, 'o')}
          union all select n.name_local from instructors n where ${taughtBy(sql<number>`n.id`, 'o')}) as names
      ${found} order by k.state <> 'waiting', k.id`,
      query.most,
    )
    const { rows } = await sql<{
      waiting: number
    }>`select count(*)::int as waiting ${found} and k.state = 'waiting'`.execute(ctx.db)
    return {
      data: data.map(({ masks: mayMask, names, ...one }) => ({
        ...one,
        proposed: mayMask && one.state === 'waiting' ? maskNames(one.text, names) : null,
      })),
      total,
      waiting: rows[0]?.waiting ?? 0,
    }
  }),
  handle(resultCalls.mask, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ state: string; taught: boolean }>`select k.state, ${teaches(ctx)} as taught
        from questionnaire_comments k join ${RESULT_SETS} on x.id = k.set_id
        where k.id = ${params.id}::uuid and ${reachedSets(ctx, ['mask_questionnaire'])} for update of k`.execute(tx)
      const [found] = rows
      if (!found) throw refuse(409, 'comment_none')
      if (found.taught) throw refuse(403, 'comment_own')
      if (found.state !== 'waiting') throw refuse(409, 'comment_decided')
      const state = body.show ? 'shown' : 'withheld'
      // What was written is kept no longer than until here.
      await sql`update questionnaire_comments set text = ${body.show ? body.text : ''}, state = ${state} where id = ${params.id}::uuid`.execute(
        tx,
      )
      return { state }
    }),
  ),
]
