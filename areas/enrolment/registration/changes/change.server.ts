/**
 * Moving registrations from state to state: by the table of `status.rules.ts`, from the state that was found, with a row
 * of history each, and the seat given back, kept or taken again in the same transaction.
 */
import { sql } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import { LEFT_STATUSES } from '#areas/common/academics/student-status.rules.ts'
import { authorityOver, holdsData, type Authority, type GuardStanding } from '#areas/records/grading/guard.rules.ts'
import { actOn } from '#areas/records/grading/guard.server.ts'
import { followRecords } from '#areas/records/grading/terms/record.server.ts'
import { computeRegistrationGrades } from '#areas/records/grading/grades/compute.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { ownedReason } from '#kit/contract/index.ts'
import type { Problem } from '#kit/contract/index.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { isSelf, reachOf, type Bound } from '../capacity.server.ts'
import type { Override } from '../registration.rules.ts'
import {
  flag,
  fromWire,
  isAudit,
  isDecided,
  mainOf,
  nextState,
  stageData,
  statusToWire,
  transitions,
  withMain,
  type Action,
  type DecidedMain,
  type MainFlag,
  type StageCode,
  type Who,
} from '#areas/common/academics/status.rules.ts'
import { stateLabel } from '#areas/common/academics/registration-words.contract.ts'
import { registrationStates } from '../owners.contract.ts'
import { exchangeProblem } from '../swap/swap.rules.ts'
import { notStudying } from '../requests/judge.server.ts'
import { ringsJob, wakeWaitList } from '../requests/queue.server.ts'
import { type Locked, lockBoth } from './locked.server.ts'
import { type ReturnDecided, whole, withGivenUp, formerSlots, judgeTogether } from './returns.server.ts'
import { passShared, tell } from './told.server.ts'

/** Which rights let staff do what; students do what the table gives them on their own. */
const KEYS: Record<Action | 'audit', readonly PermissionKey[]> = {
  request: ['request_registration'],
  add: ['request_registration'],
  enroll: ['enroll_students'],
  accept: ['accept_registration'],
  reject: ['accept_registration'],
  remove: ['request_registration', 'accept_registration', 'enroll_students', 'remove_registration'],
  drop: [],
  withdraw: ['withdraw_registration'],
  excuse: ['withdraw_registration'],
  force_withdraw: ['withdraw_registration'],
  absent: ['update_registration_status'],
  ban: ['update_registration_status'],
  punish: ['update_registration_status'],
  incomplete: ['update_registration_status'],
  complete: ['update_registration_status'],
  undo: ['undo_registration'],
  undo_incomplete: ['undo_registration'],
  audit: ['update_registration_status', 'enroll_students'],
}
/** Who works for control, among those who may set a status. */
const CONTROL: readonly PermissionKey[] = ['review_control', 'approve_control', 'finish_term']

/** What the caller can call upon once control has the offering: working for control, correcting results. */
export const callerStandingOf = (ctx: Ctx, student: Bound): GuardStanding => ({
  control: reachOf(ctx, CONTROL, student) !== null,
  correct: reachOf(ctx, ['edit_term_grades'], student) !== null,
})

/** In which capacities the caller may do this to the student's registration. */
export function capacities(ctx: Ctx, action: Action | 'audit', student: Bound): Who[] {
  if (ctx.system !== null) return ['system', 'registrar', 'control', 'exam_office']
  const own: Who[] = isSelf(ctx, student.id) ? ['student'] : []
  const reached = reachOf(ctx, KEYS[action], student)
  if (reached === null) return own
  if (reached === 'advised') return [...own, 'advisor']
  if (KEYS[action].includes('update_registration_status')) {
    return [...own, 'exam_office', ...(reachOf(ctx, CONTROL, student) ? (['control'] as const) : []), 'registrar']
  }
  // Whoever answers for a part of the university stands in for its advisors.
  return [...own, 'registrar', 'advisor']
}

/** What shall be done to a registration: an action of the table, or a qualifier. */
export type Intent = { action: Action } | { audit: boolean }

const stateRefusal = (row: Locked, field: string | null): Reason => {
  const [state_name, state_name_local] = stateLabel(row.main)
  return {
    field,
    code: 'registration_state',
    data: { course: row.course_code, state: row.main, state_name, state_name_local, id: row.id },
  }
}

type Held = Pick<Locked, 'main' | 'student' | 'control_status' | 'course_code'>

