/** Research projects: proposed, approved, run and finished; their money, documents and what came of them. */
import { publicationReach } from '#areas/research/publications/works/reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { project, projectCalls as calls, projectFlow, projectSteps, type ProjectParts } from './project.contract.ts'
import { checkFinished, checkProject, checkSpending, type LineLeft, type ProjectFacts } from './project.rules.ts'

/** The project is `t`; the own are those that the person entered, or works in. */
export const projectReach = (ctx: Ctx) => ({
  faculty: sql`t.faculty_id`,
  department: sql`t.department_id`,
  own: sql`(${isId(sql`t.created_by`, ctx.actor?.user_id)} or exists (select from project_members om
    where om.project_id = t.id and ${isId(sql`om.user_id`, ctx.actor?.user_id)}))`,
})

async function projectFacts(db: Db | Tx, ids: readonly number[]): Promise<Map<number, ProjectFacts>> {
  const { rows } = await sql<ProjectFacts & { id: number }>`
    select t.id, (select count(*)::int from project_members m where m.project_id = t.id and m.job = 'leader') as leaders,
      (select count(*)::int from project_budget_lines l where l.project_id = t.id) as lines,
      (select count(*)::int from project_milestones s where s.project_id = t.id and s.done_on is null) as open_milestones,
      (select count(*)::int from project_documents d where d.project_id = t.id and d.kind = 'final_report') as final_reports
    from projects t where t.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

export const projectWorkflow = serveWorkflow(projectFlow, projectSteps, {
  table: 'projects',
  scope: projectReach,
  seen: ['access_project', 'show_project'],
  nameOf: `(t.code || ' · ' || t.name)`,
  own: (people) => sql`(coalesce(t.created_by = any(${people}), false) or exists (select from project_members om
    where om.project_id = t.id and om.user_id = any(${people})))`,
  facts: (_ctx, tx, ids) => projectFacts(tx, ids),
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      for (const { id, to } of moved)
        await sql`update projects set status = ${to}, finished_on = case when ${to} = 'finished' then university_today() end
          where id = ${id}`.execute(tx)
    },
  },
  tells: {
    users: `array(select distinct x from unnest(array[t.created_by] || array(select m.user_id from project_members m
      where m.project_id = t.id and m.job in ('leader', 'co_leader'))) x where x is not null)`,
    data: `json_build_object('project', t.name, 'project_local', t.name_local)`,
    waiting: { data: `'{}'::json`, link: '/my_researches/projects' },
    link: (id) => `/my_researches/projects/show/${id}`,
  },
})
export const projectWork: readonly WorkSource[] = [
  {
    permissions: ['approve_project'],
    waiting: (ctx) => sql`
      select 'projects.work_projects', jsonb_build_object('count', count(*)),
        '/my_researches/projects?filters=%7B%22status%22%3A%5B%22proposed%22%5D%7D', min(t.updated_at), null::timestamptz
      from projects t where t.removed_at is null and t.status = 'proposed' and ${projectWorkflow.waiting(ctx)} having count(*) > 0`,
  },
]

const OPEN: ReadonlySet<unknown> = new Set(['proposed', 'running', 'rejected'])
export const servedProjects = workings(project, {
  scope: {
    faculty: (ctx) => projectReach(ctx).faculty,
    department: (ctx) => projectReach(ctx).department,
    own: (ctx) => projectReach(ctx).own,
  },
  filters: {
    // Of one person: in which the person works.
    user_id: (value) => sql`exists (select from project_members pm
      where pm.project_id = t.id and pm.user_id = ${Number(value)})`,
  },
  flow: projectWorkflow,
  abilities: {
    edit: ({ status }) => OPEN.has(status) || 'project_closed',
    remove: ({ status }) => status === 'proposed' || status === 'rejected' || 'project_begun',
  },
  async beforeWrite(ctx, tx, merged, current) {
    const { rows } = await sql<{ today: string }>`select university_today()::text as today`.execute(tx)
    const reasons = checkProject(merged, firstRow(rows).today)
    if (reasons.length) throw new Refusal(422, reasons)
    return current ? undefined : { created_by: ctx.actor?.user_id ?? null }
  },
  async afterWrite(ctx, tx, id, _merged, current) {
    if (!current) await projectWorkflow.begin(ctx, tx, id, 'proposed')
  },
})

/** A project within reach, held. @throws {Refusal} 404; 409 where it is over */
export async function holdProject(
  ctx: Ctx,
  tx: Tx,
  id: number,
  key: PermissionKey = 'edit_project',
): Promise<{ status: string }> {
  await sql`select from projects where id = ${id} for update`.execute(tx)
  const { rows } = await sql<{ status: string }>`select t.status from projects t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, key, projectReach(ctx))}`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  if (!OPEN.has(rows[0].status)) throw refuse(409, 'project_closed')
  return rows[0]
}

const mine = handle(calls.mine, async (ctx) => {
  const { rows } = await sql<{
    id: number
    code: string
    name: string
    name_local: string
    status: string
    start_date: string
    end_date: string
    job: string | null
  }>`
    select t.id, t.code, t.name, t.name_local, t.status, t.start_date::text, t.end_date::text,
      (select m.job from project_members m where m.project_id = t.id and ${isId(sql`m.user_id`, ctx.actor?.user_id)} limit 1) as job
    from projects t where t.removed_at is null and ${projectReach(ctx).own} order by t.start_date desc, t.id desc limit 500`.execute(
    ctx.db,
  )
  return { data: rows }
})

type Spending = Omit<ProjectParts['spendings'][number], 'file'> & { file: { id: number; name: string } | null }
type Document = Omit<ProjectParts['documents'][number], 'url'> & { file_id: number; file: string }
const parts = handle(calls.parts, async (ctx, { params: { id } }) => {
  const { rows: found } = await sql<{ writes: boolean }>`
    select (${scopeCondition(ctx, 'edit_project', projectReach(ctx))} and t.removed_at is null) as writes from projects t
    where t.id = ${id} and ${scopeCondition(ctx, 'show_project', projectReach(ctx))}`.execute(ctx.db)
  if (!found[0]) throw refuse(404, 'not_found')
  const { rows: lines } = await sql<ProjectParts['lines'][number]>`
    select l.id, l.name, l.amount::float8 as amount, coalesce(sum(s.amount), 0)::float8 as spent from project_budget_lines l
      left join project_spendings s on s.line_id = l.id where l.project_id = ${id} group by l.id order by l.position`.execute(
    ctx.db,
  )
  const { rows: spendings } = await sql<Spending>`
    select s.id, s.line_id, s.spent_on::text, s.amount::float8 as amount, s.what, s.over_reason, (select ${refOrNull('u')} from users u where u.id = s.created_by) as by,
      case when f.id is not null then json_build_object('id', f.id, 'name', f.name) end as file
    from project_spendings s left join files f on f.id = s.file_id where s.project_id = ${id} order by s.spent_on desc, s.id desc`.execute(
    ctx.db,
  )
  const { rows: documents } = await sql<Document>`
    select d.id, d.kind, d.name, d.file_id, f.name as file, d.created_at as at, (select ${refOrNull('u')} from users u where u.id = d.created_by) as by
    from project_documents d join files f on f.id = d.file_id where d.project_id = ${id} order by d.id desc`.execute(
    ctx.db,
  )
  const { rows: publications } = await sql<ProjectParts['publications'][number]>`
    select p.id, coalesce(p.title, p.title_local) as title, p.title_local, p.year from project_publications x
      join publications p on p.id = x.publication_id where x.project_id = ${id} and p.removed_at is null order by p.year desc nulls last, p.id`.execute(
    ctx.db,
  )
  const facts = (await projectFacts(ctx.db, [id])).get(id)!
  const open = (file: { id: number; name: string }) => ctx.services.files.link(file, ctx.actor!)
  return {
    data: {
      lines,
      spendings: spendings.map((one) => ({ ...one, file: one.file && { name: one.file.name, url: open(one.file) } })),
      documents: documents.map(({ file_id, file, ...one }) => ({ ...one, url: open({ id: file_id, name: file }) })),
      publications,
      writes: found[0].writes,
      reasons: checkFinished(facts).map(toProblem),
    },
  }
})

const spend = handle(calls.spend, (ctx, { params: { id }, body, file }) =>
  ctx.write(async (tx) => {
    const { status } = await holdProject(ctx, tx, id)
    if (status !== 'running') throw refuse(409, 'project_not_running')
    const { rows } = await sql<LineLeft>`
      select l.name, l.amount::float8 as amount, coalesce((select sum(s.amount) from project_spendings s where s.line_id = l.id), 0)::float8 as spent
      from project_budget_lines l where l.id = ${body.line_id} and l.project_id = ${id}`.execute(tx)
    const reasons = checkSpending(rows[0], body)
    const { rows: days } = await sql<{
      ahead: boolean
    }>`select ${body.spent_on}::date > university_today() as ahead`.execute(tx)
    if (firstRow(days).ahead) reasons.push({ field: 'spent_on', code: 'project_spent_ahead' })
    if (reasons.length) throw new Refusal(422, reasons)
    const kept = file ? await ctx.services.files.save(ctx, file, tx) : null
    const { rows: put } = await sql<{ id: number }>`
      insert into project_spendings (project_id, line_id, spent_on, amount, what, over_reason, file_id, created_by)
      values (${id}, ${body.line_id}, ${body.spent_on}::date, ${body.amount}, ${body.what}, ${body.over_reason || null}, ${kept?.id ?? null}::int,
        ${ctx.actor?.user_id ?? null}::int) returning id`.execute(tx)
    return { data: firstRow(put) }
  }),
)

const addDocument = handle(calls.addDocument, (ctx, { params: { id }, body, file }) =>
  ctx.write(async (tx) => {
    await holdProject(ctx, tx, id)
    const kept = await ctx.services.files.save(ctx, file!, tx)
    const { rows } = await sql<{ id: number }>`
      insert into project_documents (project_id, kind, name, file_id, created_by)
      values (${id}, ${body.kind}, ${body.name}, ${kept.id}, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(
      tx,
    )
    return { data: firstRow(rows) }
  }),
)
const removeDocument = handle(calls.removeDocument, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{
      project_id: number
    }>`select project_id from project_documents where id = ${id}`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    await holdProject(ctx, tx, rows[0].project_id)
    await sql`delete from project_documents where id = ${id}`.execute(tx)
    return { data: { id } }
  }),
)
/** What the reader does not see of its publications stays as it is. */
const link = handle(calls.link, (ctx, { params: { id }, body: { publication_ids } }) =>
  ctx.write(async (tx) => {
    await holdProject(ctx, tx, id)
    const ids = [...new Set(publication_ids)]
    const reached = scopeCondition(ctx, ['access_publication', 'show_publication'], publicationReach(ctx))
    const { rows } = await sql<{
      id: number
    }>`select t.id from publications t where t.id = any(${ids}::int[]) and t.removed_at is null
      and (${reached} or exists (select from project_publications x where x.project_id = ${id} and x.publication_id = t.id)) for share`.execute(
      tx,
    )
    if (rows.length < ids.length) throw refuse(422, 'reference_missing', undefined, 'publication_ids')
    await sql`delete from project_publications x using publications t where x.project_id = ${id} and t.id = x.publication_id
      and x.publication_id <> all(${ids}::int[]) and ${reached}`.execute(tx)
    await sql`insert into project_publications (project_id, publication_id) select ${id}, x from unnest(${ids}::int[]) x
      on conflict do nothing`.execute(tx)
    return { data: { id } }
  }),
)

export const projectHandlers: readonly Handled[] = [
  ...servedProjects.handlers,
  ...projectWorkflow.handlers,
  servedProjects.at(calls.change, 'update'),
  mine,
  parts,
  spend,
  addDocument,
  removeDocument,
  link,
]
