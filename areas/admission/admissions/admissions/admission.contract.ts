import { crud } from '#access/permissions.contract.ts'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { ADMISSION_FEES, ADMISSION_STATES, APPLICANT_TYPES, ASKED_OF, TIE_CRITERIA } from '../words.contract.ts'

const percent = { places: 2, min: 0, max: 100 } as const

/** An admission: who applies for what in which days, the steps, what is asked and paid, and how applicants are ranked. */
export const admission = resource({
  name: 'admission',
  path: '/admissions',
  table: 'admissions',
  one: ['Admission', 'فترة قبول'],
  many: ['Admissions', 'فترات القبول'],
  adding: ['Add admission', 'إضافة فترة قبول'],
  editing: ['Edit admission', 'تعديل فترة قبول'],
  permissions: { ...crud('admission'), import: null },
  scope: 'university',
  // What everybody is asked and how everybody is ranked is not decided for a faculty.
  changedBy: 'whole',
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    applicant_type: f.choice(['For', 'نوع القبول'], APPLICANT_TYPES, { required: true, createOnly: true }),
    term_id: f.lookup(['First term', 'فصل الالتحاق'], 'term', { required: true }),
    opens_at: f.instant(['Opens', 'تفتح'], { required: true }),
    closes_at: f.instant(['Closes', 'تغلق'], { required: true }),
    state: f.choice(['State', 'الحالة'], ADMISSION_STATES, { readOnly: true, noExport: true }),
    results_at: f.instant(['Results are shown from', 'تُعلن النتائج من'], {
      detailOnly: true,
      help: ['Empty: as soon as they are confirmed.', 'فارغ: فور اعتمادها.'],
    }),
    pay_until: f.date(['Acceptance is paid until', 'آخر موعد لسداد رسوم القبول'], { detailOnly: true }),
    is_early: f.flag(['Early admission', 'قبول مبكر'], {
      help: [
        'Before results of schools are out: marks may be added until the last day.',
        'قبل إعلان نتائج الثانوية: يمكن إضافة الدرجات حتى آخر يوم.',
      ],
    }),
    max_preferences: f.integer(['Most wishes', 'أقصى عدد للرغبات'], { required: true, min: 1, max: 15 }),
    has_exam: f.flag(['With an exam', 'باختبار قبول']),
    has_interview: f.flag(['With an interview', 'بمقابلة شخصية'], { detailOnly: true }),
    min_exam: f.decimal(['Exam is passed from', 'درجة اجتياز الاختبار'], {
      ...percent,
      detailOnly: true,
      help: ['In percent.', 'نسبة مئوية.'],
    }),
    has_scholarships: f.flag(['Scholarships can be asked for', 'يمكن طلب منحة'], { detailOnly: true }),
    ministry_is_proof: f.flag(['What the ministry says is proof', 'بيانات الوزارة إثبات كافٍ'], {
      detailOnly: true,
      help: [
        'Whom the ministry has nominated then counts as having applied. Else the person completes the form.',
        'يُعد المرشح من الوزارة حينئذ متقدمًا، وإلا استكمل الاستمارة بنفسه.',
      ],
    }),
    fees: f.rows(
      ['Fees asked for', 'الرسوم المطلوبة'],
      {
        fee: f.choice(['Fee', 'الرسم'], ADMISSION_FEES, { required: true }),
        asked_of: f.choice(['Of', 'ممن'], ASKED_OF, { required: true }),
        currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES, { required: true }),
        amount: f.money(['Amount', 'المبلغ'], { required: true }),
      },
      {
        table: 'admission_fees',
        parent: 'admission_id',
        position: 'position',
        max: 12,
        detailOnly: true,
        help: ['What is not listed is not asked for: its step is left out.', 'ما لا يُدرج لا يُطلب، وتُتخطى خطوته.'],
      },
    ),
    documents: f.rows(
      ['Documents', 'المستندات'],
      {
        document_kind_id: f.lookup(['Document', 'المستند'], 'documentKind', { required: true }),
        asked_of: f.choice(['Of', 'ممن'], ASKED_OF, { required: true }),
        certificate_type_id: f.lookup(['With the certificate', 'لحملة شهادة'], 'certificateType'),
        is_required: f.flag(['Required', 'مطلوب']),
      },
      {
        table: 'admission_documents',
        parent: 'admission_id',
        position: 'position',
        max: 60,
        detailOnly: true,
        help: ['Of everybody, unless a nationality or certificate is named.', 'من الجميع ما لم تُحدد جنسية أو شهادة.'],
      },
    ),
    declarations: f.rows(
      ['Declaration', 'الإقرار'],
      {
        text: f.text(['English', 'بالإنجليزية'], { required: true, max: 500 }),
        text_local: f.text(['Arabic', 'بالعربية'], { required: true, max: 500 }),
      },
      {
        table: 'admission_declarations',
        parent: 'admission_id',
        position: 'position',
        max: 20,
        detailOnly: true,
        help: ['Each sentence is ticked by who applies.', 'يوافق المتقدم على كل جملة.'],
      },
    ),
    weight_percentage: f.decimal(['Weight of the certificate', 'وزن الشهادة'], {
      ...percent,
      required: true,
      detailOnly: true,
    }),
    weight_exam: f.decimal(['Weight of the exam', 'وزن الاختبار'], { ...percent, required: true, detailOnly: true }),
    subject_weights: f.rows(
      ['Weights of subjects', 'أوزان المواد'],
      {
        certificate_subject_id: f.lookup(['Subject', 'المادة'], 'certificateSubject', { required: true }),
        weight: f.decimal(['Weight', 'الوزن'], { ...percent, required: true }),
      },
      { table: 'admission_subject_weights', parent: 'admission_id', position: 'position', max: 20, detailOnly: true },
    ),
    ties: f.rows(
      ['Equals', 'عند التساوي'],
      {
        criterion: f.choice(['Told apart by', 'يُفضل بـ'], TIE_CRITERIA, { required: true }),
        certificate_subject_id: f.lookup(['Subject', 'المادة'], 'certificateSubject'),
      },
      {
        table: 'admission_ties',
        parent: 'admission_id',
        position: 'position',
        max: 8,
        detailOnly: true,
        help: ['One after the other; a lot decides what they leave.', 'بالترتيب، وما بقي متساويًا يُحسم بالقرعة.'],
      },
    ),
    lot_seed: f.text(['Lot', 'القرعة'], {
      readOnly: true,
      detailOnly: true,
      noExport: true,
      help: ['Drawn at the first distribution.', 'تُجرى عند أول تنسيق.'],
    }),
    programs: f.integer(['Programs', 'البرامج'], { readOnly: true, noExport: true }),
    seats: f.integer(['Seats', 'الأماكن'], { readOnly: true, noExport: true, max: 1_000_000_000 }),
  },
  list: {
    columns: [
      'code',
      'name',
      'name_local',
      'applicant_type',
      'term_id',
      'state',
      'opens_at',
      'closes_at',
      'programs',
      'seats',
    ],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'opens_at', 'closes_at'],
    filters: ['applicant_type', 'term_id', 'state', 'is_early'],
    order: ['opens_at', 'desc'],
  },
  exportName: 'Admissions',
  softDelete: true,
  screens: {
    list: '/management/admission',
    show: '/management/admission/view/:id',
    add: '/management/admission/add',
    edit: '/management/admission/edit/:id',
  },
  sections: [
    {
      title: ['Admission', 'القبول'],
      text: [
        'People who may apply find it on the public page from its first to its last minute.',
        'يظهر لمن يحق له التقديم على الصفحة العامة من أول دقيقة إلى آخر دقيقة.',
      ],
      fields: ['code', 'name', 'name_local', 'applicant_type', 'term_id', 'is_early'],
    },
    { title: ['When', 'المواعيد'], fields: ['opens_at', 'closes_at', 'results_at', 'pay_until'] },
    {
      title: ['Steps', 'الخطوات'],
      text: ['Steps that are not wanted are left out.', 'الخطوات غير المطلوبة تُتخطى.'],
      fields: ['max_preferences', 'has_exam', 'min_exam', 'has_interview', 'has_scholarships', 'ministry_is_proof'],
    },
    { title: ['What is paid', 'الرسوم'], fields: ['fees'] },
    { title: ['What is handed in and declared', 'المستندات والإقرار'], fields: ['documents', 'declarations'] },
    {
      title: ['Ranking', 'الترتيب'],
      text: [
        'Weights are in percent and add up to 100. Certificate, subjects and exam count in percent of what they are out of.',
        'الأوزان نسب مئوية مجموعها 100. وتُحسب الشهادة والمواد والاختبار بنسبتها من النهاية العظمى.',
      ],
      fields: ['weight_percentage', 'weight_exam', 'subject_weights', 'ties', 'lot_seed'],
    },
  ],
  examples: [1, 3].map((applicant_type, i) => ({
    code: `ZZ${i + 1}`,
    name: 'Admission of a later year',
    name_local: 'قبول عام لاحق',
    applicant_type,
    term_id: 1,
    opens_at: '2031-07-01T06:00:00.000Z',
    closes_at: '2031-08-01T06:00:00.000Z',
    max_preferences: 10,
    weight_percentage: '100',
    weight_exam: '0',
  })),
  menu: { group: 'admission', order: 10, icon: 'door-enter', subject: 'admission' },
})
