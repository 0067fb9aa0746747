/** The matrices of a specification, and what it lacks. */
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refText } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { holdSpecification, partsOf } from '../parts/parts.server.ts'
import { specificationReach } from '../spec/reach.server.ts'
import { specificationFacts } from './facts.server.ts'
import { specificationGaps } from './gaps.rules.ts'
import { matrixCalls, type MatrixCell, type ShownGap, type SpecificationSheet } from './matrix.contract.ts'

/** What a specification lacks, in words. */
export async function gapsOf(db: Db | Tx, id: number): Promise<ShownGap[]> {
  const facts = (await specificationFacts(db, [id])).get(id)
  return facts ? specificationGaps(facts).map(({ blocks, reason }) => ({ blocks, problem: toProblem(reason) })) : []
}

interface Head {
  id: number
  version: number
  of: 'course' | 'program'
  changes: boolean
  program_outcomes: SpecificationSheet['program_outcomes']
  courses: SpecificationSheet['courses']
}
/** A specification in full. @throws {Refusal} 404 when there is none within reach */
export async function specificationSheet(ctx: Ctx, id: number): Promise<SpecificationSheet> {
  const reach = specificationReach(ctx)
  const { rows } =
    await sql<Head>`select t.id, t.version, case when t.course_id is null then 'program' else 'course' end as of,
      t.removed_at is null and t.status in ('draft', 'sent_back') and ${scopeCondition(ctx, 'edit_specification', reach)} as changes,
      coalesce((select json_agg(json_build_object('program', ${ref('p')}, 'code', o.code, 'text', o.text, 'text_local', o.text_local)
          order by p.code, o.position, o.id)
        from program_courses pc join programs p on p.id = pc.program_id and p.removed_at is null
          join specification_outcomes o on o.specification_id = specification_in_force(null, p.id, t.year_id)
        where pc.course_id = t.course_id), '[]') as program_outcomes,
      coalesce((select json_agg(${sql.raw(refText('c').replace(/\)$/, ''))}, 'serves', coalesce((select json_agg(distinct x.code)
            from outcome_contributions x where x.specification_id = specification_in_force(c.id, null, t.year_id)
              and x.program_id = t.program_id), '[]')) order by pc.semester, c.code)
        from program_courses pc join courses c on c.id = pc.course_id where pc.program_id = t.program_id), '[]') as courses
    from specifications t where t.id = ${id} and ${scopeCondition(ctx, 'show_specification', reach)}`.execute(ctx.db)
  const [head] = rows
  if (!head) throw refuse(404, 'not_found')
  return {
    ...head,
    outcomes: await partsOf.outcomes(ctx.db, id),
    topics: await partsOf.topics(ctx.db, id),
    methods: await partsOf.methods(ctx.db, id),
    assessments: await partsOf.assessments(ctx.db, id),
    references: await partsOf.references(ctx.db, id),
    gaps: await gapsOf(ctx.db, id),
  }
}

const TABLES = {
  topics: ['outcome_topics', 'topic_id', 'specification_topics'],
  methods: ['outcome_methods', 'method_id', 'specification_methods'],
  assessments: ['outcome_assessments', 'assessment_id', 'specification_assessments'],
} as const

/** Fills or clears a cell; twice is the same as once. */
async function fill(tx: Tx, id: number, cell: MatrixCell): Promise<boolean> {
  if (cell.with === 'program_outcomes') {
    const { program_id = null, code = null } = cell
    if (!cell.on) {
      await sql`delete from outcome_contributions where specification_id = ${id} and outcome_id = ${cell.outcome_id}
        and program_id = ${program_id}::int and code = ${code}`.execute(tx)
      return true
    }
    // Only outcomes that a program with the course in its plan has.
    const { numAffectedRows } =
      await sql`insert into outcome_contributions (specification_id, outcome_id, program_id, code)
      select ${id}, u.id, pc.program_id, o.code from specifications t join specification_outcomes u on u.specification_id = t.id
        join program_courses pc on pc.course_id = t.course_id and pc.program_id = ${program_id}::int
        join specification_outcomes o on o.specification_id = specification_in_force(null, pc.program_id, t.year_id) and o.code = ${code}
      where t.id = ${id} and u.id = ${cell.outcome_id} on conflict do nothing`.execute(tx)
    if (numAffectedRows) return true
    const { rows } =
      await sql`select from outcome_contributions where outcome_id = ${cell.outcome_id} and specification_id = ${id}
      and program_id = ${program_id}::int and code = ${code}`.execute(tx)
    return rows.length > 0
  }
  const [table, column, parts] = TABLES[cell.with]
  const { to_id = null } = cell
  if (!cell.on) {
    await sql`delete from ${sql.table(table)} where specification_id = ${id} and outcome_id = ${cell.outcome_id}
      and ${sql.ref(column)} = ${to_id}::int`.execute(tx)
    return true
  }
  const { rows } =
    await sql`select from specification_outcomes u join ${sql.table(parts)} p on p.specification_id = u.specification_id
    where u.specification_id = ${id} and u.id = ${cell.outcome_id} and p.id = ${to_id}::int`.execute(tx)
  if (!rows.length) return false
  await sql`insert into ${sql.table(table)} (specification_id, outcome_id, ${sql.ref(column)}) values (${id}, ${cell.outcome_id}, ${to_id})
    on conflict do nothing`.execute(tx)
  return true
}

export const matrixHandlers: readonly Handled[] = [
  handle(matrixCalls.sheet, async (ctx, { params }) => ({ data: await specificationSheet(ctx, params.id) })),
  handle(matrixCalls.join, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      await holdSpecification(ctx, tx, params.id)
      const reasons = []
      for (const [i, cell] of body.cells.entries())
        if (!(await fill(tx, params.id, cell))) reasons.push({ field: `cells.${i}`, code: 'spec_cell_elsewhere' })
      if (reasons.length) throw new Refusal(409, reasons)
      return { data: { gaps: await gapsOf(tx, params.id) } }
    }),
  ),
]
