/** Excuses: what they need, and what accepting one does to registrations and absences. */
import type { Ref } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { flag, fromWire, mainOf } from '#areas/common/academics/status.rules.ts'
import { opensTo, shownLevel } from '#areas/common/academics/window-reach.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { changeRegistrations } from '#areas/enrolment/registration/changes/change.server.ts'
import { decides } from '#areas/enrolment/registration/changes/owners.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { liftExcusedBans } from '../absences/case.server.ts'
import { settleAbsences } from '../absences/shares.server.ts'
import { examExcused } from './exam.server.ts'
import { excuse, excuseCalls, EXCUSE_KINDS } from './excuse.contract.ts'
import { checkExcuseDays, checkExcuse } from './excuse.rules.ts'
import type { ExcusedCourse, ExcuseFacts, ExcuseKind } from './excuse.rules.ts'

interface Asked {
  readonly id: number
  readonly student_id: number
  readonly kind: ExcuseKind
  readonly term_id: number
  readonly offering_id: number | null
  readonly outside_reason: string | null
}
interface Course extends ExcusedCourse {
  readonly registration_id: number | null
  readonly offering_id: number
}

/** The courses that an excuse is about, with the registrations as they stand. */
async function coursesOf(
  tx: Tx,
  { student_id, kind, term_id, offering_id }: Omit<Asked, 'id' | 'outside_reason'>,
): Promise<Course[]> {
  const { rows } = await sql<{
    registration_id: number | null
    offering_id: number
    course: string
    status: string | null
    submitted: boolean
  }>`
    select r.id as registration_id, o.id as offering_id, c.code as course, r.status::text as status, o.control_status <> 'Draft' as submitted
    from offerings o join courses c on c.id = o.course_id left join registrations r on r.offering_id = o.id and r.student_id = ${student_id}
    where o.term_id = ${term_id} and ${offering_id == null ? sql`r.id is not null` : sql`o.id = ${offering_id}`} order by c.code`.execute(
    tx,
  )
  if (offering_id != null && !rows.length) {
    const { rows: there } = await sql`select from offerings where id = ${offering_id}`.execute(tx)
    if (!there.length) throw refuse(422, 'reference_missing', undefined, 'offering_id')
  }
  return rows.flatMap(({ status, ...row }) => {
    const main = status === null ? null : mainOf(fromWire(status))
    const state =
      main === null
        ? null
        : main === 'Registered' || main === 'ExcuseRequest' || main === 'Excused'
          ? main
          : // Who was absent from the exam, or has it still to sit, is excused from it afterwards.
            kind === 'exam' && (main === 'Absent' || main === 'Incomplete')
            ? 'Registered'
            : // The absences behind a ban may be excused: the ban goes with them.
              kind === 'absence' && main === 'Banned' && (offering_id != null || !row.submitted)
              ? 'Registered'
              : 'other'
    // An absence of a term's courses concerns those that are taken; those left are none of it.
    return kind === 'absence' && offering_id == null && state === 'other' ? [] : [{ ...row, state }]
  })
}

async function readAsked(tx: Tx, ids: readonly number[]): Promise<Asked[]> {
  const { rows } = await sql<Asked>`select id, student_id, kind, term_id, offering_id, outside_reason from excuses
    where id = any(${[...ids]}::int[]) order by id`.execute(tx)
  return rows
}

/** Whether the window of excuses is open to a student in a term. */
async function windowOpen(tx: Tx, student_id: number, term_id: number): Promise<boolean> {
  const { rows } = await sql<{
    open: boolean
  }>`select exists (select from stage_windows w join stage_codes k on k.id = w.stage_code_id
      left join stage_groups g on g.id = w.stage_group_id join students s on s.id = ${student_id}
    where w.term_id = ${term_id} and k.code = 'excuse' and w.removed_at is null and now() >= w.starts_at and now() < w.ends_at
      and ${opensTo({ student: 's', window: 'w', group: 'g', level: shownLevel('s') })}) as open`.execute(tx)
  return firstRow(rows).open
}

