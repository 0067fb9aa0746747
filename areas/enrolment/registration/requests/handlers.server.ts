import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { handle } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { studentScope } from '../capacity.server.ts'
import { changeEach, changeRegistrations, capacities, type Intent } from '../changes/change.server.ts'
import type { Locked } from '../changes/locked.server.ts'
import { changeByOwners } from '../changes/owners.server.ts'
import {
  flag,
  flagsOfCode,
  fromWire,
  mainOf,
  transitions,
  isAudit,
  type StatusCode,
} from '#areas/common/academics/status.rules.ts'
import {
  AUDITED,
  NO_REGISTRATION,
  WHO_LABELS,
  stateLabel,
} from '#areas/common/academics/registration-words.contract.ts'
import type { Label } from '#kit/contract/index.ts'
import { changeCalls, requestCalls, type Made } from './request.contract.ts'
import { requestOfferings } from './request.server.ts'
import { changeSlots } from './slots.server.ts'
import { availableTo, currentSlots, requestedOf, slotsFor, stagesOf, termsOf } from './view.server.ts'
import { answerExchange, joinWaitList, leaveWaitList } from './wait-list.server.ts'

/** The student who asks; staff name one. @throws {Refusal} 422 */
function studentOf(ctx: Ctx, given: number | undefined): number {
  const id = given ?? ctx.actor?.student_id
  if (!id) throw refuse(422, 'required', undefined, 'student_id')
  return id
}
const own = (ctx: Ctx): number => {
  if (!ctx.actor?.student_id) throw refuse(404, 'not_found')
  return ctx.actor.student_id
}

const made = (
  rows: readonly { id: number; offering_id: number; student_id: number; status: string }[],
): { data: Made[] } => ({
  data: rows.map((row) => ({ ...row, state: mainOf(fromWire(row.status)) })),
})

const joined = (labels: readonly Label[]) => ({
  en: labels.map(([en]) => en).join(', '),
  ar: labels.map(([, ar]) => ar).join('، '),
})

/**
 * What a numeric status means for a registration in a state: the first change of the table that the caller may make and
 * that leads there; or why none does: it is so already, the step is that of others, or it follows only other states.
 */
export function intentTo(ctx: Ctx, code: StatusCode, row: Locked): Intent | Reason {
  const target = flagsOfCode(code)!
  if (row.main === target.main && row.main === 'Registered' && isAudit(fromWire(row.status)) !== target.audit)
    return { audit: target.audit }
  const [state_name, state_name_local] = stateLabel(row.main)
  const [name, name_local] = target.audit ? AUDITED : stateLabel(target.main)
  const data = { id: row.id, course: row.course_code, state: row.main, state_name, state_name_local }
  if (row.main === target.main)
    return { code: 'registration_already', data: { ...data, target: name, target_local: name_local } }
  // What only the system does, when somebody leaves the university, is nobody's to ask for.
  const ways = transitions.filter(
    (transition) =>
      !target.audit &&
      transition.from === row.main &&
      transition.to === target.main &&
      transition.who.some((who) => who !== 'system'),
  )
  const open = ways.find((way) => capacities(ctx, way.action, row.student).some((who) => way.who.includes(who)))
  if (open) return { action: open.action }
  const asked = { ...data, target: name, target_local: name_local }
  if (ways.length) {
    const { en, ar } = joined(
      [...new Set(ways.flatMap((way) => way.who))].flatMap((who) => (who === 'system' ? [] : [WHO_LABELS[who]])),
    )
    return { code: 'registration_step_of_others', data: { ...asked, who: en, who_local: ar } }
  }
  const before = target.audit
    ? [stateLabel('Registered')]
    : [
        ...new Set(
          transitions.flatMap((transition) =>
            transition.to === target.main && transition.who.some((who) => who !== 'system') ? [transition.from] : [],
          ),
        ),
      ].map((from) => (from === null ? NO_REGISTRATION : stateLabel(from)))
  const { en, ar } = joined(before)
  return { code: 'registration_no_way', data: { ...asked, from: en, from_local: ar } }
}

/** Everything a numeric status can ask for: the rights that are looked at. */
const ANY_INTENT: Intent[] = [...new Set(transitions.filter((one) => one.from !== null).map((one) => one.action))].map(
  (action) => ({ action }),
)

/** Whoever may set a status at all. */
const STATUS_KEYS = [changeCalls.updateStatus.permission].flat() as PermissionKey[]

/** Requests that wait for an answer. */
const WAITING = flag.RegisterRequest | flag.AddRequest | flag.DropRequest | flag.WithdrawRequest | flag.ExcuseRequest

const simple = (call: (typeof changeCalls)['accept'], intent: Intent): Handled =>
  handle(call, async (ctx, { body: { registration_ids, ...options } }) => ({
    data: await changeRegistrations(ctx, registration_ids, intent, options),
  }))

