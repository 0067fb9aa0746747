import type { Bilingual } from '#areas/common/academics/problem.rules.ts'
import type { OutcomeReason } from './promotion.rules.ts'
import type { HonoursProblem } from './rating.rules.ts'

/** Why a student's year ended as it did, and what keeps from honours. */
export type ReasonCode = OutcomeReason['code'] | HonoursProblem['code']

/** The texts of these reasons. */
export const reasonTexts: Record<ReasonCode, Bilingual> = {
  level_waiting: {
    en: 'Without a result: {courses}',
    ar: 'مقررات بلا نتيجة: {courses}',
  },
  level_stopped: { en: 'This year is not counted', ar: 'هذا العام غير محتسب' },
  level_failed_courses: { en: 'Failed: {courses}', ar: 'رسب في: {courses}' },
  level_excused_courses: { en: 'Excused from: {courses}', ar: 'غائب بعذر مقبول في: {courses}' },
  level_too_many: {
    en: '{count} failed courses; with at most {maximum} a student goes on',
    ar: 'عدد مقررات الرسوب {count}، والحد الأقصى للنقل {maximum}',
  },
  level_final: {
    en: 'The final level is left with no failed course: {courses}',
    ar: 'لا نقل من المستوى النهائي بمقررات رسوب: {courses}',
  },
  level_not_carried: { en: 'Cannot be carried over: {courses}', ar: 'مقررات لا يُنقل بها الطالب: {courses}' },
  level_carries: {
    en: '{count} courses are sat again with the next level',
    ar: 'يُعاد امتحان {count} من المقررات مع المستوى التالي',
  },
  level_second_session: {
    en: '{count} courses are sat again in the second session',
    ar: 'يُعاد امتحان {count} من المقررات في الدور الثاني',
  },
  level_chance_kept: {
    en: 'The year is not counted against the student, because of excused absences in {courses}',
    ar: 'لا يُحتسب العام من مرات الرسوب بسبب العذر المقبول في {courses}',
  },
  level_chances_in_level: {
    en: '{used} of {allowed} years spent in this level',
    ar: 'استنفد {used} من {allowed} أعوام في هذا المستوى',
  },
  level_chances_in_all: {
    en: '{used} of {allowed} years spent in all',
    ar: 'استنفد {used} من {allowed} أعوام إجمالًا',
  },
  level_external_left: {
    en: 'Sits as an external student for {left} more years',
    ar: 'يتقدم من الخارج في {left} من الأعوام الباقية',
  },
  level_honours_failed: {
    en: 'No honours: failed in level {level}: {courses}',
    ar: 'لا مرتبة شرف: رسب في المستوى {level} في: {courses}',
  },
  level_honours_rating: {
    en: 'No honours: level {level} was rated {rating}, {wanted} is needed',
    ar: 'لا مرتبة شرف: تقدير المستوى {level} هو {rating} والمطلوب {wanted}',
  },
}