/** Judges an excuse that is asked for; the term is the current one unless told. */
async function judge(ctx: Ctx, tx: Tx, merged: Values): Promise<void> {
  const { rows } = await sql<
    ({ term_id: number; start: string; end: string } | { term_id: null; start: null; end: null }) & {
      may: boolean
      file: boolean
    }
  >`
    select t.id as term_id, t.start_date as start, t.end_date as "end",
      ${scopeCondition(ctx, ['override_registration_rule'], studentReach(ctx, 's'))} as may,
      ${merged.file_id ?? null}::int is null or exists (select from files f where f.id = ${merged.file_id ?? null}::int
        and f.created_by = ${ctx.actor?.user_id ?? null}) as file
    from students s left join terms t on t.id = coalesce(${merged.term_id ?? null}::int, ${currentTermId()})
    where s.id = ${merged.student_id} and ${scopeCondition(ctx, 'add_excuse', studentReach(ctx, 's'))}
    for no key update of s`.execute(tx)
  const [found] = rows
  // Before anything is said of what stands already.
  if (!found) {
    const { rows: known } = await sql`select from students where id = ${merged.student_id}`.execute(tx)
    throw known.length ? refuse(403, 'not_allowed') : refuse(422, 'reference_missing', undefined, 'student_id')
  }
  if (found.term_id === null) throw refuse(422, 'required', undefined, 'term_id')
  if (!found.file) throw refuse(422, 'reference_missing', undefined, 'file_id')
  merged.term_id = found.term_id
  const kind = merged.kind as ExcuseKind
  if (kind === 'term') merged.offering_id = null
  if (kind === 'course' || kind === 'term') Object.assign(merged, { from_date: null, to_date: null })
  if ((kind === 'course' || kind === 'exam') && !merged.offering_id)
    throw refuse(422, 'excuse_course_missing', undefined, 'offering_id')
  const days = checkExcuseDays(
    { kind, from_date: merged.from_date as string | null, to_date: merged.to_date as string | null },
    found,
  )
  if (days.length) throw new Refusal(422, days)
  const reasons = checkExcuse({ kind, courses: await coursesOf(tx, merged as unknown as Asked) })
  if (!(await windowOpen(tx, merged.student_id as number, found.term_id))) {
    const own = merged.student_id === ctx.actor?.student_id
    if (own || !found.may) reasons.push({ code: 'excuse_window_closed' })
    else if (!(merged.outside_reason as string | null)?.trim())
      reasons.push({ field: 'outside_reason', code: 'excuse_outside_reason' })
  } else merged.outside_reason = null
  if (reasons.length) throw new Refusal(409, reasons)
}

/** Registrations that an excuse takes the student out of; none where it is about days. */
const moving = (asked: Asked, courses: readonly Course[], states: readonly ExcusedCourse['state'][]): number[] =>
  asked.kind === 'course' || asked.kind === 'term'
    ? courses.flatMap((one) => (one.registration_id !== null && states.includes(one.state) ? one.registration_id : []))
    : []

