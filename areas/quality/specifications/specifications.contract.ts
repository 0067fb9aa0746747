import { specificationOfCourse, specificationOfProgram } from '#areas/study/catalogue/outlets.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { attainmentCalls } from './attainment/attainment.contract.ts'
import { findingFlow, findingSteps, qualityFinding } from './attainment/finding.contract.ts'
import { matrixCalls } from './matrix/matrix.contract.ts'
import { specificationPaperCalls } from './paper/paper.contract.ts'
import { partCalls } from './parts/parts.contract.ts'
import { specStandingCalls } from './spec/standing.contract.ts'
import { questionMarkCalls } from './questions/question.contract.ts'
import {
  specification,
  specificationCalls,
  specificationFlow,
  specificationSteps,
} from './spec/specification.contract.ts'

/** Specifications: what courses and programs teach, how they assess it, and whether it was learnt. */
export const specificationsArea = area({
  name: 'specifications',
  label: ['Specifications', 'التوصيفات'],
  resources: [specification, qualityFinding],
  calls: [
    listedCalls(specificationFlow as never, specificationSteps),
    listedCalls(findingFlow as never, findingSteps),
    specificationCalls,
    partCalls,
    matrixCalls,
    specStandingCalls,
    specificationPaperCalls,
    attainmentCalls,
    questionMarkCalls,
  ],
  screens: [
    screen('/specifications_standing', {
      permission: ['approve_specification', 'export_specification'],
      title: ['State of specifications', 'موقف التوصيفات'],
      parent: '/specifications',
      menu: {
        group: 'quality',
        order: 21,
        icon: 'file-certificate',
        subject: 'specifications',
        tab: ['State by department', 'الموقف حسب الأقسام'],
      },
    }),
    screen('/question_marks', {
      permission: ['show_questionMarks', 'enter_questionMarks'],
      title: ['Marks by question', 'درجات الأسئلة'],
      parent: '/specifications',
      menu: {
        group: 'quality',
        order: 22,
        icon: 'file-certificate',
        groupOfType: { 1: 'teaching' },
        subject: 'specifications',
        tab: ['Marks by question', 'درجات الأسئلة'],
      },
    }),
    screen('/question_marks/:id', {
      permission: ['show_questionMarks', 'enter_questionMarks'],
      title: ['Marks by question', 'درجات الأسئلة'],
      parent: '/question_marks',
    }),
  ],
  fills: [specificationOfCourse, specificationOfProgram],
  noticeGroup: 'requests',
  notices: {
    notice_moved: {
      title: ['A specification was approved or returned', 'اعتماد توصيف أو إعادته'],
      audience: [1, 2],
      app: 'on',
      mail: 'digest',
    },
  },
  errors: {
    specification_of_one: ['Choose a course or a program, not both.', 'اختر مقررًا أو برنامجًا، لا كليهما.'],
    specification_open: ['A version of this year is being worked on already.', 'يوجد إصدار لهذا العام قيد الإعداد.'],
    specification_fixed: [
      'It is not being worked on: take it back, or begin a new version.',
      'لا يمكن تعديله الآن: اسحبه أو ابدأ إصدارًا جديدًا.',
    ],
    specification_own: ['Somebody else decides on what you have submitted.', 'يبت شخص آخر فيما قدمته.'],
    specification_moved: [
      'A specification stays with its course or program and its year.',
      'يبقى التوصيف لمقرره أو برنامجه وعامه.',
    ],
    specification_approved: ['What is approved says since when.', 'للتوصيف المعتمد تاريخ اعتماد.'],
    specification_revision: ['This version is there already.', 'هذا الإصدار موجود بالفعل.'],
    specification_outcome_twice: ['There is an outcome with this code already.', 'يوجد ناتج بهذا الكود بالفعل.'],
    specification_topic_twice: ['This topic stands there already.', 'هذا الموضوع موجود بالفعل.'],
    specification_method_twice: ['This method stands there already.', 'هذا الأسلوب موجود بالفعل.'],
    specification_assessment_twice: [
      'Assessments do not repeat: this one stands there already.',
      'لا تتكرر أساليب التقويم: هذا الأسلوب موجود بالفعل.',
    ],
    specification_reference_twice: ['This reference stands there already.', 'هذا المرجع موجود بالفعل.'],
    spec_not_named: ['Name a specification, a course or a program.', 'حدد توصيفًا أو مقررًا أو برنامجًا.'],
    spec_part_needless: ['This does not belong to this part.', 'لا يخص هذا العنصر.'],
    spec_cell_elsewhere: [
      'The outcome and what it is joined with do not belong to this specification.',
      'الناتج وما يرتبط به لا يخصان هذا التوصيف.',
    ],
    spec_outcomes_none: ['There are no learning outcomes.', 'لا توجد نواتج تعلم.'],
    spec_weights_sum: [
      'The weights of the assessments sum to {sum} %, not to 100 %.',
      'مجموع أوزان أساليب التقويم {sum}% وليس 100%.',
    ],
    spec_outcome_not_assessed: ['Nothing assesses outcome {code}.', 'لا يوجد تقويم للناتج {code}.'],
    spec_outcome_assessed_once: ['Outcome {code} is assessed once only.', 'يُقوَّم الناتج {code} مرة واحدة فقط.'],
    spec_outcome_not_taught: ['No topic teaches outcome {code}.', 'لا يوجد موضوع يحقق الناتج {code}.'],
    spec_outcome_serves_none: [
      'Outcome {code} serves no outcome of a program.',
      'لا يخدم الناتج {code} أي ناتج من نواتج البرامج.',
    ],
    spec_topic_idle: ['The topic “{name}” serves no outcome.', 'الموضوع «{name}» لا يحقق أي ناتج.'],
    spec_assessment_idle: ['“{name}” assesses no outcome.', '«{name}» لا يقوّم أي ناتج.'],
    spec_served_gone: [
      'Program {program} no longer has the outcome {code}.',
      'لم يعد الناتج {code} ضمن نواتج البرنامج {program}.',
    ],
    spec_program_outcome_unserved: ['No course serves outcome {code}.', 'لا يخدم أي مقرر الناتج {code}.'],
    spec_scheme_differs: [
      '{offering}: {category} counts {has} % of the marks, the specification says {wants} %.',
      '{offering}: وزن {category} في الدرجات {has}% وفي التوصيف {wants}%.',
    ],
    assessment_question_twice: ['There is a question “{label}” already.', 'يوجد سؤال «{label}» بالفعل.'],
    assessment_question_max: ['Say how much question “{label}” gives.', 'حدد درجة السؤال «{label}».'],
    question_elsewhere: ['The question is not one of this offering.', 'السؤال ليس من أسئلة هذا المقرر.'],
    question_below_marks: [
      'Somebody has {highest} in question “{label}”: it gives no less.',
      'حصل أحد الطلاب على {highest} في السؤال «{label}»، فلا تقل درجته عن ذلك.',
    ],
    question_outcome_unknown: ['The course has no outcome {code}.', 'ليس للمقرر ناتج بالكود {code}.'],
    question_marked: [
      'Question “{label}” has marks ({count}): empty them first.',
      'للسؤال «{label}» درجات ({count})، أفرغها أولًا.',
    ],
    question_mark_above: ['A mark is no more than the question gives.', 'لا تزيد الدرجة على درجة السؤال.'],
    question_marks_frozen: [
      'The offering is frozen: questions and their marks stay as they are.',
      'المقرر مجمَّد، فتبقى الأسئلة ودرجاتها كما هي.',
    ],
    question_marks_changed: [
      'Marks that somebody changed meanwhile: {count}. Take the sheet once more.',
      'درجات عدّلها شخص آخر في هذه الأثناء: {count}. أعد استيراد الملف.',
    ],
    question_no_marks: ['No marks are entered for {student} now.', 'لا تُدخل درجات للطالب {student} الآن.'],
    question_absent: [
      'Absent is said of the whole component, where marks are entered.',
      'يُسجل الغياب للبند كله حيث تُدخل الدرجات.',
    ],
    questions_none: ['This component has no questions yet.', 'لا توجد أسئلة لهذا البند بعد.'],
    question_sum: [
      'The questions give {sum} together, the component {max}: they do not count yet.',
      'مجموع درجات الأسئلة {sum} ودرجة البند {max}، فلا تُحتسب بعد.',
    ],
    question_no_weight: [
      'The specification has no assessment of this part of the marks: its questions do not count.',
      'ليس في التوصيف تقويم لهذا البند، فلا تُحتسب أسئلته.',
    ],
    question_outcome_gone: [
      'Question “{label}”: the course no longer has the outcome {code}.',
      'السؤال «{label}»: لم يعد الناتج {code} ضمن نواتج المقرر.',
    ],
    question_no_outcomes: [
      'No question measures an outcome of the course: the component counts as a whole.',
      'لا يقيس أي سؤال ناتجًا للمقرر، فيُحتسب البند كله.',
    ],
    finding_of_one: ['Choose a course or a program, not both.', 'اختر مقررًا أو برنامجًا، لا كليهما.'],
    finding_seen: ['What is closed says in which year it was seen again.', 'للإجراء المغلق عام أُعيد فيه القياس.'],
    finding_outcome_unknown: ['No specification has an outcome with this code.', 'لا يوجد ناتج بهذا الكود في أي توصيف.'],
    finding_taken: ['The action was taken: what was agreed stays.', 'نُفذ الإجراء، فلا يتغير ما اتُّفق عليه.'],
    finding_not_seen_yet: ['The outcome was not measured in a later year yet.', 'لم يُقس الناتج في عام لاحق بعد.'],
    specification_none: ['There is no specification yet.', 'لا يوجد توصيف بعد.'],
  },
})
