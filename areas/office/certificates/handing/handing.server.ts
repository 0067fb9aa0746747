/** Handing certificates over at the desk: the paper in the clerk's hand says which one it is. */
import { sql } from 'kysely'
import { firstRow } from '#db/rows.ts'
import { codeTyped } from '#kit/contract/papers.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { Names } from '#kit/server/papers/papers.ts'
import { certificateRequests } from '../requests/certificate.server.ts'
import { codeIn, handingCalls } from './handing.contract.ts'

export const handingHandlers: readonly Handled[] = [
  handle(handingCalls.handOver, (ctx, { body: { code, collected_by } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{
        id: number
        holder: Names
        title: Names
        serial: string
        copies: number
        void: boolean
      }>`
        select c.id, json_build_object('name', p.holder, 'name_local', p.holder_local) as holder,
          json_build_object('name', p.title, 'name_local', p.title_local) as title, p.serial, c.copies,
          p.revoked_at is not null or p.replaced_by is not null as void
        from papers p join certificate_papers k on k.paper_id = p.id join certificates c on c.id = k.certificate_id
        where p.code = ${codeTyped(codeIn(code))} and c.removed_at is null`.execute(tx)
      if (!rows.length) throw refuse(409, 'certificate_code_unknown', undefined, 'code')
      const { void: isVoid, ...found } = firstRow(rows)
      // Reach, state and what is owed are judged by the step, which comes first: a paper beyond reach is not told about.
      await certificateRequests.take(ctx, found.id, 'deliver_by_hand', collected_by ? { reason: collected_by } : {})
      if (isVoid) throw refuse(409, 'certificate_print_void')
      return { data: found }
    }),
  ),
]
