/** Many students at once: enrolled by the rules, removed, exempted; and the rows of an import. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { usualSpecialGrades } from '#areas/study/catalogue/bylaw.rules.ts'
import { holdsData } from '#areas/records/grading/guard.rules.ts'
import type { BulkResult } from './bulk.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { studentScope } from '../capacity.server.ts'
import type { Override } from '../registration.rules.ts'
import { countsInLoad, flag, fromWire, mainMask, mainOf } from '#areas/common/academics/status.rules.ts'
import { stateLabel } from '#areas/common/academics/registration-words.contract.ts'
import { chooseSlots } from '../requests/choice.rules.ts'
import { gatherRequest, gatherEach } from '../requests/gather.server.ts'
import { inputOf, reasonsOf, rulesFor, toldTo } from '../requests/judge.server.ts'
import { requestOfferings } from '../requests/request.server.ts'
import { wakeWaitList } from '../requests/queue.server.ts'
import { changeEach } from './change.server.ts'
import { checkExemption, givesWay } from './exempt.rules.ts'

/** How many students are worked on at once; their statements are shared. */
const LANES = 8

async function each<In>(items: readonly In[], work: (item: In) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: Math.min(LANES, items.length) }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

const failedOf = (id: number, reasons: readonly Reason[]): BulkResult['failed'][number] => ({
  id,
  errors: reasons.map(toProblem),
})

/**
 * Enrols students in an offering, each by the rules, whatever window is open. `done` and `failed` hold ids of students.
 */
export async function enrolStudents(
  ctx: Ctx,
  asked: {
    offering_id: number
    student_ids: readonly number[]
    offering_slot_ids: readonly number[]
    improve: boolean
    overrides: readonly Override[]
    over_quota: boolean
    reason: string | null
  },
): Promise<BulkResult> {
  const { offering_id, student_ids, offering_slot_ids, improve, ...rest } = asked
  const done: number[] = []
  const failed: BulkResult['failed'] = []
  await each([...new Set(student_ids)], async (student_id) => {
    // Others choose at the same time: whoever loses the seat of a chosen group looks for another.
    for (let attempt = 1; ; attempt++) {
      try {
        const slots = offering_slot_ids.length
          ? offering_slot_ids
          : await fitting(ctx, student_id, offering_id, rest.over_quota)
        await requestOfferings(ctx, {
          student_id,
          action: 'enroll',
          offerings: [{ offering_id, offering_slot_ids: slots, improve }],
          ...rest,
        })
        return void done.push(student_id)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const lost = error.reasons.every((reason) => reason.code === 'slot_full')
        if (lost && !offering_slot_ids.length && attempt < LANES) continue
        return void failed.push(failedOf(student_id, error.reasons))
      }
    }
  })
  return { done, failed }
}

/** A group that fits the student's week; when none does, the one with the most seats, so that the refusal says why. */
async function fitting(ctx: Ctx, studentId: number, offeringId: number, over: boolean): Promise<number[]> {
  const g = await gatherRequest(ctx.pool, studentId, [offeringId])
  const offering = g?.offerings[0]
  if (!g || !offering) return []
  const slots = offering.slots.map((slot) => ({
    ...slot,
    free: slot.quota + (over ? slot.over_quota : 0) - slot.taken - slot.held,
  }))
  const busy = g.registrations
    .filter((registration) => countsInLoad(mainOf(fromWire(registration.status))))
    .flatMap((registration) => registration.meetings)
  return (
    chooseSlots(slots, busy) ??
    chooseSlots(slots, []) ??
    chooseSlots(
      slots.map((slot) => ({ ...slot, free: 1 })),
      [],
    ) ??
    []
  )
}

/** Removes registrations of students in an offering: requests and running ones. `done` and `failed` hold ids of students. */
export async function removeStudents(
  ctx: Ctx,
  offeringId: number,
  studentIds: readonly number[],
  reason: string,
  overrides: readonly Override[] = [],
): Promise<BulkResult> {
  const { rows } = await sql<{ id: number; student_id: number }>`select r.id, r.student_id from registrations r
    join students s on s.id = r.student_id join programs p on p.id = s.program_id
    where r.offering_id = ${offeringId} and r.student_id = any(${[...studentIds]}::int[])
      and ${scopeCondition(ctx, ['enroll_students', 'remove_registration'], studentScope(ctx))}`.execute(ctx.db)
  const students = new Map(rows.map((row) => [row.id, row.student_id]))
  const found = new Set(students.values())
  const missing = [...new Set(studentIds)]
    .filter((id) => !found.has(id))
    .map((id) => failedOf(id, [{ code: 'not_registered_here' }]))
  if (!rows.length) return { done: [], failed: missing }
  // Requests are taken back in their window by advisors; a registrar removes them at any time.
  const window = ctx.can('override_registration_rule') ? [{ code: 'stage_closed' as const, reason }] : []
  const { done, failed } = await changeEach(
    ctx,
    rows.map((row) => row.id),
    { action: 'remove' },
    { reason, overrides: [...overrides, ...window] },
  )
  return {
    done: done.map((one) => one.student_id),
    failed: [...missing, ...failed.map((one) => failedOf(students.get(one.id) ?? 0, one.reasons))],
  }
}

