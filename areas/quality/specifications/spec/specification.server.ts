/** Specifications: begun as copies, submitted, approved or returned. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { specificationFacts } from '../matrix/facts.server.ts'
import { copyParts } from '../parts/copy.server.ts'
import { DEPARTMENT_OF, FACULTY_OF, specificationReach } from './reach.server.ts'
import { specification, specificationCalls, specificationFlow, specificationSteps } from './specification.contract.ts'

const called = (column: 'name' | 'name_local') =>
  `(select x.code || ' · ' || x.${column} from courses x where x.id = t.course_id union all
    select x.code || ' · ' || x.${column} from programs x where x.id = t.program_id)`

export const specificationWorkflow = serveWorkflow(specificationFlow, specificationSteps, {
  table: 'specifications',
  scope: specificationReach,
  units: () => ({ faculty: sql.raw(FACULTY_OF), department: sql.raw(DEPARTMENT_OF) }),
  seen: ['access_specification', 'show_specification'],
  nameOf: called('name'),
  // Whoever began it does not approve it; whoever submitted it does not either, by the rule.
  own: () => sql`false`,
  facts: async (ctx, tx, ids) => {
    const { rows } = await sql<{ id: number }>`select distinct k.record_id as id from step_history k
      where k.workflow = ${specificationFlow.name} and k.action = 'submit' and k.record_id = any(${[...ids]}::int[])
        and (k.actor_id = any(${peopleOf(ctx)}::int[]) or k.impersonator_id = any(${peopleOf(ctx)}::int[]))`.execute(tx)
    const mine = new Set(rows.map(({ id }) => id))
    const facts = await specificationFacts(tx, ids)
    return new Map([...facts].map(([id, one]) => [id, { ...one, mine: mine.has(id) }]))
  },
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      for (const { id, to } of moved)
        await sql`update specifications set status = ${to},
          approved_on = case when ${to} = 'approved' then university_today() end where id = ${id}`.execute(tx)
    },
  },
  tells: {
    users: `array(select distinct k.actor_id from step_history k where k.workflow = 'specification' and k.record_id = t.id
      and k.action in ('begin', 'submit') and k.actor_id is not null)`,
    data: `json_build_object('what', ${called('name')}, 'what_local', ${called('name_local')})`,
    waiting: { data: `'{}'::json`, link: '/specifications' },
    link: (id) => `/specifications/${id}`,
  },
})
export const specificationWork: readonly WorkSource[] = [
  {
    permissions: ['approve_specification'],
    waiting: (ctx) => sql`
      select 'specifications.work_specifications', jsonb_build_object('count', count(*)), '/specifications?filters=%7B%22status%22%3A%5B%22submitted%22%5D%7D',
        min(t.updated_at), null::timestamptz
      from specifications t where ${specificationWorkflow.waiting(ctx)} having count(*) > 0`,
  },
]

/** Holds what is specified, so that two who begin at one moment come one after the other; gives what the next version is a copy of. */
async function nextVersion(
  tx: Tx,
  of: { course_id: number | null; program_id: number | null; year_id: number },
): Promise<{ revision: number; from_id: number | null }> {
  const { rows: there } =
    of.course_id === null
      ? await sql`select from programs where id = ${of.program_id} and removed_at is null for no key update`.execute(tx)
      : await sql`select from courses where id = ${of.course_id} and removed_at is null for no key update`.execute(tx)
  if (!there.length)
    throw refuse(422, 'reference_missing', undefined, of.course_id === null ? 'program_id' : 'course_id')
  const { rows } = await sql<{ revision: number; open: boolean; from_id: number | null }>`
    select coalesce(max(s.revision) filter (where s.year_id = ${of.year_id}), 0)::int + 1 as revision,
      coalesce(bool_or(s.year_id = ${of.year_id} and s.removed_at is null and s.status <> 'approved'), false) as open,
      specification_in_force(${of.course_id}::int, ${of.program_id}::int, ${of.year_id}) as from_id
    from specifications s where s.course_id = ${of.course_id}::int or s.program_id = ${of.program_id}::int`.execute(tx)
  const { open, ...next } = firstRow(rows)
  if (open) throw refuse(409, 'specification_open')
  return next
}