export const requestHandlers: Handled[] = [
  handle(requestCalls.requested, async (ctx, { query }) => ({ data: await requestedOf(ctx, own(ctx), query.term_id) })),
  handle(requestCalls.requestedOf, async (ctx, { params, query }) => ({
    data: await requestedOf(ctx, params.id, query.term_id),
  })),
  handle(requestCalls.stages, async (ctx) => ({ data: await stagesOf(ctx, own(ctx)) })),
  handle(requestCalls.stagesOf, async (ctx, { params }) => ({ data: await stagesOf(ctx, params.id) })),
  handle(requestCalls.available, async (ctx, { query }) => ({ data: await availableTo(ctx, own(ctx), query.term_id) })),
  handle(requestCalls.availableTo, async (ctx, { params, query }) => ({
    data: await availableTo(ctx, params.id, query.term_id),
  })),
  handle(requestCalls.currentSlots, async (ctx, { params, query }) => ({
    data: await currentSlots(ctx, studentOf(ctx, query.student_id), params.offering_id),
  })),
  handle(requestCalls.slots, async (ctx, { params, body }) => ({
    data: await slotsFor(ctx, studentOf(ctx, body.student_id), params.offering_id, body.improve),
  })),
  handle(requestCalls.terms, async (ctx, { params }) => ({ data: await termsOf(ctx, params.id) })),
  handle(requestCalls.request, async (ctx, { body: { student_id, enroll, ...asked } }) =>
    made(
      await requestOfferings(ctx, {
        ...asked,
        student_id: studentOf(ctx, student_id),
        action: enroll ? 'enroll' : 'request',
      }),
    ),
  ),
  handle(requestCalls.addDrop, async (ctx, { body }) => {
    if (body.action === 'add')
      return made(await requestOfferings(ctx, { ...body, student_id: studentOf(ctx, body.student_id), action: 'add' }))
    return { data: await changeRegistrations(ctx, body.registration_ids, { action: 'drop' }, body) }
  }),
  handle(requestCalls.updateSlots, async (ctx, { body }) => ({
    data: [await changeSlots(ctx, { ...body, reason: body.reason ?? null })],
  })),
  handle(requestCalls.join, async (ctx, { body }) => ({
    data: await joinWaitList(ctx, { ...body, student_id: studentOf(ctx, body.student_id) }),
  })),
  handle(requestCalls.answer, (ctx, { params, body: { accept, reason = null } }) =>
    answerExchange(ctx, params.id, { accept, reason }),
  ),
  handle(requestCalls.leave, (ctx, { params }) => leaveWaitList(ctx, params.id)),

  simple(changeCalls.remove, { action: 'remove' }),
  handle(changeCalls.accept, async (ctx, { body: { registration_ids, ...options } }) => ({
    data: await changeByOwners(
      ctx,
      registration_ids,
      (main) => (main === 'ExcuseRequest' ? 'Excused' : null),
      { action: 'accept' },
      { ...options, keys: ['accept_registration'] },
    ),
  })),
  simple(changeCalls.reject, { action: 'reject' }),
  handle(changeCalls.undo, async (ctx, { body: { registration_ids, ...options } }) => ({
    data: await changeByOwners(
      ctx,
      registration_ids,
      'Registered',
      { action: 'undo' },
      {
        ...options,
        keys: ['undo_registration'],
      },
    ),
  })),
  simple(changeCalls.undoIncomplete, { action: 'undo_incomplete' }),
  handle(changeCalls.withdraw, async (ctx, { body: { registration_ids, forced, ...options } }) => ({
    data: await changeRegistrations(
      ctx,
      registration_ids,
      (row) => ({ action: forced && row.student_id !== ctx.actor?.student_id ? 'force_withdraw' : 'withdraw' }),
      { ...options, possible: [{ action: 'withdraw' }, { action: 'force_withdraw' }] },
    ),
  })),
  handle(changeCalls.acceptAll, async (ctx, { body: { student_id, term_id, ...options } }) => {
    const { rows } = await sql<{ id: number }>`select r.id from registrations r join students s on s.id = r.student_id
      join programs p on p.id = s.program_id
      where r.student_id = ${student_id} and r.status & ${WAITING.toString()}::bigint <> 0
        and r.term_id = coalesce(${term_id ?? null}::int, r.term_id)
        and ${scopeCondition(ctx, 'accept_registration', studentScope(ctx))}`.execute(ctx.db)
    if (!rows.length) return { done: [], failed: [] }
    const { done, failed } = await changeEach(
      ctx,
      rows.map((row) => row.id),
      { action: 'accept' },
      options,
    )
    return {
      done: done.map((one) => one.id),
      failed: failed.map(({ id, reasons }) => ({ id, errors: reasons.map(toProblem) })),
    }
  }),
  handle(changeCalls.updateStatus, async (ctx, { params, body: { registration_ids, ...options } }) => ({
    data: await changeByOwners(
      ctx,
      registration_ids,
      () => {
        const { main, audit } = flagsOfCode(params.status)!
        return audit ? null : main
      },
      (row) => intentTo(ctx, params.status as StatusCode, row),
      { ...options, possible: [...ANY_INTENT, { audit: true }], keys: STATUS_KEYS },
    ),
  })),
]
