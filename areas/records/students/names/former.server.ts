/** A student's legal name after a change that was proved: the names of before are kept with the record. */
import { writeNames } from '#areas/people/people/names/names.server.ts'
import type { Parts } from '#areas/people/people/names/name.rules.ts'
import type { Tx } from '#db/connect.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { students } from '../student/student.server.ts'
import { formerNameCalls } from './former.contract.ts'

/** The names in a script. @public */
export interface LegalName {
  readonly latin: Parts
  readonly arabic: Parts
}
/**
 * Gives a student another legal name, in the caller's transaction. The name of before is kept with each record of the person: it is
 * found by it, and papers may state it (`{former_name}`). Papers that were issued stay as they are.
 *
 * @throws {Refusal} 422 where the parts make no name
 */
export async function changeLegalName(tx: Tx, student_id: number, { latin, arabic }: LegalName): Promise<void> {
  await sql`insert into former_names (student_id, name, name_local)
    select o.id, o.name, o.name_local from students s join students o on o.id = s.id or (o.user_id = s.user_id and o.removed_at is null)
    where s.id = ${student_id} order by o.id`.execute(tx)
  await writeNames(tx, 'students', student_id, latin, arabic)
}

export const formerNameHandlers: readonly Handled[] = [
  handle(formerNameCalls.formerNames, async (ctx, { params }) => {
    const { rows: found } = await sql`select from students t where t.id = ${params.id} and t.removed_at is null
      and ${students.scope(ctx, ['show_student_private', 'edit_students', 'access_student'])}`.execute(ctx.db)
    if (!found.length) throw refuse(404, 'not_found')
    const { rows } = await sql<{ name: string; name_local: string; until: string }>`
      select name, name_local, until from former_names where student_id = ${params.id} order by id desc`.execute(ctx.db)
    return { data: rows }
  }),
]
