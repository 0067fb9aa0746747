/** Which reminder of a part of an invoice goes out today, and why none does. Pure: the job decides with it, and the preview shows it. */
import { daysBetween } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** A step as it is set. */
export interface ReminderStep {
  readonly id: number
  readonly faculty_id: number | null
  readonly moment: 'before' | 'after'
  readonly days: number
}
/** A step with the time it is of what is late; null before the day. */
export type LeveledStep<S extends ReminderStep = ReminderStep> = S & { readonly level: number | null }

/** Why a part is left alone though a step is reached. */
export type KeptBack = 'slip' | 'payment' | 'promise' | 'plan'
export interface RemindedPart {
  readonly due_date: string
  /** What of it is not settled. */
  readonly open: number
  /** What is under way: a plan that runs, a slip that is being checked, a payment at a provider, a promise. */
  readonly waits: KeptBack | null
  /** What was told of the part as it is due now. */
  readonly sent: readonly { readonly moment: 'before' | 'after'; readonly days: number; readonly sent_on: string }[]
}
export interface ReminderVerdict<S extends ReminderStep = ReminderStep> {
  /** What goes out; null: nothing. */
  readonly step: LeveledStep<S> | null
  /** Why what is reached does not go out. */
  readonly kept: KeptBack | null
}

/** Steps of a faculty in their order: its own where it has any, else those of the university. What is late is counted. */
export function stepsOf<S extends ReminderStep>(steps: readonly S[], faculty_id: number | null): LeveledStep<S>[] {
  const own = steps.filter((one) => one.faculty_id !== null && one.faculty_id === faculty_id)
  const those = own.length ? own : steps.filter((one) => one.faculty_id === null)
  const before = those.filter((one) => one.moment === 'before').toSorted((a, b) => b.days - a.days)
  const after = those.filter((one) => one.moment === 'after').toSorted((a, b) => a.days - b.days)
  return [...before.map((one) => ({ ...one, level: null })), ...after.map((one, i) => ({ ...one, level: i + 1 }))]
}

/** The step that is reached and was not told. */
function reached<S extends ReminderStep>(
  part: RemindedPart,
  steps: readonly LeveledStep<S>[],
  today: string,
): LeveledStep<S> | null {
  const late = daysBetween(part.due_date, today)
  if (late <= 0) {
    // What was missed is not told after the next one: the latest that is reached says it.
    const latest = steps.findLast((one) => one.moment === 'before' && -one.days <= late)
    return latest && !part.sent.some((one) => one.moment === 'before' && one.days <= latest.days) ? latest : null
  }
  const [last] = part.sent.filter((one) => one.moment === 'after').toSorted((a, b) => b.days - a.days)
  const next = steps.find((one) => one.moment === 'after' && one.days > (last?.days ?? 0))
  if (!next || next.days > late) return null
  // Whoever is told late has as much time until the next level as anybody.
  return last && daysBetween(last.sent_on, today) < next.days - last.days ? null : next
}

/** What is told of a part today. Nothing is told twice on one day. */
export function reminderOf<S extends ReminderStep>(
  part: RemindedPart,
  steps: readonly LeveledStep<S>[],
  today: string,
): ReminderVerdict<S> {
  if (part.open <= 0 || part.sent.some((one) => one.sent_on === today)) return { step: null, kept: null }
  const step = reached(part, steps, today)
  return step && part.waits ? { step: null, kept: part.waits } : { step, kept: null }
}

/** Every reason why a step cannot be set so. */
export function checkStep(step: {
  readonly moment: unknown
  readonly days: unknown
  readonly fee_item_id?: unknown
  readonly holds?: unknown
  readonly texts: Readonly<Record<string, unknown>>
}): Reason[] {
  const before = step.moment === 'before'
  const given = Object.entries(step.texts).filter(([, text]) => typeof text === 'string' && text.trim() !== '')
  const has = (name: string) => given.some(([one]) => one === name)
  return [
    ...(before && step.fee_item_id ? [{ field: 'fee_item_id', code: 'reminder_step_after' }] : []),
    ...(before && step.holds ? [{ field: 'holds', code: 'reminder_step_after' }] : []),
    ...(!before && step.days === 0 ? [{ field: 'days', code: 'reminder_step_late' }] : []),
    // Everybody reads it: who has none of the other three languages reads English, and nobody reads Arabic for English.
    ...(given.length > 0
      ? ['text', 'text_local'].filter((name) => !has(name)).map((field) => ({ field, code: 'reminder_text_both' }))
      : []),
  ]
}
