import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { listQuery } from '#kit/contract/index.ts'
import { importTemplate } from '#kit/server/resource/transfer.ts'
import { ref } from '#kit/server/base/sql.ts'
import { blockAccount } from '#areas/people/access-and-people/sign-in/invite.server.ts'
import { students } from '../student/student.server.ts'
import { standingCalls } from './standing.contract.ts'

interface Found {
  id: number
  code: string
  name: string
  name_local: string
  level: number
  status: string
  removed: boolean
  program: { id: number; name: string; name_local: string; code: string }
}

/** Handlers for finding, blocking and admitting students. */
export const standingHandlers: readonly Handled[] = [
  handle(standingCalls.search, async (ctx, { body: { search, limit } }) =>
    pagedList<Found>(
      ctx,
      {
        ...students.source(ctx),
        select: sql`t.id, t.code, t.name, t.name_local, t.level, t.status, false as removed,
          (select ${ref('p')}
            from programs p where p.id = t.program_id) as program`,
        refs: [],
      },
      listQuery.parse({ search, perPage: limit }),
    ),
  ),
  handle(standingCalls.block, (ctx, { params: { id }, body: { kind, blocked, reason } }) => {
    if (blocked && !reason) throw refuse(422, 'reason_required', undefined, 'reason')
    if (kind !== 'student') return blockAccount(ctx, kind, id, { blocked, reason: reason ?? null })
    return ctx.write(
      async (tx) => {
        const current = await students.lock(ctx, tx, id, { access: 'block_student' })
        if (Boolean(current.blocked_at) === blocked)
          throw refuse(409, blocked ? 'student_is_blocked' : 'student_is_not_blocked', {
            since: current.blocked_at,
            reason: current.blocked_reason,
          })
        const { rows } = await sql<{
          id: number
          version: number
          blocked_at: string | null
          blocked_reason: string | null
          user_id: number | null
        }>`update students set blocked_at = ${blocked ? sql`now()` : null}, blocked_reason = ${blocked ? reason : null}
          where id = ${id} returning id, version, blocked_at, blocked_reason, user_id`.execute(tx)
        const { user_id, ...data } = firstRow(rows)
        // Who is blocked is signed out everywhere at once.
        if (blocked && user_id) await sql`delete from sessions where user_id = ${user_id}`.execute(tx)
        return { data }
      },
      reason ? { reason } : {},
    )
  }),
  handle(standingCalls.migratedTemplate, async (ctx) => ({
    ...(await importTemplate(ctx, students)),
    name: 'Migrated students template.xlsx',
  })),
]
