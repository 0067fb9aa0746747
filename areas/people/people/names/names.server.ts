/** The names of people in parts, and the names by which they are called. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { instructorReach } from '../instructors/instructor.server.ts'
import { LONGEST_NAME, partColumns, namePartsOf } from './follow.server.ts'
import type { NamedTable } from './follow.server.ts'
import { NAME_PARTS, joinName, partsProblem, tidyPersonName } from './name.rules.ts'
import type { Parts } from './name.rules.ts'
import { ORDINARY, employeeReach } from '../employees/employee.server.ts'
import { PERSON, accountReach } from '../person.server.ts'
import type { PersonKind } from '../person.server.ts'
import { refuseMoreRights } from '../rights-above.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { nameCalls } from './names.contract.ts'

/** Accounts without a record bear their own names; whose record it is, that has them. */
const UNRECORDED = sql`not exists (select from students x where x.user_id = t.id and x.removed_at is null)
  and not exists (select from instructors x where x.user_id = t.id and x.removed_at is null)`
/** Who changes the names of a person (`t`). */
const CHANGES: Readonly<Record<PersonKind, (ctx: Ctx) => RawBuilder<unknown>>> = {
  user: (ctx) =>
    sql`((${scopeCondition(ctx, 'edit_users', accountReach(ctx))} or ${ORDINARY} and ${scopeCondition(ctx, 'edit_employee', employeeReach(ctx))}) and ${UNRECORDED})`,
  student: (ctx) => scopeCondition(ctx, 'edit_students', studentReach(ctx)),
  instructor: (ctx) => scopeCondition(ctx, 'edit_instructor', instructorReach()),
}

async function read(ctx: Ctx, db: Ctx['db'] | Tx, kind: PersonKind, id: number, condition: RawBuilder<unknown>) {
  const { rows } = await sql<
    Values & { may_change: boolean }
  >`select t.*, coalesce(${CHANGES[kind](ctx)}, false) as may_change
    from ${sql.table(PERSON[kind].table)} t where t.id = ${id} and t.removed_at is null and ${condition}`.execute(db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  return {
    version: row.version as number,
    name: row.name as string,
    name_local: row.name_local as string,
    used_name: row.used_name as string | null,
    used_name_local: row.used_name_local as string | null,
    latin: namePartsOf(row, false),
    arabic: namePartsOf(row, true),
    may_change: row.may_change && !ctx.actor?.read_only,
  }
}

const namesOf = handle(nameCalls.namesOf, async (ctx, { params: { kind, id } }) => ({
  data: await read(ctx, ctx.db, kind, id, PERSON[kind].opens(ctx)),
}))

/** Parts as they were sent; null: not known, and the full name stays as it is. */
const sent = (body: Values, local: boolean): Parts | null => {
  const parts = Object.fromEntries(
    NAME_PARTS.map((part) => {
      const text = body[`${part}${local ? '_local' : ''}`] as string | null
      return [part, text && tidyPersonName(text)]
    }),
  ) as unknown as Parts
  return joinName(parts) ? parts : null
}

/**
 * Writes the legal name of a person by its parts, in the caller's transaction; null: not known in parts, and the full name stays. The
 * account and the other records of the person follow (`name_account_by_record`).
 *
 * @throws {Refusal} 422 `name_part_needed`, `too_long`, at the part
 */
export async function writeNames(
  tx: Tx,
  table: NamedTable,
  id: number,
  latin: Parts | null,
  arabic: Parts | null,
  more: Values = {},
): Promise<void> {
  const reasons = [latin, arabic].flatMap((parts, local): Reason[] => {
    const wrong = parts && partsProblem(parts)
    const end = local ? '_local' : ''
    if (wrong) return [{ field: `${wrong}${end}`, code: 'name_part_needed' }]
    // What a name may have wherever it is written.
    return parts && joinName(parts).length > LONGEST_NAME
      ? [{ field: `family${end}`, code: 'too_long', data: { max: LONGEST_NAME } }]
      : []
  })
  if (reasons.length) throw new Refusal(422, reasons)
  const next: Values = {
    ...more,
    ...partColumns(latin, false),
    ...partColumns(arabic, true),
    ...(latin && { name: joinName(latin) }),
    ...(arabic && { name_local: joinName(arabic) }),
  }
  await sql`update ${sql.table(table)} set ${sql.join(
    Object.entries(next).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
  )} where id = ${id}`.execute(tx)
}

const setNames = handle(nameCalls.setNames, (ctx, { params: { kind, id }, body }) =>
  ctx.write(async (tx) => {
    const { table } = PERSON[kind]
    await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(tx)
    const current = await read(ctx, tx, kind, id, CHANGES[kind](ctx))
    if (kind === 'user') await refuseMoreRights(ctx, tx, id)
    if (body.version !== current.version) throw refuse(409, 'changed_meanwhile', { version: current.version })
    const [latin, arabic] = [sent(body, false), sent(body, true)]
    await writeNames(tx, table, id, latin, arabic, {
      used_name: body.used_name,
      used_name_local: body.used_name_local,
    })
    return { data: await read(ctx, tx, kind, id, CHANGES[kind](ctx)) }
  }),
)

export const nameHandlers: readonly Handled[] = [namesOf, setNames]
