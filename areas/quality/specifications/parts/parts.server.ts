/** Parts of specifications: lists, and what is added, changed and removed while somebody works on one. */
import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { specificationReach } from '../spec/reach.server.ts'
import { OUTCOME_LEVELS, OUTCOME_VERBS, REFERENCE_KINDS, type SpecificationType } from '../spec/words.contract.ts'
import {
  partCalls,
  type AssessmentRow,
  type MethodRow,
  type OutcomeRow,
  type PartInput,
  type PartKind,
  type PartsAsked,
  type ReferenceRow,
  type TopicRow,
} from './parts.contract.ts'
import { PART_FIELDS, checkPart, partsReordered } from './parts.rules.ts'

const LOOKS: readonly PermissionKey[] = ['access_specification', 'show_specification']
const tableOf = (kind: PartKind) => sql.table(`specification_${kind}`)
const OF: Readonly<Record<SpecificationType, RawBuilder<unknown>>> = {
  'courses-specs': sql`t.course_id is not null`,
  'programs-specs': sql`t.program_id is not null`,
}

/** The specification that is asked for, within reach; null: there is none. */
async function askedOne(ctx: Ctx, type: SpecificationType, asked: PartsAsked): Promise<number | null> {
  const { specification_id = null, course_id = null, program_id = null, year_id = null } = asked
  if (specification_id === null && course_id === null && program_id === null)
    throw refuse(422, 'spec_not_named', {}, 'specification_id')
  const { rows } = await sql<{ id: number }>`select t.id from specifications t join years y on y.id = t.year_id
    where t.removed_at is null and ${OF[type]} and ${scopeCondition(ctx, LOOKS, specificationReach(ctx))}
      and (${specification_id}::int is null or t.id = ${specification_id})
      and (${course_id}::int is null or t.course_id = ${course_id}) and (${program_id}::int is null or t.program_id = ${program_id})
      and (${year_id}::int is null or t.year_id = ${year_id})
    order by y.start_date desc, t.revision desc limit 1`.execute(ctx.db)
  return rows[0]?.id ?? null
}

const idsOf = (table: string, other: string) =>
  sql.raw(`coalesce((select json_agg(x.${other} order by x.${other}) from ${table} x where x.outcome_id = o.id), '[]')`)
/** Columns of the outcome `o`. */
const OUTCOME = sql`o.id, o.version, o.position, o.specification_id, o.code, o.domain, o.level, o.verb, o.text, o.text_local, o.target,
  ${idsOf('outcome_topics', 'topic_id')} as topics, ${idsOf('outcome_methods', 'method_id')} as methods,
  ${idsOf('outcome_assessments', 'assessment_id')} as assessments,
  coalesce((select json_agg(json_build_object('program_id', x.program_id, 'code', x.code) order by x.program_id, x.code)
    from outcome_contributions x where x.outcome_id = o.id), '[]') as serves`

/** Parts of one specification by kind, in their order. */
export const partsOf = {
  outcomes: async (db: Db | Tx, id: number) =>
    (
      await sql<OutcomeRow>`select ${OUTCOME} from specification_outcomes o where o.specification_id = ${id}
      order by o.position, o.id`.execute(db)
    ).rows,
  topics: async (db: Db | Tx, id: number) =>
    (
      await sql<TopicRow>`select id, version, position, specification_id, text, text_local, weeks, hours::text as hours
      from specification_topics where specification_id = ${id} order by position, id`.execute(db)
    ).rows,
  methods: async (db: Db | Tx, id: number) =>
    (
      await sql<MethodRow>`select id, version, position, specification_id, text, text_local
      from specification_methods where specification_id = ${id} order by position, id`.execute(db)
    ).rows,
  assessments: async (db: Db | Tx, id: number) =>
    (
      await sql<AssessmentRow>`select a.id, a.version, a.position, a.specification_id, a.text, a.text_local, a.weight::text as weight,
        a.week, ${refOrNull('k')} as mark_category
      from specification_assessments a left join mark_categories k on k.id = a.mark_category_id
      where a.specification_id = ${id} order by a.position, a.id`.execute(db)
    ).rows,
  references: async (db: Db | Tx, id: number) =>
    (
      await sql<ReferenceRow>`select id, version, position, specification_id, kind, text
      from specification_references where specification_id = ${id} order by position, id`.execute(db)
    ).rows,
}
const listed =
  <Kind extends PartKind>(kind: Kind) =>
  async (
    ctx: Ctx,
    { params, body }: { params: { type: SpecificationType }; body: PartsAsked },
  ): Promise<{ data: Awaited<ReturnType<(typeof partsOf)[Kind]>> }> => {
    const id = await askedOne(ctx, params.type, body)
    const rows = id === null ? [] : await partsOf[kind](ctx.db, id)
    return { data: rows as Awaited<ReturnType<(typeof partsOf)[Kind]>> }
  }

