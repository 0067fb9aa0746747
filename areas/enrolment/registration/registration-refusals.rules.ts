import { fill, type Bilingual, type ProblemData } from '#areas/common/academics/problem.rules.ts'

export const refusalCodes = [
  'stage_closed',
  'offering_draft',
  'offering_closed',
  'offering_control',
  'offering_program',
  'offering_level',
  'comes_by_block',
  'already_registered',
  'course_in_other_program',
  'already_passed',
  'improvement_grade',
  'improvement_limit',
  'repeat_limit',
  'prerequisites',
  'corequisites',
  'corequisite_needed',
  'placement_due',
  'placement_excused',
  'placement_above',
  'min_passed_hours',
  'min_level',
  'credit_hours_limit',
  'courses_limit',
  'time_clash',
  'exam_clash',
  'hold_payment',
  'hold_survey',
  'hold_blocked',
  'hold_documents',
  'not_studying',
  'slot_required',
  'slot_unknown',
  'slot_groups',
  'slot_type_missing',
  'slot_type_twice',
  'slot_full',
] as const

export type RefusalCode = (typeof refusalCodes)[number]

/** The thing that unblocks a refusal; `link` is a key that the screens turn into an address. */
export type RefusalStep = Bilingual & {
  link?: 'stages' | 'advisor' | 'registration' | 'slots' | 'payments' | 'questionnaires' | 'documents' | 'study_plan'
}

