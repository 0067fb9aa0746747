/** How the university has early warning set. */
import type { Db, Tx } from '#db/connect.ts'
import { UNIVERSITY_SETTINGS } from '#areas/common/settings/university/university.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { RiskLimits } from '../rules/risk.rules.ts'

const NAMES = ['early_warning', 'early_warning_own', 'early_warning_watch', 'early_warning_high'] as const

export interface WarningSettings extends RiskLimits {
  readonly on: boolean
  /** Whether students see their own. */
  readonly own: boolean
}

/** The settings, or what they are until somebody sets them. */
export async function warningSettings(db: Db | Tx): Promise<WarningSettings> {
  const { rows } = await sql<{ name: string; value: string }>`
    select key as name, value #>> '{}' as value from settings where key = any(${[...NAMES]}) and removed_at is null`.execute(
    db,
  )
  const set = new Map(rows.map(({ name, value }) => [name, value]))
  const of = (name: (typeof NAMES)[number]) => set.get(name) ?? UNIVERSITY_SETTINGS[name].initial
  const on = of('early_warning') === 'true'
  return {
    on,
    own: on && of('early_warning_own') === 'true',
    watch: Number(of('early_warning_watch')),
    high: Number(of('early_warning_high')),
  }
}

/** Counting and models are about all students: who manages a part of the university does neither. @throws {Refusal} 403 */
export function needWholeUniversity(ctx: Ctx): void {
  if (!reachesAll(ctx, 'manage_early_warning')) throw refuse(403, 'not_allowed')
}
