/** Changing the chosen slots of a registration: the old seats are given back and the new ones taken at once, or nothing is. */
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { heldByControl, maySwitch, stateRefusal, type Changed } from '../changes/change.server.ts'
import { lockRegistrations } from '../changes/locked.server.ts'
import { isSelf, reachOf, studentScope } from '../capacity.server.ts'
import { applyOverrides, checkRequest, type Override } from '../registration.rules.ts'
import { stageData } from '#areas/common/academics/status.rules.ts'
import { gatherRequest } from './gather.server.ts'
import { chosenSlots, courseCodes, inputOf, reasonsOf, rulesFor, slotCodes } from './judge.server.ts'
import { wakeWaitList } from './queue.server.ts'

const KEYS = ['request_registration', 'enroll_students'] as const
const ATTEMPTS = 5

/**
 * Chooses other slots for a registration.
 * @throws {Refusal} 409 with every reason that speaks of slots, the state found, or a closed window; 404 out of reach
 */
export async function changeSlots(
  ctx: Ctx,
  asked: {
    registration_id: number
    offering_slot_ids: readonly number[]
    overrides: readonly Override[]
    over_quota: boolean
    reason: string | null
  },
): Promise<Changed> {
  const { registration_id, overrides, over_quota, reason } = asked
  for (let attempt = 1; ; attempt++) {
    const { rows } = await sql<{
      student_id: number
      offering_id: number
    }>`select r.student_id, r.offering_id from registrations r
      join students s on s.id = r.student_id join programs p on p.id = s.program_id
      where r.id = ${registration_id} and ${scopeCondition(ctx, ['access_student', ...KEYS], studentScope(ctx))}`.execute(
      ctx.db,
    )
    const found = rows[0]
    const g = found && (await gatherRequest(ctx.pool, found.student_id, [found.offering_id]))
    const offering = g?.offerings[0]
    if (!found || !g || !offering) throw refuse(404, 'not_found')
    const staff = reachOf(ctx, KEYS, g.student) !== null
    if (overrides.length && reachOf(ctx, ['override_registration_rule'], g.student) === null)
      throw refuse(403, 'not_allowed')
    if (over_quota && reachOf(ctx, ['use_over_quota'], g.student) === null) throw refuse(403, 'not_allowed')

    const own = g.registrations.find((registration) => registration.id === registration_id)
    const held = new Set(own?.slot_ids)
    const ids = chosenSlots(offering, asked.offering_slot_ids)
    // The seats it holds are free for it.
    const offered = {
      ...offering,
      slots: offering.slots.map((slot) => (held.has(slot.id) ? { ...slot, taken: slot.taken - 1 } : slot)),
    }
    const [rules, codes] = await Promise.all([rulesFor(ctx, g), courseCodes(ctx, g)])
    const who = isSelf(ctx, found.student_id) ? 'student' : staff ? 'registrar' : 'student'
    const input = inputOf(
      g,
      rules,
      offered,
      // The other of two that are exchanged never stands beside it.
      g.registrations.flatMap((registration) =>
        registration.id === registration_id
          ? []
          : registration.id === own?.gives_up_id || registration.gives_up_id === registration_id
            ? { ...registration, aside: true }
            : registration,
      ),
      { offering_slot_ids: ids, improve: true },
      [],
      { who, action: 'enroll', over_quota },
      codes,
    )
    const { remaining, overridden } = applyOverrides(
      checkRequest(input).filter((one) => slotCodes.has(one.code)),
      overrides,
    )
    if (remaining.length)
      throw new Refusal(
        409,
        reasonsOf([{ offering_id: offering.id, refusals: remaining }], () => null),
      )

    const taken = new Map(offering.slots.map((slot) => [slot.id, slot]))
    const fresh = ids.filter((id) => !held.has(id))
    const gone = [...held].filter((id) => !ids.includes(id))
    try {
      const changed = await ctx.write(
        async (tx): Promise<Changed | null> => {
          const [row] = await lockRegistrations(ctx, tx, [registration_id], KEYS)
          if (!row) throw refuse(404, 'not_found')
          const held = heldByControl(ctx, row, 'slots', null)
          if ('reason' in held) throw new Refusal(409, [held.reason])
          if (!maySwitch(ctx, row)) {
            const state = ['RegisterRequest', 'AddRequest', 'Registered'].includes(row.main)
            throw new Refusal(409, [
              state
                ? { code: 'stage_closed', data: { ...stageData('register'), course: row.course_code } }
                : stateRefusal(row, null),
            ])
          }
          const turn =
            await sql`update registration_turns set turn = turn + 1 where student_id = ${row.student_id} and turn = ${g.turn}`.execute(
              tx,
            )
          if (turn.numAffectedRows !== 1n) return null
          const overs = fresh.map((id) => {
            const slot = taken.get(id)
            return over_quota && slot !== undefined && slot.taken + slot.held >= slot.quota
          })
          await sql`with locked as materialized (
            select id from offering_slots where id = any(${[...fresh, ...gone]}::int[]) order by id for no key update
          ), freed as (
            delete from registration_slots where registration_id = ${registration_id} and offering_slot_id = any(${gone}::int[])
              and (select count(*) from locked) >= 0
          ), taken as (
            insert into registration_slots (registration_id, offering_slot_id, over)
            select ${registration_id}, n.id, n.over from unnest(${fresh}::int[], ${overs}::boolean[]) as n (id, over)
            where (select count(*) from locked) >= 0
          )
          insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action,
            from_status, to_status, reason, overrides, offering_slot_ids)
          values (${row.id}, ${row.student_id}, ${row.offering_id}, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null},
            'slots', ${row.status}::bigint, ${row.status}::bigint, ${reason},
            ${overridden.length ? JSON.stringify(overridden.map(({ code, reason, data }) => ({ code, reason, data }))) : null}::jsonb, ${ids}::int[])`.execute(
            tx,
          )
          if (gone.length) await wakeWaitList(ctx, tx, [row.offering_id])
          return {
            id: row.id,
            offering_id: row.offering_id,
            student_id: row.student_id,
            status: row.status,
            state: row.main,
          }
        },
        reason ? { reason } : {},
      )
      if (changed) return changed
    } catch (error) {
      const { constraint } = error as { constraint?: string }
      const lost = constraint === 'registration_slots_seat_free' || constraint === 'offering_slots_seats'
      if (!lost || attempt >= ATTEMPTS) throw error
    }
    if (attempt >= ATTEMPTS) throw refuse(409, 'changed_meanwhile')
  }
}
