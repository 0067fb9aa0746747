import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { NAMES_IN_SHEETS } from '#areas/people/people/names/name-fields.contract.ts'

/** Whether a student still studies. */
export const STUDENT_STATUSES = [
  { value: 'studying', label: ['Studying', 'مقيد'], tone: 'active' },
  { value: 'graduated', label: ['Graduated', 'متخرج'], tone: 'done' },
  { value: 'suspended', label: ['Suspended', 'موقوف القيد'], tone: 'waiting' },
  { value: 'withdrawn', label: ['Withdrawn', 'منسحب'], tone: 'draft' },
  { value: 'transferred', label: ['Transferred', 'محول'], tone: 'draft' },
  { value: 'dismissed', label: ['Dismissed', 'مفصول'], tone: 'refused' },
] as const
export const MILITARY_STATUSES = [
  { value: 'exempted', label: ['Exempted', 'معفى'] },
  { value: 'temporary_exempted', label: ['Temporarily exempted', 'معفى مؤقتًا'] },
  { value: 'done', label: ['Done', 'أدى الخدمة'] },
  { value: 'foreign', label: ['Foreign', 'أجنبي'] },
  { value: 'suspended', label: ['Suspended', 'مؤجل'] },
] as const
const GENDERS = [
  { value: 1, label: ['Male', 'ذكر'] },
  { value: 2, label: ['Female', 'أنثى'] },
] as const

/**
 * The sections of a student's data: of the form, of the detail, and the `{details}` of the calls that read and save one
 * section alone.
 */
export const STUDENT_SECTIONS = [
  {
    key: 'academic',
    title: ['Study', 'الدراسة'],
    text: [
      'The program decides the bylaw; a student stays on the bylaw of the program at entry.',
      'البرنامج يحدد اللائحة، ويبقى الطالب على لائحة برنامجه عند القيد.',
    ],
    fields: [
      'code',
      'faculty_id',
      'program_id',
      'bylaw_id',
      'level',
      'status',
      'entry_term_id',
      'advisor_id',
      'is_second_record',
    ],
  },
  {
    key: 'personal',
    title: ['Person', 'البيانات الشخصية'],
    text: ['As written in the birth certificate or the passport.', 'كما في شهادة الميلاد أو جواز السفر.'],
    fields: [
      'name',
      'name_local',
      'gender',
      'birth_date',
      'birth_place',
      'nationality_id',
      'national_id',
      'passport_number',
    ],
  },
  {
    key: 'military',
    title: ['Military service', 'التجنيد'],
    text: ['For men only.', 'للذكور فقط.'],
    fields: ['military_status'],
  },
  { key: 'contact', title: ['Contact', 'بيانات الاتصال'], fields: ['email', 'phone', 'address'] },
  {
    key: 'parent',
    title: ['Parent or guardian', 'ولي الأمر'],
    text: [
      'By the national ids siblings are known, and get their discount.',
      'بالأرقام القومية يُعرف الإخوة ويُطبق خصمهم.',
    ],
    fields: [
      'parent_name',
      'parent_relation',
      'parent_phone',
      'parent_job',
      'father_national_id',
      'mother_national_id',
      'guardian_national_id',
    ],
  },
  {
    key: 'certificate',
    title: ['School certificate', 'المؤهل قبل الجامعي'],
    fields: ['school_certificate', 'school_name', 'school_year', 'school_percentage'],
  },
  {
    key: 'previous_university',
    title: ['Previous university', 'الجامعة السابقة'],
    fields: ['previous_university', 'previous_program'],
  },
  {
    key: 'documents',
    title: ['Documents', 'المستندات'],
    text: [
      'Who still owes documents cannot register. The list of documents says which.',
      'من تنقصه مستندات لا يستطيع التسجيل. قائمة المستندات تبين الناقص منها.',
    ],
    fields: ['missing_documents'],
  },
] as const
/** Whether something of a section is changed there: what follows from elsewhere is only shown. */
export const isStudentChanged = (section: (typeof STUDENT_SECTIONS)[number]): boolean =>
  section.fields.some((name) => !student.fields[name].readOnly)
export type StudentSectionKey = (typeof STUDENT_SECTIONS)[number]['key']