/** By what an exemption is taken back. */
const TAKES_EXEMPTION_BACK: ReadonlySet<Action> = new Set<Action>(['undo', 'undo_incomplete', 'remove'])

/** What nobody does to a course of the block. */
const KEPT_IN_BLOCK: ReadonlySet<Action> = new Set<Action>(['drop', 'withdraw'])

/** Why control holds a registration against an action; null: it does not, or the caller stands above it. */
export function heldByControl(
  ctx: Ctx,
  row: Held,
  action: Action | 'audit' | 'slots',
  field: string | null,
): { authority: Authority | null } | { reason: Reason } {
  if (row.control_status === 'Draft') return { authority: null }
  const found = authorityOver(row.control_status, action, row.main, callerStandingOf(ctx, row.student))
  if (!('problem' in found)) return found
  return {
    reason: { field, code: 'control_holds', data: holdsData(row.control_status, row.course_code, found.problem.to) },
  }
}

type DecideOptions = {
  overrides: readonly Override[]
  field: string | null
  reason: string | null
  by: DecidedMain | null
}

/** The state that only a decision leads to, or takes back, and that this change would set or take back without it. */
const ownedBy = (row: Pick<Locked, 'main' | 'case_stands'>, to: MainFlag | 'removed'): DecidedMain | null =>
  isDecided(to) ? to : isDecided(row.main) && row.case_stands ? row.main : null

/** Whether the time is right: control also works in its own window, and what is corrected knows none. */
const windowOpen = (
  ctx: Ctx,
  { stages }: Pick<Locked, 'stages'>,
  stage: StageCode | null,
  authority: Authority | null,
): boolean =>
  stage === null ||
  ctx.system !== null ||
  authority === 'correction' ||
  stages.includes(stage) ||
  (authority === 'control' && stages.includes('control'))

/** What the intent makes of a registration, or why not. */
function decide(
  ctx: Ctx,
  row: Locked,
  intent: Intent,
  { overrides, field, reason, by }: DecideOptions,
): ReturnDecided | Reason[] {
  const held = heldByControl(ctx, row, 'audit' in intent ? 'audit' : intent.action, field)
  if ('audit' in intent) {
    if (reachOf(ctx, KEYS.audit, row.student) !== 'scope') return [{ field, code: 'not_allowed' }]
    const status = fromWire(row.status)
    if (row.main !== 'Registered' || isAudit(status) === intent.audit) return [stateRefusal(row, field)]
    if ('reason' in held) return [held.reason]
    const next = intent.audit ? status | flag.Audit : status & ~flag.Audit
    const step = intent.audit ? 'audit' : 'credit'
    return { row, step, status: statusToWire(next), seat: 'keep', authority: held.authority, overrides: [] }
  }
  const { action } = intent
  if (row.exempted && TAKES_EXEMPTION_BACK.has(action)) {
    if (reachOf(ctx, ['exempt_students'], row.student) === null && ctx.system === null)
      return [ownedReason(registrationStates, 'Complete', { name: row.course_code }, field)]
    if ('reason' in held) return [held.reason]
    // What the exemption made goes with it; what it found comes back, with its seat.
    const gone = action === 'remove' || row.exempted.before === null
    const back = gone ? null : statusToWire(withMain(fromWire(row.status), 'Registered'))
    return { row, step: action, status: back, seat: gone ? 'keep' : 'hold', authority: held.authority, overrides: [] }
  }
  if (row.by_block && ctx.system === null && KEPT_IN_BLOCK.has(action))
    return [{ field, code: 'block_stays', data: { course: row.course_code } }]
  const who = capacities(ctx, action, row.student)
  const transition = who.map((one) => nextState(row.main, action, one)).find((found) => found !== null)
  if (!transition) {
    // Somebody who may do this at all is told the state; of what only others may do, that it is theirs.
    const may = transitions.some((one) => one.action === action && one.who.some((name) => who.includes(name)))
    const someoneMay = transitions.some((one) => one.from === row.main && one.action === action)
    return [someoneMay && !may ? { field, code: 'not_allowed' } : stateRefusal(row, field)]
  }
  if (asksNoMore(row, transition.to)) {
    const { en: status, ar: status_local } = notStudying(row.student_status)!
    return [{ field, code: 'registration_left', data: { course: row.course_code, status, status_local } }]
  }
  const owned = ownedBy(row, transition.to)
  if (owned && owned !== by) return [ownedReason(registrationStates, owned, { name: row.course_code }, field)]
  if ('reason' in held) return [held.reason]
  // What is corrected after the exam keeps its reason.
  if (held.authority === 'correction' && !reason?.trim()) return [{ field: 'reason', code: 'reason_required' }]
  const kept: ReturnDecided['overrides'] = []
  if (transition.stage !== null && !windowOpen(ctx, row, transition.stage, held.authority)) {
    const override = overrides.find((one) => one.code === 'stage_closed' && one.reason.trim())
    if (!override || reachOf(ctx, ['override_registration_rule'], row.student) === null) {
      return [{ field, code: 'stage_closed', data: { ...stageData(transition.stage), course: row.course_code } }]
    }
    kept.push({ code: 'stage_closed', reason: override.reason.trim() })
  }
  const status = transition.to === 'removed' ? null : statusToWire(withMain(fromWire(row.status), transition.to))
  return { row, step: action, status, seat: transition.seat, authority: held.authority, overrides: kept }
}

