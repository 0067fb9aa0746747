/** What a training must be, and who may ask for it: pure functions that return every reason. */
import { addDays } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'

export interface TrainingSaid {
  readonly starts_on: string
  readonly ends_on: string
  readonly opens_on: string
  readonly closes_on: string
  readonly weeks: number
  readonly places: number
  /** Places that are taken. */
  readonly taken: number
}
const DAY = 86_400_000
const weeksOf = (from: string, until: string): number => (Date.parse(until) - Date.parse(from) + DAY) / (7 * DAY)

/** Everything that stands against keeping a training. */
export function checkTraining({
  starts_on,
  ends_on,
  opens_on,
  closes_on,
  weeks,
  places,
  taken,
}: TrainingSaid): Reason[] {
  const reasons: Reason[] = []
  if (ends_on < starts_on) reasons.push({ field: 'ends_on', code: 'training_days' })
  // Weeks that were begun count.
  else if (weeks > Math.ceil(weeksOf(starts_on, ends_on)))
    reasons.push({ field: 'weeks', code: 'training_weeks', data: { weeks: Math.ceil(weeksOf(starts_on, ends_on)) } })
  if (closes_on < opens_on) reasons.push({ field: 'closes_on', code: 'training_window' })
  if (places < taken) reasons.push({ field: 'places', code: 'training_places_taken', data: { taken } })
  return reasons
}

export interface TrainingAsked {
  readonly today: string
  readonly opens_on: string
  readonly closes_on: string
  /** Nobody asks for what is removed. */
  readonly removed: boolean
  readonly faculty: { readonly name: string; readonly name_local: string } | null
  readonly program: { readonly name: string; readonly name_local: string } | null
  readonly in_faculty: boolean
  readonly in_program: boolean
  readonly min_level: number | null
  readonly level: number
  readonly min_gpa: string | null
  readonly gpa: string | null
  readonly min_hours: string | null
  readonly hours: string
  readonly cv_required: boolean
  readonly cv: boolean
  readonly studying: boolean
}
/** Everything that stands against asking for a training. */
export function checkTrainingAsked(of: TrainingAsked): Reason[] {
  const reasons: Reason[] = []
  if (!of.studying) reasons.push({ code: 'training_not_studying' })
  if (of.removed) reasons.push({ field: 'training_id', code: 'training_removed' })
  if (of.today < of.opens_on || of.today > of.closes_on)
    reasons.push({ field: 'training_id', code: 'training_closed', data: { from: of.opens_on, until: of.closes_on } })
  if (of.faculty && !of.in_faculty)
    reasons.push({ field: 'training_id', code: 'training_other_faculty', data: { ...of.faculty } })
  if (of.program && !of.in_program)
    reasons.push({ field: 'training_id', code: 'training_other_program', data: { ...of.program } })
  if (of.min_level !== null && of.level < of.min_level)
    reasons.push({ field: 'training_id', code: 'training_level', data: { level: of.min_level } })
  if (of.min_gpa !== null && (of.gpa === null || Number(of.gpa) < Number(of.min_gpa)))
    reasons.push({ field: 'training_id', code: 'training_gpa', data: { gpa: of.min_gpa } })
  if (of.min_hours !== null && Number(of.hours) < Number(of.min_hours))
    reasons.push({ field: 'training_id', code: 'training_hours', data: { hours: of.min_hours } })
  if (of.cv_required && !of.cv) reasons.push({ field: 'cv_file_id', code: 'training_cv' })
  return reasons
}

/** What decisions on a student's training look at. */
export interface StudentTrainingFacts {
  readonly today: string
  readonly ends_on: string
  readonly studying: boolean
  /** Null: a place that the student found. */
  readonly places: number | null
  readonly taken: number
  readonly agreement_until: string | null
  readonly needs_interview: boolean
  readonly interviewed: boolean
  /** Another training of the student that was accepted for days of this one. */
  readonly meanwhile: { readonly name: string; readonly name_local: string } | null
  readonly min_reports: number
  readonly reports: number
  readonly assessed: boolean
}
/** Everything that stands against a place. */
export function checkTrainingAccepted(of: StudentTrainingFacts): Reason[] {
  const reasons: Reason[] = []
  if (!of.studying) reasons.push({ code: 'training_not_studying' })
  if (of.places !== null && of.taken >= of.places) reasons.push({ code: 'training_full', data: { places: of.places } })
  if (of.agreement_until !== null && of.agreement_until < of.ends_on)
    reasons.push({ code: 'training_agreement_over', data: { day: of.agreement_until } })
  if (of.needs_interview && !of.interviewed) reasons.push({ code: 'training_not_interviewed' })
  if (of.meanwhile) reasons.push({ code: 'training_meanwhile', data: { ...of.meanwhile } })
  return reasons
}
/** Everything that stands against counting its weeks. */
export function checkTrainingApproved(of: StudentTrainingFacts): Reason[] {
  const reasons: Reason[] = []
  if (of.today < of.ends_on) reasons.push({ code: 'training_not_over', data: { day: of.ends_on } })
  if (of.reports < of.min_reports)
    reasons.push({ code: 'training_reports_missing', data: { count: of.reports, needed: of.min_reports } })
  if (!of.assessed) reasons.push({ code: 'training_not_assessed' })
  return reasons
}

/** A week of which a student reports: of the training, and not ahead. */
export function checkTrainingReport(
  of: { readonly status: string; readonly starts_on: string; readonly ends_on: string; readonly today: string },
  week: number,
): Reason[] {
  if (of.status !== 'accepted') return [{ code: 'training_no_reports' }]
  const weeks = Math.ceil(weeksOf(of.starts_on, of.ends_on))
  if (week > weeks) return [{ field: 'week', code: 'training_report_week', data: { weeks } }]
  const begins = addDays(of.starts_on, (week - 1) * 7)
  return of.today < begins ? [{ field: 'week', code: 'training_report_ahead', data: { day: begins } }] : []
}