/** Outcomes of a program, or of those with a course in their plan: as they hold in a year, the latest unless told. */
async function programOutcomes(ctx: Ctx, asked: PartsAsked) {
  const { course_id = null, program_id = null, year_id = null } = asked
  if (asked.specification_id === undefined && course_id === null && program_id === null)
    throw refuse(422, 'spec_not_named', {}, 'specification_id')
  const reach = scopeCondition(ctx, LOOKS, specificationReach(ctx))
  const { rows } = await sql<OutcomeRow & { program: { id: number; name: string } }>`
    select ${OUTCOME}, ${ref('p')} as program from specifications t join programs p on p.id = t.program_id
      join specification_outcomes o on o.specification_id = t.id
    where t.removed_at is null and ${
      asked.specification_id === undefined
        ? sql`t.id = specification_in_force(null, p.id, coalesce(${year_id}::int, (select id from years where removed_at is null order by start_date desc limit 1)))`
        : sql`t.id = ${asked.specification_id}`
    } and (${program_id}::int is null or p.id = ${program_id})
      and (${course_id}::int is null or exists (select from program_courses c where c.program_id = p.id and c.course_id = ${course_id}))
      and ${reach} order by p.code, o.position, o.id`.execute(ctx.db)
  return { data: rows }
}

/**
 * Holds a specification for a change of its parts: who submits it meanwhile waits.
 * @throws {Refusal} 404 out of reach or of the other type; 409 while it is not worked on
 */
export async function holdSpecification(ctx: Ctx, tx: Tx, id: number, type?: SpecificationType): Promise<void> {
  const { rows } = await sql<{ status: string; removed: boolean }>`select t.status, t.removed_at is not null as removed
    from specifications t where t.id = ${id} and ${type ? OF[type] : sql`true`}
      and ${scopeCondition(ctx, 'edit_specification', specificationReach(ctx))} for no key update of t`.execute(tx)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  if (found.removed) throw refuse(409, 'removed_record')
  if (found.status !== 'draft' && found.status !== 'sent_back') throw refuse(409, 'specification_fixed')
}

