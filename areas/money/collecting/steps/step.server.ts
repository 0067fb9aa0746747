/** Steps of reminders, as they are set: of the university, or of one faculty. */
import type { Ctx } from '#kit/server/base/context.ts'
import type { Db, Tx } from '#db/connect.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { checkStep, type ReminderStep } from '../reminders/reminder.rules.ts'
import { reminderStep } from './step.contract.ts'

const TEXTS = ['text', 'text_local', 'text_de', 'text_fr', 'text_pt'] as const

export const reminderSteps = workings(reminderStep, {
  scope: { faculty: () => sql`t.faculty_id` },
  common: sql`t.faculty_id is null`,
  beforeWrite: (_ctx: Ctx, _tx: Tx, merged) => {
    const reasons = checkStep({
      moment: merged.moment,
      days: merged.days,
      fee_item_id: merged.fee_item_id,
      holds: merged.holds,
      texts: Object.fromEntries(TEXTS.map((name) => [name, merged[name]])),
    })
    if (reasons.length) throw new Refusal(422, reasons)
  },
})

/** What a step says and does, as the job and the screens need it. */
export interface StepSet extends ReminderStep {
  readonly code: string
  readonly name: string
  readonly name_local: string
  /** Its own words by language, where it has any. */
  readonly said: Readonly<Record<'en' | 'ar' | 'de' | 'fr' | 'pt', string | null>> | null
  /** Code of what it costs. */
  readonly fee: string | null
  readonly holds: boolean
}
/** All steps that are active. */
export async function activeSteps(db: Db | Tx): Promise<StepSet[]> {
  const { rows } = await sql<StepSet>`
    select t.id, t.code, t.name, t.name_local, t.faculty_id, t.moment, t.days::int as days, t.holds, i.code as fee,
      case when t.text is not null then json_build_object('en', t.text, 'ar', t.text_local, 'de', t.text_de, 'fr', t.text_fr, 'pt', t.text_pt) end as said
    from reminder_steps t left join fee_items i on i.id = t.fee_item_id and i.removed_at is null
    where t.is_active and t.removed_at is null order by t.id`.execute(db)
  return rows
}