interface Exempting {
  readonly student_id: number
  readonly status: string | null
  readonly elsewhere: boolean
}
/** Why students are not exempted from the course of an offering, by their ids. */
async function againstExemption(
  ctx: Ctx,
  tx: Tx,
  offering_id: number,
  rows: readonly Exempting[],
): Promise<Map<number, Reason[]>> {
  const gathered = await gatherEach(
    ctx.pool,
    rows.map(({ student_id }) => ({ student_id, offering_id })),
  )
  const found = new Map<number, Reason[]>()
  for (const [i, row] of rows.entries()) {
    const g = gathered[i] && (await toldTo(ctx, gathered[i]))
    const offering = g?.offerings.find(({ id }) => id === offering_id)
    if (!g || !offering) continue
    const main = row.status === null ? null : mainOf(fromWire(row.status))
    // What stands in the offering itself gives way, or is said by its state.
    const current = g.registrations.filter(
      (registration) => registration.term_id === offering.term_id && registration.offering_id !== offering_id,
    )
    const wanted = { offering_slot_ids: [], improve: false }
    const terms = { who: 'registrar', action: 'enroll', over_quota: false } as const
    const refusals = checkExemption(
      inputOf(g, await rulesFor({ db: tx }, g), offering, current, wanted, [offering.course_id], terms, {
        [offering.course_id]: offering.course_code,
      }),
    )
    const reasons = reasonsOf([{ offering_id, refusals }], () => null)
    if (main !== null && !row.elsewhere && !givesWay(main)) {
      const [state_name, state_name_local] = stateLabel(main)
      reasons.unshift({
        code: 'registration_state',
        data: { course: offering.course_code, state: main, state_name, state_name_local },
      })
    }
    if (offering.control_status !== 'Draft')
      reasons.unshift({ code: 'control_holds', data: holdsData(offering.control_status, offering.course_code) })
    found.set(row.student_id, reasons)
  }
  return found
}

/** Exempts students from the course of an offering. `done` and `failed` hold ids of students. */
export async function exemptStudents(
  ctx: Ctx,
  offeringId: number,
  studentIds: readonly number[],
  reason: string,
): Promise<BulkResult> {
  return ctx.write(
    async (tx) => {
      const offerings = await sql<{
        term_id: number
        course_id: number
        credit_hours: number
      }>`select o.term_id, o.course_id, c.credit_hours::float8 from offerings o join courses c on c.id = o.course_id where o.id = ${offeringId} and o.removed_at is null for key share of o`.execute(
        tx,
      )
      const offering = offerings.rows[0]
      if (!offering) throw refuse(404, 'not_found')
      const { rows } = await sql<{
        student_id: number
        id: number | null
        status: string | null
        elsewhere: boolean
        letter: string | null
        attempted: boolean | null
        slots: boolean
      }>`
        select s.id as student_id, r.id, r.status::text as status, coalesce(r.offering_id <> ${offeringId}, false) as elsewhere,
          coalesce(g.letter, ${usualSpecialGrades.Exempted.letter}) as letter, coalesce(g.counts_in_attempted_hours, false) as attempted,
          exists (select from registration_slots rs where rs.registration_id = r.id) as slots
        from students s join programs p on p.id = s.program_id
        left join registrations r on r.student_id = s.id and r.term_id = ${offering.term_id} and r.course_id = ${offering.course_id}
        left join special_grades g on g.bylaw_id = s.bylaw_id and g.status = 'Exempt'
        where s.id = any(${[...new Set(studentIds)]}::int[]) and s.removed_at is null and ${scopeCondition(ctx, 'exempt_students', studentScope(ctx))}
        order by s.id for no key update of s`.execute(tx)
      const found = new Set(rows.map((row) => row.student_id))
      const failed = [...new Set(studentIds)]
        .filter((id) => !found.has(id))
        .map((id) => failedOf(id, [{ code: 'not_found' }]))
      const able: typeof rows = []
      const judged = await againstExemption(ctx, tx, offeringId, rows)
      for (const row of rows) {
        const reasons = judged.get(row.student_id) ?? []
        if (reasons.length) failed.push(failedOf(row.student_id, reasons))
        else able.push(row)
      }
      const lines = JSON.stringify(
        able.map(({ student_id, id, letter, attempted }) => ({ student_id, id, letter, attempted })),
      )
      const lineType = sql`(student_id int, id int, letter text, attempted boolean)`
      if (able.length) {
        await sql`update registration_turns set turn = turn + 1 where student_id = any(${able.map((row) => row.student_id)}::int[])`.execute(
          tx,
        )
        await sql`
          with x as materialized (select * from jsonb_to_recordset(${lines}::jsonb) as x ${lineType}),
          before as materialized (select r.id, r.status from registrations r join x on x.id = r.id),
          freed as (delete from registration_slots rs using x where rs.registration_id = x.id),
          changed as (
            update registrations r set status = (r.status & ${(~mainMask).toString()}::bigint) | ${flag.Complete.toString()}::bigint, letter = x.letter,
              points = null, total = null, passed = true, counts_in_gpa = false, counts_in_attempted_hours = x.attempted
            from x where r.id = x.id returning r.id, r.student_id, r.status),
          made as (
            insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, letter, passed, counts_in_gpa, counts_in_attempted_hours)
            select student_id, ${offeringId}, ${offering.term_id}, ${offering.course_id}, ${(flag.Complete | flag.Fresh).toString()}::bigint,
              ${offering.credit_hours}, letter, true, false, attempted from x where id is null
            returning id, student_id, status)
          insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action, from_status, to_status, reason)
          select n.id, n.student_id, ${offeringId}, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, 'exempt', b.status, n.status, ${reason}
          from (select * from changed union all select * from made) n left join before b on b.id = n.id`.execute(tx)
        if (able.some((row) => row.slots)) await wakeWaitList(ctx, tx, [offeringId])
      }
      return { done: able.map((row) => row.student_id), failed }
    },
    { reason },
  )
}

