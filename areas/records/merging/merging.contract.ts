import { area, screen } from '#kit/contract/index.ts'
import { mergeCalls } from './merge.contract.ts'

/** Two records of one person become one. */
export const mergingArea = area({
  name: 'merging',
  news: true,
  label: ['Merging of records', 'دمج السجلات'],
  calls: mergeCalls,
  screens: [
    screen('/people/merge', {
      permission: 'merge_people',
      title: ['Double records', 'السجلات المكررة'],
      menu: { group: 'people', order: 440, icon: 'arrow-merge', setup: true },
    }),
    screen('/people/merge/:kind/:keep/:merge', {
      permission: 'merge_people',
      title: ['Merge two records', 'دمج سجلين'],
      parent: '/people/merge',
    }),
  ],
  noticeGroup: 'study',
  notices: {
    notice_merged: {
      title: ['Two records of you were merged', 'دُمج سجلان لك'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'always',
    },
    notice_unmerged: {
      title: ['A merge of your records was undone', 'أُلغي دمج سجليك'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'always',
    },
  },
  errors: {
    merge_same_record: ['Choose two different records.', 'اختر سجلين مختلفين.'],
    merge_removed: [
      '{who} is removed already. Restore it first, or look whether it was merged before.',
      '{who} محذوف بالفعل. استعده أولًا، أو تحقق مما إذا كان قد دُمج من قبل.',
    ],
    merge_own: [
      '{who} is your own record. Ask somebody else who may merge records.',
      '{who} سجلك أنت. اطلب ذلك من شخص آخر يملك صلاحية الدمج.',
    ],
    merge_not_double: [
      '{by} said that these are two people (“{reason}”). Take that back first, if it is not so.',
      'سجّل {by} أن السجلين لشخصين مختلفين («{reason}»). ألغِ ذلك أولًا إن لم يكن صحيحًا.',
    ],
    merge_two_people: [
      'Meanwhile somebody said that these are two people (“{reason}”).',
      'سُجّل في هذه الأثناء أن السجلين لشخصين مختلفين («{reason}»).',
    ],
    not_double_own: [
      '{who} is your own record. Somebody else who may merge records says whether there is a second one.',
      '{who} سجلك أنت. يقرر شخص آخر يملك صلاحية الدمج ما إذا كان له سجل مكرر.',
    ],
    not_double_already: [
      '{by} has said already that these are two people (“{reason}”).',
      'سبق أن سجّل {by} أن السجلين لشخصين مختلفين («{reason}»).',
    ],
    merge_more_rights: [
      '{who} has rights that you do not have. Somebody who has them must merge these records.',
      'لصاحب {who} صلاحيات ليست لديك. يجب أن يدمج السجلين من يملكها.',
    ],
    merge_blocked: [
      '{who} is blocked. Settle the reason and lift the block first.',
      '{who} موقوف. عالج سبب الإيقاف وارفعه أولًا.',
    ],
    merge_on_hold: [
      'The data of {who} are held by an order and must not be changed. End the hold first.',
      'بيانات {who} محفوظة بأمر ولا يجوز تغييرها. أنهِ الحفظ أولًا.',
    ],
    merge_accounts_differ: [
      'The accounts of {who} and {other} are of different kinds and cannot become one. Remove one of them first.',
      'حسابا {who} و{other} من نوعين مختلفين ولا يمكن توحيدهما. احذف أحدهما أولًا.',
    ],
    merge_in_directory: [
      'The account of {who} is kept by a directory. Keep that record instead, or take the account out of the directory first.',
      'حساب {who} يُدار من دليل خارجي. أبقِ ذلك السجل بدلًا من الآخر، أو أخرج الحساب من الدليل أولًا.',
    ],
    merge_signs: [
      '{who} holds positions that sign: {positions}. Give them to somebody first.',
      'يشغل {who} مناصب لها حق التوقيع: {positions}. أسندها إلى شخص آخر أولًا.',
    ],
    merge_students_first: [
      'Both accounts have a record of a student. Merge the students; their accounts follow.',
      'لكل من الحسابين سجل طالب. ادمج سجلي الطالب وسيتبعهما الحسابان.',
    ],
    merge_instructors_first: [
      'Both accounts have a record of an instructor. Merge the instructors; their accounts follow.',
      'لكل من الحسابين سجل عضو هيئة تدريس. ادمج السجلين وسيتبعهما الحسابان.',
    ],
    merge_other_bylaw: [
      '{who} has registrations under the bylaw {from}, the other record studies under {into}. Keep that record instead, or transfer it first.',
      'لدى {who} تسجيلات وفق اللائحة {from}، والسجل الآخر يدرس وفق اللائحة {into}. أبقِ ذلك السجل بدلًا من الآخر، أو حوّله أولًا.',
    ],
    merge_transfers: [
      '{who} was transferred, asks for a transfer, or has courses credited. Keep that record instead, or take the transfer back first.',
      'لدى {who} تحويل أو طلب تحويل أو مقررات محتسبة. أبقِ ذلك السجل بدلًا من الآخر، أو ألغِ التحويل أولًا.',
    ],
    merge_former_study: [
      '{who} has an earlier study that a transfer ended, and {other} has registrations, of which it cannot be known to which study they belong. Drop them first.',
      'لدى {who} دراسة سابقة أنهاها تحويل، ولدى {other} تسجيلات لا يُعرف إلى أي الدراستين تنتمي. احذفها أولًا.',
    ],
    merge_same_course: [
      'Both are registered for {courses}. Drop one of the two registrations; where one is dropped already, keep the other record.',
      'كلاهما مسجل في {courses}. احذف أحد التسجيلين، وإن كان أحدهما محذوفًا فأبقِ السجل الآخر.',
    ],
    merge_finished_term: [
      'Both have finished {terms}. Take back the finishing of the term for one of them.',
      'أنهى كلاهما {terms}. ألغِ إنهاء الفصل لأحدهما.',
    ],
    merge_same_year: [
      'Both are enrolled in {years}. Remove the enrolment of the year from one of them.',
      'كلاهما مقيد في {years}. احذف قيد العام من أحدهما.',
    ],
    merge_results_differ: [
      'Both have a result in {courses}, and not the same one. Have control decide which counts, and void the other.',
      'لكل منهما نتيجة مختلفة في {courses}. ليقرر الكنترول أيهما تُحتسب وتُلغى الأخرى.',
    ],
    merge_time_clash: [
      'Courses of both meet at the same time: {courses}. Change or drop one of each.',
      'تتعارض مواعيد مقررات السجلين: {courses}. غيّر أحد المقررين أو احذفه.',
    ],
    merge_load: [
      'In {term} both together have {hours} credit hours; the bylaw allows at most {most}. Drop courses first.',
      'مجموع ساعات السجلين في {term} هو {hours}، واللائحة تسمح بحد أقصى {most}. احذف مقررات أولًا.',
    ],
    merge_teaching_clash: [
      'Both teach at the same time: {courses}. Change one of the meetings first.',
      'كلاهما يدرّس في الموعد نفسه: {courses}. غيّر أحد الموعدين أولًا.',
    ],
    merge_advised: [
      'Both together advise {count} students, and {who} has {most} places. Add places, or give some students another advisor.',
      'مجموع طلاب الإرشاد لديهما {count}، والحد الأقصى لـ{who} هو {most}. زد الحد الأقصى، أو أسند بعض الطلاب إلى مرشد آخر.',
    ],
    merge_merged_since: [
      '{who} went into {into} since. Undo that merge first.',
      'دُمج {who} بعد ذلك في {into}. تراجع عن ذلك الدمج أولًا.',
    ],
    merge_undo_stands: [
      'It cannot be undone: {count} of the values that it wrote were changed since, or something stands on them. The preview names each.',
      'لا يمكن التراجع: تغيّرت {count} من القيم التي كتبها الدمج أو بُني عليها شيء بعد ذلك. المعاينة تذكر كلًّا منها.',
    ],
    merged_stays_removed: [
      'This record went into another one. It comes back only by undoing that merge.',
      'هذا السجل دُمج في سجل آخر، ولا يعود إلا بالتراجع عن الدمج.',
    ],
  },
})
