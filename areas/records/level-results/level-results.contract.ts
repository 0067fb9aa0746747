import { area, screen } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'
import { levelBasis } from './basis.contract.ts'
import { graceRule } from './grace-rule.contract.ts'
import { levelCalls } from './levels.contract.ts'
import { reasonTexts } from './reasons.contract.ts'

/** The end of a year under a regulation by marks: promotion, second session, grace marks, result sheets. */
export const levelResultsArea = area({
  name: 'level-results',
  label: ['Results of levels', 'نتائج المستويات'],
  resources: [graceRule],
  calls: [levelCalls],
  basis: [levelBasis],
  screens: [
    screen('/control/levels', {
      permission: 'access_level_result',
      title: ['Results of levels', 'نتائج المستويات'],
      menu: { group: 'control', order: 25, icon: 'chart-bar' },
    }),
    screen('/control/levels/:id', {
      permission: 'access_level_result',
      title: ['Result of a level', 'نتيجة مستوى'],
      parent: '/control/levels',
    }),
  ],
  noticeGroup: 'grades',
  notices: {
    notice_level_result: { title: ['Result of the year', 'نتيجة العام'], audience: [3], app: 'always', mail: 'now' },
  },
  errors: {
    ...(Object.fromEntries(Object.entries(reasonTexts).map(([code, { en, ar }]) => [code, [en, ar]])) as Record<
      string,
      Label
    >),
    grace_rule_year: ['This year has a decision on grace marks already', 'يوجد قرار درجات رأفة لهذا العام'],
    grace_rule_order: ['Each purpose is named once, one after the other', 'يُذكر كل غرض مرة واحدة وبالترتيب'],
    grace_rule_applied: [
      'Grace marks were given by this decision: take the results back first',
      'مُنحت درجات رأفة بهذا القرار: تراجع عن النتائج أولًا',
    ],
    level_by_hours: [
      'This bylaw works by credit hours: there are no results of levels',
      'هذه اللائحة بالساعات المعتمدة ولا نتائج مستويات فيها',
    ],
    level_nobody: ['The year of everybody in this level is decided', 'حُسمت نتيجة كل طلاب هذا المستوى'],
    level_nobody_decided: [
      'Nobody can be decided yet: results are missing, or the second session comes first',
      'لا يمكن حسم نتيجة أحد بعد: نتائج ناقصة أو دور ثانٍ لم يُعقد',
    ],
    level_result_previewed: ['The result is not applied yet', 'لم تُطبق النتيجة بعد'],
    level_result_applied: ['The result is applied already', 'طُبقت النتيجة من قبل'],
    level_result_announced: ['The result is announced already', 'أُعلنت النتيجة من قبل'],
    level_result_undone: ['The result was taken back: work it out again', 'جرى التراجع عن النتيجة: احتسبها من جديد'],
    level_changed_since: [
      '{count} marks or students are not as they were when this was worked out: work it out again',
      'تغيّر {count} من الدرجات أو الطلاب منذ الاحتساب: احتسب النتيجة من جديد',
    ],
    level_result_outdated: [
      '{what} was {before} when the result was decided, and is {now}: decide it again, or keep it with a reason',
      'كانت نتيجة {what} {before_local} عند الحسم وصارت {now_local}: احسم النتيجة من جديد أو أبقها مع ذكر السبب',
    ],
    level_decided_already: [
      '{student}: the year is decided already; take that back first',
      '{student}: حُسم عامه من قبل، تراجع عن ذلك أولًا',
    ],
    level_mark_changed: [
      '{student}: {course} was {before}, now {now}',
      '{student}: {course} كانت {before} وصارت {now}',
    ],
    level_courses_gone: ['{student}: {count} courses are gone', '{student}: لم يعد {count} من المقررات موجودًا'],
    level_student_gone: ['{student} is not in the level any more', '{student} لم يعد في المستوى'],
    level_student_new: ['{student} has come to the level', '{student} أُضيف إلى المستوى'],
    level_rule_changed: [
      'The bylaw or the decision on grace marks has changed since: work it out again',
      'تغيرت اللائحة أو قرار درجات الرأفة منذ الاحتساب: احتسب النتيجة من جديد',
    ],
    level_below_approved: ['{course} is not approved yet ({status})', 'لم يُعتمد {course} بعد ({status})'],
    level_next_year: ['Plan the next academic year first', 'خطط للعام الجامعي التالي أولًا'],
    level_next_begun: [
      'The next year has begun for {count} of {of} students: this result decides nothing about them any more',
      'بدأ العام التالي لعدد {count} من {of} طالبًا، فلم تعد هذه النتيجة تقرر شيئًا بشأنهم',
    ],
    level_next_there: ['{student} has a level in the next year already', '{student} له مستوى في العام التالي'],
    level_not_published: ['{course} is not published yet ({status})', 'لم تُعلن درجات {course} بعد ({status})'],
    level_not_announced: ['The result is not announced yet', 'لم تُعلن النتيجة بعد'],
    level_later_result: ['{student}: a later year is decided', '{student}: حُسمت نتيجة عام لاحق'],
    level_next_registered: ['{student} is registered in the next year', '{student} مسجل في العام التالي'],
    level_next_changed: ['{student}: the level of the next year was changed', '{student}: عُدّل مستوى العام التالي'],
    level_status_changed: ['{student}: the status was changed since', '{student}: تغيرت حالة القيد منذ ذلك'],
    level_result_stands: [
      'The result of a level stands on this course: take that back first',
      'بُنيت نتيجة مستوى على هذا المقرر: تراجع عنها أولًا',
    ],
    level_without_result: ['{course}: {count} students have no result', '{course}: {count} من الطلاب بلا نتيجة'],
    second_session_opened: [
      'The second session of this level is open already',
      'الدور الثاني لهذا المستوى مفتوح من قبل',
    ],
    second_session_none: ['The bylaw has no second session', 'لا دور ثانيًا في هذه اللائحة'],
    second_session_nobody: ['Everybody has passed: nobody sits again', 'نجح الجميع فلا أحد يعيد الامتحان'],
    second_session_term: ['Choose a term of the same academic year', 'اختر فصلًا من العام الجامعي نفسه'],
    second_session_earlier: [
      'The term begins after those in which the courses were taught',
      'يبدأ الفصل بعد الفصول التي دُرّست فيها المقررات',
    ],
  },
})
