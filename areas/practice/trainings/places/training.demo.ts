import { demoLookup } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { training } from './training.contract.ts'

const day = (days: number) => addDays(dayOf(), days)
/** From and until which day it lasts, and is asked for. */
const when = (starts: number, weeks: number, opens: number, closes: number) => ({
  is_paid: false,
  cv_required: false,
  has_interview: false,
  by_week: false,
  starts_on: day(starts),
  ends_on: day(starts + 7 * weeks - 1),
  weeks,
  opens_on: day(opens),
  closes_on: day(closes),
})

export default demoLookup(
  training,
  [
    [
      'SUMMER-SW',
      'Software development',
      'تطوير البرمجيات',
      {
        organisation_id: 1,
        ...when(60, 8, -20, 30),
        places: 12,
        cv_required: true,
        has_interview: true,
        is_paid: true,
        min_reports: 3,
      },
    ],
    [
      'HARBOUR-OPS',
      'Harbour operations',
      'عمليات الميناء',
      { organisation_id: 2, ...when(-21, 6, -90, -30), places: 20, min_reports: 2 },
    ],
    [
      'BANK-DESK',
      'Desk of a bank',
      'شباك البنك',
      { organisation_id: 3, ...when(75, 4, -10, 40), places: 8, min_gpa: '2.50', min_reports: 2, by_week: true },
    ],
    [
      'WARD',
      'On the ward',
      'التدريب في الأقسام',
      { organisation_id: 4, ...when(-120, 4, -200, -130), places: 30, min_level: 2 },
    ],
    ['MILL', 'Machines of a mill', 'ماكينات النسيج', { organisation_id: 5, ...when(100, 4, 20, 60), places: 6 }],
  ],
  ['training_organisations'],
)
