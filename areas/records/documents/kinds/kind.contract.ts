import { STUDY_LEVELS } from '#areas/study/catalogue/words.contract.ts'
import { f, lookup } from '#kit/contract/index.ts'

/** Of whom a kind of document is required. */
const NATIONALITIES = [
  { value: 'all', label: ['Everybody', 'الجميع'] },
  { value: 'egyptian', label: ['Egyptians', 'المصريون'] },
  { value: 'foreign', label: ['Foreigners', 'الوافدون'] },
] as const
/** Whose documents they are. */
const WHOSE = [
  { value: 'students', label: ['Students', 'الطلاب'] },
  { value: 'employees', label: ['Employees', 'الموظفون'] },
  { value: 'instructors', label: ['Instructors', 'أعضاء هيئة التدريس'] },
  { value: 'staff', label: ['All staff', 'جميع العاملين'] },
] as const
const GENDERS = [
  { value: 1, label: ['Male', 'ذكر'] },
  { value: 2, label: ['Female', 'أنثى'] },
] as const

/** Kinds of documents that people hand in: whose they are, which are required, from whom, and which expire. */
export const documentKind = lookup('documentKind', {
  path: '/document-kinds',
  one: ['Kind of document', 'نوع مستند'],
  many: ['Kinds of documents', 'أنواع المستندات'],
  adding: ['Add kind of document', 'إضافة نوع مستند'],
  editing: ['Edit kind of document', 'تعديل نوع مستند'],
  // One faculty's registrar does not decide what every student owes.
  changedBy: 'whole',
  fields: {
    whose: f.choice(['Whose', 'أصحاب المستند'], WHOSE, {
      help: [
        'Empty: students. Nationality, gender and levels are asked of students alone.',
        'فارغ: الطلاب. الجنسية والنوع والمستويات شروط للطلاب وحدهم.',
      ],
    }),
    is_required: f.flag(['Required', 'مطلوب'], {
      help: [
        'A student who has not handed it in, with it accepted, cannot register.',
        'لا يستطيع التسجيل طالب لم يسلّمه ويُقبل منه.',
      ],
    }),
    nationality: f.choice(['Nationality', 'الجنسية'], NATIONALITIES, { required: true }),
    gender: f.choice(['Gender', 'النوع'], GENDERS, { help: ['Empty: both', 'فارغ: للجنسين'] }),
    study_level: f.choice(['Study level', 'المرحلة الدراسية'], STUDY_LEVELS, {
      help: ['Empty: at every level of study', 'فارغ: لكل المراحل الدراسية'],
    }),
    from_level: f.integer(['From level', 'من المستوى'], {
      max: 7,
      detailOnly: true,
      help: ['Empty: from the first day', 'فارغ: من أول يوم'],
    }),
    from_term_id: f.lookup(['Of who entered from', 'للملتحقين من فصل'], 'term', {
      help: ['Empty: of everybody, also of those who study already', 'فارغ: للجميع، حتى المقيدين من قبل'],
    }),
    expires: f.flag(['Expires', 'له تاريخ انتهاء'], {
      help: ['Accepted with the last day of its validity only.', 'لا يُقبل إلا مع آخر يوم لصلاحيته.'],
    }),
    told_days: f.integer(['Days told before it expires', 'أيام التنبيه قبل الانتهاء'], {
      required: true,
      max: 366,
      detailOnly: true,
    }),
  },
  menu: { group: 'catalogue', order: 95, icon: 'file-description', setup: true },
})
