import { demoRequests } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { studentTraining } from './student-training.contract.ts'

const day = (days: number) => addDays(dayOf(), days)
/** Every row says all of it. */
const NONE = {
  training_id: null,
  wish: null,
  from_week: null,
  until_week: null,
  own_organisation: null,
  own_contact: null,
  own_starts_on: null,
  own_ends_on: null,
  own_weeks: null,
  weeks: null,
  score: null,
  assessment: null,
  assessed_at: null,
}
const assessed = (score: number, text: string) => ({ score, assessment: text, assessed_at: new Date() })

export default demoRequests(
  studentTraining,
  [
    ['requested', { ...NONE, training_id: 1, wish: 1, why: 'أود أن أتعلم كيف يُبنى برنامج من أوله إلى آخره.' }],
    [
      'requested',
      { ...NONE, training_id: 3, wish: 1, from_week: 1, until_week: 2, why: 'I want to see how a branch works.' },
    ],
    ['requested', { ...NONE, training_id: 1, wish: 2, why: 'It is close to what I write my project about.' }],
    [
      'requested',
      {
        ...NONE,
        own_organisation: 'Gezira Clinic',
        own_contact: 'Dr Mona Farid, 0123 555 0199',
        own_starts_on: day(40),
        own_ends_on: day(67),
        own_weeks: 4,
        why: 'وجدت مكانًا بالقرب من بيتي.',
      },
    ],
    ['accepted', { ...NONE, training_id: 2, why: 'I would like to work with ships.' }],
    ['accepted', { ...NONE, training_id: 2, why: 'يناسب تخصصي في النقل.' }],
    [
      'approved',
      {
        ...NONE,
        training_id: 4,
        weeks: 4,
        why: 'أحتاج إلى التدريب العملي.',
        ...assessed(88, 'Careful, and quick to learn.'),
      },
    ],
    [
      'approved',
      { ...NONE, training_id: 4, weeks: 4, why: 'To see patients early.', ...assessed(74, 'Needs to ask more.') },
    ],
    ['disapproved', { ...NONE, training_id: 3, from_week: 1, until_week: 4, why: 'My uncle works there.' }],
    ['final_disapproved', { ...NONE, training_id: 4, why: 'Later in the year.' }],
    ['cancelled', { ...NONE, training_id: 1, why: 'قدّمته بالخطأ.' }],
    // Done and assessed: it waits to be approved.
    [
      'accepted',
      { ...NONE, training_id: 4, why: 'أريد أن أتعلم العمل مع المرضى.', ...assessed(81, 'Was there every day.') },
    ],
  ],
  ['trainings'],
)
