/** Courses from elsewhere of somebody who applies: decided for the program that was given, credited to the student he or she becomes. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ref } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import type { KeptFile } from '#kit/server/files/files.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { enterProgram } from '../internal/level.server.ts'
import { externalCalls } from './external.contract.ts'
import {
  attach,
  creditExternal,
  externalRows,
  lockEntered,
  readExternal,
  touch,
  typeCourses,
  type Entered,
} from './external.server.ts'

/** SQL: the applicant `a` was given a program within reach or, without one, wishes for one. */
const reached = (ctx: Ctx, permission: PermissionKey) => {
  const given = (column: string) => (ids: readonly number[]) =>
    sql`exists (select from programs p where ${sql.ref(`p.${column}`)} = any(${[...ids]}::int[])
      and case when a.program_id is not null then p.id = a.program_id
        else exists (select from applicant_preferences w where w.applicant_id = a.id and w.program_id = p.id) end)`
  return scopeCondition(ctx, permission, {
    faculty: given('faculty_id'),
    department: given('department_id'),
    bylaw: given('bylaw_id'),
    program: given('id'),
  })
}

interface Brought {
  readonly id: number
  readonly applicant: Ref
  readonly program: Ref | null
  readonly previous_university: string | null
  readonly previous_faculty: string | null
  readonly previous_program: string | null
  readonly previous_hours: string | null
  readonly files: { kind: Ref; file: KeptFile }[]
  readonly may: boolean
}

/** What an applicant brings, and what was decided on it. @throws {Refusal} 404; 409 for whoever does not come from another university */
async function brought(ctx: Ctx, id: number) {
  const { rows } = await sql<Brought & { type: number }>`
    select a.id, ${ref('a')} as applicant, ${refOrNull('p')} as program, a.previous_university, a.previous_faculty, a.previous_program,
      a.previous_hours::text as previous_hours, m.applicant_type::int as type, ${reached(ctx, 'edit_equivalence')} as may,
      coalesce((select json_agg(json_build_object('kind', ${ref('k')}, 'file', json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'mime', f.mime))
          order by k.name, k.id)
        from applicant_documents d join document_kinds k on k.id = d.document_kind_id join files f on f.id = d.file_id
        where d.applicant_id = a.id), '[]') as files
    from applicants a join admissions m on m.id = a.admission_id left join programs p on p.id = a.program_id
    where a.id = ${id} and a.removed_at is null and ${reached(ctx, 'access_transfer')}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { files, may, type, id: _id, ...shown } = row
  if (type !== 3) throw refuse(409, 'transfer_no_transfer')
  return {
    ...shown,
    // Whoever decides reads them; whoever follows does not.
    documents: may
      ? files.map(({ kind, file }) => ({ kind, file: { ...file, url: ctx.services.files.link(file, ctx.actor!) } }))
      : [],
    transfers: await externalRows(ctx, sql`t.applicant_id = ${id} and t.status <> 'deleted'`),
    abilities: may && row.program !== null ? ['enter' as const] : [],
  }
}

interface Place {
  readonly university_id: number
  readonly university_faculty_id: number | null
  readonly note: string | null
}
/**
 * Where courses of an applicant, who is held, are entered for the program that was given: the record that waits for a decision, else a new one.
 * @throws {Refusal} 404; 403; 409; 422
 */
async function enterFor(ctx: Ctx, tx: Tx, applicant_id: number, place: Place): Promise<Entered> {
  const { rows } = await sql<{
    program_id: number | null
    term_id: number
    type: number
    may: boolean
    applying: boolean
    listed: boolean
    belongs: boolean
    open_id: number | null
  }>`
    select a.program_id, m.term_id, m.applicant_type::int as type, ${reached(ctx, 'edit_equivalence')} as may,
      a.status in ('DISTRIBUATION_REQUIRED', 'EQUIVALENCE_DONE', 'FINAL_FEES_REQUIRED', 'APPROVED') as applying,
      exists (select from universities_list u where u.id = ${place.university_id} and u.removed_at is null) as listed,
      ${place.university_faculty_id}::int is null or exists (select from university_faculties f where f.id = ${place.university_faculty_id}::int
        and f.university_id = ${place.university_id} and f.removed_at is null) as belongs,
      (select t.id from external_transfers t where t.applicant_id = a.id and t.status = 'entered' and t.removed_at is null
        and t.program_id = a.program_id and t.university_id = ${place.university_id}
        and t.university_faculty_id is not distinct from ${place.university_faculty_id}::int order by t.id limit 1) as open_id
    from applicants a join admissions m on m.id = a.admission_id
    where a.id = ${applicant_id} and a.removed_at is null and ${reached(ctx, 'access_transfer')} for no key update of a`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (!row.may) throw refuse(403, 'not_allowed')
  if (row.type !== 3) throw refuse(409, 'transfer_no_transfer')
  if (row.program_id === null) throw refuse(409, 'transfer_no_program')
  if (!row.applying) throw refuse(409, 'transfer_not_applying')
  if (!row.listed) throw refuse(422, 'reference_missing', undefined, 'university_id')
  if (!row.belongs) throw refuse(422, 'faculty_of_another_university', undefined, 'university_faculty_id')
  if (row.open_id !== null) return lockEntered(ctx, tx, row.open_id)
  const { rows: made } = await sql<{ id: number; version: number }>`
    insert into external_transfers (applicant_id, program_id, term_id, kind, university_id, university_faculty_id, note)
    values (${applicant_id}, ${row.program_id}, ${row.term_id}, 'external', ${place.university_id}, ${place.university_faculty_id}, ${place.note})
    returning id, version`.execute(tx)
  const { id, version } = made[0]!
  await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state)
    values ('external_transfer', ${id}, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, 'begin', null, 'entered')`.execute(
    tx,
  )
  return {
    id,
    kind: 'external',
    student_id: null,
    program_id: row.program_id,
    university_id: place.university_id,
    version,
  }
}

/**
 * Credits what was settled for an applicant, who is held, to the student that he or she has become in this transaction. Under a regulation by
 * marks the courses decide on the level in which the student begins.
 */
export async function creditApplicant(ctx: Ctx, tx: Tx, applicant_id: number, student_id: number): Promise<void> {
  const { rows } = await sql<{ id: number; program_id: number; term_id: number }>`
    update external_transfers t set student_id = ${student_id} from students s
    where s.id = ${student_id} and t.applicant_id = ${applicant_id} and t.program_id = s.program_id and t.status = 'executed'
    returning t.id, t.program_id, t.term_id`.execute(tx)
  for (const { id } of rows.toSorted((a, b) => a.id - b.id)) await creditExternal(ctx, tx, id)
  if (rows[0]) await enterProgram(tx, { student_id, program_id: rows[0].program_id, term_id: rows[0].term_id })
}

export const applicantTransferHandlers: readonly Handled[] = [
  handle(externalCalls.ofApplicant, async (ctx, { params: { id } }) => ({ data: await brought(ctx, id) })),
  handle(externalCalls.addForApplicant, async (ctx, { params: { id }, body: { courses, file_ids, ...place } }) => {
    const transfer = await ctx.write(async (tx) => {
      const entered = await enterFor(ctx, tx, id, place)
      await typeCourses(tx, entered, courses)
      await attach(ctx, tx, entered.id, file_ids)
      await touch(tx, entered.id)
      return entered
    })
    return { data: await readExternal(ctx, transfer.id) }
  }),
]
