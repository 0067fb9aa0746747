/** Changes of legal names: asked for with a proof, decided by somebody else, written by whoever owns the name of a student. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import {
  joinName,
  partsProblem,
  tidyPersonName,
  NAME_PARTS,
  type Parts,
} from '#areas/people/people/names/name.rules.ts'
import { LONGEST_NAME } from '#areas/people/people/names/follow.server.ts'
import { changeLegalName } from '#areas/records/students/names/former.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'
import { sql } from 'kysely'
import { nameChange, nameChangeCalls } from './name-change.contract.ts'
import { checkNameAsked, checkNameProof, type NameChangeFacts } from './name-change.rules.ts'

const column = (part: (typeof NAME_PARTS)[number], end: string) => `${part}_name${end}`
/** The parts of a script as they were sent. */
const partsIn = (row: Values, end: '' | '_local'): Parts =>
  Object.fromEntries(
    NAME_PARTS.map((part) => {
      const text = row[column(part, end)]
      return [part, typeof text === 'string' && text.trim() ? tidyPersonName(text) : null]
    }),
  ) as unknown as Parts

/** The proof is the asker's own file, of an allowed kind and size; that it proves one change is the database's. */
async function judgeProof(ctx: Ctx, tx: Tx, proof_id: number): Promise<void> {
  const { rows } = await sql<{ name: string; ext: string; size: number }>`
    select f.name, f.ext, f.size from files f where f.id = ${proof_id} and f.created_by = ${ctx.actor?.user_id ?? null}::int`.execute(
    tx,
  )
  const [file] = rows
  if (!file) throw refuse(422, 'reference_missing', undefined, 'proof_id')
  const reasons = checkNameProof(file)
  if (reasons.length) throw new Refusal(422, reasons)
}

/** Judges what is asked for, with the student held: two requests at the same moment are one. */
async function judge(ctx: Ctx, tx: Tx, merged: Values): Promise<Values> {
  const { rows: held } = await sql`select from students s where s.id = ${merged.student_id}
    and s.removed_at is null and ${scopeCondition(ctx, 'add_nameChange', studentReach(ctx, 's'))} for no key update of s`.execute(
    tx,
  )
  if (!held.length) {
    const { rows: known } = await sql`select from students where id = ${merged.student_id}`.execute(tx)
    throw known.length ? refuse(403, 'not_allowed') : refuse(422, 'reference_missing', undefined, 'student_id')
  }
  const [latin, arabic] = [partsIn(merged, ''), partsIn(merged, '_local')]
  const wrong = ([latin, arabic] as const).flatMap((parts, i): Reason[] => {
    const part = partsProblem(parts)
    const end = i ? '_local' : ''
    if (part) return [{ field: column(part, end), code: 'name_part_needed' }]
    return joinName(parts).length > LONGEST_NAME
      ? [{ field: column('family', end), code: 'too_long', data: { max: LONGEST_NAME } }]
      : []
  })
  if (wrong.length) throw new Refusal(422, wrong)
  await judgeProof(ctx, tx, Number(merged.proof_id))
  const [new_name, new_name_local] = [joinName(latin), joinName(arabic)]
  const { rows } = await sql<{ name: string; name_local: string; asked: boolean }>`
    select s.name, s.name_local, exists (select from name_changes n where n.student_id = s.id and n.status = 'requested'
      and n.removed_at is null) as asked from students s where s.id = ${merged.student_id}`.execute(tx)
  const { name, name_local, asked } = firstRow(rows)
  const reasons = checkNameAsked({ same: name === new_name && name_local === new_name_local, asked })
  if (reasons.length) throw new Refusal(409, reasons)
  const tidied = (
    [
      ['', latin],
      ['_local', arabic],
    ] as const
  ).flatMap(([end, parts]) => NAME_PARTS.map((part) => [column(part, end), parts[part]] as const))
  return { ...Object.fromEntries(tidied), new_name, new_name_local, old_name: name, old_name_local: name_local }
}

/** What decisions stand on, with the records held: their names do not change while somebody decides. */
async function facts(tx: Tx, ids: readonly number[]): Promise<Map<number, NameChangeFacts>> {
  await sql`select from students where id in (select student_id from name_changes where id = any(${[...ids]}::int[]))
    order by id for no key update`.execute(tx)
  const { rows } = await sql<NameChangeFacts & { id: number }>`
    select n.id, s.name, s.name_local, n.old_name, n.old_name_local from name_changes n join students s on s.id = n.student_id
    where n.id = any(${[...ids]}::int[])`.execute(tx)
  return new Map(rows.map(({ id, ...of }) => [id, of]))
}

/** The record bears the new name. Certificates that are prepared or being signed are found changed by what they stand on. */
async function accept(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<Values & { student_id: number }>`select * from name_changes where id = ${id}`.execute(tx)
  const row = firstRow(rows)
  await changeLegalName(tx, row.student_id, { latin: partsIn(row, ''), arabic: partsIn(row, '_local') })
}

const served = serveRequest(nameChange, {
  before: judge,
  facts: (_ctx, tx, ids) => facts(tx, ids),
  effect: async (_ctx, tx, moved) => {
    for (const { id, action } of moved) if (action === 'accept') await accept(tx, id)
  },
})

const changeName = handle(nameChangeCalls.changeName, async (ctx, { params, body }) => {
  const create = served.at(resourceCalls(nameChange).create, 'create')
  const answer = (await create.handler(ctx, {
    params: {},
    query: {},
    body: { ...body, student_id: params.id },
    file: null,
  } as never)) as { data: { id: number; version: number; status: string } }
  const { id, version, status } = answer.data
  return { data: { id, version, status } }
})

interface FormerPaper {
  id: number
  serial: string
  title: string
  title_local: string
  lang: 'ar' | 'en'
  issued_at: string
}
/** Papers that bear the name of before, and are relied on still: they stay as they were issued. */
const formerPapers = handle(nameChangeCalls.formerPapers, async (ctx, { params }) => {
  const { rows: found } = await sql<{ student_id: number }>`
    select t.student_id from name_changes t join students s on s.id = t.student_id
    where t.id = ${params.id} and t.removed_at is null and ${scopeCondition(ctx, nameChange.permissions.show!, studentReach(ctx, 's'))}`.execute(
    ctx.db,
  )
  if (!found.length) throw refuse(404, 'not_found')
  const { rows } = await sql<FormerPaper>`
    select q.id, q.serial, q.title, q.title_local, q.lang, q.issued_at
    from name_changes t join papers q on q.subject = 'student' and q.subject_id = t.student_id
    where t.id = ${params.id} and t.status = 'accepted' and q.revoked_at is null and q.replaced_by is null
      and coalesce(q.valid_until >= university_today(), true) and (q.holder, q.holder_local) = (t.old_name, t.old_name_local)
    order by q.id desc limit 100`.execute(ctx.db)
  return { data: rows }
})

export const nameChanges = {
  handlers: [...served.handlers, changeName, formerPapers] satisfies readonly Handled[],
  manyJob: served.flow.manyJob,
  work: served.work,
}
