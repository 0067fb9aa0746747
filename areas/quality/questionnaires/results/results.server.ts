/** Results: sums of what is stored of each set, and nothing else (docs/decisions/0047-anonymous-answers.md). */
import { offeringReach, taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { questionForm, type FormQuestion } from '../types/form.contract.ts'
import { resultCalls, type QuestionnaireResult, type ResultFigure } from './results.contract.ts'
import { maskNames } from './mask.rules.ts'
import {
  addCounts,
  effectSize,
  FEWEST_SETS,
  momentsOf,
  strengths,
  whyNoResults,
  type AnswerCounts,
} from './stats.rules.ts'

type Named = { id: number; name: string; name_local?: string | null; code?: string | null }
const READS = ['results_questionnaire', 'show_questionnaire'] as const

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
const SETS = sql`questionnaire_sets x join questionnaires t on t.id = x.questionnaire_id and t.removed_at is null
  join questionnaire_types y on y.id = t.type_id left join offerings o on o.id = x.offering_id
  left join courses c on c.id = o.course_id left join instructors i on i.id = x.instructor_id`

interface Atom {
  readonly question: string
  readonly part: number
  readonly n: number
  readonly counts: AnswerCounts | null
}
/** Counts of several sets by question; a set whose counts are not kept adds nothing. */
function together(atoms: readonly Atom[]): Map<string, Atom & { readonly sets: number }> {
  const groups = new Map<string, Atom[]>()
  for (const atom of atoms) {
    const key = `${atom.question} ${atom.part}`
    groups.set(key, [...(groups.get(key) ?? []), atom])
  }
  return new Map(
    [...groups].map(([key, all]) => {
      const kept = all.map(({ counts }) => counts).filter((counts) => counts !== null)
      const [first] = all
      return [
        key,
        {
          question: first?.question ?? '',
          part: first?.part ?? 0,
          n: all.reduce((sum, one) => sum + one.n, 0),
          counts: kept.length ? addCounts(kept) : null,
          sets: kept.length,
        },
      ]
    }),
  )
}
const MEANS: readonly FormQuestion['kind'][] = ['rating', 'grid', 'number', 'ranking']

/** Atoms of the other sets with which a result is compared. */
async function others(ctx: Ctx, where: RawBuilder<unknown>): Promise<Map<string, Atom & { readonly sets: number }>> {
  const { rows } = await sql<Atom>`select f.question, f.part::int as part, f.n, f.counts from questionnaire_figures f
    join questionnaire_sets x on x.id = f.set_id join questionnaires t on t.id = x.questionnaire_id and t.counted_on is not null
    join offerings o on o.id = x.offering_id where ${where}`.execute(ctx.db)
  return together(rows)
}

interface Found {
  id: number
  type: Named
  form: unknown
  counted: boolean
  teaches: boolean
  control_status: string | null
  set_id: number
  course: Named | null
  instructor: Named | null
  own: boolean
  small: boolean
  asked: number | null
  answered: number | null
  course_id: number | null
  faculty_id: number | null
  department_id: number | null
  type_id: number
}

async function resultsOf(ctx: Ctx, questionnaire_id: number, set_id: number | undefined): Promise<QuestionnaireResult> {
  const { rows } =
    await sql<Found>`select t.id, ${ref('y')} as type, t.form, t.counted_on is not null as counted, ${teaches(ctx)} as teaches,
      o.control_status, x.id as set_id, ${refOrNull('c')} as course, ${refOrNull('i')} as instructor, ${ofOwn(ctx)} as own, x.small, x.asked, x.answered,
      o.course_id, o.faculty_id, o.department_id, t.type_id
    from ${SETS} where t.id = ${questionnaire_id} and (${set_id ?? null}::int is null or x.id = ${set_id ?? null}::int) and ${reachedSets(ctx, READS)}`.execute(
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
    asked: seen.reduce((sum, row) => sum + (row.small ? 0 : (row.asked ?? 0)), 0),
    answered: seen.reduce((sum, row) => sum + (row.small ? 0 : (row.answered ?? 0)), 0),
    withheld,
    questions,
  }
  if (withheld !== null) return { ...base, figures: [], strong: [], weak: [] }
  const { rows: atoms } =
    await sql<Atom>`select f.question, f.part::int as part, f.n, f.counts from questionnaire_figures f
    where f.set_id = any(${seen.map((row) => row.set_id)}::int[])`.execute(ctx.db)
  const own = together(atoms)
  const none = new Map<string, Atom & { readonly sets: number }>()
  const beside = (where: RawBuilder<unknown>) =>
    one && first.course_id !== null ? others(ctx, sql`x.id <> ${first.set_id} and ${where}`) : Promise.resolve(none)
  const department = await beside(sql`t.id = ${first.id} and o.department_id = ${first.department_id}::int`)
  const faculty = await beside(sql`t.id = ${first.id} and o.faculty_id = ${first.faculty_id}::int`)
  const before = await beside(
    sql`t.type_id = ${first.type_id} and t.id <> ${first.id} and o.course_id = ${first.course_id}::int`,
  )
  const parts = questions.flatMap((question) =>
    [...own.values()]
      .filter((atom) => atom.question === question.key)
      .sort((a, b) => a.part - b.part)
      .map((atom) => ({ question, atom })),
  )
  const compared: { key: string; n: number; effect: number | null }[] = []
  const figures = parts.map(({ question, atom }): ResultFigure => {
    const key = `${atom.question} ${atom.part}`
    const momentsIn = (all: ReadonlyMap<string, Atom & { readonly sets: number }>, least = 1) => {
      const found = all.get(key)
      return MEANS.includes(question.kind) && found?.counts && found.sets >= least ? momentsOf(found.counts) : null
    }
    const moments = momentsIn(own)
    const elsewhere = momentsIn(faculty, FEWEST_SETS)
    if (question.kind === 'rating' || question.kind === 'grid')
      compared.push({ key, n: atom.n, effect: effectSize(moments, elsewhere) })
    return {
      question: atom.question,
      part: atom.part,
      n: atom.n,
      counts: atom.counts ? { ...atom.counts } : null,
      moments: moments && { ...moments, interval: moments.interval && [...moments.interval] },
      department: momentsIn(department, FEWEST_SETS)?.mean ?? null,
      faculty: elsewhere?.mean ?? null,
      before: momentsIn(before)?.mean ?? null,
    }
  })
  const { strong, weak } = strengths(compared)
  return { ...base, figures, strong: [...strong], weak: [...weak] }
}

/** Fisher and Yates, with the generator of the platform: for what has no order. */
function inOrderOfChance<T>(all: readonly T[]): T[] {
  const mixed = [...all]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    const [a, b] = [mixed[i], mixed[j]]
    if (a !== undefined && b !== undefined) [mixed[i], mixed[j]] = [b, a]
  }
  return mixed
}

