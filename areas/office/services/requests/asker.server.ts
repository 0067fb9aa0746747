/** For whom a service is asked, and by which keys. */
import { askerFor, holdAsker, type Asker } from '#areas/money/ledger/askers.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'

const AS_STAFF: PermissionKey = 'ask_service_as_staff'
/** By which keys somebody asks: for others within reach, or as a member of staff for himself or herself. */
export const SERVICE_ASKS: readonly PermissionKey[] = ['add_service', AS_STAFF]

/** Who is told, or the person who asks. */
export const serviceAskerFor = (ctx: Ctx, given: Parameters<typeof askerFor>[1]): Asker =>
  askerFor(ctx, given, AS_STAFF)
/** @throws {Refusal} 422, 403 */
export const holdServiceAsker = (ctx: Ctx, tx: Tx, asker: Asker): Promise<void> =>
  holdAsker(ctx, tx, asker, { key: 'add_service', asStaff: AS_STAFF, both: 'service_whose' })
