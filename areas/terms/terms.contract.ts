import { area } from '#kit/contract/index.ts'
import { stage, stageGroup } from './stages/stage.contract.ts'
import { getCurrentTerms, setCurrentTerms, term } from './terms/term.contract.ts'
import { year } from './years/year.contract.ts'

/** Years, terms and their windows. */
export const termsArea = area({
  name: 'terms',
  label: ['Years and terms', 'الأعوام والفصول الدراسية'],
  resources: [year, term, stage, stageGroup],
  calls: { getCurrentTerms, setCurrentTerms },
  errors: {
    year_dates: ['An academic year ends after it begins.', 'ينتهي العام الدراسي بعد بدايته.'],
    term_dates: ['A term ends after it begins.', 'ينتهي الفصل الدراسي بعد بدايته.'],
    term_outside_year: [
      'The term lies outside its academic year ({start} to {end}).',
      'الفصل الدراسي خارج عامه الدراسي (من {start} إلى {end}).',
    ],
    stage_dates: ['A stage closes after it opens.', 'تغلق المرحلة بعد أن تفتح.'],
    stage_overlap: [
      'A stage of this kind for this group is open in that time already: {start} to {end}.',
      'توجد مرحلة من هذا النوع لهذه المجموعة في ذلك الوقت: من {start} إلى {end}.',
    ],
  },
})
