/** Decisions that lead to a state of a registration, and back: who asks for the state by another call goes through them. */
import { sql } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import {
  decidedMains,
  fromWire,
  mainOf,
  type DecidedMain,
  type MainFlag,
} from '#areas/common/academics/status.rules.ts'
import { ownedReason } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { asks, hear, type Hearing } from '#kit/server/base/hears.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { studentScope } from '../capacity.server.ts'
import { registrationStates } from '../owners.contract.ts'
import { changeRegistrations, type Changed, type ChangeOptions, type Intent } from './change.server.ts'
import type { Locked } from './locked.server.ts'

type Asking = [ctx: Ctx, tx: Tx, registration_id: number, options: { readonly reason: string | null }]
type Decide = (...asking: Asking) => Promise<boolean>
/** The steps of a case by which a registration comes to its state and leaves it; false: there is no case for it. */
interface Decision {
  readonly lead: Decide
  readonly takeBack: Decide
}
const decision = (state: DecidedMain) =>
  asks<[way: keyof Decision, ...Asking], boolean>(`registration.${state.toLowerCase()}`, () => false)
const decisions = {
  Punished: decision('Punished'),
  Banned: decision('Banned'),
  Absent: decision('Absent'),
  Excused: decision('Excused'),
} as const satisfies Record<DecidedMain, unknown>

/** Says who decides a state: the areas whose cases lead there, which registration does not know, list it among what they hear. */
export const decides = (state: DecidedMain, steps: Decision): Hearing =>
  hear(decisions[state], (way, ...asking) => steps[way](...asking))

interface Asked {
  readonly id: number
  readonly course: string
  readonly main: MainFlag
  readonly stands: boolean
}
async function read(ctx: Ctx, tx: Tx, ids: readonly number[], keys: readonly PermissionKey[]): Promise<Asked[]> {
  const { rows } = await sql<{ id: number; course: string; status: string; stands: boolean }>`
    select r.id, c.code as course, r.status::text as status,
      registration_case_stands(r.id, decided_state(r.status)) as stands
    from registrations r join students s on s.id = r.student_id join programs p on p.id = s.program_id
      join courses c on c.id = r.course_id
    where r.id = any(${[...new Set(ids)]}::int[]) and ${scopeCondition(ctx, keys, studentScope(ctx))} order by r.id`.execute(
    tx,
  )
  return rows.map(({ status, ...row }) => ({ ...row, main: mainOf(fromWire(status))! }))
}

const DECIDED: ReadonlySet<string> = new Set(decidedMains)
/** Refusals that say that it is somebody else's step. */
const OTHERS = new Set(['not_found', 'not_allowed', 'step_permission', 'step_own'])

/**
 * Changes registrations, all or none. Those that come to a state that a decision leads to, or leave one, take the step of
 * its case, by whoever may take that; the others change as ever.
 *
 * @param to where each is to go, as it stands
 * @throws {Refusal} 409 `state_owned` where there is no such case, or it is the step of others; and all that the step says
 */
export async function changeByOwners(
  ctx: Ctx,
  ids: readonly number[],
  to: MainFlag | ((main: MainFlag) => MainFlag | null),
  intent: Intent | ((row: Locked) => Intent | ReturnType<typeof ownedReason>),
  options: ChangeOptions & { possible?: readonly Intent[]; keys: readonly PermissionKey[] },
): Promise<Changed[]> {
  const { reason = null } = options
  return ctx.write(
    async (tx) => {
      const found = await read(ctx, tx, ids, options.keys)
      const owned = found.flatMap((one) => {
        const next = typeof to === 'function' ? to(one.main) : to
        if (next !== null && DECIDED.has(next) && next !== one.main)
          return { ...one, state: next as DecidedMain, way: 'lead' as const }
        if (DECIDED.has(one.main) && one.stands && next === 'Registered')
          return { ...one, state: one.main as DecidedMain, way: 'takeBack' as const }
        return []
      })
      const theirs = new Set(owned.map(({ id }) => id))
      const others = ids.filter((id) => !theirs.has(id))
      const changed = others.length ? await changeRegistrations(ctx, others, intent, options) : []
      const refused: Refusal[] = []
      for (const { id, course, state, way } of owned) {
        const field = ids.length > 1 ? `registration_ids.${ids.indexOf(id)}` : null
        try {
          const done = await decisions[state](way, ctx, tx, id, { reason })
          if (!done) refused.push(new Refusal(409, [ownedReason(registrationStates, state, { name: course }, field)]))
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          refused.push(
            error.reasons.some(({ code }) => OTHERS.has(code))
              ? new Refusal(409, [ownedReason(registrationStates, state, { name: course }, field)])
              : new Refusal(
                  error.status,
                  error.reasons.map((one) => ({ ...one, field: one.field ?? field })),
                ),
          )
        }
      }
      if (refused.length)
        throw new Refusal(
          Math.min(...refused.map(({ status }) => status)),
          refused.flatMap(({ reasons }) => reasons),
        )
      if (!owned.length) return changed
      const { rows } = await sql<Omit<Changed, 'state'>>`select id, offering_id, student_id, status::text as status
        from registrations where id = any(${[...theirs]}::int[]) order by id`.execute(tx)
      return [...changed, ...rows.map((row) => ({ ...row, state: mainOf(fromWire(row.status!)) }))]
    },
    reason ? { reason } : {},
  )
}