/** A student in an offering, as an import brings it. */
export type EnrolRow = { student_id: number; offering_id: number; offering_slot_ids?: readonly number[] }

/** Rows in one statement: fast, and far from the limits of one message. */
const BATCH = 5000

/**
 * Enrols rows of an import as Registered, without asking the rules but through the same seats: a slot that would be above
 * its quota and over-quota fails the whole transaction. Who is in the course in that term already stays as he or she is.
 * The attempt kind follows from earlier results.
 *
 * @param source kept as the reason in the history
 * @returns the registrations made
 */
export async function enrolMany(
  tx: Tx,
  rows: readonly EnrolRow[],
  { actor_id = null, source = null }: { actor_id?: number | null; source?: string | null } = {},
): Promise<{ id: number; student_id: number; offering_id: number }[]> {
  const made: { id: number; student_id: number; offering_id: number }[] = []
  for (let i = 0; i < rows.length; i += BATCH) {
    const batch = rows.slice(i, i + BATCH)
    const lines = JSON.stringify(
      batch.map(({ student_id, offering_id, offering_slot_ids = [] }) => ({
        student_id,
        offering_id,
        slot_ids: offering_slot_ids,
      })),
    )
    const answer = await sql<{ id: number; student_id: number; offering_id: number }>`
      with x as materialized (select * from jsonb_to_recordset(${lines}::jsonb) as x (student_id int, offering_id int, slot_ids int[])),
      turns as (update registration_turns set turn = turn + 1 where student_id in (select student_id from x)),
      held as materialized (
        select id, quota, taken from offering_slots where id in (select unnest(slot_ids) from x) order by id for no key update),
      made as (
        insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
        select x.student_id, o.id, o.term_id, o.course_id,
          ${flag.Registered.toString()}::bigint | attempt_by_results(x.student_id, o.course_id, o.term_id),
          c.credit_hours
        from x join offerings o on o.id = x.offering_id join courses c on c.id = o.course_id
        where (select count(*) from held) >= 0
        on conflict do nothing returning id, student_id, offering_id, status),
      seats as (
        insert into registration_slots (registration_id, offering_slot_id, over)
        select m.id, s.slot_id, true from made m join x using (student_id, offering_id) cross join lateral unnest(x.slot_ids) as s (slot_id)),
      history as (
        insert into registration_history (registration_id, student_id, offering_id, actor_id, action, to_status, reason, offering_slot_ids)
        select m.id, m.student_id, m.offering_id, ${actor_id}::int, 'enroll', m.status, ${source}, x.slot_ids from made m join x using (student_id, offering_id))
      select id, student_id, offering_id from made`.execute(tx)
    made.push(...answer.rows)
  }
  return made
}
