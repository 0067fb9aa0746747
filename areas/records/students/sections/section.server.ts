import { sql } from 'kysely'
import { refName } from '#kit/contract/index.ts'
import type { Access } from '#kit/contract/index.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { handle } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { askAddress, isNewAddress, limitAddresses, waitingAddress } from '../own/address.server.ts'
import { STUDENT_SECTIONS, student } from '../student/student.contract.ts'
import { students } from '../student/student.server.ts'
import { OWN_SECTIONS, sectionCalls, sectionSchema } from './section.contract.ts'
import type { Details, SectionAnswer } from './section.contract.ts'

/** By which right a section is changed: staff by theirs, a student only what is the student's own. */
function accessTo(ctx: Ctx, id: number, details: Details): Access {
  if (details === 'notes') return 'edit_student_notes'
  if (OWN_SECTIONS.includes(details) && ctx.actor?.student_id === id && !ctx.can('edit_students'))
    return 'access_student'
  return 'edit_students'
}

const namesOf = (details: Details): readonly string[] =>
  details === 'notes' ? ['notes'] : STUDENT_SECTIONS.find((s) => s.key === details)!.fields

async function readSection(
  ctx: Ctx,
  db: Ctx['db'] | Tx,
  id: number,
  details: Details,
  access: Access,
): Promise<SectionAnswer> {
  const row = (await students.get(ctx, db, id, access)) as unknown as Record<string, unknown> & {
    id: number
    version: number
  }
  const names = namesOf(details)
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const own: [string, unknown][] = [[name, row[name] ?? null]]
      return student.fields[name as keyof typeof student.fields].kind === 'lookup'
        ? [...own, [refName(name), row[refName(name)] ?? null]]
        : own
    }),
  )
  const { version, code, name, name_local } = row as unknown as SectionAnswer
  const waits = details === 'contact' ? await waitingAddress(db, id) : null
  return { id, version, code, name, name_local, details, values, waits, abilities: row.removed ? [] : ['edit'] }
}

/** Writes notes, in the caller's transaction. */
async function writeNotes(
  ctx: Ctx,
  tx: Tx,
  id: number,
  notes: string | null,
  version: number | undefined,
): Promise<number> {
  const current = await students.lock(ctx, tx, id, { access: 'edit_student_notes' })
  if (version !== undefined && version !== current.version)
    throw refuse(409, 'changed_meanwhile', { version: current.version })
  const { rows } = await sql<{
    version: number
  }>`update students set notes = ${notes || null} where id = ${id} returning version`.execute(tx)
  return firstRow(rows).version
}

/** Handlers of the sections of a student's data. */
export const sectionHandlers: readonly Handled[] = [
  handle(sectionCalls.section, async (ctx, { params: { id, details } }) => ({
    data: await readSection(ctx, ctx.db, id, details, accessTo(ctx, id, details)),
  })),
  handle(sectionCalls.saveSection, async (ctx, { params: { id, details }, body }) => {
    const access = accessTo(ctx, id, details)
    const { email, ...rest } = parse(sectionSchema(details), body)
    // Whether an address is somebody else's is not told to who types it as the own one: it waits for the link sent there.
    const own = details === 'contact' && access === 'access_student'
    const asks = own && typeof email === 'string' && email !== '' && (await isNewAddress(ctx, id, email))
    const input = asks || email === undefined ? rest : { ...rest, email }
    if (asks) await limitAddresses(ctx, id, email)
    return ctx.write(async (tx) => {
      if (details === 'notes')
        await writeNotes(ctx, tx, id, (input.notes as string | null) ?? null, input.version as number | undefined)
      else {
        await students.update(ctx, tx, id, input, access)
        // Who is given another address meanwhile has decided.
        if (email !== undefined && details === 'contact') await askAddress(ctx, tx, id, asks ? email : null)
      }
      return { data: await readSection(ctx, tx, id, details, access) }
    })
  }),
  handle(sectionCalls.updateNotes, (ctx, { params: { id }, body: { notes, version } }) =>
    ctx.write(async (tx) => ({ id, version: await writeNotes(ctx, tx, id, notes, version) })),
  ),
]
