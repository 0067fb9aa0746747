import { crud } from '#access/permissions.contract.ts'
import { call, f, id, ref, resource } from '#kit/contract/index.ts'
import { z } from 'zod'
import { QUOTA_GROUPS } from '../words.contract.ts'

const GENDERS = [
  { value: 1, label: ['Men', 'ذكور'] },
  { value: 2, label: ['Women', 'إناث'] },
] as const
const percent = { places: 2, min: 0, max: 100 } as const

/** A program that an admission offers: its seats, for whom some are reserved or limited, and what who wants it must have. */
export const admissionProgram = resource({
  name: 'admissionProgram',
  path: '/admission-programs',
  table: 'admission_programs',
  one: ['Program of an admission', 'برنامج في فترة قبول'],
  many: ['Programs of admissions', 'برامج فترات القبول'],
  adding: ['Add program to an admission', 'إضافة برنامج إلى فترة قبول'],
  editing: ['Edit program of an admission', 'تعديل برنامج في فترة قبول'],
  permissions: crud('admissionProgram'),
  scope: ['faculty', 'department', 'bylaw', 'program'],
  fields: {
    code: f.code(['Code', 'الكود'], {
      max: 50,
      help: ['Empty: that of the admission and of the program.', 'فارغ: كود فترة القبول وكود البرنامج.'],
    }),
    admission_id: f.lookup(['Admission', 'فترة القبول'], 'admission', { required: true, createOnly: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { readOnly: true }),
    program_id: f.lookup(['Program', 'البرنامج'], 'program', { required: true, createOnly: true }),
    capacity: f.integer(['Seats', 'الأماكن'], { required: true, max: 100_000 }),
    is_open: f.flag(['Can be chosen', 'متاح للاختيار']),
    min_percentage: f.decimal(['Certificate from', 'الحد الأدنى للشهادة'], {
      ...percent,
      help: ['In percent. Empty: any.', 'نسبة مئوية. فارغ: دون حد.'],
    }),
    min_exam: f.decimal(['Exam from', 'الحد الأدنى للاختبار'], { ...percent, detailOnly: true }),
    min_age: f.integer(['Age from', 'السن من'], { min: 10, max: 100, detailOnly: true }),
    max_age: f.integer(['Age up to', 'السن حتى'], {
      min: 10,
      max: 100,
      detailOnly: true,
      help: ['On the first day of the term.', 'في أول يوم من الفصل.'],
    }),
    gender: f.choice(['Only', 'للنوع'], GENDERS, { detailOnly: true, help: ['Empty: both', 'فارغ: للجنسين'] }),
    last_cut_off: f.decimal(["Last year's cut-off", 'الحد الأدنى للعام الماضي'], {
      ...percent,
      help: ['Shown to applicants beside the program.', 'يظهر للمتقدم بجوار البرنامج.'],
    }),
    quotas: f.rows(
      ['Reserved and most places', 'الأماكن المحجوزة والقصوى'],
      {
        quota_group: f.choice(['Group', 'المجموعة'], QUOTA_GROUPS, { required: true }),
        reserved: f.integer(['Reserved', 'محجوز'], { max: 100_000 }),
        maximum: f.integer(['At most', 'بحد أقصى'], { max: 100_000 }),
      },
      {
        table: 'admission_quotas',
        parent: 'admission_program_id',
        position: 'position',
        max: 10,
        detailOnly: true,
        help: [
          'Reserved places go to others where nobody of the group wants them.',
          'تذهب الأماكن المحجوزة لغير المجموعة إن لم يطلبها أحد منها.',
        ],
      },
    ),
    subjects: f.rows(
      ['Least marks in subjects', 'الحد الأدنى لدرجات المواد'],
      {
        certificate_subject_id: f.lookup(['Subject', 'المادة'], 'certificateSubject', { required: true }),
        min_percentage: f.decimal(['From percent', 'من نسبة'], { ...percent, required: true }),
      },
      {
        table: 'admission_program_subjects',
        parent: 'admission_program_id',
        position: 'position',
        max: 20,
        detailOnly: true,
      },
    ),
    certificates: f.choices(
      ['Only with these certificates', 'لحملة هذه الشهادات فقط'],
      QUOTA_GROUPS.filter(({ by }) => by === 'certificate').map(({ value, label }) => ({ value, label })),
      { detailOnly: true, help: ['Nothing chosen: any', 'دون اختيار: أي شهادة'] },
    ),
  },
  list: {
    columns: [
      'code',
      'admission_id',
      'faculty_id',
      'program_id',
      'capacity',
      'min_percentage',
      'last_cut_off',
      'is_open',
    ],
    search: ['code'],
    sort: ['code', 'capacity', 'min_percentage', 'last_cut_off'],
    filters: ['admission_id', 'faculty_id', 'program_id', 'is_open'],
    order: ['code', 'asc'],
  },
  exportName: 'Programs of admissions',
  softDelete: true,
  screens: {
    list: '/management/admission/programs',
    show: '/management/admission/programs/:id',
    add: '/management/admission/programs/add',
    edit: '/management/admission/programs/edit/:id',
  },
  sections: [
    {
      title: ['Program', 'البرنامج'],
      fields: ['admission_id', 'program_id', 'code', 'faculty_id', 'capacity', 'is_open', 'last_cut_off'],
    },
    {
      title: ['Who may choose it', 'شروط الاختيار'],
      fields: ['min_percentage', 'min_exam', 'min_age', 'max_age', 'gender', 'certificates', 'subjects'],
    },
    {
      title: ['Quotas', 'الحصص'],
      text: [
        'The groups of one program tell applicants apart by one thing: nationality, sex or certificate.',
        'مجموعات البرنامج الواحد من نوع واحد: الجنسية أو النوع أو الشهادة.',
      ],
      fields: ['quotas'],
    },
  ],
  // Programs that last year's admission of the demo university did not offer.
  examples: [1, 2, 3].map((program_id) => ({ admission_id: 2, program_id, capacity: 30, is_open: true })),
  parent: '/management/admission',
})

export const admissionProgramCalls = {
  addMany: call('POST', '/admission-programs/add-many', {
    permission: 'add_admissionProgram',
    summary: ['Offer many programs in an admission', 'إتاحة عدة برامج في فترة قبول'],
    body: z.strictObject({
      admission_id: id,
      /** Seats, conditions and quotas are those of this admission; else all programs that are open for admission are offered. */
      from_admission_id: id.nullish(),
      /** Of one faculty alone. */
      faculty_id: id.nullish(),
    }),
    response: z.object({
      data: z.object({
        added: z.int(),
        /** Without a number of seats of their own: they have none until somebody says how many. */
        without_seats: z.int(),
        /** Not offered, because the admission is for others. */
        left_out: z.array(ref),
      }),
    }),
    example: { admission_id: 1 },
  }),
}
