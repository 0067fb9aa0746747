import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Access } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import type { ControlStatus } from '#areas/common/academics/offering-words.contract.ts'

/** An offering held for a change. */
export interface LockedOffering {
  readonly id: number
  readonly term_id: number
  readonly course_id: number
  readonly faculty_id: number | null
  readonly department_id: number | null
  readonly code: string
  readonly version: number
  readonly control_status: ControlStatus
  readonly removed: boolean
  readonly linked_offering_id: number | null
  /** How texts name it, e.g. `CS101 (1)`. */
  readonly name: string
  readonly root_name: string | null
}

/**
 * Locks offerings within the reach of the keys until the transaction ends, in order of id, so that two people never
 * wait for each other. Those not there or out of reach are missing from the answer. Registrations that refer to them go
 * on meanwhile: one that has a meeting locked and one that edits the offering would wait for each other.
 */
export async function lockOfferings(
  ctx: Ctx,
  tx: Tx,
  ids: readonly number[],
  access: Access,
): Promise<Map<number, LockedOffering>> {
  const { rows } =
    await sql<LockedOffering>`select t.id, t.term_id, t.course_id, t.faculty_id, t.department_id, t.code, t.version,
      t.control_status, t.removed_at is not null as removed, t.linked_offering_id, c.code || ' (' || t.code || ')' as name,
      (select rc.code || ' (' || r.code || ')' from offerings r join courses rc on rc.id = r.course_id where r.id = t.linked_offering_id) as root_name
    from offerings t join courses c on c.id = t.course_id
    where t.id = any(${ids}::int[]) and ${scopeCondition(ctx, access, offeringReach(ctx))} order by t.id for no key update of t`.execute(
      tx,
    )
  return new Map(rows.map((row) => [row.id, row]))
}

/** One of them. @throws {Refusal} 404; 409 `removed_record` */
export async function lockOffering(
  ctx: Ctx,
  tx: Tx,
  id: number,
  access: Access,
  options: { removed?: boolean } = {},
): Promise<LockedOffering> {
  const found = (await lockOfferings(ctx, tx, [id], access)).get(id)
  if (!found) throw refuse(404, 'not_found')
  if (found.removed && !options.removed) throw refuse(409, 'removed_record')
  return found
}

/** Where the marks of an offering stand, as refusals tell it. */
export const frozenData = ({ name, control_status }: Pick<LockedOffering, 'name' | 'control_status'>) => {
  const [status, status_local] = CONTROL_STATUSES.find((controlStatus) => controlStatus.value === control_status)!.label
  return { offering: name, status, status_local, control_status }
}

/** Once marks are submitted, groups, meetings, programs and links stay as they are. @throws {Refusal} 409 */
export function refuseFrozen(offering: LockedOffering): void {
  if (offering.control_status !== 'Draft') throw refuse(409, 'offering_structure_frozen', frozenData(offering))
}