// Who reads what not everybody reads who may open a student. The person always reads the own data, except the notes.
/** Person, family, school: for who keeps the data. */
export const PRIVATE_READERS = ['show_student_private', 'edit_students', 'self'] as const
/** What stands on papers too. */
const IDENTITY = [...PRIVATE_READERS, 'print_transcript'] as const
/** By what a student is reached: advisors too. */
const CONTACT = [...PRIVATE_READERS, 'access_advising'] as const
/** What keeps a student from registering, and why: who advises must be able to say what unblocks it. */
export const HOLD_READERS = [...CONTACT, 'block_student'] as const
/** How the student stands: for who sees the academic record, keeps the data or advises. Who teaches sees neither. */
export const STANDING_READERS = [
  'show_student_record',
  'edit_students',
  'access_advising',
  'print_transcript',
  'self',
] as const
/** By which words staff find a student again. */
const TAGS = ['access_tag'] as const
/** What staff write about a student. */
const NOTES = ['edit_student_notes', 'access_advising'] as const

/** A student: bound to a program, and to the bylaw of that program at entry. */
export const student = resource({
  name: 'student',
  path: '/students',
  table: 'students',
  one: ['Student', 'طالب'],
  many: ['Students', 'الطلاب'],
  adding: ['Add student', 'إضافة طالب'],
  editing: ['Edit student', 'تعديل بيانات طالب'],
  permissions: crud('students'),
  scope: ['faculty', 'department', 'bylaw', 'program', 'own', 'taught', 'advised'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20, merged: 'kept' }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, person: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, person: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true, merged: 'kept' }),
    program_id: f.lookup(['Program', 'البرنامج'], 'program', {
      required: true,
      dependsOn: 'faculty_id',
      merged: 'kept',
    }),
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', {
      readOnly: true,
      help: ['The bylaw of the program at entry', 'لائحة البرنامج عند القيد'],
    }),
    level: f.integer(['Level', 'المستوى'], { required: true, min: 0, max: 7, merged: 'kept' }),
    status: f.choice(['Status', 'الحالة'], STUDENT_STATUSES, {
      merged: 'kept',
      required: true,
      createOnly: true,
      help: ['Later it changes by a decision.', 'تتغير بعد ذلك بقرار.'],
    }),
    is_second_record: f.flag(['Second record', 'سجل ثانٍ'], {
      merged: 'kept',
      detailOnly: true,
      createOnly: true,
      help: [
        'The person has a record in another program, and studies in both.',
        'لهذا الشخص سجل في برنامج آخر ويدرس في البرنامجين.',
      ],
    }),
    gpa: f.decimal(['GPA', 'المعدل التراكمي'], { places: 2, max: 4, readOnly: true, readers: STANDING_READERS }),
    passed_hours: f.number(['Passed hours', 'الساعات المجتازة'], {
      places: 2,
      readOnly: true,
      max: 10_000,
      readers: STANDING_READERS,
    }),
    warnings: f.integer(['Warnings', 'الإنذارات'], { readOnly: true, max: 10_000, readers: STANDING_READERS }),
    advisor_id: f.lookup(['Academic advisor', 'المرشد الأكاديمي'], 'instructor', { dependsOn: 'faculty_id' }),
    tags: f.lookups(['Tags', 'الوسوم'], 'tag', {
      through: { table: 'student_tags', from: 'student_id', to: 'tag_id' },
      readOnly: true,
      readers: TAGS,
    }),
    entry_term_id: f.lookup(['Entry term', 'فصل الالتحاق'], 'term', { detailOnly: true }),
    gender: f.choice(['Gender', 'النوع'], GENDERS, { detailOnly: true }),
    birth_date: f.date(['Birth date', 'تاريخ الميلاد'], { detailOnly: true, readers: IDENTITY }),
    birth_place: f.text(['Birth place', 'محل الميلاد'], { detailOnly: true, readers: PRIVATE_READERS }),
    nationality_id: f.lookup(['Nationality', 'الجنسية'], 'country', { detailOnly: true }),
    national_id: f.nationalId(['National id', 'الرقم القومي'], { detailOnly: true, readers: IDENTITY }),
    passport_number: f.passport(['Passport number', 'رقم جواز السفر'], { detailOnly: true, readers: IDENTITY }),
    military_status: f.choice(['Military status', 'الموقف من التجنيد'], MILITARY_STATUSES, {
      detailOnly: true,
      erased: true,
      readers: PRIVATE_READERS,
    }),
    email: f.email(['E-mail', 'البريد الإلكتروني'], { detailOnly: true, erased: true }),
    phone: f.phone(['Phone', 'الهاتف'], { detailOnly: true, erased: true, readers: CONTACT }),
    address: f.text(['Address', 'العنوان'], { max: 400, detailOnly: true, erased: true, readers: PRIVATE_READERS }),
    parent_name: f.text(['Name of parent', 'اسم ولي الأمر'], {
      detailOnly: true,
      erased: true,
      readers: PRIVATE_READERS,
    }),
    parent_relation: f.text(['Relation', 'صلة القرابة'], {
      max: 60,
      detailOnly: true,
      erased: true,
      readers: PRIVATE_READERS,
    }),
    parent_phone: f.phone(['Phone of parent', 'هاتف ولي الأمر'], {
      detailOnly: true,
      erased: true,
      readers: PRIVATE_READERS,
    }),
    parent_job: f.text(['Job of parent', 'وظيفة ولي الأمر'], {
      max: 100,
      detailOnly: true,
      erased: true,
      readers: PRIVATE_READERS,
    }),
    father_national_id: f.nationalId(['National id of the father', 'الرقم القومي للأب'], {
      detailOnly: true,
      erased: true,
      readers: PRIVATE_READERS,
    }),
    mother_national_id: f.nationalId(['National id of the mother', 'الرقم القومي للأم'], {
      detailOnly: true,
      erased: true,
      readers: PRIVATE_READERS,
    }),
    guardian_national_id: f.nationalId(['National id of the guardian', 'الرقم القومي لولي الأمر'], {
      detailOnly: true,
      erased: true,
      readers: PRIVATE_READERS,
      help: ['Where it is neither the father nor the mother', 'إن لم يكن الأب أو الأم'],
    }),
    school_certificate: f.text(['School certificate', 'الشهادة الثانوية'], {
      max: 100,
      detailOnly: true,
      readers: PRIVATE_READERS,
    }),
    school_name: f.text(['School', 'المدرسة'], { detailOnly: true, readers: PRIVATE_READERS }),
    school_year: f.integer(['Year of certificate', 'سنة الشهادة'], {
      min: 1950,
      max: 2200,
      year: true,
      detailOnly: true,
      readers: PRIVATE_READERS,
    }),
    school_percentage: f.decimal(['Percentage of certificate', 'النسبة المئوية'], {
      places: 2,
      max: 100,
      detailOnly: true,
      readers: PRIVATE_READERS,
    }),
    previous_university: f.text(['Previous university', 'الجامعة السابقة'], {
      detailOnly: true,
      readers: PRIVATE_READERS,
    }),
    previous_program: f.text(['Previous program', 'البرنامج السابق'], { detailOnly: true, readers: PRIVATE_READERS }),
    missing_documents: f.flag(['Documents are missing', 'مستندات ناقصة'], {
      detailOnly: true,
      // What the list of documents says; nobody says it besides.
      readOnly: true,
      readers: HOLD_READERS,
    }),
    notes: f.longText(['Notes', 'ملاحظات'], {
      detailOnly: true,
      erased: true,
      readers: NOTES,
      readOnly: true,
      noExport: true,
    }),
    blocked_at: f.instant(['Blocked since', 'موقوف منذ'], {
      detailOnly: true,
      readers: HOLD_READERS,
      readOnly: true,
      noExport: true,
    }),
    blocked_reason: f.text(['Reason of the block', 'سبب الإيقاف'], {
      max: 400,
      detailOnly: true,
      readers: HOLD_READERS,
      readOnly: true,
      noExport: true,
    }),
  },
  sheetFields: NAMES_IN_SHEETS,
  list: {
    columns: [
      'code',
      'name',
      'name_local',
      'program_id',
      'level',
      'status',
      'gpa',
      'passed_hours',
      'warnings',
      'advisor_id',
      'tags',
    ],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'level', 'gpa', 'passed_hours', 'warnings'],
    filters: ['faculty_id', 'program_id', 'bylaw_id', 'level', 'status', 'advisor_id', 'tags', 'warnings'],
    order: ['code', 'asc'],
  },
  exportName: 'Students',
  traced: true,
  softDelete: true,
  counted: true,
  searched: [
    'code',
    'name',
    'name_local',
    'faculty_id',
    'program_id',
    'bylaw_id',
    'advisor_id',
    'level',
    'status',
    'gpa',
    'passed_hours',
    'warnings',
  ],
  screens: { list: '/students', show: '/students/:id', add: '/students/show/add' },
  sections: STUDENT_SECTIONS,
  menu: { group: 'people', order: 405, icon: 'users', block: 'students' },
})