export const questionnaireResultHandlers: readonly Handled[] = [
  handle(resultCalls.stats, async (ctx, { params, body }) => ({ data: await resultsOf(ctx, params.id, body?.set_id) })),
  handle(resultCalls.sets, (ctx, { params, query }) =>
    cutRows<{
      id: number
      course: Named | null
      instructor: Named | null
      pooled: boolean
      asked: number
      answered: number
      small: boolean
    }>(
      ctx.db,
      sql`select x.id, ${refOrNull('c')} as course, ${refOrNull('i')} as instructor, x.pooled,
          coalesce(x.asked, (select count(distinct a.user_id)::int from questionnaire_asked(t.id) a where a.set_id = x.id)) as asked,
          coalesce(x.answered, (select count(*)::int from questionnaire_participations p where p.set_id = x.id)) as answered, x.small
        from ${SETS} where t.id = ${params.id} and ${reachedSets(ctx, READS)} and (not ${teaches(ctx)} or ${ofOwn(ctx)})
        order by c.code nulls last, i.name, x.id`,
      query.most,
    ),
  ),
  handle(resultCalls.comments, async (ctx, { params, body }) => {
    // Who masks reads all of them, but never those about the own teaching; everybody else reads what is shown.
    const masks = sql<SqlBool>`(${reachedSets(ctx, ['mask_questionnaire'])} and not ${teaches(ctx)})`
    const { rows } = await sql<{
      id: string
      question: string
      text: string
      state: string
      masks: boolean
      names: string[]
    }>`
      select k.id, k.question, k.text, k.state, ${masks} as masks,
        array(select n.name from instructors n where ${taughtBy(sql<number>`n.id`, 'o')}
          union all select n.name_local from instructors n where ${taughtBy(sql<number>`n.id`, 'o')}) as names
      from questionnaire_comments k join ${SETS} on x.id = k.set_id
      where t.id = ${params.id} and t.counted_on is not null and (${body.set_id ?? null}::int is null or x.id = ${body.set_id ?? null}::int)
        and (${body.search} = '' or k.search_text like (select search_pattern(${body.search})))
        and (${masks} or (k.state = 'shown' and ${reachedSets(ctx, ['results_questionnaire'])} and ${shownSets(ctx)}))`.execute(
      ctx.db,
    )
    return {
      data: inOrderOfChance(rows).map(({ masks: mayMask, names, ...one }) => ({
        ...one,
        proposed: mayMask && one.state === 'waiting' ? maskNames(one.text, names) : null,
      })),
      waiting: rows.filter((row) => row.state === 'waiting').length,
    }
  }),
  handle(resultCalls.mask, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ state: string; taught: boolean }>`select k.state, ${teaches(ctx)} as taught
        from questionnaire_comments k join ${SETS} on x.id = k.set_id
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
