/** One person with a record in each of two programs: one account and one national id bind them. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { NAME_COLUMNS } from '#areas/people/people/names/follow.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { secondRecordProblems } from './second-record.rules.ts'
import type { SameNationalId } from './second-record.rules.ts'

/** What is the person's, not the record's: of a second record it is that of the first. */
const OF_THE_PERSON = ['name', 'name_local', 'birth_date', 'gender'] as const

interface Found extends SameNationalId {
  readonly id: number
  readonly national_id: string
  readonly user_id: number | null
  readonly person: Values
}

/** Records that bear one of these national ids, the oldest first. */
async function bearing(ctx: Ctx, tx: Tx, ids: readonly string[], lock: boolean): Promise<Found[]> {
  const { rows } = await sql<Omit<Found, 'differs'>>`
    select t.id, t.user_id, t.national_id, t.program_id,
      json_build_object(${sql.join([...new Set([...NAME_COLUMNS, ...OF_THE_PERSON])].flatMap((c) => [sql.lit(c), sql`t.${sql.ref(c)}`]))}) as person,
      case when ${scopeCondition(ctx, 'show_students', studentReach(ctx))} then json_build_object(
        'who', t.name || ' (' || t.code || ')', 'who_local', t.name_local || ' (' || t.code || ')',
        'program', p.name, 'program_local', p.name_local) end as known
    from students t join programs p on p.id = t.program_id
    where t.national_id = any(${[...ids]}::text[]) and t.removed_at is null order by t.id ${lock ? sql`for no key update of t` : sql``}`.execute(
    tx,
  )
  return rows.map((row) => ({ ...row, differs: [] }))
}

/** The account that bears the records of a person; made where there is none yet, without a way in. */
async function accountOf(tx: Tx, { id, user_id }: Found): Promise<number> {
  if (user_id !== null) return user_id
  const names: RawBuilder<unknown> = sql.join(NAME_COLUMNS.map((column) => sql.ref(column)))
  const { rows } = await sql<{ id: number }>`insert into users (type, email, ${names})
    select 3, email, ${names} from students where id = ${id} returning id`.execute(tx)
  await sql`update students set user_id = ${firstRow(rows).id} where id = ${id}`.execute(tx)
  return firstRow(rows).id
}

/** Fields in which a new record would call the same person otherwise. */
async function differing(tx: Tx, added: Values, { person }: Found): Promise<string[]> {
  const given = OF_THE_PERSON.filter((field) => (added[field] ?? null) !== null && person[field] !== null)
  const { rows } = await sql<{ field: string }>`select n.key as field
    from jsonb_each_text(${JSON.stringify(Object.fromEntries(given.map((field) => [field, added[field]])))}::jsonb) n
    join jsonb_each_text(${JSON.stringify(person)}::jsonb) o on o.key = n.key where fold_text(n.value) <> fold_text(o.value)`.execute(
    tx,
  )
  return rows.map((row) => row.field)
}

/**
 * Before a record is added: where the national id is that of a student, it is the second record of that person, who is
 * called as in the first. Gives the account, and the columns that are the person's.
 *
 * @throws {Refusal} 422 where who adds it did not say so, the program is the same, or the person is another one
 */
export async function asSecondRecord(ctx: Ctx, tx: Tx, merged: Values): Promise<Values> {
  const { national_id } = merged
  const found = typeof national_id === 'string' && national_id ? await bearing(ctx, tx, [national_id], true) : []
  const [first] = found
  const differs = first ? await differing(tx, merged, first) : []
  const reasons = secondRecordProblems(
    { program_id: merged.program_id as number, is_second_record: merged.is_second_record === true },
    found.map((one) => (one === first ? { ...one, differs } : one)),
  )
  if (reasons.length) throw new Refusal(422, reasons)
  if (!first) return {}
  for (const field of OF_THE_PERSON) if (first.person[field] !== null) merged[field] = first.person[field]
  const parts = NAME_COLUMNS.filter((column) => !column.startsWith('name'))
  const names = Object.fromEntries(parts.map((column) => [column, first.person[column]]))
  return { ...names, user_id: await accountOf(tx, first) }
}

/**
 * Rows of a sheet that would be second records: said in the preview, and known by the national id and another program. A
 * row that names the same program is refused when it is tried.
 */
export async function secondRecordsIn(ctx: Ctx, tx: Tx, rows: readonly Values[]): Promise<(Reason | null)[]> {
  const idOf = (row: Values): string | null => (typeof row.national_id === 'string' ? row.national_id : null)
  const found = await bearing(
    ctx,
    tx,
    rows.flatMap((row) => idOf(row) ?? []),
    false,
  )
  const byId = Map.groupBy(found, (one) => one.national_id)
  return rows.map((row) => {
    const same = byId.get(idOf(row) ?? '') ?? []
    // What the sheet itself says counts.
    if (!same.length || row.is_second_record === false || same.some((one) => one.program_id === row.program_id))
      return null
    row.is_second_record = true
    const known = same.find((one) => one.known)?.known
    return known ? { code: 'import_second_record', data: { ...known } } : { code: 'import_second_record_of_somebody' }
  })
}