export const servedSpecifications = workings(specification, {
  scope: {
    faculty: (ctx) => specificationReach(ctx).faculty,
    department: (ctx) => specificationReach(ctx).department,
    program: (ctx) => specificationReach(ctx).program,
    taught: (ctx) => specificationReach(ctx).taught,
    own: (ctx) => specificationReach(ctx).own,
  },
  computed: { faculty_id: FACULTY_OF, department_id: DEPARTMENT_OF },
  search: [
    `(select x.search_text from courses x where x.id = t.course_id union all select x.search_text from programs x where x.id = t.program_id)`,
  ],
  sort: {
    course_id: '(select x.code from courses x where x.id = t.course_id)',
    program_id: '(select x.code from programs x where x.id = t.program_id)',
    year_id: '(select x.start_date from years x where x.id = t.year_id)',
  },
  flow: specificationWorkflow,
  abilities: {
    edit: ({ status }) => status === 'draft' || status === 'sent_back' || 'specification_fixed',
    remove: ({ status }) => status === 'draft' || status === 'sent_back' || 'specification_fixed',
  },
  async beforeWrite(_ctx, tx, merged, current) {
    merged.threshold ??= 60
    merged.target ??= 70
    if (current) return
    const course_id = merged.course_id == null ? null : Number(merged.course_id)
    const program_id = merged.program_id == null ? null : Number(merged.program_id)
    if ((course_id === null) === (program_id === null)) throw refuse(422, 'specification_of_one', {}, 'course_id')
    return await nextVersion(tx, { course_id, program_id, year_id: Number(merged.year_id) })
  },
  async afterWrite(ctx, tx, id, merged, current) {
    if (current) return
    await copyParts(tx, id)
    // What was said of it now stands; the rest is as before.
    await sql`update specifications t set aims = coalesce(t.aims, f.aims), aims_local = coalesce(t.aims_local, f.aims_local)
      from specifications f where t.id = ${id} and f.id = t.from_id`.execute(tx)
    await specificationWorkflow.begin(ctx, tx, id, 'draft')
  },
})

interface Whose {
  course_id: number | null
  program_id: number | null
  year_id: number
  threshold: number
  target: number
}
/** A new version of a specification that the person sees, in its own or another year. */
const copy = (ctx: Ctx, id: number, year_id: number | undefined) =>
  ctx.write(async (tx) => {
    const { rows } =
      await sql<Whose>`select t.course_id, t.program_id, t.year_id, t.threshold, t.target from specifications t
      where t.id = ${id} and t.removed_at is null and ${servedSpecifications.scope(ctx, 'add_specification')}`.execute(
        tx,
      )
    const [from] = rows
    if (!from) throw refuse(404, 'not_found')
    const made = await servedSpecifications.insert(ctx, tx, { ...from, year_id: year_id ?? from.year_id })
    const { rows: is } = await sql<{ id: number; revision: number }>`select id, revision from specifications
      where id = ${made}`.execute(tx)
    return { data: firstRow(is) }
  })

/** Specifications that hold in one year and have no version in the other, within the reach. */
const copyYear = (ctx: Ctx, from_year_id: number, year_id: number, faculty_id: number | null) =>
  ctx.write(async (tx) => {
    const { rows } =
      await sql<Whose>`select t.course_id, t.program_id, t.threshold, t.target, ${year_id}::int as year_id
      from specifications t where t.year_id = ${from_year_id} and t.status = 'approved' and t.removed_at is null
        and t.revision = (select max(s.revision) from specifications s where s.course_id is not distinct from t.course_id
          and s.program_id is not distinct from t.program_id and s.year_id = t.year_id and s.status = 'approved' and s.removed_at is null)
        and not exists (select from specifications s where s.course_id is not distinct from t.course_id
          and s.program_id is not distinct from t.program_id and s.year_id = ${year_id} and s.removed_at is null)
        and (${faculty_id}::int is null or ${sql.raw(FACULTY_OF)} = ${faculty_id})
        and ${servedSpecifications.scope(ctx, 'add_specification')} order by t.id`.execute(tx)
    for (const from of rows) await servedSpecifications.insert(ctx, tx, { ...from })
    return { data: { copied: rows.length } }
  })

export const specificationHandlers: readonly Handled[] = [
  ...servedSpecifications.handlers,
  ...specificationWorkflow.handlers,
  handle(specificationCalls.copy, (ctx, { params, body }) => copy(ctx, params.id, body.year_id)),
  handle(specificationCalls.copyYear, (ctx, { body }) =>
    copyYear(ctx, body.from_year_id, body.year_id, body.faculty_id ?? null),
  ),
]
