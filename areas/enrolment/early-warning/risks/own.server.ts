/** What students see of their own term, where the university shows it. */
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import type { RiskReason } from '../rules/risk.rules.ts'
import { riskCalls, type RiskContact, type RiskRow } from './risk.contract.ts'
import { toldRisk } from './risk.server.ts'
import { warningSettings } from './settings.server.ts'

/** What a student sees of the own term. */
async function readOwn(ctx: Ctx) {
  const student_id = ctx.actor?.student_id
  if (!student_id) throw refuse(404, 'not_found')
  const { own } = await warningSettings(ctx.db)
  const { rows } = await sql<{
    risk: { level: 'high' | 'watch' | null; reasons: RiskReason[]; counted_at: string } | null
    advisor: NonNullable<RiskRow['advisor']> | null
    contacts: Pick<RiskContact, 'on_date' | 'way'>[]
  }>`
    select (select json_build_object('level', k.own_level, 'reasons', k.own_reasons, 'counted_at', k.counted_at) from student_risks k
        where k.student_id = s.id and k.ended_at is null) as risk,
      (select json_build_object('id', i.id, 'name', i.name, 'name_local', i.name_local, 'code', i.code)
        from instructors i where i.id = s.advisor_id) as advisor,
      coalesce((select json_agg(json_build_object('on_date', c.on_date, 'way', c.way) order by c.on_date desc, c.id desc)
        from risk_contacts c where c.student_id = s.id), '[]') as contacts
    from students s where s.id = ${student_id} and s.removed_at is null`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (!own) return { on: false, counted_at: null, level: null, reasons: [], advisor: null, contacts: [] }
  return {
    on: true,
    counted_at: row.risk && new Date(row.risk.counted_at).toISOString(),
    level: row.risk?.level ?? null,
    reasons: (row.risk?.reasons ?? []).map((one) => {
      const { points: _points, ...rest } = toldRisk(one)
      return rest
    }),
    advisor: row.advisor,
    contacts: row.contacts,
  }
}

export const ownRiskHandlers: readonly Handled[] = [
  handle(riskCalls.own, async (ctx) => ({ data: await readOwn(ctx) })),
]
