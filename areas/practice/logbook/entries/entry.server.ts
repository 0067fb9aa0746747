/** Logbooks: shown to whom they concern, confirmed by who was there. */
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { patternOf, ref } from '#kit/server/base/sql.ts'
import { hashPassword } from '#kit/server/identity/passwords.ts'
import { qrModules } from '#kit/server/papers/qr.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { pinKey } from '../confirm/pin.server.ts'
import { entryReach, logbookReach } from '../reach.server.ts'
import {
  logbookCalls as calls,
  logbookEntry,
  logbookFlow,
  logbookSteps,
  type Logbook,
  type ScannedEntry,
} from './entry.contract.ts'
import { totalOf, type ConfirmFacts } from './entry.rules.ts'
import { logbookCourses, logbookOf } from './facts.server.ts'
import { patientData } from './patient.rules.ts'
import { sync } from './sync.server.ts'

async function factsOf(ctx: Ctx, db: Db | Tx, ids: readonly number[]): Promise<Map<number, ConfirmFacts>> {
  const me = ctx.actor?.instructor_id ?? null
  const { rows } = await sql<ConfirmFacts & { id: number }>`
    select t.id, coalesce(on_duty_in_training(r.training_id, ${me}::int, t.done_at), false) as on_duty,
      (t.done_at at time zone university_zone())::date::text as day, json_build_object('name', x.name, 'name_local', x.name_local) as training,
      case when n.id is not null then json_build_object('name', n.name, 'name_local', n.name_local) end as by, coalesce(t.confirmed_by_id = ${me}::int, false) as mine,
      exists (select from emtyaz_interns i where i.year_id = r.year_id and i.student_id = r.student_id and i.completed_on is not null) as completed
    from logbook_entries t join emtyaz_rotations r on r.id = t.rotation_id join emtyaz_trainings x on x.id = r.training_id
      left join instructors n on n.id = t.confirmed_by_id
    where t.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

const TYPE = (column: string) => `(select p.${column} from logbook_types p where p.id = t.type_id)`
const logbookConfirmed = serveWorkflow(logbookFlow, logbookSteps, {
  table: 'logbook_entries',
  scope: entryReach,
  seen: ['access_logbook'],
  nameOf: `(select s.code || ' · ' || ${TYPE('name')} from students s where s.id = t.student_id)`,
  own: (people) => sql`(select s.user_id from students s where s.id = t.student_id) = any(${people})`,
  facts: (ctx, tx, ids) => factsOf(ctx, tx, ids),
  // With the state goes who said so.
  state: {
    read: 't.status',
    write: async (ctx, tx, moved) => {
      for (const { reason } of moved) {
        const found = patientData(reason, 'reason')
        if (found.length) throw new Refusal(422, found)
      }
      await sql`update logbook_entries t set status = x."to", confirmed_by_id = case when x."to" = 'confirmed' then ${ctx.actor?.instructor_id ?? null}::int end,
          confirmed_at = case when x."to" = 'confirmed' then now() end, confirmed_how = case when x."to" = 'confirmed' then 'list' end
        from jsonb_to_recordset(${JSON.stringify(moved.map(({ id, to }) => ({ id, to })))}::jsonb) as x (id int, "to" text) where t.id = x.id`.execute(
        tx,
      )
    },
  },
  tells: {
    users: 'array(select s.user_id from students s where s.id = t.student_id and s.user_id is not null)',
    data: `json_build_object('type', ${TYPE('name')}, 'type_local', ${TYPE('name_local')})`,
    student: 't.student_id',
    link: () => '/emtyaz/logbook',
  },
})

export const logbookEntries = workings(logbookEntry, {
  scope: {
    faculty: (ctx) => entryReach(ctx).faculty,
    department: (ctx) => entryReach(ctx).department,
    bylaw: (ctx) => entryReach(ctx).bylaw,
    program: (ctx) => entryReach(ctx).program,
    own: (ctx) => entryReach(ctx).own,
    supervised: (ctx) => entryReach(ctx).supervised,
  },
  flow: logbookConfirmed,
  computed: {
    training: `(select x.code || ' · ' || x.name from emtyaz_rotations r join emtyaz_trainings x on x.id = r.training_id where r.id = t.rotation_id)`,
  },
  search: ['(select s.search_text from students s where s.id = t.student_id)', 't.note'],
})

/** What waits for who is on duty there. */
export const logbookWork: WorkSource = {
  permissions: ['confirm_logbook'],
  waiting: (ctx) => sql`
    select 'logbook.work_entries', jsonb_build_object('count', count(*)), '/emtyaz/logbooks', min(t.received_at), null::timestamptz
    from logbook_entries t where ${logbookConfirmed.waiting(ctx)}
      and exists (select from emtyaz_rotations r where r.id = t.rotation_id
        and on_duty_in_training(r.training_id, ${ctx.actor?.instructor_id ?? null}::int, t.done_at))
    having count(*) > 0`,
}

/** A logbook within reach by a right. @throws {Refusal} 404 */
export async function reachedLogbook(
  ctx: Ctx,
  id: number,
  right: 'access_logbook' | 'export_logbook',
): Promise<Omit<Logbook, 'pin_key'>> {
  const { rows } = await sql`select from emtyaz_interns t where t.id = ${id} and t.removed_at is null
    and ${scopeCondition(ctx, right, logbookReach(ctx))}`.execute(ctx.db)
  const found = rows.length ? await logbookOf(ctx.db, id) : null
  if (!found) throw refuse(404, 'not_found')
  return found
}

/** The entry of a code within reach. @throws {Refusal} 404: not sent yet, or not supervised */
async function scanned(ctx: Ctx, uuid: string): Promise<ScannedEntry> {
  const { rows } = await sql<
    Omit<ScannedEntry, 'abilities' | 'refused'> & { held: Parameters<typeof logbookConfirmed.open>[2] }
  >`
    select t.id, t.version, t.status, ${ref('s')} as student, ${ref('p')} as type, t.role, t.done_at, t.clock_ahead, ${ref('x')} as training, t.note,
      ${logbookConfirmed.column(ctx)} as held
    from logbook_entries t join students s on s.id = t.student_id join logbook_types p on p.id = t.type_id
      join emtyaz_rotations r on r.id = t.rotation_id join emtyaz_trainings x on x.id = r.training_id
    where t.uuid = ${uuid}::uuid and t.removed_at is null and ${scopeCondition(ctx, 'confirm_logbook', entryReach(ctx))}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'logbook_not_here')
  const { held, ...row } = rows[0]
  const facts = (await factsOf(ctx, ctx.db, [row.id])).get(row.id)
  const { abilities, refused } = logbookConfirmed.open(ctx, row.status as 'entered', held, facts)
  return { ...row, abilities, refused: refused }
}

