import { demoLookup } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { training } from './training.contract.ts'

const day = (days: number) => addDays(dayOf(), days)
/** From and until which day it lasts, and is asked for. */
const when = (starts: number, weeks: number, opens: number, closes: number) => ({
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
        places: 12,
        cv_required: true,
        has_interview: true,
        is_paid: true,
        min_reports: 3,
        ...when(60, 8, -20, 30),
      },
    ],
    [
      'HARBOUR-OPS',
      'Harbour operations',
      'عمليات الميناء',
      { organisation_id: 2, places: 20, min_reports: 2, ...when(-21, 6, -90, -30) },
    ],
    [
      'BANK-DESK',
      'Desk of a bank',
      'شباك البنك',
      { organisation_id: 3, places: 8, min_gpa: '2.50', min_reports: 2, ...when(75, 4, -10, 40) },
    ],
    [
      'WARD',
      'On the ward',
      'التدريب في الأقسام',
      { organisation_id: 4, places: 30, min_level: 2, ...when(-120, 4, -200, -130) },
    ],
    ['MILL', 'Machines of a mill', 'ماكينات النسيج', { organisation_id: 5, places: 6, ...when(100, 4, 20, 60) }],
  ],
  ['training_organisations'],
)
