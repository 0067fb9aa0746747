import { firstRow } from '#db/rows.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import { bylaw } from './bylaw.contract.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { regulationPdf } from './regulation.server.ts'
import { bylawCalls } from './settings.contract.ts'
import { bylawSettingsHandlers } from './settings.server.ts'
import { requireSameWay } from './change-settings.server.ts'

const bylaws = workings(bylaw, {
  scope: { faculty: () => sql`t.faculty_id`, bylaw: () => sql`t.id` },
  async beforeWrite(_ctx, tx, merged, current) {
    if (!current) return
    await requireSameWay(tx, current.id, current.program_type, merged.program_type)
    if (current.faculty_id === merged.faculty_id) return
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from students where bylaw_id = ${current.id} and removed_at is null`.execute(tx)
    if (firstRow(rows).count) throw refuse(422, 'bylaw_has_students', { count: firstRow(rows).count }, 'faculty_id')
  },
})
const exportCall = resourceCalls(bylaw).export
const exported = bylaws.handlers.find(({ call }) => call.path === exportCall.path && call.method === exportCall.method)!

export const bylawHandlers: Handled[] = [
  ...bylaws.handlers,
  ...bylawSettingsHandlers,
  // The documents name two calls for one sheet.
  handle(bylawCalls.exportRegulation, (ctx, { params, body }) =>
    regulationPdf(ctx, params.id, body.lang ?? paperLang(ctx)),
  ),
  handle(bylawCalls.exportExcel, (ctx, input) => exported.handler(ctx, input as never) as never),
]
