/** Entries as phones send them: many at once, each stored once, and each by itself. */
import { firstRow } from '#db/rows.ts'
import type { Tx } from '#db/connect.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, asRefusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { isPinOf, openPin } from '../confirm/pin.server.ts'
import type { SentEntry, SentOutcome } from './entry.contract.ts'
import { checkEntry, judgeSentAgain, type EntryFacts } from './entry.rules.ts'

interface Known {
  readonly now: string
  readonly rotations: readonly (NonNullable<EntryFacts['rotation']> & {
    readonly id: number
    readonly closed: boolean
    readonly completed: boolean
  })[]
  readonly types: readonly { readonly id: number; readonly course_id: number; readonly removed: boolean }[]
  readonly stored: readonly {
    readonly id: number
    readonly uuid: string
    readonly own: boolean
    readonly revision: number
    readonly status: string
    readonly removed: boolean
    readonly rotation_id: number
    readonly type_id: number
    readonly role: string
    readonly done_at: string
    readonly note: string | null
  }[]
}
/** Everything that entries are judged by, in one statement. Who sends on two phones at once sends one after the other. */
async function known(tx: Tx, student_id: number, entries: readonly SentEntry[]): Promise<Known> {
  await sql`select from emtyaz_interns where student_id = ${student_id} and removed_at is null order by id for no key update`.execute(
    tx,
  )
  const { rows } = await sql<Known>`select clock_timestamp()::text as now,
    coalesce((select json_agg(json_build_object('id', r.id, 'starts_on', r.starts_on, 'ends_on', greatest(coalesce(r.interrupted_on, r.ends_on), r.starts_on),
        'course_id', q.course_id, 'closed', y.is_closed, 'completed', i.completed_on is not null))
      from emtyaz_rotations r join emtyaz_training_types q on q.id = r.type_id join emtyaz_years y on y.id = r.year_id
        join emtyaz_interns i on i.year_id = r.year_id and i.student_id = r.student_id
      where r.student_id = ${student_id} and r.status = 'accepted' and r.removed_at is null and i.removed_at is null), '[]') as rotations,
    coalesce((select json_agg(json_build_object('id', p.id, 'course_id', p.course_id, 'removed', p.removed_at is not null)) from logbook_types p
      where p.id = any(${entries.map(({ type_id }) => type_id)}::int[])), '[]') as types,
    coalesce((select json_agg(json_build_object('id', e.id, 'uuid', e.uuid, 'own', e.student_id = ${student_id}, 'revision', e.revision, 'status', e.status,
        'removed', e.removed_at is not null, 'rotation_id', e.rotation_id, 'type_id', e.type_id, 'role', e.role, 'done_at', e.done_at, 'note', e.note))
      from logbook_entries e where e.uuid = any(${entries.map(({ uuid }) => uuid)}::uuid[])), '[]') as stored`.execute(
    tx,
  )
  return firstRow(rows)
}
const noteOf = ({ note }: SentEntry): string | null => note?.trim() || null

type Judged =
  | { entry: SentEntry; does: 'insert' | 'change' | 'same' }
  | { entry: SentEntry; reasons: readonly Reason[] }
function judge(entry: SentEntry, of: Known, clock_ahead: number): Judged {
  const there = of.stored.find(({ uuid }) => uuid === entry.uuid)
  const removed = entry.removed === true
  if (there) {
    const same =
      there.removed === removed &&
      (removed ||
        (there.rotation_id === entry.rotation_id &&
          there.type_id === entry.type_id &&
          there.role === entry.role &&
          Date.parse(there.done_at) === Date.parse(entry.done_at) &&
          there.note === noteOf(entry)))
    const again = judgeSentAgain({ ...there, same }, entry.revision)
    if (again === 'same') return { entry, does: 'same' }
    if (again !== 'changed') return { entry, reasons: again }
  }
  // What was never stored need not be taken away.
  if (removed) return { entry, does: there ? 'change' : 'same' }
  const rotation = of.rotations.find(({ id }) => id === entry.rotation_id)
  const reasons = checkEntry({
    rotation: rotation ?? null,
    closed: rotation?.closed ?? false,
    completed: rotation?.completed ?? false,
    type: of.types.find(({ id }) => id === entry.type_id) ?? null,
    done_at: entry.done_at,
    note: noteOf(entry),
    now: of.now,
    clock_ahead,
  })
  return reasons.length ? { entry, reasons } : { entry, does: there ? 'change' : 'insert' }
}