/** Puts a part at its place among those of its kind. */
async function place(tx: Tx, kind: PartKind, of: number, id: number, at: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from ${tableOf(kind)} where specification_id = ${of}
    order by position, id`.execute(tx)
  const order = partsReordered(
    rows.map((row) => row.id),
    id,
    at,
  )
  await sql`update ${tableOf(kind)} t set position = n.place from unnest(${order}::int[]) with ordinality as n (id, place)
    where t.id = n.id and t.position <> n.place`.execute(tx)
}

const columnsIn = (kind: PartKind, given: PartInput): [string, unknown][] =>
  [...PART_FIELDS[kind].needs, ...PART_FIELDS[kind].may].flatMap((field): [string, unknown][] =>
    given[field] === undefined ? [] : [[field, given[field] === '' ? null : given[field]]],
  )
async function written(tx: Tx, kind: PartKind, id: number) {
  const { rows } = await sql<{
    id: number
    version: number
  }>`select id, version from ${tableOf(kind)} where id = ${id}`.execute(tx)
  return { data: firstRow(rows) }
}

const add = (ctx: Ctx, type: SpecificationType, kind: PartKind, given: PartInput) => {
  const reasons = checkPart(kind, given, true)
  if (reasons.length) throw new Refusal(422, reasons)
  const of = given.specification_id ?? 0
  return ctx.write(async (tx) => {
    await holdSpecification(ctx, tx, of, type)
    const columns = columnsIn(kind, given)
    const { rows } = await sql<{
      id: number
    }>`insert into ${tableOf(kind)} (specification_id, position, ${sql.join(columns.map(([name]) => sql.ref(name)))})
      select ${of}, coalesce(max(x.position), 0) + 1, ${sql.join(columns.map(([name, value]) => typed(name, value)))}
      from ${tableOf(kind)} x where x.specification_id = ${of} returning id`.execute(tx)
    const { id } = firstRow(rows)
    if (given.position !== undefined) await place(tx, kind, of, id, given.position)
    return written(tx, kind, id)
  })
}
const NUMBERS: ReadonlySet<string> = new Set(['level', 'target', 'weeks', 'week', 'mark_category_id'])
const DECIMALS: ReadonlySet<string> = new Set(['hours', 'weight'])
/** A value in the type of its column: what stands in a select has none of its own. */
const typed = (name: string, value: unknown): RawBuilder<unknown> =>
  sql`${value}${sql.raw(NUMBERS.has(name) ? '::int' : DECIMALS.has(name) ? '::numeric' : '::text')}`

/** The part that is named, with its specification held. @throws {Refusal} 404; 409 where it is not worked on */
async function holdPart(ctx: Ctx, tx: Tx, type: SpecificationType, kind: PartKind, id: number) {
  const { rows: known } = await sql<{
    of: number
  }>`select specification_id as of from ${tableOf(kind)} where id = ${id}`.execute(tx)
  if (!known[0]) throw refuse(404, 'not_found')
  await holdSpecification(ctx, tx, known[0].of, type)
  const { rows } = await sql<{
    version: number
  }>`select version from ${tableOf(kind)} where id = ${id} for update`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { of: known[0].of, version: rows[0].version }
}

const change = (ctx: Ctx, type: SpecificationType, kind: PartKind, id: number, given: PartInput) =>
  ctx.write(async (tx) => {
    const { of, version } = await holdPart(ctx, tx, type, kind, id)
    const reasons = checkPart(kind, given, false)
    if (given.specification_id !== undefined && given.specification_id !== of)
      reasons.push({ field: 'specification_id', code: 'specification_moved' })
    if (reasons.length) throw new Refusal(422, reasons)
    if (given.version !== undefined && given.version !== version) throw refuse(409, 'changed_meanwhile', { version })
    const columns = columnsIn(kind, given)
    if (columns.length)
      await sql`update ${tableOf(kind)} set ${sql.join(columns.map(([name, value]) => sql`${sql.ref(name)} = ${typed(name, value)}`))}
        where id = ${id}`.execute(tx)
    if (given.position !== undefined) await place(tx, kind, of, id, given.position)
    return written(tx, kind, id)
  })

/** Of many, what is gone already is removed. */
const removeMany = (ctx: Ctx, type: SpecificationType, kind: PartKind, ids: readonly number[]) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{
      id: number
    }>`select p.id from ${tableOf(kind)} p join specifications s on s.id = p.specification_id
      where p.id = any(${[...ids]}::int[]) and (s.course_id is not null) = ${type === 'courses-specs'} order by p.id`.execute(
      tx,
    )
    const there = rows.map((row) => row.id)
    return there.length ? remove(ctx, type, kind, there) : { data: { removed: 0 } }
  })
const remove = (ctx: Ctx, type: SpecificationType, kind: PartKind, ids: readonly number[]) =>
  ctx.write(async (tx) => {
    for (const id of ids) await holdPart(ctx, tx, type, kind, id)
    await sql`delete from ${tableOf(kind)} where id = any(${[...ids]}::int[])`.execute(tx)
    return { data: { removed: ids.length } }
  })
const each = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b)

export const partHandlers: readonly Handled[] = [
  handle(partCalls.outcomes, listed('outcomes')),
  handle(partCalls.topics, listed('topics')),
  handle(partCalls.methods, listed('methods')),
  handle(partCalls.assessments, listed('assessments')),
  handle(partCalls.references, listed('references')),
  handle(partCalls.programOutcomes, (ctx, { body }) => programOutcomes(ctx, body)),
  handle(partCalls.add, (ctx, { params, body }) => add(ctx, params.type, params.kind, body)),
  handle(partCalls.change, (ctx, { params, body }) => change(ctx, params.type, params.kind, params.id, body)),
  handle(partCalls.remove, (ctx, { params }) => remove(ctx, params.type, params.kind, [params.id])),
  handle(partCalls.removeMany, (ctx, { params, body }) => removeMany(ctx, params.type, params.kind, each(body.ids))),
  handle(partCalls.addCourseOutcome, (ctx, { body }) => add(ctx, 'courses-specs', 'outcomes', body)),
  handle(partCalls.removeCourseOutcomes, (ctx, { body }) =>
    removeMany(ctx, 'courses-specs', 'outcomes', each(body.ids)),
  ),
  handle(partCalls.addProgramOutcome, (ctx, { body }) => add(ctx, 'programs-specs', 'outcomes', body)),
  handle(partCalls.removeProgramOutcomes, (ctx, { body }) =>
    removeMany(ctx, 'programs-specs', 'outcomes', each(body.ids)),
  ),
  handle(partCalls.lookups, async (ctx) => {
    const { rows } = await sql<{ one: { id: number; name: string } }>`select ${ref('k')} as one from mark_categories k
      where k.removed_at is null order by k.is_final_exam, k.code`.execute(ctx.db)
    return {
      data: {
        mark_categories: rows.map(({ one }) => one),
        domains: OUTCOME_DOMAINS.map(({ value }) => value),
        levels: OUTCOME_LEVELS.map(({ value }) => value),
        verbs: Object.fromEntries(Object.entries(OUTCOME_VERBS).map(([level, verbs]) => [level, [...verbs]])),
        reference_kinds: REFERENCE_KINDS.map(({ value }) => value),
      },
    }
  }),
]
