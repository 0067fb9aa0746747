import { f, lookup } from '#kit/contract/index.ts'

/** Where a part of a course file comes from. */
export const PART_SOURCES = [
  { value: 'upload', label: ['Handed in as files', 'ملفات تُرفع'] },
  { value: 'specification', label: ['Approved specification', 'التوصيف المعتمد'] },
  { value: 'report', label: ['Report of the offering', 'تقرير المقرر'] },
  { value: 'marks', label: ['Published marks', 'الدرجات المعلنة'] },
  { value: 'attendance', label: ['Attendance lists', 'كشوف الحضور'] },
] as const
/** Of which courses a part is asked. */
export const PART_COURSES = [
  { value: 'all', label: ['All courses', 'كل المقررات'] },
  { value: 'lecture', label: ['Courses with lectures', 'مقررات بها محاضرات'] },
  { value: 'tutorial', label: ['Courses with tutorials', 'مقررات بها تمارين'] },
  { value: 'laboratory', label: ['Courses with laboratories', 'مقررات بها معامل'] },
  { value: 'clinic', label: ['Clinical courses', 'مقررات إكلينيكية'] },
] as const

const position = f.integer(['Place', 'الترتيب'], { required: true, min: 1, max: 100 })

/** What a course file consists of: which parts, of which courses, and where each comes from. */
export const courseFilePart = lookup('courseFilePart', {
  path: '/course-file-parts',
  one: ['Part of course files', 'محتوى ملف المقرر'],
  many: ['Parts of course files', 'محتويات ملفات المقررات'],
  adding: ['Add part', 'إضافة محتوى'],
  editing: ['Edit part', 'تعديل محتوى'],
  // One faculty does not decide what the others hand in.
  changedBy: 'whole',
  fields: {
    source: f.choice(['Comes from', 'المصدر'], PART_SOURCES, { required: true }),
    asked_of: f.choice(['Asked of', 'مطلوب من'], PART_COURSES, { required: true }),
    is_optional: f.flag(['May be left out', 'يجوز تركه']),
    min_files: f.integer(['Files at least', 'أقل عدد من الملفات'], { required: true, min: 1, max: 20 }),
    names_hidden: f.flag(['Work of students', 'أعمال طلاب'], {
      help: ['Their names are blacked out before it is handed in.', 'تُحجب أسماؤهم قبل التسليم.'],
    }),
    position,
  },
  menu: { group: 'quality', order: 82, icon: 'list-check', setup: true },
})

/** What is asked of who taught an offering, beside the figures. */
export const offeringReportQuestion = lookup('offeringReportQuestion', {
  path: '/offering-report-questions',
  one: ['Question of offering reports', 'سؤال في تقرير المقرر'],
  many: ['Questions of offering reports', 'أسئلة تقارير المقررات'],
  adding: ['Add question', 'إضافة سؤال'],
  editing: ['Edit question', 'تعديل سؤال'],
  changedBy: 'whole',
  fields: { is_optional: f.flag(['May be left out', 'يجوز تركه']), position },
  menu: { group: 'quality', order: 83, icon: 'help-circle', setup: true },
})