/** Who has left the university asks for no leave from a course any more. */
const ASKS_OUT: ReadonlySet<MainFlag | 'removed'> = new Set(['DropRequest', 'WithdrawRequest', 'ExcuseRequest'])
const asksNoMore = (row: Pick<Locked, 'student_status'>, to: MainFlag | 'removed'): boolean =>
  ASKS_OUT.has(to) && LEFT_STATUSES.has(row.student_status)

/** Writes decided changes: rows, seats, history, notices, and the wait lists of the seats given back. */
async function write(
  ctx: Ctx,
  tx: Tx,
  answered: readonly ReturnDecided[],
  reason: string | null,
  overQuota: boolean,
): Promise<void> {
  const decided = whole(answered)
  await passShared(tx, answered)
  const holding = decided.filter((one) => one.seat === 'hold')
  const slots = await formerSlots(
    tx,
    holding.map(({ row }) => row.id),
  )
  const lines = decided.map(({ row, step, status, seat, overrides }) => ({
    id: row.id,
    student_id: row.student_id,
    offering_id: row.offering_id,
    action: step,
    from_status: row.status,
    to_status: status,
    seat,
    overrides: overrides.length ? overrides : null,
    slot_ids: seat === 'hold' ? (slots.get(row.id) ?? []) : row.slot_ids,
  }))
  const actor = ctx.actor
  await sql`
    with x as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as x (id int, student_id int, offering_id int, action text,
        from_status bigint, to_status bigint, seat text, overrides jsonb, slot_ids int[])
    ), held as materialized (
      select id, quota, taken + held as used from offering_slots
      where id in (select unnest(slot_ids) from x where seat <> 'keep') order by id for no key update
    ), changed as (
      update registrations r set status = x.to_status from x
      where r.id = x.id and x.to_status is not null and (select count(*) from held) >= 0
    ), removed as (
      delete from registrations r using x where r.id = x.id and x.to_status is null and (select count(*) from held) >= 0
    ), freed as (
      delete from registration_slots rs using x where rs.registration_id = x.id and x.seat = 'free' and x.to_status is not null
    ), taken as (
      insert into registration_slots (registration_id, offering_slot_id, over)
      select x.id, h.id, ${overQuota} and h.used >= h.quota from x cross join lateral unnest(x.slot_ids) as s (slot_id)
      join held h on h.id = s.slot_id where x.seat = 'hold'
    )
    insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action,
      from_status, to_status, reason, overrides, offering_slot_ids)
    select id, student_id, offering_id, ${actor?.user_id ?? null}, ${actor?.impersonator_id ?? null}, action, from_status,
      to_status, ${reason}, overrides, slot_ids from x`.execute(tx)

  const freed = decided
    .filter((one) => one.seat === 'free' && one.row.slot_ids.length)
    .map(({ row }) => row.offering_id)
  if (freed.length) await wakeWaitList(ctx, tx, freed)
  const offered =
    await sql`select from wait_list where state = 'waiting' and gives_up_id = any(${lines.map((line) => line.id)}::int[]) limit 1`.execute(
      tx,
    )
  if (offered.rows.length) await ctx.services.jobs.send(tx, ringsJob, {}, { actor: null })
  await tell(
    tx,
    decided.filter(({ row }) => row.user_id !== null && row.user_id !== actor?.user_id),
    reason,
  )
}

export type Changed = {
  id: number
  offering_id: number
  student_id: number
  status: string | null
  state: MainFlag | null
}