const served = serveRequest(excuse, {
  before: judge,
  begun: async (ctx, tx, id) => {
    const [asked] = (await readAsked(tx, [id])) as [Asked]
    // Entered by staff, the course stays as it is until somebody else accepts.
    if (asked.student_id !== ctx.actor?.student_id) return
    const ids = moving(asked, await coursesOf(tx, asked), ['Registered'])
    if (ids.length) await changeRegistrations(ctx, ids, { action: 'excuse' }, { reason: 'Excuse' })
  },
  facts: async (_ctx, tx, ids) => {
    const facts = new Map<number, ExcuseFacts>()
    for (const asked of await readAsked(tx, ids))
      facts.set(asked.id, { kind: asked.kind, courses: await coursesOf(tx, asked) })
    return facts
  },
  effect: async (ctx, tx, moved) => {
    const asked = new Map(
      (
        await readAsked(
          tx,
          moved.map((one) => one.id),
        )
      ).map((one) => [one.id, one]),
    )
    for (const { id, action, from, reason } of moved) {
      const one = asked.get(id)!
      const courses = await coursesOf(tx, one)
      const because = reason ?? 'Excuse'
      const change = async (
        states: readonly ExcusedCourse['state'][],
        to: 'accept' | 'reject' | 'remove' | 'excuse' | 'undo',
      ) => {
        const ids = moving(one, courses, states)
        const overrides = one.outside_reason ? [{ code: 'stage_closed' as const, reason: one.outside_reason }] : []
        if (ids.length)
          await changeRegistrations(ctx, ids, { action: to }, { reason: because, overrides, by: 'Excused' })
      }
      if (action === 'accept') {
        await change(['ExcuseRequest'], 'accept')
        await change(['Registered'], 'excuse')
      } else if (action === 'reject') await change(['ExcuseRequest'], 'reject')
      else if (action === 'cancel')
        await change(['ExcuseRequest'], one.student_id === ctx.actor?.student_id ? 'remove' : 'reject')
      else if (from === 'accepted') await change(['Excused'], 'undo')
      if (action === 'accept' && one.kind === 'absence')
        await liftExcusedBans(
          ctx,
          tx,
          one.student_id,
          courses.map((course) => course.offering_id),
          'An excuse was accepted',
        )
      // What was absence is excused, or is absence again.
      const { rows } = await sql<{
        root: number
      }>`select distinct coalesce(linked_offering_id, id) as root from offerings
        where id = any(${courses.map((course) => course.offering_id)}::int[]) order by 1`.execute(tx)
      for (const { root } of rows) await settleAbsences(ctx, tx, root, [one.student_id])
      if (one.kind === 'exam' && (action === 'accept' || from === 'accepted'))
        await examExcused(ctx, tx, { id, accepted: action === 'accept' })
    }
  },
})

/** The excuse of a registration in a state: of the course itself, or of the whole term. */
async function excuseOf(
  tx: Tx,
  registration_id: number,
  status: 'requested' | 'accepted',
): Promise<{ id: number; kind: ExcuseKind } | undefined> {
  const { rows } = await sql<{ id: number; kind: ExcuseKind }>`select x.id, x.kind from excuses x
    join registrations r on r.id = ${registration_id} and r.student_id = x.student_id and r.term_id = x.term_id
    where x.status = ${status} and x.removed_at is null and x.kind in ('course', 'term')
      and (x.offering_id is null or x.offering_id = r.offering_id) order by x.offering_id nulls last, x.id`.execute(tx)
  return rows[0]
}
/**
 * Whoever excuses a registration by its status decides on the excuse of that course. One of a whole term is decided where all of
 * its courses are seen.
 */
export const excusedDecided = decides('Excused', {
  lead: async (ctx, tx, registration_id, { reason }) => {
    const found = await excuseOf(tx, registration_id, 'requested')
    return found?.kind === 'course' && Boolean(await served.flow.take(ctx, found.id, 'accept', { reason }))
  },
  takeBack: async (ctx, tx, registration_id, { reason }) => {
    const found = await excuseOf(tx, registration_id, 'accepted')
    return found?.kind === 'course' && Boolean(await served.flow.take(ctx, found.id, 'reopen', { reason }))
  },
})

const ACTIONS = { accepted: 'accept', rejected: 'reject', requested: 'reopen', cancelled: 'cancel' } as const