export const logbookHandlers: readonly Handled[] = [
  ...logbookConfirmed.handlers,
  ...logbookEntries.handlers,
  handle(calls.mine, async (ctx) => {
    const { rows } = await sql<{ id: number }>`select i.id from emtyaz_interns i join emtyaz_years y on y.id = i.year_id
      where i.removed_at is null and i.student_id = ${ctx.actor?.student_id ?? null}::int
      order by i.completed_on is not null, y.is_closed, y.starts_on desc limit 1`.execute(ctx.db)
    const found = rows[0] ? await logbookOf(ctx.db, rows[0].id) : null
    return { data: found && { ...found, pin_key: await pinKey(ctx) } }
  }),
  handle(calls.show, async (ctx, { params: { id } }) => ({
    data: { ...(await reachedLogbook(ctx, id, 'access_logbook')), pin_key: await pinKey(ctx) },
  })),
  handle(calls.interns, async (ctx, { query: { most, search = '' } }) => {
    const found = await cutRows<{ id: number; student: never; year: never; waiting: number }>(
      ctx.db,
      sql`select t.id, ${ref('s')} as student, ${ref('y')} as year,
          (select count(*)::int from logbook_entries e join emtyaz_rotations r on r.id = e.rotation_id where e.student_id = t.student_id
            and r.year_id = t.year_id and e.status = 'entered' and e.removed_at is null) as waiting
        from emtyaz_interns t join students s on s.id = t.student_id join emtyaz_years y on y.id = t.year_id
        where t.removed_at is null and ${scopeCondition(ctx, 'access_logbook', logbookReach(ctx))}
          and (${search} = '' or s.search_text like ${patternOf(search)})
        order by t.completed_on is not null, y.starts_on desc, s.name, t.id`,
      most,
    )
    const courses = await logbookCourses(ctx.db, sql`i.id = any(${found.data.map(({ id }) => id)}::int[])`)
    return {
      total: found.total,
      data: found.data.map((one) => {
        const totals = courses.filter((c) => c.intern_id === one.id).flatMap(({ types }) => types.map(totalOf))
        return {
          ...one,
          wanted: totals.reduce((sum, of) => sum + of.wanted, 0),
          counted: totals.reduce((sum, of) => sum + of.counted, 0),
        }
      }),
    }
  }),
  handle(calls.sync, async (ctx, { body: { phone_now, entries } }) => ({ data: await sync(ctx, phone_now, entries) })),
  handle(calls.code, async (ctx, { params: { uuid } }) => {
    const { rows } = await sql<{ status: string }>`select t.status from logbook_entries t where t.uuid = ${uuid}::uuid
      and t.removed_at is null and t.student_id = ${ctx.actor?.student_id ?? null}::int`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    const url = `${ctx.services.config.publicUrl}/emtyaz/logbook/confirm/${uuid}`
    return { data: { url, qr: qrModules(url), status: rows[0].status } }
  }),
  handle(calls.scanned, async (ctx, { params: { uuid } }) => ({ data: await scanned(ctx, uuid) })),
  handle(calls.confirm, (ctx, { params: { uuid }, body: { version } }) =>
    ctx.write(async (tx) => {
      const { id } = await scanned(ctx, uuid)
      const { to } = await logbookConfirmed.take(ctx, id, 'confirm', { version })
      await sql`update logbook_entries set confirmed_how = 'code' where id = ${id}`.execute(tx)
      return { data: { id, status: to } }
    }),
  ),
  handle(calls.pin, async (ctx) => {
    const { rows } = await sql<{ set_at: string }>`select set_at from logbook_pins
      where instructor_id = ${ctx.actor?.instructor_id ?? null}::int`.execute(ctx.db)
    return { data: { set_at: rows[0]?.set_at ?? null } }
  }),
  handle(calls.setPin, async (ctx, { body: { pin } }) => {
    const instructor_id = ctx.actor?.instructor_id ?? null
    if (instructor_id === null) throw refuse(403, 'logbook_no_instructor')
    if (/^(\d)\1+$/.test(pin) || '01234567890 09876543210'.includes(pin))
      throw refuse(422, 'logbook_pin_easy', undefined, 'pin')
    const hash = await hashPassword(pin)
    return ctx.write(async (tx) => {
      const { rows } = await sql<{
        set_at: string
      }>`insert into logbook_pins (instructor_id, pin_hash) values (${instructor_id}, ${hash})
        on conflict (instructor_id) do update set pin_hash = excluded.pin_hash, set_at = now() returning set_at`.execute(
        tx,
      )
      return { data: firstRow(rows) }
    })
  }),
]
