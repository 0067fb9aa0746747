import { area, screen } from '#kit/contract/index.ts'
import { stage, stageGroup } from './stages/stage.contract.ts'
import { takeOverCalls } from './stages/take-over.contract.ts'
import { getCurrentTerms, setCurrentTerms, term, termsBeside } from './terms/term.contract.ts'
import { timeline } from './timeline/timeline.contract.ts'
import { year } from './years/year.contract.ts'

/** Years, terms and their windows. */
export const termsArea = area({
  name: 'terms',
  label: ['Years and terms', 'الأعوام والفصول الدراسية'],
  resources: [year, term, stage, stageGroup],
  calls: { getCurrentTerms, setCurrentTerms, termsBeside, timeline, ...takeOverCalls },
  screens: [
    screen('/timeline', {
      permission: 'signed_in',
      title: ['Timeline', 'سير الفصل الدراسي'],
      menu: { group: 'home', order: 20, icon: 'timeline' },
    }),
    screen('/settings/current_terms', {
      permission: 'set_current_terms',
      title: ['Current terms', 'الفصول الدراسية الحالية'],
      menu: { group: 'catalogue', order: 62, icon: 'calendar-check', setup: true },
    }),
  ],
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    years_order: ['An academic year ends after it begins.', 'ينتهي العام الدراسي بعد بدايته.'],
    terms_order: ['A term ends after it begins.', 'ينتهي الفصل الدراسي بعد بدايته.'],
    term_stages_order: ['A stage closes after it opens.', 'تغلق المرحلة بعد أن تفتح.'],
    term_stages_overlap: [
      'A stage of this kind is open for this group in that time already.',
      'توجد مرحلة من هذا النوع لهذه المجموعة في ذلك الوقت.',
    ],
    years_name_taken: ['There is an academic year of this name.', 'يوجد عام دراسي بهذا الاسم.'],
    years_overlap: ['Another academic year runs in these days.', 'تتداخل هذه الأيام مع عام دراسي آخر.'],
    term_outside_year: [
      'The term lies outside its academic year ({start} to {end}).',
      'الفصل الدراسي خارج عامه الدراسي (من {start} إلى {end}).',
    ],
    year_cuts_term: ['The term {term} would lie outside the year.', 'سيقع الفصل الدراسي {term} خارج العام الدراسي.'],
    term_has_stages: [
      '{term} has stages already ({count}). Remove them first, or add what is missing by hand.',
      'لدى {term} مراحل بالفعل (عددها {count}). احذفها أولًا، أو أضف ما ينقص يدويًا.',
    ],
    term_not_earlier: [
      'Stages are taken over from an earlier term; {term} is not earlier.',
      'تُنقل المراحل من فصل دراسي سابق، و{term} ليس سابقًا.',
    ],
    term_without_stages: ['{term} has no stages to take over.', 'ليس لدى {term} مراحل يمكن نقلها.'],
    term_is_current: ['It is a current term. Choose another one first.', 'هذا فصل دراسي حالي. حدد غيره أولًا.'],
  },
})