const changed = ({ row, status }: ReturnDecided): Changed => ({
  id: row.id,
  offering_id: row.offering_id,
  student_id: row.student_id,
  status,
  state: status === null ? null : mainOf(fromWire(status)),
})

/** Refusals for who somebody is, not for the state that was found. */
const FORBIDDEN: ReadonlySet<string> = new Set(['not_allowed', 'registration_step_of_others'])

export type ChangeOptions = {
  reason?: string | null
  overrides?: readonly Override[]
  over_quota?: boolean
  /** Whose decision it is: the state that it sets or takes back. Given by who owns that state, and nobody else. */
  by?: DecidedMain | null
}

/** Which keys may be needed for some actions: the lock looks no further than they reach. */
const keysOf = (intents: readonly Intent[]): PermissionKey[] => [
  ...new Set(intents.flatMap((intent) => ('audit' in intent ? KEYS.audit : KEYS[intent.action]))),
]

/**
 * Changes registrations, all or none. `intent` may depend on the state found (a reason: nothing is possible from it);
 * `possible` names the actions it can choose.
 *
 * @throws {Refusal} 409 with the state found for each that does not permit it, and closed windows; 403; 404 out of reach;
 * 409 `slot_full` when a seat that is to be taken again is lost
 */
export async function changeRegistrations(
  ctx: Ctx,
  ids: readonly number[],
  intent: Intent | ((row: Locked) => Intent | Reason),
  options: ChangeOptions & { possible?: readonly Intent[] } = {},
): Promise<Changed[]> {
  const { reason = null, overrides = [], over_quota = false, by = null } = options
  const possible = typeof intent === 'function' ? (options.possible ?? []) : [intent]
  return ctx.write(
    async (tx) => {
      const { asked: rows, given } = await lockBoth(ctx, tx, ids, keysOf(possible))
      const place = new Map(ids.map((id, i) => [id, ids.length > 1 ? `registration_ids.${i}` : null]))
      const outcomes = rows.map((row) => {
        const field = place.get(row.id) ?? null
        const chosen = typeof intent === 'function' ? intent(row) : intent
        if ('code' in chosen) return [{ ...chosen, field }]
        const outcome = decide(ctx, row, chosen, { overrides, field, reason, by })
        return Array.isArray(outcome) ? outcome : withGivenUp(outcome, given, field)
      })
      const decided = outcomes.filter((one): one is ReturnDecided => !Array.isArray(one))
      const judged = await judgeTogether(ctx, tx, decided, overrides, (id) => place.get(id) ?? null)
      const refused = [
        ...outcomes.flatMap((one) => (Array.isArray(one) ? one : [])),
        ...judged.flatMap((one) => one.reasons),
      ]
      if (refused.length) throw new Refusal(refused.every((one) => FORBIDDEN.has(one.code)) ? 403 : 409, refused)
      if (over_quota && decided.some(({ row }) => reachOf(ctx, ['use_over_quota'], row.student) === null)) {
        throw refuse(403, 'not_allowed')
      }
      await writeOrFull(ctx, tx, decided, reason, over_quota)
      return decided.map(changed)
    },
    reason ? { reason } : {},
  )
}

/** The same for many at once: those that can be changed are, the others are told with their reasons. */
export async function changeEach(
  ctx: Ctx,
  ids: readonly number[],
  intent: Intent,
  options: ChangeOptions = {},
): Promise<{ done: Changed[]; failed: { id: number; reasons: Reason[] }[] }> {
  const { reason = null, overrides = [], over_quota = false, by = null } = options
  return ctx.write(
    async (tx) => {
      const { asked: rows, given } = await lockBoth(ctx, tx, ids, keysOf([intent]))
      const failed: { id: number; reasons: Reason[] }[] = []
      const possible: ReturnDecided[] = []
      for (const row of rows) {
        const found = decide(ctx, row, intent, { overrides, field: null, reason, by })
        const outcome = Array.isArray(found) ? found : withGivenUp(found, given, null)
        if (Array.isArray(outcome)) failed.push({ id: row.id, reasons: outcome })
        else possible.push(outcome)
      }
      let decided: ReturnDecided[] = possible
      for (;;) {
        const found = await judgeTogether(ctx, tx, decided, overrides, () => null)
        if (!found.length) break
        for (const [id, some] of Map.groupBy(found, (one) => one.id)) {
          failed.push({ id, reasons: some.flatMap((one) => one.reasons) })
        }
        // What stays as it is may be what another needs: the rest is judged again.
        decided = decided.filter(({ row }) => !found.some((one) => one.id === row.id))
      }
      if (decided.length) await writeOrFull(ctx, tx, decided, reason, over_quota)
      return { done: decided.map(changed), failed }
    },
    reason ? { reason } : {},
  )
}

