/** What the reader owes as a member of staff, on the home page. */
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'

export const ownMoneyWork: readonly WorkSource[] = [
  {
    permissions: ['see_own_money'],
    waiting: (ctx) => sql`
      select 'ledger.work_owed', jsonb_build_object('amount', to_char(sum(b.owed) / 100, 'FM9999999999990.00') || ' ' || b.currency), '/my_money',
        null::timestamptz, null::timestamptz
      from payers p join payer_balances b on b.payer_id = p.id and b.owed > 0
      where p.user_id = ${ctx.actor?.user_id ?? null} group by b.currency`,
  },
]
