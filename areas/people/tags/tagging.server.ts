import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { quoted } from '#kit/server/base/field-filters.ts'
import type { Tagging, TaggingAnswer } from './tagging.contract.ts'

/** Where the tags of a kind of record are kept, and which records somebody reaches. */
export interface TaggingOptions {
  /** Table of the records; there the record is `t`. */
  readonly table: string
  /** Table that joins them with tags, and its column of the record. */
  readonly joining: string
  readonly from: string
  readonly scope: (ctx: Ctx) => RawBuilder<unknown>
}

/** Handlers of the calls of `tagging`: each record within reach gets or loses the tags, the others are told as failed. */
export function serveTagging({ subject, calls }: Tagging, { table, joining, from, scope }: TaggingOptions): Handled[] {
  const [records, joined, column] = [table, joining, from].map((name) => sql.raw(quoted(name))) as [
    RawBuilder<unknown>,
    RawBuilder<unknown>,
    RawBuilder<unknown>,
  ]
  const within = async (ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`select t.id from ${records} t
      where t.id = any(${[...ids]}::int[]) and t.removed_at is null and ${scope(ctx)} order by t.id`.execute(tx)
    return rows.map((row) => row.id)
  }
  const change =
    (
      work: (
        tx: Tx,
        ids: readonly number[],
        tags: readonly number[],
      ) => Promise<{ record_id: number; tag_id: number }[]>,
    ) =>
    (ctx: Ctx, { body }: { body: Readonly<Record<string, number[]>> }): Promise<TaggingAnswer> =>
      ctx.write(async (tx) => {
        const ids = [...new Set(body[`${subject}_ids`])]
        const tags = [...new Set(body.tag_ids)]
        const done = await within(ctx, tx, ids)
        const changed = done.length ? await work(tx, done, tags) : []
        const reached = new Set(done)
        return {
          done,
          failed: ids
            .filter((id) => !reached.has(id))
            .map((id) => ({ id, errors: [toProblem({ code: 'not_found' })] })),
          changed: [...Map.groupBy(changed, (one) => one.tag_id)].map(([tag_id, rows]) => ({
            tag_id,
            ids: rows.map((row) => row.record_id),
          })),
        }
      })
  const attach = change(async (tx, ids, tags) => {
    // Whoever removes a tag at this moment waits, or was first: then it is none any more.
    const { rows: there } = await sql<{ id: number }>`select id from tags
      where id = any(${[...tags]}::int[]) and removed_at is null order by id for key share`.execute(tx)
    if (there.length < tags.length) throw refuse(422, 'reference_missing', undefined, 'tag_ids')
    const { rows } = await sql<{ record_id: number; tag_id: number }>`
      insert into ${joined} (${column}, tag_id)
      select r, g from unnest(${[...ids]}::int[]) r cross join unnest(${[...tags]}::int[]) g order by r, g
      on conflict do nothing returning ${column} as record_id, tag_id`.execute(tx)
    return rows
  })
  const remove = change(async (tx, ids, tags) => {
    const { rows } = await sql<{ record_id: number; tag_id: number }>`
      delete from ${joined} where ${column} = any(${[...ids]}::int[]) and tag_id = any(${[...tags]}::int[])
      returning ${column} as record_id, tag_id`.execute(tx)
    return rows
  })
  return [
    { call: calls.attach, handler: attach },
    { call: calls.remove, handler: remove },
  ]
}
