import { sql } from 'kysely'
import { series } from '#kit/contract/serial.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { registerOperation, writeOperation } from '#kit/server/unit/operations.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'

registerOperation({ kind: 'example/rename', label: ['Rooms', 'القاعات'], permission: 'edit_location' })
const letters = series('example_letters', { per: 'year', format: 'L-{period}-{n}' })

/** Changes many rows as one operation, which its author can undo for seven days. */
export const renameRooms = (ctx: Ctx, ids: readonly number[], name: string) =>
  writeOperation(ctx, { kind: 'example/rename' }, async (tx) => {
    const { numAffectedRows } =
      await sql`update locations set name = ${name} where id = any(${[...ids]}::int[])`.execute(tx)
    return { result: null, counts: { changed: Number(numAffectedRows ?? 0n) } }
  })

/** The next number without gaps, taken in the transaction that would store it. */
export const nextLetter = (ctx: Ctx): Promise<string> =>
  ctx.write(async (tx) => (await takeSerial(tx, letters)).text, { reason: 'a letter' })
