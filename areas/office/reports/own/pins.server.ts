/** Reports that somebody has put on the own home page: it asks for their code and figures only where there are some. */
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { besidesOfHome } from '#kit/contract/home.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { sql } from 'kysely'
import { REPORT_RIGHTS } from '../figures/rights.contract.ts'
import { sharedWith } from './saved.server.ts'

export const pinnedReports: readonly WorkSource[] = [
  {
    permissions: REPORT_RIGHTS,
    besides: {
      outlet: besidesOfHome,
      when: (ctx) => {
        const user = actorIn(ctx).user_id
        return sql`exists (select from own_report_pins p join own_reports r on r.id = p.report_id and r.removed_at is null
          where p.user_id = ${user} and (r.user_id = ${user} or ${sharedWith(user)}))`
      },
    },
  },
]
