/** The university and faculty requirements of a bylaw, which its programs take over. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { registerOperation, writeOperation } from '#kit/server/unit/operations.ts'
import { sql } from 'kysely'
import type { RequirementType } from '../words.contract.ts'
import { lockBylaw } from './change-settings.server.ts'
import { bylawScope, c, readSettings } from './read-settings.server.ts'

const KEY = 'edit_bylaw_settings'
const KIND = 'requirement/bylaw'
/** Also when only a list changed: the version is what caches go by. */
const touch = (tx: Tx, id: number) => sql`update bylaws set updated_at = now() where id = ${id}`.execute(tx)

registerOperation({
  kind: KIND,
  label: ['Requirement of a bylaw', 'متطلب لائحة'],
  permission: KEY,
  before: (ctx, tx, { facts }) => lockBylaw(tx, ctx, Number(facts.bylaw_id)),
  after: async (_ctx, tx, { facts }) => void (await touch(tx, Number(facts.bylaw_id))),
})

/** Sets the lists of a bylaw; what its programs added for themselves stays with them. */
async function syncRequirements(
  ctx: Ctx,
  id: number,
  lists: { university?: number[] | undefined; faculty?: number[] | undefined },
  version?: number,
) {
  return ctx.write(async (tx) => {
    await lockBylaw(tx, ctx, id, version)
    for (const type of ['university', 'faculty'] as const) {
      const ids = lists[type]
      if (!ids) continue
      const { rows: missing } = await sql<{
        i: number
      }>`select n.i::int - 1 as i from unnest(${ids}::int[]) with ordinality as n (id, i)
        where not exists (select from courses c where c.id = n.id and c.removed_at is null)`.execute(tx)
      if (missing.length)
        throw new Refusal(
          422,
          missing.map(({ i }) => ({ field: `${type}.${i}`, code: 'reference_missing' })),
        )
      await sql`with gone as (
          delete from bylaw_requirements where bylaw_id = ${id} and type = ${type} and course_id <> all(${ids}::int[]) returning course_id)
        delete from program_requirements q using programs p, gone
        where q.program_id = p.id and p.bylaw_id = ${id} and q.type = ${type} and q.course_id = gone.course_id`.execute(
        tx,
      )
      await sql`with added as (
          insert into bylaw_requirements (bylaw_id, type, course_id) select ${id}::int, ${type}::text, n from unnest(${ids}::int[]) as n
          on conflict do nothing returning course_id)
        insert into program_requirements (program_id, type, course_id)
        select p.id, ${type}::text, added.course_id from programs p, added where p.bylaw_id = ${id} on conflict do nothing`.execute(
        tx,
      )
    }
    await touch(tx, id)
    return { data: await readSettings(tx, ctx, id) }
  })
}

/** Requires one course, or no more: an operation, so that each program is put back as it stood. */
async function requireCourse(
  ctx: Ctx,
  id: number,
  { type, course_id, required }: { type: RequirementType; course_id: number; required: boolean },
): Promise<{ programs: number | null; operation_id: number | null }> {
  const { rows: known } = await sql<{ code: string }>`select b.code from bylaws b
    where b.id = ${id} and ${scopeCondition(ctx, KEY, bylawScope)}`.execute(ctx.db)
  if (!known[0]) throw refuse(404, 'not_found')
  const facts = { about: known[0].code, bylaw_id: id }
  const { result, operation_id } = await writeOperation(ctx, { kind: KIND, facts }, async (tx) => {
    await lockBylaw(tx, ctx, id)
    const { rows: course } = await sql`select from courses where id = ${course_id} and removed_at is null`.execute(tx)
    if (required && !course.length) throw refuse(422, 'reference_missing', undefined, 'course_id')
    const { rows } = required
      ? await sql<{ changed: boolean; programs: number }>`
          with added as (
            insert into bylaw_requirements (bylaw_id, type, course_id) values (${id}, ${type}, ${course_id})
            on conflict do nothing returning course_id),
          taken as (
            insert into program_requirements (program_id, type, course_id)
            select p.id, ${type}::text, added.course_id from programs p, added where p.bylaw_id = ${id}
            on conflict do nothing returning program_id)
          select exists (select from added) as changed, (select count(*)::int from taken) as programs`.execute(tx)
      : await sql<{ changed: boolean; programs: number }>`
          with gone as (
            delete from bylaw_requirements where bylaw_id = ${id} and type = ${type} and course_id = ${course_id} returning course_id),
          left_off as (
            delete from program_requirements q using programs p, gone
            where q.program_id = p.id and p.bylaw_id = ${id} and q.type = ${type} and q.course_id = gone.course_id
            returning q.program_id)
          select exists (select from gone) as changed, (select count(*)::int from left_off) as programs`.execute(tx)
    const { changed, programs } = firstRow(rows)
    if (changed) await touch(tx, id)
    return { result: changed ? programs : null, counts: { changed: changed ? 1 + programs : 0 } }
  })
  return { programs: result, operation_id }
}

export const requirementHandlers: Handled[] = [
  handle(c.syncRequirements, (ctx, { params, body: { version, ...lists } }) =>
    syncRequirements(ctx, params.id, lists, version),
  ),
  handle(c.requireCourse, async (ctx, { params, body }) => ({ data: await requireCourse(ctx, params.id, body) })),
]