/** What a student may be excused from now. */
async function lookups(ctx: Ctx, student_id: number) {
  const { rows } = await sql<{
    courses: { id: number; code: string; name: string; name_local: string }[]
    term: (Ref & { start_date: string; end_date: string }) | null
    open: boolean
  }>`
    select (select json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'code', t.code,
        'start_date', t.start_date, 'end_date', t.end_date) from terms t where t.id = ${currentTermId()}) as term,
      exists (select from stage_windows w join stage_codes k on k.id = w.stage_code_id left join stage_groups g on g.id = w.stage_group_id
        where w.term_id = ${currentTermId()} and k.code = 'excuse' and w.removed_at is null and now() >= w.starts_at and now() < w.ends_at
          and ${opensTo({ student: 's', window: 'w', group: 'g', level: shownLevel('s') })}) as open,
      coalesce((select json_agg(json_build_object('id', o.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local) order by c.code)
        from registrations r join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id
        where r.student_id = s.id and r.term_id = ${currentTermId()} and r.status & ${String(flag.Registered)}::bigint <> 0
          and o.control_status = 'Draft'), '[]') as courses
    from students s where s.id = ${student_id} and s.removed_at is null
      and ${scopeCondition(ctx, 'add_excuse', studentReach(ctx, 's'))}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return {
    data: {
      ...rows[0],
      kinds: EXCUSE_KINDS.map((kind) => ({ value: kind.value, name: kind.label[0], name_local: kind.label[1] })),
    },
  }
}

export const excuses = {
  work: served.work,
  handlers: [
    ...served.handlers,
    handle(excuseCalls.updateStatus, async (ctx, { params, body: { status, ...options } }) => {
      const { id, version, to } = await served.flow.take(ctx, params.id, ACTIONS[status], options)
      return { data: { id, version, status: to as typeof status } }
    }),
    handle(excuseCalls.change, (ctx, { params, body: { version, ...body } }) =>
      ctx.write(async (tx) => {
        const { rows } = await sql<
          Values & { id: number; version: number; status: string }
        >`select t.*, t.from_date::text, t.to_date::text
          from excuses t where t.id = ${params.id} and t.removed_at is null and exists (select from students s where s.id = t.student_id
            and ${scopeCondition(ctx, 'add_excuse', studentReach(ctx, 's'))}) for update of t`.execute(tx)
        const [row] = rows
        if (!row) throw refuse(404, 'not_found')
        if (row.status !== 'requested') throw refuse(409, 'excuse_decided')
        if (version !== undefined && version !== row.version)
          throw refuse(409, 'changed_meanwhile', { version: row.version })
        const next = { ...row, ...body }
        const { rows: terms } = await sql<{
          start: string
          end: string
          file: boolean
        }>`select start_date as start, end_date as "end",
            ${body.file_id ?? null}::int is null or exists (select from files f where f.id = ${body.file_id ?? null}::int
              and f.created_by = ${ctx.actor?.user_id ?? null}) as file
          from terms where id = ${row.term_id}`.execute(tx)
        if (!terms[0]!.file) throw refuse(422, 'reference_missing', undefined, 'file_id')
        const days = checkExcuseDays(next as never, terms[0]!)
        if (days.length) throw new Refusal(422, days)
        const { rows: kept } = await sql<{
          version: number
        }>`update excuses set why = ${next.why as string}, from_date = ${next.from_date},
          to_date = ${next.to_date}, file_id = ${next.file_id} where id = ${params.id} returning version`.execute(tx)
        return { data: { id: params.id, version: kept[0]!.version } }
      }),
    ),
    handle(excuseCalls.ownLookups, (ctx) => {
      const id = ctx.actor?.student_id
      if (!id)
        return Promise.resolve({
          data: {
            courses: [],
            term: null,
            open: false,
            kinds: EXCUSE_KINDS.map((kind) => ({ value: kind.value, name: kind.label[0], name_local: kind.label[1] })),
          },
        })
      return lookups(ctx, id)
    }),
    handle(excuseCalls.lookups, (ctx, { params }) => lookups(ctx, params.id)),
  ] satisfies readonly Handled[],
}
