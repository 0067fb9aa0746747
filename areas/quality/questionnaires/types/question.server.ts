/** Types of questionnaires and their questions. */
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { questionForm, type FormQuestion, type QuestionnaireWords } from './form.contract.ts'
import { questionCalls, questionnaireQuestion } from './question.contract.ts'
import {
  checkQuestion,
  reorderedQuestions,
  reorderedSections,
  type ConditionOn,
  type PlacedQuestion,
  type QuestionSaid,
} from './question.rules.ts'
import { questionnaireType } from './type.contract.ts'

/** SQL: the introduction of the type `y` in five languages; null: it has none. */
export const INTRODUCTION =
  sql.raw<QuestionnaireWords | null>(`case when num_nonnulls(y.introduction, y.introduction_local) > 0 then
  json_build_object('name', coalesce(y.introduction, y.introduction_local), 'name_local', coalesce(y.introduction_local, y.introduction),
    'de', y.introduction_de, 'fr', y.introduction_fr, 'pt', y.introduction_pt) end`)

/** Who changes questions of a type waits for another one who does. */
const holdType = (tx: Tx, type_id: number) =>
  sql`select from questionnaire_types where id = ${type_id} for no key update`.execute(tx)

async function conditionOn(tx: Tx, id: number): Promise<ConditionOn | null> {
  const { rows } =
    await sql<ConditionOn>`select type_id, position::int as position, kind, removed_at is not null as removed
    from questionnaire_questions where id = ${id}`.execute(tx)
  return rows[0] ?? null
}

const types = workings(questionnaireType, {
  async beforeWrite(_ctx, tx, merged, current) {
    if (merged.kind !== 'student' && merged.about !== 'university')
      throw refuse(422, 'questionnaire_type_about', {}, 'about')
    if (!current || (current.kind === merged.kind && current.about === merged.about)) return
    const { rows } =
      await sql`select from questionnaires where type_id = ${current.id} and removed_at is null limit 1`.execute(tx)
    if (rows.length) throw refuse(409, 'questionnaire_type_used', {}, 'kind')
  },
})

const NOTHING = {
  points: null,
  options: [],
  grid_rows: [],
  minimum: null,
  maximum: null,
  type_id: null,
  outcome_domain: null,
  condition_id: null,
  condition_is: null,
  condition_value: null,
}

const questions = workings(questionnaireQuestion, {
  async beforeWrite(_ctx, tx, merged, current) {
    const type_id = merged.type_id == null ? null : Number(merged.type_id)
    if (type_id !== null) await holdType(tx, type_id)
    let position = Number(current?.position ?? 0)
    if (!current && type_id !== null) {
      const { rows } = await sql<{ next: number }>`select coalesce(max(position), 0)::int + 1 as next
        from questionnaire_questions where type_id = ${type_id}`.execute(tx)
      position = rows[0]?.next ?? 1
    }
    position ||= 1
    // What was not given at all is nothing.
    const said = {
      ...NOTHING,
      ...Object.fromEntries(Object.entries(merged).filter(([, value]) => value != null)),
      position,
    } as unknown as QuestionSaid
    const on = said.condition_id === null ? null : await conditionOn(tx, said.condition_id)
    const reasons = checkQuestion(said, on)
    if (reasons.length) throw new Refusal(422, reasons)
    return current ? {} : { position }
  },
  async beforeRemove(_ctx, tx, id) {
    const { rows } = await sql<{
      name: string
      name_local: string
    }>`select question as name, question_local as name_local
      from questionnaire_questions where condition_id = ${id} and removed_at is null order by position limit 1`.execute(
      tx,
    )
    const [found] = rows
    if (found) throw refuse(409, 'question_condition_stands', { ...found })
  },
})

/** Questions of a type as they are asked now. */
export async function formOfType(db: Db | Tx, type_id: number): Promise<FormQuestion[]> {
  const words = (table: string) =>
    sql.raw(`coalesce((select json_agg(json_build_object('name', o.name, 'name_local', o.name_local, 'de', o.name_de, 'fr', o.name_fr, 'pt', o.name_pt)
      order by o.position)
      from ${table} o where o.question_id = t.id), '[]')`)
  const { rows } = await sql<{ question: unknown }>`
    select json_build_object('key', 'q' || t.id, 'revision', t.revision,
      'section', case when t.section is not null or t.section_local is not null
        then json_build_object('name', coalesce(t.section, t.section_local), 'name_local', coalesce(t.section_local, t.section),
          'de', t.section_de, 'fr', t.section_fr, 'pt', t.section_pt) end,
      'text', json_build_object('name', t.question, 'name_local', t.question_local, 'de', t.question_de, 'fr', t.question_fr, 'pt', t.question_pt),
      'kind', t.kind, 'points', t.points, 'options', ${words('questionnaire_options')}, 'rows', ${words('questionnaire_grid_rows')},
      'required', t.required, 'min', t.minimum, 'max', t.maximum, 'domain', t.outcome_domain,
      'condition', case when t.condition_id is not null
        then json_build_object('key', 'q' || t.condition_id, 'is', t.condition_is, 'value', t.condition_value) end) as question
    from questionnaire_questions t where t.type_id = ${type_id} and t.removed_at is null order by t.position, t.id`.execute(
    db,
  )
  return questionForm.parse(rows.map((row) => row.question))
}

