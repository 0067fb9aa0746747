/** Who may not see names while papers of an offering are marked without them. */
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { peopleOf, type Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql, type RawBuilder } from 'kysely'

/** SQL: whether one of these people has marked a paper of the offering `o` without its name. */
export const hasMarked = (ctx: Ctx): RawBuilder<unknown> => sql`exists (select from exam_barcodes b
  where b.offering_id = o.id and b.marked_by = any(${peopleOf(ctx)}::int[]))`

/** SQL: whether one of these people has seen whose barcode is which in the offering `o`. */
export const knowsNames = (ctx: Ctx): RawBuilder<unknown> => sql`exists (select from exam_name_readers n
  where n.offering_id = o.id and n.read_by = any(${peopleOf(ctx)}::int[]))`

/** SQL: `names_are_closed` of the offering `alias`, written out where it is asked with every mark. */
export const namesClosed = (alias: string): RawBuilder<unknown> =>
  sql.raw(`exists (select from anonymous_offerings a where a.offering_id = ${alias}.id and a.opened_at is null)`)

/** The code of the course when the reader may not see names beside marks in this offering now. */
export async function namesClosedTo(ctx: Ctx, db: Db | Tx, offering_id: number): Promise<string | null> {
  const { rows } = await sql<{
    course: string
  }>`select c.code as course from offerings o join courses c on c.id = o.course_id
    where o.id = ${offering_id} and names_are_closed(o.id)
      and not (${scopeCondition(ctx, 'manage_barcodes', offeringReach(ctx, 'o'))} and not ${hasMarked(ctx)})`.execute(
    db,
  )
  return rows[0]?.course ?? null
}

/** SQL: the account `alias` as an object; null where there is none. */
export const personOrNull = (alias: string): RawBuilder<unknown> =>
  sql.raw(
    `case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local) end`,
  )
