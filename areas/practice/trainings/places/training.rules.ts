/** What a training must be, and who may ask for it: pure functions that return every reason. */
import { addDays } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** A week of a training with its places, and how many of them are taken. */
export interface WeekPlaces {
  readonly week: number
  readonly places: number
  readonly taken: number
}
export interface TrainingSaid {
  readonly starts_on: string
  readonly ends_on: string
  readonly opens_on: string
  readonly closes_on: string
  readonly weeks: number
  readonly places: number
  /** Students choose weeks. */
  readonly by_week: boolean
  /** Weeks that have another number of places. */
  readonly week_places: readonly { readonly week: number; readonly places: number }[]
  /** What is taken now, by week. */
  readonly taken: readonly Pick<WeekPlaces, 'week' | 'taken'>[]
  /** The last week for which anybody asked; 0: nobody chose weeks. */
  readonly asked_until: number
}
const DAY = 86_400_000
const weeksOf = (from: string, until: string): number => (Date.parse(until) - Date.parse(from) + DAY) / (7 * DAY)
/** Weeks between two days; one that was begun counts. */
export const weeksBetween = (from: string, until: string): number => Math.ceil(weeksOf(from, until))

/** Everything that stands against keeping a training. */
export function checkTraining(of: TrainingSaid): Reason[] {
  const { starts_on, ends_on, opens_on, closes_on, weeks, places } = of
  const reasons: Reason[] = []
  const last = weeksBetween(starts_on, ends_on)
  if (ends_on < starts_on) reasons.push({ field: 'ends_on', code: 'training_days' })
  else {
    if (weeks > last) reasons.push({ field: 'weeks', code: 'training_weeks', data: { weeks: last } })
    if (of.week_places.some(({ week }) => week > last))
      reasons.push({ field: 'week_places', code: 'training_week_range', data: { weeks: last } })
    if (of.asked_until > (of.by_week ? last : 0))
      reasons.push({
        field: of.by_week ? 'ends_on' : 'by_week',
        code: 'training_weeks_asked',
        data: { week: of.asked_until },
      })
  }
  if (closes_on < opens_on) reasons.push({ field: 'closes_on', code: 'training_window' })
  const own = new Map(of.week_places.map((one) => [one.week, one.places]))
  const most = { places: 0, week_places: 0 }
  for (const { week, taken } of of.taken) {
    const at = own.has(week) ? 'week_places' : 'places'
    if (taken > (own.get(week) ?? places)) most[at] = Math.max(most[at], taken)
  }
  for (const [field, taken] of Object.entries(most))
    if (taken) reasons.push({ field, code: 'training_places_taken', data: { taken } })
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
  /** Why it does not take place. */
  readonly called_off: string | null
  /** Students choose weeks of it. */
  readonly by_week: boolean
  /** Weeks that it has. */
  readonly weeks: number
  readonly from_week: number | null
  readonly until_week: number | null
}
/** Weeks are chosen where they are to be, and are weeks of the training. */
function checkWeeks({ by_week, weeks, from_week, until_week }: TrainingAsked): Reason[] {
  if (!by_week) return from_week === null && until_week === null ? [] : [{ field: 'from_week', code: 'training_whole' }]
  if (from_week === null || until_week === null) return [{ field: 'from_week', code: 'training_weeks_missing' }]
  if (until_week < from_week || until_week > weeks)
    return [{ field: 'until_week', code: 'training_week_range', data: { weeks } }]
  return []
}
/** Everything that stands against asking for a training. */
export function checkTrainingAsked(of: TrainingAsked): Reason[] {
  const reasons: Reason[] = []
  if (!of.studying) reasons.push({ code: 'training_not_studying' })
  if (of.removed) reasons.push({ field: 'training_id', code: 'training_removed' })
  if (of.called_off !== null)
    reasons.push({ field: 'training_id', code: 'training_is_called_off', data: { reason: of.called_off } })
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
  return [...reasons, ...checkWeeks(of)]
}

/** What decisions on a student's training look at. */
export interface StudentTrainingFacts {
  readonly today: string
  readonly ends_on: string
  readonly studying: boolean
  /** Null: a place that the student found. */
  readonly places: number | null
  /** Weeks of those asked for in which every place is taken; of a training in one piece all of them or none. */
  readonly full_weeks: readonly number[]
  readonly by_week: boolean
  /** Why the training does not take place. */
  readonly called_off: string | null
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
  if (of.called_off !== null) reasons.push({ code: 'training_is_called_off', data: { reason: of.called_off } })
  if (of.places !== null && of.full_weeks.length)
    reasons.push(
      of.by_week
        ? { code: 'training_weeks_full', data: { weeks: of.full_weeks.join(', ') } }
        : { code: 'training_full', data: { places: of.places } },
    )
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
  const weeks = weeksBetween(of.starts_on, of.ends_on)
  if (week > weeks) return [{ field: 'week', code: 'training_report_week', data: { weeks } }]
  const begins = addDays(of.starts_on, (week - 1) * 7)
  return of.today < begins ? [{ field: 'week', code: 'training_report_ahead', data: { day: begins } }] : []
}

/** What stands against asking the organisation of a training by a link. */
export function checkOrganisationAsked(of: {
  readonly email: string | null
  readonly called_off: string | null
  /** The link has ended by then. */
  readonly over: boolean
}): Reason[] {
  const reasons: Reason[] = []
  if (of.called_off !== null) reasons.push({ code: 'training_is_called_off', data: { reason: of.called_off } })
  if (!of.email) reasons.push({ code: 'training_no_email' })
  if (of.over) reasons.push({ code: 'training_link_late', data: { days: TRAINING_LINK_DAYS } })
  return reasons
}
/** Days after a training for which its organisation can still say something by the link. */
export const TRAINING_LINK_DAYS = 30

/** Whether an organisation may assess a student now: from the first day on, until it is approved. */
export const checkOrganisationAssesses = (of: {
  readonly status: string
  readonly starts_on: string
  readonly today: string
  readonly visited_on: string | null
}): Reason[] => {
  if (of.status !== 'accepted') return [{ code: 'training_assessed_late' }]
  if (of.today < of.starts_on) return [{ code: 'training_not_begun', data: { day: of.starts_on } }]
  if (of.visited_on !== null && (of.visited_on > of.today || of.visited_on < of.starts_on))
    return [{ field: 'visited_on', code: 'training_visit_day', data: { from: of.starts_on, until: of.today } }]
  return []
}

/** Of the other requests of a student who is given a place: those that are not needed any more. */
export type OthersThen = 'keep' | 'later' | 'all'
export const othersOf = <T extends { readonly wish: number | null }>(
  then: OthersThen,
  wish: number | null,
  others: readonly T[],
): T[] =>
  then === 'keep'
    ? []
    : others.filter((one) => then === 'all' || one.wish === null || (wish !== null && one.wish > wish))