/** Texts of every refusal, and of the step that unblocks it. Those of the documents stand verbatim. */
export const refusalTexts: Record<RefusalCode, Bilingual & { step: RefusalStep }> = {
  stage_closed: {
    en: 'The stage “{stage_name}” is not open',
    ar: 'مرحلة «{stage_name_local}» ليست مفتوحة',
    step: { en: 'See when the stages open', ar: 'اطلع على مواعيد المراحل', link: 'stages' },
  },
  offering_draft: {
    en: '{course} is not offered for registration yet',
    ar: 'لم يُطرح المقرر {course} للتسجيل بعد',
    step: { en: 'Try again when the course is offered', ar: 'أعد المحاولة عند طرح المقرر', link: 'registration' },
  },
  offering_closed: {
    en: 'Registration for {course} is closed',
    ar: 'أُغلق التسجيل في المقرر {course}',
    step: { en: 'Choose another course', ar: 'اختر مقررًا آخر', link: 'registration' },
  },
  offering_control: {
    en: 'The marks of {course} are {status}: nobody registers any more',
    ar: 'درجات المقرر {course} في حالة «{status_local}»، فلا تسجيل فيه بعد الآن',
    step: { en: 'Choose another course', ar: 'اختر مقررًا آخر', link: 'registration' },
  },
  offering_program: {
    en: '{course} is not open to your program',
    ar: 'المقرر {course} غير متاح لبرنامجك',
    step: { en: 'Look for it in your study plan', ar: 'ابحث عنه في خطتك الدراسية', link: 'study_plan' },
  },
  offering_level: {
    en: '{course} is open to level {levels}, you are in level {level}',
    ar: 'المقرر {course} متاح للمستوى {levels}، وأنت في المستوى {level}',
    step: { en: 'Ask your advisor', ar: 'اسأل مرشدك الأكاديمي', link: 'advisor' },
  },
  comes_by_block: {
    en: '{course} comes with the courses of the level: it is not asked for by itself',
    ar: 'يُسجَّل المقرر {course} ضمن مقررات المستوى دفعة واحدة، ولا يُطلب منفردًا',
    step: { en: 'Register the courses of your level', ar: 'سجّل مقررات مستواك', link: 'registration' },
  },
  already_registered: {
    en: '{course} is already registered in this term',
    ar: 'المقرر {course} مسجل بالفعل في هذا الفصل',
    step: { en: 'See your registration', ar: 'اطلع على تسجيلك', link: 'registration' },
  },
  course_in_other_program: {
    en: 'You take {course} in your other program this term: {courses}',
    ar: 'تدرس {course} في برنامجك الآخر هذا الفصل: {courses}',
    step: {
      en: 'Take it in one program and ask for its credit in the other',
      ar: 'ادرسه في أحد البرنامجين واطلب احتسابه في الآخر',
      link: 'advisor',
    },
  },
  already_passed: {
    en: '{course} is already passed with {letter}',
    ar: 'سبق النجاح في المقرر {course} بتقدير {letter}',
    step: { en: 'Ask to improve the grade instead', ar: 'اطلب تحسين التقدير بدلًا من ذلك', link: 'registration' },
  },
  improvement_grade: {
    en: 'The grade {letter} cannot be improved; the bylaw allows it for {letters}',
    ar: 'لا يجوز تحسين التقدير {letter}، واللائحة تجيزه للتقديرات {letters}',
    step: { en: 'Choose another course', ar: 'اختر مقررًا آخر', link: 'study_plan' },
  },
  improvement_limit: {
    en: 'All {maximum} improvements the bylaw allows are used',
    ar: 'استُنفدت مرات التحسين التي تجيزها اللائحة، وعددها {maximum}',
    step: { en: 'Ask your advisor', ar: 'اسأل مرشدك الأكاديمي', link: 'advisor' },
  },
  repeat_limit: {
    en: 'Failed attempts at {course}: {count}; repeats that the bylaw allows: {maximum}',
    ar: 'عدد مرات الرسوب في المقرر {course}: {count}، والحد الأقصى لإعادته في اللائحة: {maximum}',
    step: { en: 'Ask your advisor', ar: 'اسأل مرشدك الأكاديمي', link: 'advisor' },
  },
  prerequisites: {
    en: 'Prerequisites are not met: {missing}',
    ar: 'المتطلبات السابقة غير مستوفاة: {missing_local}',
    step: { en: 'Pass these courses first', ar: 'اجتز هذه المقررات أولًا', link: 'study_plan' },
  },
  corequisites: {
    en: 'Must be taken together with: {missing}',
    ar: 'يجب تسجيله مع: {missing}',
    step: { en: 'Request these courses as well', ar: 'اطلب هذه المقررات أيضًا', link: 'registration' },
  },
  corequisite_needed: {
    en: '{course} is taken together with {courses}, which cannot stand alone',
    ar: 'يُدرَّس المقرر {course} مع {courses}، ولا يجوز أن يبقى دونه',
    step: {
      en: 'Give up both together, or ask your registrar',
      ar: 'تخلَّ عنهما معًا أو راجع شؤون الطلاب',
      link: 'registration',
    },
  },
  placement_due: {
    en: '{course} is registered after {test}, which is still to be taken',
    ar: 'يُسجَّل المقرر {course} بعد أداء {test_local}، ولم يؤدَّ بعد',
    step: { en: 'Take the placement test', ar: 'أدِّ اختبار تحديد المستوى', link: 'advisor' },
  },
  placement_excused: {
    en: '{test} excuses from {course}: the level reached is {level}',
    ar: 'أعفى {test_local} من المقرر {course}، والمستوى المحدد هو {level_local}',
    step: { en: 'Choose a course of your level', ar: 'اختر مقررًا من مستواك', link: 'study_plan' },
  },
  placement_above: {
    en: '{course} lies above the level {level}, at which {test} placed you',
    ar: 'المقرر {course} أعلى من المستوى {level_local} الذي حدده {test_local}',
    step: { en: 'Pass {first} first', ar: 'اجتز {first} أولًا', link: 'study_plan' },
  },
  min_passed_hours: {
    en: 'Course requires minimum passed hours {data}',
    ar: 'يتطلب المقرر حدًا أدنى من الساعات المجتازة {data}',
    step: { en: 'You have passed {passed} hours so far', ar: 'اجتزت {passed} ساعة حتى الآن', link: 'study_plan' },
  },
  min_level: {
    en: 'Course requires minimum level {data}',
    ar: 'يتطلب المقرر حدًا أدنى للمستوى {data}',
    step: { en: 'You are in level {level}', ar: 'أنت في المستوى {level}', link: 'study_plan' },
  },
  credit_hours_limit: {
    en: '{total} credit hours would exceed your limit of {maximum}',
    ar: 'عدد الساعات المعتمدة {total} يتجاوز الحد المسموح لك وهو {maximum}',
    step: {
      en: 'Remove a course, or ask your advisor for an exception',
      ar: 'احذف مقررًا أو اطلب استثناء من مرشدك الأكاديمي',
      link: 'registration',
    },
  },
  courses_limit: {
    en: '{total} courses would exceed your limit of {maximum}',
    ar: 'عدد المقررات {total} يتجاوز الحد المسموح لك وهو {maximum}',
    step: {
      en: 'Remove a course, or ask your advisor for an exception',
      ar: 'احذف مقررًا أو اطلب استثناء من مرشدك الأكاديمي',
      link: 'registration',
    },
  },
  time_clash: {
    en: 'The chosen time clashes with {courses}',
    ar: 'الموعد المختار يتعارض مع {courses}',
    step: { en: 'Choose another slot', ar: 'اختر موعدًا آخر', link: 'slots' },
  },
  exam_clash: {
    en: 'Its exam is at the same time as that of {courses}',
    ar: 'اختباره في الوقت نفسه مع اختبار {courses}',
    step: { en: 'Choose another course, or ask your advisor', ar: 'اختر مقررًا آخر أو اسأل مرشدك', link: 'advisor' },
  },
  hold_payment: {
    en: 'Unpaid invoices are past their due date: {invoices}',
    ar: 'توجد فواتير غير مسددة تجاوزت موعد استحقاقها: {invoices}',
    step: { en: 'Pay the invoices', ar: 'سدد الفواتير', link: 'payments' },
  },
  hold_survey: {
    en: 'You have to fill the survery first.',
    ar: 'يجب ملء الاستبيان أولًا.',
    step: { en: 'Fill in: {surveys}', ar: 'املأ: {surveys_local}', link: 'questionnaires' },
  },
  hold_blocked: {
    en: 'Your account is blocked for registration',
    ar: 'حسابك موقوف عن التسجيل',
    step: { en: 'Ask your registrar', ar: 'راجع شؤون الطلاب', link: 'advisor' },
  },
  hold_documents: {
    en: 'Required documents are missing: {documents}',
    ar: 'مستندات مطلوبة لم تُسلَّم: {documents_local}',
    step: {
      en: 'Hand the documents in at the registrar’s office',
      ar: 'سلّم المستندات إلى شؤون الطلاب',
      link: 'documents',
    },
  },
  not_studying: {
    en: 'Only students who are studying register; this record is: {status}',
    ar: 'التسجيل متاح للطلاب المقيدين فقط، وحالة القيد هنا: {status_local}',
    step: { en: 'Ask your registrar', ar: 'راجع شؤون الطلاب', link: 'advisor' },
  },
  slot_required: {
    en: 'Please select an offering slot before registering',
    ar: 'يرجى اختيار موعد للمقرر قبل التسجيل',
    step: { en: 'Choose a group', ar: 'اختر مجموعة', link: 'slots' },
  },
  slot_unknown: {
    en: 'A chosen slot does not belong to {course}',
    ar: 'أحد المواعيد المختارة لا يخص المقرر {course}',
    step: { en: 'Choose the slots again', ar: 'اختر المواعيد من جديد', link: 'slots' },
  },
  slot_groups: {
    en: 'The chosen slots belong to different groups: {groups}',
    ar: 'المواعيد المختارة من مجموعات مختلفة: {groups}',
    step: { en: 'Choose all slots from one group', ar: 'اختر كل المواعيد من مجموعة واحدة', link: 'slots' },
  },
  slot_type_missing: {
    en: 'A slot is still to be chosen for: {types}',
    ar: 'ما زال اختيار موعد مطلوبًا لما يلي: {types_local}',
    step: { en: 'Choose the missing slots', ar: 'اختر المواعيد الناقصة', link: 'slots' },
  },
  slot_type_twice: {
    en: 'More than one alternative is chosen for: {types}',
    ar: 'اختير أكثر من بديل لما يلي: {types_local}',
    step: { en: 'Keep one of each', ar: 'أبقِ على واحد من كل نوع', link: 'slots' },
  },
  slot_full: {
    en: 'No free seat in group {groups}',
    ar: 'لا يوجد مقعد شاغر في المجموعة {groups}',
    step: {
      en: 'Choose another group or join the wait list',
      ar: 'اختر مجموعة أخرى أو انضم إلى قائمة الانتظار',
      link: 'slots',
    },
  },
}

export type Refusal = Bilingual & { code: RefusalCode; data: ProblemData; step: RefusalStep }

/** A refusal with its texts filled in. */
export function refusal(code: RefusalCode, data: ProblemData): Refusal {
  const { en, ar, step } = refusalTexts[code]
  return {
    code,
    data,
    en: fill(en, data),
    ar: fill(ar, data),
    step: { ...step, en: fill(step.en, data), ar: fill(step.ar, data) },
  }
}
