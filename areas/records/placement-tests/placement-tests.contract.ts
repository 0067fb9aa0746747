import { area, screen } from '#kit/contract/index.ts'
import { placementResult } from './results/result.contract.ts'
import { placementTestCalls, placementTest } from './tests/test.contract.ts'

/** Placement tests: at which level a student begins, and from what the result excuses. */
export const placementTestsArea = area({
  name: 'placement-tests',
  label: ['Placement tests', 'اختبارات تحديد المستوى'],
  resources: [placementTest, placementResult],
  calls: placementTestCalls,
  screens: [
    // Without an id it adds.
    screen('/settings/placement_test/edit/:id?', {
      permission: ['add_placementTest', 'edit_placementTest'],
      title: ['Placement test', 'اختبار تحديد مستوى'],
      parent: '/settings/placement_test',
    }),
    screen('/settings/placement_test/import/:id', {
      permission: 'import_placementResult',
      title: ['Import placement results', 'استيراد نتائج تحديد المستوى'],
      parent: '/settings/placement_test/show/:id',
    }),
  ],
  noticeGroup: 'study',
  notices: {
    notice_due: {
      title: ['A placement test to take', 'اختبار تحديد مستوى مطلوب'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
  },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    placement_course_twice: ['This course stands here already.', 'هذا المقرر مذكور بالفعل.'],
    placement_levels_overlap: ['Levels do not share marks.', 'لا تشترك المستويات في درجات.'],
    placement_levels_order: ['A level ends above where it begins.', 'ينتهي المستوى عند درجة أعلى من بدايته.'],
    placement_band_begins: [
      'The level {level} begins with {from}: it has to begin with {wanted}, where the one before ends.',
      'يبدأ المستوى {level} من {from}، ويجب أن يبدأ من {wanted} حيث ينتهي ما قبله.',
    ],
    placement_band_ends: [
      'The levels end with {to}: they have to reach the highest mark, {highest}.',
      'تنتهي المستويات عند {to}، ويجب أن تبلغ الدرجة العظمى {highest}.',
    ],
    placement_level_unknown: [
      'There is no level {level}: the test has {count}.',
      'لا يوجد مستوى {level}، فمستويات الاختبار {count}.',
    ],
    placement_other_part: ['It does not belong to what is chosen above it.', 'لا يتبع ما اختير قبله.'],
    placement_result_twice: [
      'This student stands in the list of this test already.',
      'هذا الطالب مدرج في قائمة هذا الاختبار بالفعل.',
    ],
    placement_result_exempt: ['Who is exempt has no mark.', 'المعفى لا تُرصد له درجة.'],
    placement_result_scored: ['No level of the test has this mark.', 'لا يوجد مستوى لهذه الدرجة.'],
    placement_score_too_high: ['The mark is above the highest of the test.', 'الدرجة أكبر من الدرجة العظمى للاختبار.'],
    placement_no_level: ['No level of the test has this mark.', 'لا يوجد مستوى لهذه الدرجة.'],
    placement_student_unknown: ['No student has the code {code}.', 'لا يوجد طالب بالكود {code}.'],
    placement_student_twice: ['The student {code} stands in row {row} already.', 'الطالب {code} مذكور في الصف {row}.'],
    placement_score_wrong: ['{given} is no mark.', '{given} ليست درجة.'],
    placement_not_taken_by: [
      'The student does not take {test}: it is for another part of the university.',
      'الطالب ليس ممن يؤدون {test}، فهو لجهة أخرى.',
    ],
  },
})