const COLUMNS = sql.raw(
  `(uuid uuid, rotation_id int, type_id int, role text, done_at timestamptz, note text, revision int, phone_at timestamptz, removed boolean)`,
)
const asJson = (entries: readonly SentEntry[]): string =>
  JSON.stringify(
    entries.map((one) => ({
      uuid: one.uuid,
      rotation_id: one.rotation_id,
      type_id: one.type_id,
      role: one.role,
      done_at: one.done_at,
      note: noteOf(one),
      revision: one.revision,
      phone_at: one.phone_at,
      removed: one.removed === true,
    })),
  )

/** Writes what was judged good. Returns entries that somebody else stored in the same moment: their number is taken. */
async function write(ctx: Ctx, tx: Tx, student_id: number, judged: readonly Judged[], clock_ahead: number) {
  const those = (does: string) => judged.flatMap((one) => ('does' in one && one.does === does ? [one.entry] : []))
  const [fresh, changed] = [those('insert'), those('change')]
  const taken = new Set<string>()
  if (fresh.length) {
    const { rows } = await sql<{ id: number; uuid: string }>`
      insert into logbook_entries (uuid, student_id, rotation_id, type_id, role, done_at, note, revision, phone_at, clock_ahead)
      select x.uuid, ${student_id}, x.rotation_id, x.type_id, x.role, x.done_at, x.note, x.revision, x.phone_at, ${clock_ahead}::int
      from jsonb_to_recordset(${asJson(fresh)}::jsonb) as x ${COLUMNS} order by x.done_at
      on conflict (uuid) do nothing returning id, uuid::text`.execute(tx)
    const stored = new Set(rows.map(({ uuid }) => uuid))
    for (const { uuid } of fresh) if (!stored.has(uuid)) taken.add(uuid)
    await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, to_state)
      select 'logbook_entry', id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int, 'begin', 'entered'
      from unnest(${rows.map(({ id }) => id)}::int[]) as id`.execute(tx)
  }
  if (changed.length)
    await sql`with x as (select * from jsonb_to_recordset(${asJson(changed)}::jsonb) as x ${COLUMNS}),
      e as (update logbook_entries e set rotation_id = case when x.removed then e.rotation_id else x.rotation_id end,
          type_id = case when x.removed then e.type_id else x.type_id end, role = case when x.removed then e.role else x.role end,
          done_at = case when x.removed then e.done_at else x.done_at end, note = case when x.removed then e.note else x.note end,
          revision = x.revision, phone_at = x.phone_at, clock_ahead = ${clock_ahead}::int, received_at = now(), status = 'entered',
          removed_at = case when x.removed then now() end, version = e.version + 1
        from x where e.uuid = x.uuid and e.student_id = ${student_id} and e.status <> 'confirmed' returning e.id)
      insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state)
      select 'logbook_entry', e.id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int, 'begin', o.status, 'entered'
      from e join logbook_entries o on o.id = e.id where o.status = 'rejected'`.execute(tx)
  return taken
}

/** Of one number that comes twice, the newest. */
function newest(entries: readonly SentEntry[]): SentEntry[] {
  const by = new Map<string, SentEntry>()
  for (const one of entries) {
    const had = by.get(one.uuid)
    if (!had || one.revision >= had.revision) by.set(one.uuid, one)
  }
  return [...by.values()]
}

/** Stores what a phone sent, and answers for each entry what became of it. */
export async function sync(ctx: Ctx, phone_now: string, given: readonly SentEntry[]): Promise<SentOutcome[]> {
  const student_id = ctx.actor?.student_id ?? null
  if (student_id === null) throw refuse(403, 'logbook_no_intern')
  const entries = newest(given.map((one) => ({ ...one, uuid: one.uuid.toLowerCase() })))
  const ahead = Math.round((Date.parse(phone_now) - Date.now()) / 1000)
  const clock_ahead = Math.max(-2_000_000_000, Math.min(2_000_000_000, ahead))
  const outcomes = new Map<string, SentOutcome>()
  await ctx.write(async (tx) => {
    const of = await known(tx, student_id, entries)
    const judged = entries.map((entry) => judge(entry, of, clock_ahead))
    const taken = await write(ctx, tx, student_id, judged, clock_ahead)
    for (const one of judged) {
      const { uuid } = one.entry
      const reasons = 'reasons' in one ? one.reasons : taken.has(uuid) ? [{ code: 'logbook_entry_twice' }] : []
      outcomes.set(uuid, {
        uuid,
        result: reasons.length ? 'refused' : 'does' in one && one.does !== 'same' ? 'stored' : 'same',
        confirmed: of.stored.some((stored) => stored.uuid === uuid && stored.own && stored.status === 'confirmed'),
        errors: reasons.map(toProblem),
      })
    }
  })
  await confirmByPin(ctx, student_id, entries, outcomes)
  return given.map(({ uuid }) => outcomes.get(uuid.toLowerCase())!)
}

/** Confirms what supervisors put their PIN to on the phone. */
async function confirmByPin(
  ctx: Ctx,
  student_id: number,
  entries: readonly SentEntry[],
  outcomes: Map<string, SentOutcome>,
): Promise<void> {
  const asked = entries.filter(({ uuid, pin, removed }) => {
    const of = outcomes.get(uuid)
    return pin && !removed && of?.result !== 'refused' && !of?.confirmed
  })
  const said = (uuid: string, change: Partial<SentOutcome>) => outcomes.set(uuid, { ...outcomes.get(uuid)!, ...change })
  const right = new Map<string, boolean | Refusal>()
  for (const { uuid, pin } of asked) {
    const { instructor_id, sealed } = pin!
    const typed = await openPin(ctx, sealed, uuid)
    const key = `${instructor_id} ${typed}`
    if (!right.has(key)) {
      // Who was told to wait is not asked again in the same call.
      const waits = [...right].find(([one, is]) => one.startsWith(`${instructor_id} `) && is instanceof Refusal)?.[1]
      right.set(
        key,
        waits ??
          (await isPinOf(ctx, instructor_id, typed).catch((error: unknown) => {
            const refusal = asRefusal(error)
            if (!refusal) throw error
            return refusal
          })),
      )
    }
    const is = right.get(key)
    if (is instanceof Refusal) said(uuid, { errors: is.reasons.map(toProblem) })
    else if (!is) said(uuid, { errors: [toProblem({ code: 'logbook_pin_wrong' })] })
    else said(uuid, await confirmedBy(ctx, student_id, uuid, instructor_id))
  }
}

async function confirmedBy(
  ctx: Ctx,
  student_id: number,
  uuid: string,
  instructor_id: number,
): Promise<Partial<SentOutcome>> {
  return ctx.write(
    async (tx) => {
      await sql`select from logbook_entries where uuid = ${uuid}::uuid for update`.execute(tx)
      const { rows } = await sql<{
        id: number
        status: string
        on_duty: boolean
        day: string
        training: string
        training_local: string
        user_id: number | null
      }>`select e.id, e.status, on_duty_in_training(r.training_id, ${instructor_id}, e.done_at) as on_duty,
          (e.done_at at time zone university_zone())::date::text as day, x.name as training, x.name_local as training_local,
          (select i.user_id from instructors i where i.id = ${instructor_id}) as user_id
        from logbook_entries e join emtyaz_rotations r on r.id = e.rotation_id join emtyaz_trainings x on x.id = r.training_id
        where e.uuid = ${uuid}::uuid and e.student_id = ${student_id} and e.removed_at is null`.execute(tx)
      const [of] = rows
      if (!of) return {}
      if (of.status === 'confirmed') return { confirmed: true }
      if (of.status !== 'entered') return { errors: [toProblem({ code: 'logbook_rejected' })] }
      if (!of.on_duty) {
        const { day, training, training_local } = of
        return { errors: [toProblem({ code: 'logbook_not_on_duty', data: { day, training, training_local } })] }
      }
      await sql`update logbook_entries set status = 'confirmed', confirmed_by_id = ${instructor_id}, confirmed_at = now(), confirmed_how = 'pin',
        version = version + 1 where id = ${of.id}`.execute(tx)
      await sql`insert into step_history (workflow, record_id, actor_id, action, from_state, to_state)
        values ('logbook_entry', ${of.id}, ${of.user_id}, 'confirm', 'entered', 'confirmed')`.execute(tx)
      return { confirmed: true }
    },
    { reason: 'Confirmed by the PIN of the supervisor' },
  )
}
