/** Findings: they remember what was measured when they were written, and when they were looked at again. */
import type { Db, Tx } from '#db/connect.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { DEPARTMENT_OF, FACULTY_OF, specificationReach } from '../spec/reach.server.ts'
import type { FindingFacts } from './attainment.rules.ts'
import { attainmentFigures } from './attainment.server.ts'
import { findingFlow, findingSteps, qualityFinding } from './finding.contract.ts'

interface Found {
  id: number
  course_id: number | null
  program_id: number | null
  year_id: number
  outcome_code: string
}
/** What was measured of an outcome, oldest year first. */
async function measuredOf(db: Db | Tx, of: Found): Promise<{ year_id: number; share: number }[]> {
  const { years, figures } = await attainmentFigures(db, of, null)
  return years.flatMap(({ id }) => {
    const figure = figures.find((one) => one.code === of.outcome_code && one.year_id === id)
    return figure ? [{ year_id: id, share: figure.share }] : []
  })
}
/** The latest year after that of each finding in which its outcome was measured. */
async function factsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, FindingFacts>> {
  const { rows } = await sql<Found>`select id, course_id, program_id, year_id, outcome_code from quality_findings
    where id = any(${[...ids]}::int[]) order by id`.execute(tx)
  const facts = new Map<number, FindingFacts>()
  for (const row of rows) {
    const { rows: later } = await sql<{ id: number }>`select y.id from years y, years b where b.id = ${row.year_id}
      and y.start_date > b.start_date`.execute(tx)
    const after = new Set(later.map((year) => year.id))
    const seen = (await measuredOf(tx, row)).findLast(({ year_id }) => after.has(year_id)) ?? null
    facts.set(row.id, { seen })
  }
  return facts
}

export const findingWorkflow = serveWorkflow(findingFlow, findingSteps, {
  table: 'quality_findings',
  scope: specificationReach,
  units: () => ({ faculty: sql.raw(FACULTY_OF), department: sql.raw(DEPARTMENT_OF) }),
  seen: ['access_qualityFinding', 'show_qualityFinding'],
  nameOf: 't.outcome_code',
  // Whoever acts does not judge whether it helped.
  own: (people) => sql`exists (select from instructors i where i.id = t.responsible_id and i.user_id = any(${people}))`,
  enteredByOfficer: true,
  facts: (_ctx, tx, ids) => factsOf(tx, ids),
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      const closing = moved.filter(({ to }) => to === 'improved' || to === 'not_improved').map(({ id }) => id)
      const facts = await factsOf(tx, closing)
      for (const { id, to } of moved) {
        const seen = facts.get(id)?.seen ?? null
        await sql`update quality_findings set status = ${to}, seen_year_id = ${seen?.year_id ?? null}, seen_share = ${seen?.share ?? null}
          where id = ${id}`.execute(tx)
      }
    },
  },
})

const served = workings(qualityFinding, {
  scope: {
    faculty: (ctx) => specificationReach(ctx).faculty,
    department: (ctx) => specificationReach(ctx).department,
    program: (ctx) => specificationReach(ctx).program,
    taught: (ctx) => specificationReach(ctx).taught,
    own: (ctx) => specificationReach(ctx).own,
  },
  flow: findingWorkflow,
  abilities: {
    edit: ({ status }) => status === 'action_planned' || 'finding_taken',
    remove: ({ status }) => status === 'action_planned' || 'finding_taken',
  },
  async beforeWrite(_ctx, tx, merged, current) {
    if (current) return
    const course_id = merged.course_id == null ? null : Number(merged.course_id)
    const program_id = merged.program_id == null ? null : Number(merged.program_id)
    if ((course_id === null) === (program_id === null)) throw refuse(422, 'finding_of_one', {}, 'course_id')
    const of = {
      id: 0,
      course_id,
      program_id,
      year_id: Number(merged.year_id),
      outcome_code: String(merged.outcome_code),
    }
    const { rows } = await sql`select from specification_outcomes o join specifications s on s.id = o.specification_id
      where (s.course_id = ${course_id}::int or s.program_id = ${program_id}::int) and s.removed_at is null
        and o.code = ${of.outcome_code} limit 1`.execute(tx)
    if (!rows.length) throw refuse(422, 'finding_outcome_unknown', {}, 'outcome_code')
    const measured = (await measuredOf(tx, of)).find(({ year_id }) => year_id === of.year_id)
    return { share: measured?.share ?? null }
  },
  async afterWrite(ctx, tx, id, _merged, current) {
    if (!current) await findingWorkflow.begin(ctx, tx, id, 'action_planned')
  },
})
export const findingHandlers: readonly Handled[] = [...served.handlers, ...findingWorkflow.handlers]

/** Who can be responsible: whoever teaches here. */
export const findingLookups: readonly LookupSource[] = [
  {
    name: 'qualityPerson',
    table: 'instructors',
    label: { name: 'r.name', name_local: 'r.name_local', code: 'r.code' },
    search: 'r.search_text',
    where: 'r.removed_at is null',
    order: 'r.name, r.id',
    permission: ['add_qualityFinding', 'edit_qualityFinding', 'access_qualityFinding'],
    scope: 'university',
    filters: [],
  },
]

/** What the person has to do, and what waits to be seen again. */
export const findingWork: readonly WorkSource[] = [
  {
    permissions: ['edit_qualityFinding'],
    waiting: (ctx) => sql`
      select 'specifications.work_findings', jsonb_build_object('count', count(*)), '/quality-findings', min(t.created_at),
        min(t.due_on)::timestamp at time zone university_zone()
      from quality_findings t where t.status = 'action_planned' and t.removed_at is null
        and t.responsible_id = ${ctx.actor?.instructor_id ?? null}::int having count(*) > 0`,
  },
]