/** Puts the questions of a type into another order; who else does waits. */
const putInOrder = (
  ctx: Ctx,
  id: number,
  orderOf: (rows: readonly (PlacedQuestion & { section: string | null })[]) => ReturnType<typeof reorderedQuestions>,
) =>
  ctx.write(async (tx) => {
    const { rows: found } = await sql<{ type_id: number | null }>`select type_id from questionnaire_questions
      where id = ${id} and removed_at is null`.execute(tx)
    const type_id = found[0]?.type_id
    if (!found[0]) throw refuse(404, 'not_found')
    if (type_id == null) throw refuse(409, 'question_in_bank')
    await holdType(tx, type_id)
    const { rows } = await sql<
      PlacedQuestion & { section: string | null }
    >`select id, condition_id, coalesce(section, section_local) as section from questionnaire_questions
      where type_id = ${type_id} and removed_at is null order by position, id`.execute(tx)
    const next = orderOf(rows)
    if ('reasons' in next) throw new Refusal(409, next.reasons)
    const { order } = next
    await sql`update questionnaire_questions t set position = n.place from unnest(${order}::int[]) with ordinality as n (id, place)
      where t.id = n.id and t.position <> n.place`.execute(tx)
    return { data: order.map((one, i) => ({ id: one, order: i + 1 })) }
  })

export const questionHandlers: readonly Handled[] = [
  ...types.handlers,
  ...questions.handlers,
  handle(questionCalls.reorder, (ctx, { params }) =>
    putInOrder(ctx, params.id, (rows) => reorderedQuestions(rows, params.id, params.order)),
  ),
  handle(questionCalls.reorderSection, (ctx, { params }) =>
    putInOrder(ctx, params.id, (rows) => reorderedSections(rows, params.id, params.order)),
  ),
  handle(questionCalls.copy, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const { rows: there } =
        await sql`select from questionnaire_types where id = ${body.type_id} and removed_at is null
        for no key update`.execute(tx)
      if (!there.length) throw refuse(422, 'reference_missing', {}, 'type_id')
      const data: { id: number }[] = []
      // Conditions stay behind: what they stand on may not come along.
      for (const from of body.ids) {
        const { rows } = await sql<{
          id: number
        }>`insert into questionnaire_questions (type_id, from_id, from_revision, section, section_local, section_de, section_fr, section_pt,
            question, question_local, question_de, question_fr, question_pt, kind, points, minimum, maximum, required,
            outcome_domain, position)
          select ${body.type_id}, t.id, t.revision, t.section, t.section_local, t.section_de, t.section_fr, t.section_pt, t.question, t.question_local, t.question_de, t.question_fr,
            t.question_pt, t.kind, t.points, t.minimum, t.maximum, t.required, t.outcome_domain,
            (select coalesce(max(p.position), 0) + 1 from questionnaire_questions p where p.type_id = ${body.type_id})
          from questionnaire_questions t where t.id = ${from} and t.removed_at is null returning id`.execute(tx)
        const [made] = rows
        if (!made) throw refuse(422, 'reference_missing', {}, 'ids')
        for (const table of ['questionnaire_options', 'questionnaire_grid_rows'])
          await sql`insert into ${sql.table(table)} (question_id, position, name, name_local, name_de, name_fr, name_pt)
            select ${made.id}, position, name, name_local, name_de, name_fr, name_pt from ${sql.table(table)} where question_id = ${from} order by position`.execute(
            tx,
          )
        data.push(made)
      }
      return { data }
    }),
  ),
  handle(questionCalls.showType, async (ctx, { params }) => {
    const { rows } = await sql<{
      id: number
      code: string
      name: string
      name_local: string
      kind: string
      about: string
      introduction: QuestionnaireWords | null
    }>`select y.id, y.code, y.name, y.name_local, y.kind, y.about, ${INTRODUCTION} as introduction
      from questionnaire_types y where y.id = ${params.id}`.execute(ctx.db)
    const [found] = rows
    if (!found) throw refuse(404, 'not_found')
    return { data: { ...found, questions: await formOfType(ctx.db, params.id) } }
  }),
]
