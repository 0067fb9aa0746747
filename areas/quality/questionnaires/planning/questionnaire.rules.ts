/** What a questionnaire must be, and which way it goes: pure functions that return every reason. */
import type { Reason } from '#kit/contract/issues.ts'
import type { QuestionnaireKind } from '../types/type.contract.ts'
import type { QuestionnaireState } from './questionnaire.contract.ts'

export interface QuestionnaireSaid {
  readonly opens_on: string
  readonly closes_on: string
  readonly term_id: number | null
  readonly faculty_id: number | null
  readonly program_id: number | null
  readonly graduation_year_id: number | null
  readonly type_id: number
  readonly obligatory: boolean
  readonly postponements: number
}
export interface QuestionnaireTypeFacts {
  readonly about: 'course' | 'instructor' | 'university'
  readonly kind: QuestionnaireKind
  readonly questions: number
  /** People on its list, where it asks outsiders. */
  readonly outsiders: number
}

/** Everything that stands against keeping a questionnaire; `before`: as it is, where it is there already. */
export function checkQuestionnaire(
  said: QuestionnaireSaid,
  type: Pick<QuestionnaireTypeFacts, 'about' | 'kind' | 'outsiders'>,
  before: (QuestionnaireSaid & { readonly status: QuestionnaireState }) | null,
  today: string,
): Reason[] {
  const reasons: Reason[] = []
  if (said.closes_on < said.opens_on) reasons.push({ field: 'closes_on', code: 'questionnaire_days' })
  if (type.about !== 'university' && said.term_id === null)
    reasons.push({ field: 'term_id', code: 'questionnaire_term' })
  if (said.graduation_year_id !== null && type.kind !== 'graduate')
    reasons.push({ field: 'graduation_year_id', code: 'questionnaire_no_graduates' })
  if (type.kind === 'outsider' && said.obligatory) reasons.push({ field: 'obligatory', code: 'questionnaire_not_led' })
  if (type.kind !== 'outsider' && type.outsiders > 0)
    reasons.push({ field: 'type_id', code: 'questionnaire_outsiders_there', data: { count: type.outsiders } })
  if (said.postponements > 0 && !said.obligatory)
    reasons.push({ field: 'postponements', code: 'questionnaire_not_obligatory' })
  if (before?.status === 'closed') return [{ code: 'questionnaire_closed' }]
  if (before && before.status !== 'planned') {
    for (const field of ['type_id', 'term_id', 'faculty_id', 'program_id', 'graduation_year_id', 'opens_on'] as const)
      if (said[field] !== before[field]) reasons.push({ field, code: 'questionnaire_begun' })
  }
  if (said.closes_on < today && said.closes_on !== before?.closes_on)
    reasons.push({ field: 'closes_on', code: 'questionnaire_past', data: { today } })
  return reasons
}

/** Where the status call leads, or why not. `key`: whether the installation has a key that is not in its database. */
export function nextQuestionnaireState(
  at: {
    readonly status: QuestionnaireState
    readonly closes_on: string
    readonly key: boolean
  } & QuestionnaireTypeFacts,
  today: string,
): { readonly to: 'open' | 'paused' } | { readonly reasons: readonly Reason[] } {
  if (at.status === 'closed') return { reasons: [{ code: 'questionnaire_closed' }] }
  if (at.status === 'open') return { to: 'paused' }
  const reasons: Reason[] = []
  if (at.closes_on < today) reasons.push({ field: 'closes_on', code: 'questionnaire_past', data: { today } })
  if (at.status === 'planned') {
    if (at.questions === 0) reasons.push({ code: 'questionnaire_empty' })
    if (at.kind === 'outsider' && at.outsiders === 0) reasons.push({ code: 'questionnaire_nobody' })
    if (!at.key) reasons.push({ code: 'questionnaire_no_key' })
  }
  return reasons.length ? { reasons } : { to: 'open' }
}

/** Everything that stands against changing whom a questionnaire asks outside. */
export function checkOutsiderList(at: {
  readonly kind: QuestionnaireKind
  readonly status: QuestionnaireState
}): Reason[] {
  if (at.kind !== 'outsider') return [{ code: 'questionnaire_no_outsiders' }]
  return at.status === 'closed' ? [{ code: 'questionnaire_closed' }] : []
}

/** Whether somebody may put off an obligatory questionnaire once more. */
export const mayPostpone = (
  of: { readonly obligatory: boolean; readonly postponements: number },
  times: number,
): boolean => of.obligatory && times < of.postponements

/** Whether those who have not answered are reminded on a day. */
export function isReminderDay(
  of: { readonly remind_days: number | null; readonly closes_on: string; readonly reminded_on: string | null },
  today: string,
): boolean {
  if (of.remind_days === null || of.closes_on < today || of.reminded_on === today) return false
  const days = Math.round((Date.parse(`${of.closes_on}T00:00:00Z`) - Date.parse(`${today}T00:00:00Z`)) / 86_400_000)
  // The last day is one as well: nobody can be reminded afterwards.
  return days % of.remind_days === 0
}
