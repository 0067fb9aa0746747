import { demoPart } from '#demo/part.ts'
import { sql } from 'kysely'

/** Accounts have their codes of the general ledger, and the books of the years before are closed. */
export default demoPart(['ledger_closings'], ['users', 'role_assignments'], async (tx) => {
  await sql`update ledger_accounts set external_code = left(code, 1) || '00-' || code where external_code is null`.execute(
    tx,
  )
  await sql`insert into ledger_closings (closed_through, note, closed_by)
    select (date_trunc('month', university_today() - interval '13 months') - interval '1 day')::date, 'Audited', a.user_id
    from role_assignments a join roles r on r.id = a.role_id and r.key = 'finance_head' order by a.user_id limit 1`.execute(
    tx,
  )
})