async function writeOrFull(
  ctx: Ctx,
  tx: Tx,
  decided: readonly ReturnDecided[],
  reason: string | null,
  overQuota: boolean,
): Promise<void> {
  try {
    // The database asks each statement on whose authority it acts.
    for (const [authority, some] of Map.groupBy(decided, (one) => one.authority)) {
      if (authority !== null) await actOn(tx, authority)
      await write(ctx, tx, some, reason, overQuota)
      if (authority === null) continue
      // A state that control or a correction sets has its grade at once: no step of control comes after it.
      await computeRegistrationGrades(
        tx,
        some.map(({ row }) => row.id),
      )
      await followRecords(
        ctx,
        tx,
        some.map(({ row }) => row.student_id),
      )
      await actOn(tx, null)
    }
  } catch (error) {
    const { constraint, detail } = error as { constraint?: string; detail?: string }
    if (constraint !== 'registration_slots_seat_free' && constraint !== 'offering_slots_seats') throw error
    const course = decided.filter((one) => one.seat === 'hold').map(({ row }) => row.course_code)
    throw refuse(409, 'seat_lost', { course: course.join(', '), ids: detail ? [Number(detail)] : [] })
  }
}

/** What is asked of a registration for the buttons beside it. */
type Shown = Held & Pick<Locked, 'stages' | 'by_block' | 'student_status'> & { under_way: boolean }

/** Actions that the reader may take on a registration in its state, the windows that are open, and control's hold. */
export function actionsOn(ctx: Ctx, row: Shown): (Action | 'slots' | 'audit' | 'swap')[] {
  const found = new Set<Action | 'slots' | 'audit' | 'swap'>()
  const override = reachOf(ctx, ['override_registration_rule'], row.student) !== null
  for (const { from, action, who, stage, to } of transitions) {
    // What only a decision sets is decided where that is done.
    if (from !== row.main || from === null || isDecided(to) || asksNoMore(row, to)) continue
    if (row.by_block && KEPT_IN_BLOCK.has(action)) continue
    const held = heldByControl(ctx, row, action, null)
    if ('reason' in held || (!windowOpen(ctx, row, stage, held.authority) && !override)) continue
    if (capacities(ctx, action, row.student).some((one) => who.includes(one))) found.add(action)
  }
  if (maySwitch(ctx, row)) found.add('slots')
  // Offered for another seat: in the windows in which the student could give it back.
  const given = {
    main: row.main,
    control_status: row.control_status,
    graded: false,
    by_block: row.by_block,
    under_way: row.under_way,
  }
  const asks = isSelf(ctx, row.student.id) || reachOf(ctx, ['request_registration'], row.student) !== null
  if (asks && exchangeProblem({ ...given, same_course: true }, row.stages) === null) found.add('swap')
  const audits = row.main === 'Registered' && reachOf(ctx, KEYS.audit, row.student) === 'scope'
  if (audits && row.control_status === 'Draft') found.add('audit')
  return [...found]
}

/** What the screen says in place of the buttons that control's hold takes away; null: it takes none. */
export function holdOn(ctx: Ctx, row: Held): Problem | null {
  const held = heldByControl(ctx, row, 'slots', null)
  return 'reason' in held ? toProblem(held.reason) : null
}

/** Whether the reader may choose other slots for it now: students in the window of their request, or of registering and adding. */
export function maySwitch(ctx: Ctx, row: Pick<Shown, 'main' | 'stages' | 'student' | 'control_status'>): boolean {
  if (row.control_status !== 'Draft' || !['RegisterRequest', 'AddRequest', 'Registered'].includes(row.main))
    return false
  if (reachOf(ctx, ['request_registration', 'enroll_students'], row.student) !== null) return true
  if (!isSelf(ctx, row.student.id)) return false
  const windows: StageCode[] =
    row.main === 'RegisterRequest' ? ['register'] : row.main === 'AddRequest' ? ['add_drop'] : ['register', 'add_drop']
  return windows.some((code) => row.stages.includes(code))
}

export { stateRefusal }
