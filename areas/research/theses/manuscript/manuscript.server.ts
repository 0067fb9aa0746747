/** The manuscript: versions, the report on similarity, and what is said at its pages. */
import { firstRow } from '#db/rows.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { sql } from 'kysely'
import { THESIS_CONCERNED, findThesis, holdThesis, mayThesis, touchThesis } from '../thesis/reach.server.ts'
import { thesisCalls as calls } from '../thesis/whole.contract.ts'

export const manuscriptHandlers: readonly Handled[] = [
  handle(calls.addVersion, (ctx, { params: { id }, body: { note, own_work }, file }) =>
    ctx.write(async (tx) => {
      const { status } = await holdThesis(ctx, tx, id, 'write_thesis')
      if (!['approved', 'discussed'].includes(status)) throw refuse(409, 'thesis_manuscript_closed')
      if (own_work !== 'true') throw refuse(422, 'thesis_own_work', undefined, 'own_work')
      // What the committee has read does not change before it has discussed.
      const { rows: set } =
        await sql`select from thesis_discussions where thesis_id = ${id} and cancelled_at is null and result is null`.execute(
          tx,
        )
      if (set.length) throw refuse(409, 'thesis_manuscript_scheduled')
      const kept = await ctx.services.files.save(ctx, file!, tx)
      const { rows } = await sql<{
        id: number
      }>`insert into thesis_versions (thesis_id, number, file_id, note, declared_at, created_by)
        select ${id}, coalesce(max(v.number), 0) + 1, ${kept.id}, ${note || null}, now(), ${ctx.actor?.user_id ?? null}::int
        from thesis_versions v where v.thesis_id = ${id} returning id`.execute(tx)
      await touchThesis(tx, id)
      return { data: firstRow(rows) }
    }),
  ),
  handle(calls.similarity, (ctx, { params: { id }, body: { version_id, percent }, file }) =>
    ctx.write(async (tx) => {
      await holdThesis(ctx, tx, id, 'supervise_thesis', 'discuss_thesis')
      const kept = await ctx.services.files.save(ctx, file!, tx)
      const { rows } = await sql`update thesis_versions set similarity = ${percent}, similarity_file_id = ${kept.id}
        where id = ${version_id} and thesis_id = ${id} returning id`.execute(tx)
      if (!rows.length) throw refuse(422, 'reference_missing', undefined, 'version_id')
      await touchThesis(tx, id)
      return { data: { id: version_id } }
    }),
  ),
  handle(calls.remark, (ctx, { params: { id }, body: { version_id, text, page, reply_to } }) =>
    ctx.write(async (tx) => {
      await findThesis(ctx, tx, id, 'show_thesis')
      const { rows: of } =
        await sql`select from thesis_versions where id = ${version_id} and thesis_id = ${id} for share`.execute(tx)
      if (!of.length) throw refuse(422, 'reference_missing', undefined, 'version_id')
      if (reply_to) {
        const { rows } = await sql<{ settled: boolean }>`select settled_at is not null as settled from thesis_remarks
          where id = ${reply_to} and version_id = ${version_id} and reply_to is null for update`.execute(tx)
        if (!rows[0]) throw refuse(422, 'reference_missing', undefined, 'reply_to')
        if (rows[0].settled) throw refuse(409, 'thesis_remark_settled_already')
      }
      const { rows } = await sql<{
        id: number
      }>`insert into thesis_remarks (version_id, reply_to, page, text, created_by)
        values (${version_id}, ${reply_to ?? null}::int, ${reply_to ? null : (page ?? null)}::smallint, ${text}, ${ctx.actor?.user_id ?? null}::int)
        returning id`.execute(tx)
      const { rows: told } = await sql<{ users: number[]; title: string; title_local: string }>`
        select array(select u from unnest(${sql.raw(THESIS_CONCERNED)}) u where u is distinct from ${ctx.actor?.user_id ?? null}::int) as users,
          t.title, t.title_local from theses t where t.id = ${id}`.execute(tx)
      const { users, ...data } = firstRow(told)
      await notify(tx, users, {
        key: 'theses.notice_remark',
        data: { ...data, text: text.slice(0, 200) },
        link: `/theses/${id}`,
      })
      return { data: firstRow(rows) }
    }),
  ),
  handle(calls.settleRemark, (ctx, { params: { id }, body: { settled } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ thesis_id: number; by: number | null }>`select v.thesis_id, m.created_by as by
        from thesis_remarks m join thesis_versions v on v.id = m.version_id where m.id = ${id} and m.reply_to is null for update of m`.execute(
        tx,
      )
      const [of] = rows
      if (!of) throw refuse(404, 'not_found')
      await findThesis(ctx, tx, of.thesis_id, 'show_thesis')
      const { rows: may } = await sql<{
        may: boolean
      }>`select ${mayThesis(ctx, 'supervise_thesis')} as may from theses t where t.id = ${of.thesis_id}`.execute(tx)
      // Whoever said it is satisfied, or who supervises says so.
      if (!firstRow(may).may && of.by !== (ctx.actor?.user_id ?? null)) throw refuse(403, 'thesis_remark_not_yours')
      await sql`update thesis_remarks set settled_at = ${settled ? sql`now()` : null}, settled_by = ${settled ? (ctx.actor?.user_id ?? null) : null}::int
        where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
]
