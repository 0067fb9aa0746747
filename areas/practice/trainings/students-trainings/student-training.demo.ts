import { demoRequests } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { studentTraining } from './student-training.contract.ts'

const day = (days: number) => addDays(dayOf(), days)
const assessed = (score: number, text: string) => ({ score, assessment: text, assessed_at: new Date() })

export default demoRequests(
  studentTraining,
  [
    ['requested', { training_id: 1, wish: 1, why: 'أود أن أتعلم كيف يُبنى برنامج من أوله إلى آخره.' }],
    ['requested', { training_id: 3, wish: 1, why: 'I want to see how a branch works.' }],
    ['requested', { training_id: 1, wish: 2, why: 'It is close to what I write my project about.' }],
    [
      'requested',
      {
        own_organisation: 'Gezira Clinic',
        own_contact: 'Dr Mona Farid, 0123 555 0199',
        own_starts_on: day(40),
        own_ends_on: day(67),
        own_weeks: 4,
        why: 'وجدت مكانًا بالقرب من بيتي.',
      },
    ],
    ['accepted', { training_id: 2, why: 'I would like to work with ships.' }],
    ['accepted', { training_id: 2, why: 'يناسب تخصصي في النقل.' }],
    [
      'approved',
      { training_id: 4, weeks: 4, why: 'أحتاج إلى التدريب العملي.', ...assessed(88, 'Careful, and quick to learn.') },
    ],
    ['approved', { training_id: 4, weeks: 4, why: 'To see patients early.', ...assessed(74, 'Needs to ask more.') }],
    ['disapproved', { training_id: 3, why: 'My uncle works there.' }],
    ['final_disapproved', { training_id: 4, why: 'Later in the year.' }],
    ['cancelled', { training_id: 1, why: 'قدّمته بالخطأ.' }],
  ],
  ['trainings'],
)
