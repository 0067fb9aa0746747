/** What is possible with a stay. Days are those of the university, [first night, day of leaving): clocks do not matter. */
import { addDays, daysBetween } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** Somebody else's stay in the same bed. */
export interface OtherStay {
  readonly name: string
  readonly name_local: string
  readonly from_day: string
  readonly until_day: string
}

/** What is known of a reservation when a step with it is judged. */
export interface StayFacts {
  readonly today: string
  readonly status: string
  readonly from_day: string
  readonly until_day: string
  /** Days after the first night from which on a guest did not come. */
  readonly no_show_days: number
  /** Whether the caller is the guest. */
  readonly own: boolean
  /** Why the bed that is given, or meant to be, is none for the guest. */
  readonly against: readonly Reason[]
  /** The guest who has not left the bed. */
  readonly occupied: OtherStay | null
  /** The invoice that has to be paid before the guest moves in. */
  readonly unpaid: string | null
  /** The guest studies here no more, or is suspended. */
  readonly left: boolean
  /** A place of a group that nobody was given. */
  readonly nobody: boolean
}

const stayed = ({ name, name_local, from_day, until_day }: OtherStay) => ({
  name,
  name_local,
  from: from_day,
  until: until_day,
})

/** Every reason why a step cannot be taken now. */
export function checkStay(action: string, facts: StayFacts): Reason[] {
  const { today, from_day, until_day, no_show_days, own, against, occupied, unpaid, left, nobody } = facts
  const over = until_day <= today
  switch (action) {
    case 'confirm':
      return [
        ...(over ? [{ code: 'stay_over', data: { until: until_day } }] : []),
        ...(left ? [{ code: 'stay_left' }] : []),
        ...against,
      ]
    case 'check_in':
      return [
        ...(nobody ? [{ code: 'stay_nobody' }] : []),
        ...(today < from_day ? [{ code: 'stay_early', data: { from: from_day } }] : []),
        ...(over ? [{ code: 'stay_over', data: { until: until_day } }] : []),
        ...(left ? [{ code: 'stay_left' }] : []),
        ...(occupied ? [{ code: 'stay_occupied', data: stayed(occupied) }] : []),
        ...(unpaid === null ? [] : [{ code: 'stay_unpaid', data: { number: unpaid } }]),
      ]
    case 'cancel':
      return own && facts.status !== 'requested' && today >= from_day
        ? [{ code: 'stay_begun', data: { from: from_day } }]
        : []
    case 'no_show':
      return today < addDays(from_day, no_show_days)
        ? [{ code: 'stay_awaited', data: { day: addDays(from_day, no_show_days) } }]
        : []
    default:
      return []
  }
}

/** Longest stay that is asked for at once, in nights. */
const MOST_NIGHTS = 366

/** Every reason why these days are none for a stay. */
export const checkDays = (from: string, until: string, today: string): Reason[] => [
  ...(until <= from ? [{ field: 'until_day', code: 'stay_days' }] : []),
  ...(from < today ? [{ field: 'from_day', code: 'stay_past', data: { today } }] : []),
  ...(daysBetween(from, until) > MOST_NIGHTS
    ? [{ field: 'until_day', code: 'stay_long', data: { most: MOST_NIGHTS } }]
    : []),
]

/** A stay that is moved or stretched. */
export interface StayMoveFacts {
  readonly today: string
  readonly status: string
  readonly from_day: string
  readonly until_day: string
  readonly bed_id: number | null
}
/** Every reason why a stay cannot be moved so; whether the bed fits is asked elsewhere. */
export function checkStayMove(
  stay: StayMoveFacts,
  to: { readonly bed_id: number; readonly from_day: string; readonly until_day: string },
): Reason[] {
  const { today, status } = stay
  if (status !== 'confirmed' && status !== 'checked_in') return [{ code: 'stay_not_movable' }]
  const inside = status === 'checked_in'
  return [
    ...(to.until_day <= to.from_day ? [{ field: 'until_day', code: 'stay_days' }] : []),
    ...(inside && to.from_day !== stay.from_day ? [{ field: 'from_day', code: 'stay_inside' }] : []),
    ...(!inside && to.from_day !== stay.from_day && to.from_day < today
      ? [{ field: 'from_day', code: 'stay_past', data: { today } }]
      : []),
    // A guest who is still there is not made to have left before.
    ...(to.until_day !== stay.until_day && to.until_day < today
      ? [{ field: 'until_day', code: 'stay_past', data: { today } }]
      : []),
    ...(inside && to.bed_id !== stay.bed_id && to.until_day <= today
      ? [{ field: 'until_day', code: 'stay_over', data: { until: to.until_day } }]
      : []),
    ...(daysBetween(to.from_day, to.until_day) > MOST_NIGHTS
      ? [{ field: 'until_day', code: 'stay_long', data: { most: MOST_NIGHTS } }]
      : []),
  ]
}

/** How many units are charged: nights; months, each begun one whole; one term. */
export function stayUnits(unit: 'night' | 'month' | 'term', from: string, until: string): number {
  if (unit === 'term') return 1
  const nights = Math.max(1, daysBetween(from, until))
  return unit === 'night' ? nights : Math.max(1, Math.ceil(nights / 30))
}

/**
 * What becomes of the charge of a stay that is cancelled, or whose guest did not come: all of it is taken back as long as it is early
 * enough, later the deposit alone.
 */
export const takenBack = (from_day: string, today: string, cancel_days: number, action: string): 'all' | 'deposit' =>
  action !== 'no_show' && today <= addDays(from_day, -cancel_days) ? 'all' : 'deposit'
