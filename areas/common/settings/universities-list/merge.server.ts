import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { quoted } from '#kit/server/base/field-filters.ts'
import { otherUniversity, universityMerge } from './university.contract.ts'
import { school, schoolMerge } from '../schools-list/school.contract.ts'
import { universityFaculty, universityFacultyMerge } from '../university-faculties/university-faculty.contract.ts'

/** Texts of students that were typed before there was a list, by the table whose names they hold. */
const TYPED: Readonly<Record<string, string>> = {
  [otherUniversity.table]: 'previous_university',
  [school.table]: 'school_name',
}

interface Named {
  id: number
  name: string
  name_local: string
  removed: boolean
}

/** Every column that points to a table, also of areas that come later. */
async function pointersTo(tx: Tx, table: string): Promise<{ from: string; column: string }[]> {
  const { rows } = await sql<{ from: string; column: string }>`
    select c.conrelid::regclass::text as "from", a.attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass and cardinality(c.conkey) = 1 and c.conparentid = 0
    order by 1, 2`.execute(tx)
  return rows
}

/**
 * Puts a duplicate together with the record that stays: whatever points to it points there, students who have its name
 * typed have the other's, and the duplicate is removed. One unit of work, kept in the log with both names.
 */
const merge = (ctx: Ctx, table: string, id: number, into: number) => {
  if (id === into) throw refuse(422, 'merge_with_itself', {}, 'into_id')
  return ctx.write(async (tx) => {
    if (table === universityFaculty.table) await refuseOfAnother(tx, id, into)
    return { data: { id: into, ...(await mergeIn(tx, table, id, into)) } }
  })
}

async function mergeIn(tx: Tx, table: string, id: number, into: number): Promise<{ moved: number; renamed: number }> {
  const { rows } = await sql<Named>`select id, name, name_local, removed_at is not null as removed
      from ${sql.table(table)} where id = any(${[id, into]}::int[]) order by id for update`.execute(tx)
  const [from, to] = [id, into].map((one) => rows.find((row) => row.id === one))
  if (!from) throw refuse(404, 'not_found')
  if (from.removed) throw refuse(409, 'removed_record')
  if (!to) throw refuse(422, 'reference_missing', {}, 'into_id')
  if (to.removed) throw refuse(422, 'removed_record', {}, 'into_id')
  let moved = table === otherUniversity.table ? await mergeFaculties(tx, id, into) : 0
  for (const one of await pointersTo(tx, table)) {
    const column = sql.raw(quoted(one.column))
    const { numAffectedRows } =
      await sql`update ${sql.raw(one.from)} set ${column} = ${into} where ${column} = ${id}`.execute(tx)
    moved += Number(numAffectedRows ?? 0)
  }
  await sql`update ${sql.table(table)} set removed_at = now() where id = ${id}`.execute(tx)
  if (!TYPED[table]) return { moved, renamed: 0 }
  const typed = sql.raw(TYPED[table])
  const { numAffectedRows } = await sql`update students set ${typed} =
        case when fold_text(${typed}) = fold_text(${from.name_local}) then ${to.name_local} else ${to.name} end
      where fold_text(${typed}) in (fold_text(${from.name}), fold_text(${from.name_local}))`.execute(tx)
  return { moved, renamed: Number(numAffectedRows ?? 0) }
}

/** Faculties that both universities have are merged first: no university has one twice. @returns how many pointed to them */
async function mergeFaculties(tx: Tx, id: number, into: number): Promise<number> {
  const { rows } = await sql<{ id: number; into: number }>`
    select distinct on (o.id) o.id, k.id as into from university_faculties o join university_faculties k on k.university_id = ${into}
      and k.removed_at is null and (k.name_key = o.name_key or k.name_local_key = o.name_local_key)
    where o.university_id = ${id} and o.removed_at is null order by o.id, k.id`.execute(tx)
  let moved = 0
  for (const one of rows) moved += (await mergeIn(tx, universityFaculty.table, one.id, one.into)).moved
  return moved
}

/** A faculty is merged with one of its own university. */
async function refuseOfAnother(tx: Tx, id: number, into: number): Promise<void> {
  const { rows } =
    await sql`select from university_faculties k join university_faculties o on o.id = ${id} and o.university_id <> k.university_id
    where k.id = ${into}`.execute(tx)
  if (rows.length) throw refuse(422, 'faculty_of_another_university', {}, 'into_id')
}

export const universityMergeHandlers: readonly Handled[] = [
  handle(universityMerge, (ctx, { params, body }) => merge(ctx, otherUniversity.table, params.id, body.into_id)),
  handle(universityFacultyMerge, (ctx, { params, body }) =>
    merge(ctx, universityFaculty.table, params.id, body.into_id),
  ),
  handle(schoolMerge, (ctx, { params, body }) => merge(ctx, school.table, params.id, body.into_id)),
]
