import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Authority } from '#areas/records/grading/guard.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { isSelf, reachOf } from '../capacity.server.ts'
import { applyOverrides, checkCourseReturn, type Override } from '../registration.rules.ts'
import {
  comesBack,
  fromWire,
  mainOf,
  statusToWire,
  withMain,
  type MainFlag,
  type SeatEffect,
} from '#areas/common/academics/status.rules.ts'
import { judgeCorequisites } from './corequisites.server.ts'
import { givenOnAnswer } from '../swap/swap.rules.ts'
import { judgeStudying } from './studying.server.ts'
import { gatherRequest, type GatheredRegistration } from '../requests/gather.server.ts'
import { elsewhereIn, hoursToDegree, reasonsOf, rulesFor, standingFor } from '../requests/judge.server.ts'
import type { Locked } from './locked.server.ts'

/** One registration's change, decided. */
export type ReturnDecided = {
  row: Locked
  step: string
  status: string | null
  seat: SeatEffect
  /** On whose authority control's hold is passed; null: control does not hold the offering. */
  authority: Authority | null
  overrides: { code: string; reason: string }[]
  /** What is given up with it: the course for which it was requested in exchange. */
  gives_up?: ReturnDecided
}

/** Everything that changes: what was decided, and what is given up with it, unless it leaves by itself in the same call. */
export const whole = (decided: readonly ReturnDecided[]): ReturnDecided[] => {
  const leaves = new Set(decided.flatMap(({ row, seat }) => (seat === 'free' ? [row.id] : [])))
  return decided.flatMap((one) => (one.gives_up && !leaves.has(one.gives_up.row.id) ? [one, one.gives_up] : [one]))
}

const ASKS_IN: ReadonlySet<MainFlag> = new Set(['RegisterRequest', 'AddRequest'])

/**
 * With a request that was made in exchange for a registered course, that course is given up when it is accepted; or the
 * request is refused, because the course cannot be given up now. Where it has left by another way, the request stands alone.
 */
export function withGivenUp(
  decided: ReturnDecided,
  given: ReadonlyMap<number, Locked>,
  field: string | null,
): ReturnDecided | Reason[] {
  const { row, step } = decided
  if (row.gives_up_id === null || step !== 'accept' || !ASKS_IN.has(row.main)) return decided
  const other = given.get(row.gives_up_id) ?? null
  const answer = givenOnAnswer(other)
  if (answer === 'alone' || other === null) return decided
  if (answer !== 'gives_up') return [{ field, code: answer.refused, data: { course: other.course_code, id: row.id } }]
  const status = statusToWire(withMain(fromWire(other.status), 'Dropped'))
  const gives_up: ReturnDecided = { row: other, step: 'give_up', status, seat: 'free', authority: null, overrides: [] }
  return { ...decided, gives_up }
}

/** The slots that registrations without a seat had last. */
export async function formerSlots(tx: Tx, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<{ registration_id: number; offering_slot_ids: number[] }>`
    select distinct on (registration_id) registration_id, offering_slot_ids from registration_history
    where registration_id = any(${[...ids]}::int[]) and offering_slot_ids is not null order by registration_id, id desc`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.registration_id, row.offering_slot_ids]))
}

/** Requests of these students that were judged before are judged anew, and none is written until this is done. */
const moveTurns = (tx: Tx, decided: readonly ReturnDecided[]) =>
  sql`update registration_turns set turn = turn + 1 where student_id in (
    select student_id from registration_turns
    where student_id = any(${[...new Set(decided.map(({ row }) => row.student_id))]}::int[]) order by 1 for no key update)`.execute(
    tx,
  )

/**
 * Judges what comes back into a term it had left: limits of the load and clashes with what was registered meanwhile,
 * each as it stands after those before it. What staff set aside is added to the decision.
 *
 * @returns the refusals, each with its registration
 */
