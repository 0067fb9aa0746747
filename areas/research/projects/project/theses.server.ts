/** Theses that are written in projects. */
import { mayThesis } from '#areas/research/theses/thesis/reach.server.ts'
import type { Ref, ResponseOf } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refText } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { holdProject, projectReach } from './project.server.ts'
import { projectThesisCalls as calls } from './theses.contract.ts'

type ThesisState = ResponseOf<typeof calls.theses>['data'][number]['status']

/** The thesis `t` is one that the reader sees. */
const seen = (ctx: Ctx) => sql`(t.removed_at is null and ${mayThesis(ctx, 'access_thesis', 'show_thesis')})`

const theses = handle(calls.theses, async (ctx, { params: { id } }) => {
  const { rows: found } = await sql`select from projects t where t.id = ${id}
    and ${scopeCondition(ctx, 'show_project', projectReach(ctx))}`.execute(ctx.db)
  if (!found.length) throw refuse(404, 'not_found')
  const { rows } = await sql<{ id: number; title: string; title_local: string; student: Ref; status: ThesisState }>`
    select t.id, t.title, t.title_local, ${sql.raw(refText('s'))} as student, t.status from project_theses x join theses t on t.id = x.thesis_id
      join students s on s.id = t.student_id
    where x.project_id = ${id} and ${seen(ctx)} order by t.granted_on desc nulls first, t.id`.execute(ctx.db)
  return { data: rows }
})

/** What the reader does not see of its theses stays as it is. */
const linkTheses = handle(calls.linkTheses, (ctx, { params: { id }, body: { thesis_ids } }) =>
  ctx.write(async (tx) => {
    await holdProject(ctx, tx, id)
    const ids = [...new Set(thesis_ids)]
    const { rows } = await sql`select t.id from theses t where t.id = any(${ids}::int[]) and ${seen(ctx)}
      order by t.id for share`.execute(tx)
    if (rows.length < ids.length) throw refuse(422, 'reference_missing', undefined, 'thesis_ids')
    await sql`delete from project_theses x using theses t where x.project_id = ${id} and t.id = x.thesis_id
      and x.thesis_id <> all(${ids}::int[]) and ${seen(ctx)}`.execute(tx)
    await sql`insert into project_theses (project_id, thesis_id) select ${id}, x from unnest(${ids}::int[]) x
      on conflict do nothing`.execute(tx)
    return { data: { id } }
  }),
)

const ofThesis = handle(calls.ofThesis, async (ctx, { params: { id } }) => {
  const { rows: found } = await sql`select from theses t where t.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  if (!found.length) throw refuse(404, 'not_found')
  const { rows } = await sql<{ id: number; code: string; name: string; name_local: string; status: string }>`
    select t.id, t.code, t.name, t.name_local, t.status from project_theses x join projects t on t.id = x.project_id
    where x.thesis_id = ${id} and t.removed_at is null
      and ${scopeCondition(ctx, ['access_project', 'show_project'], projectReach(ctx))}
    order by t.start_date desc, t.id`.execute(ctx.db)
  return { data: rows }
})

export const projectThesisHandlers: readonly Handled[] = [theses, linkTheses, ofThesis]