async function judgeReturns(
  ctx: Ctx,
  tx: Tx,
  decided: readonly ReturnDecided[],
  overrides: readonly Override[],
  fieldOf: (id: number) => string | null,
): Promise<{ id: number; reasons: Reason[] }[]> {
  const returning = decided.filter(({ row, status }) => {
    return comesBack(row.main, status === null ? 'removed' : mainOf(fromWire(status)))
  })
  if (!returning.length) return []
  await moveTurns(tx, returning)
  const former = await formerSlots(
    tx,
    returning.map(({ row }) => row.id),
  )
  const refused: { id: number; reasons: Reason[] }[] = []
  for (const [studentId, own] of Map.groupBy(returning, ({ row }) => row.student_id)) {
    const g = await gatherRequest(
      tx,
      studentId,
      own.map(({ row }) => row.offering_id),
    )
    if (!g) continue
    const rules = await rulesFor({ db: tx }, g)
    const known = standingFor(g, isSelf(ctx, studentId) ? 'student' : 'registrar')
    const courses = await sql<{
      id: number
      code: string
    }>`select id, code from courses where id = any(${g.registrations.map((one) => one.course_id)}::int[])`.execute(tx)
    const codes = new Map(courses.rows.map((row) => [row.id, row.code]))
    const named = (one: GatheredRegistration) => ({
      ...one,
      course_code: codes.get(one.course_id) ?? '',
      exams: g.exams.get(one.offering_id) ?? [],
    })
    let standing = g.registrations.filter((one) => !own.some(({ row }) => row.id === one.id)).map(named)
    const may = reachOf(ctx, ['override_registration_rule'], own[0]!.row.student) !== null
    for (const one of own) {
      const { row, status } = one
      const found = g.registrations.find(({ id }) => id === row.id)
      if (!found || status === null) continue
      const ids = one.seat === 'hold' ? (former.get(row.id) ?? []) : row.slot_ids
      const slots = g.offerings.find(({ id }) => id === row.offering_id)?.slots.filter(({ id }) => ids.includes(id))
      const back = {
        ...named(found),
        status,
        meetings: (slots ?? []).flatMap((slot) => slot.meetings),
      }
      const { remaining, overridden } = applyOverrides(
        checkCourseReturn({
          term_type: g.terms.find(({ id }) => id === row.term_id)?.term_type ?? 'fall',
          bylaw: rules,
          student: { ...known, hours_to_degree: hoursToDegree(known, rules) },
          registration: back,
          same: new Set([found.course_id, ...(g.reference.equals.get(found.course_id) ?? [])]),
          elsewhere: elsewhereIn(g, row.term_id),
          others: standing.filter(({ term_id }) => term_id === row.term_id),
        }),
        may ? overrides : [],
      )
      if (remaining.length) {
        const reasons = reasonsOf([{ offering_id: row.offering_id, refusals: remaining }], () => fieldOf(row.id))
        refused.push({ id: row.id, reasons })
      }
      one.overrides.push(...overridden.map(({ code, reason }) => ({ code, reason })))
      standing = [...standing, back]
    }
  }
  return refused
}

/** What changes mean for the other courses of their students, as all of it will stand. */
export const judgeTogether = async (
  ctx: Ctx,
  tx: Tx,
  decided: readonly ReturnDecided[],
  overrides: readonly Override[],
  fieldOf: (id: number) => string | null,
) => {
  // What speaks against giving a course up speaks against the request that was made in exchange for it.
  const of = new Map(decided.flatMap(({ row, gives_up }) => (gives_up ? [[gives_up.row.id, row.id] as const] : [])))
  const all = whole(decided)
  const field = (id: number) => fieldOf(of.get(id) ?? id)
  return [
    ...(await judgeStudying(tx, all, field)),
    ...(await judgeReturns(ctx, tx, all, overrides, field)),
    ...(await judgeCorequisites(ctx, tx, all, overrides, field)),
  ].map((one) => ({ ...one, id: of.get(one.id) ?? one.id }))
}
