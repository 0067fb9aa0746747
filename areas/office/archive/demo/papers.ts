/** A printed page as the template takes it. */
export interface Typeset {
  readonly lang: 'ar' | 'en'
  readonly title: string
  readonly below?: string
  /** Day of the paper, `YYYY-MM-DD`. */
  readonly on: string
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly articles: readonly { readonly title: string; readonly text: readonly string[] }[]
  /** What is filled in by hand. */
  readonly lines: readonly string[]
  readonly signatures: readonly string[]
}
/** A paper of the archive, with its versions, the oldest first. */
export interface DemoPaper {
  readonly key: string
  readonly names: readonly [name: string, name_local: string]
  readonly versions: readonly Typeset[]
}

const article = (title: string, ...text: string[]) => ({ title, text })
const paper = (
  lang: 'ar' | 'en',
  title: string,
  on: string,
  rest: Partial<Omit<Typeset, 'lang' | 'title' | 'on'>>,
): Typeset => ({ lang, title, on, facts: [], articles: [], lines: [], signatures: [], ...rest })

const BYLAW_AR = [
  article(
    'مادة 1: نظام الدراسة',
    'الدراسة بالكليات بنظام الساعات المعتمدة، وتُقسم السنة الجامعية إلى فصلين أساسيين مدة كل منهما خمسة عشر أسبوعًا، وفصل صيفي اختياري مدته سبعة أسابيع.',
  ),
  article(
    'مادة 2: العبء الدراسي',
    'يسجل الطالب في الفصل الأساسي من 12 إلى 18 ساعة معتمدة، وفي الفصل الصيفي 9 ساعات على الأكثر.',
    'يجوز لمن بلغ معدله التراكمي 3.00 فأكثر أن يسجل حتى 21 ساعة بموافقة المرشد الأكاديمي.',
  ),
  article(
    'مادة 3: الحضور',
    'يُحرم الطالب من دخول الامتحان النهائي للمقرر بقرار من مجلس الكلية إذا تجاوزت نسبة غيابه 25٪ دون عذر مقبول.',
  ),
  article(
    'مادة 4: الإنذار والفصل',
    'يُنذر الطالب أكاديميًا إذا قل معدله التراكمي عن 2.00 في نهاية أي فصل أساسي.',
    'يُعرض أمر الطالب على مجلس الكلية إذا استمر الإنذار أربعة فصول أساسية متتالية.',
  ),
  article('مادة 5: التخرج', 'يُمنح الطالب الدرجة إذا اجتاز جميع متطلبات البرنامج بمعدل تراكمي لا يقل عن 2.00.'),
]

/** Papers of the university as a whole. */
export const PAPERS: readonly DemoPaper[] = [
  {
    key: 'bylaw',
    names: ['Study and examination bylaw (Arabic)', 'لائحة الدراسة والامتحانات'],
    versions: [
      paper('ar', 'لائحة الدراسة والامتحانات', '2025-09-01', {
        below: 'اعتمدها مجلس الجامعة بجلسته رقم 104',
        articles: BYLAW_AR.slice(0, 4),
        signatures: ['أمين المجلس', 'رئيس الجامعة'],
      }),
      paper('ar', 'لائحة الدراسة والامتحانات', '2026-08-20', {
        below: 'اعتمدها مجلس الجامعة بجلسته رقم 112، ويُعمل بها من العام الجامعي 2026/2027',
        articles: BYLAW_AR,
        signatures: ['أمين المجلس', 'رئيس الجامعة'],
      }),
    ],
  },
  {
    key: 'bylaw-en',
    names: ['Study and examination bylaw', 'لائحة الدراسة والامتحانات (بالإنجليزية)'],
    versions: [
      paper('en', 'Study and examination bylaw', '2026-08-20', {
        below: 'Approved by the University Council in its session 112, in force from the academic year 2026/2027',
        articles: [
          article(
            'Article 1: System of study',
            'Study follows the credit-hour system. The academic year has two regular terms of fifteen weeks and an optional summer term of seven.',
          ),
          article(
            'Article 2: Load',
            'A student registers 12 to 18 credit hours in a regular term, and 9 at most in the summer.',
            'Who has a cumulative GPA of 3.00 or more may register up to 21 hours with the consent of the academic advisor.',
          ),
          article(
            'Article 3: Attendance',
            'Who misses more than 25 % of the meetings of a course without an accepted excuse is barred from its final examination by decision of the faculty council.',
          ),
          article(
            'Article 4: Warning and dismissal',
            'A student whose cumulative GPA is below 2.00 at the end of a regular term is warned.',
            'After four warnings in succession the faculty council decides on the case.',
          ),
          article(
            'Article 5: Graduation',
            'The degree is awarded to who has passed all requirements of the program with a cumulative GPA of at least 2.00.',
          ),
        ],
        signatures: ['Secretary of the Council', 'President of the University'],
      }),
    ],
  },
  {
    key: 'discipline',
    names: ['Discipline of students', 'لائحة تأديب الطلاب'],
    versions: [
      paper('ar', 'لائحة تأديب الطلاب', '2026-02-11', {
        articles: [
          article(
            'مادة 1',
            'يخضع الطلاب المقيدون للنظام التأديبي المبين في هذه اللائحة، ويُعد كل إخلال بالقوانين واللوائح والتقاليد الجامعية مخالفة تأديبية.',
          ),
          article(
            'مادة 2',
            'لا توقع عقوبة إلا بعد التحقيق مع الطالب كتابةً وسماع أقواله، وله أن يستعين بمن يراه من أعضاء هيئة التدريس.',
          ),
          article('مادة 3', 'للطالب أن يتظلم من القرار خلال ثلاثين يومًا من إبلاغه به.'),
        ],
        signatures: ['رئيس الجامعة'],
      }),
    ],
  },
  {
    key: 'fees',
    names: ['Fees and refunds', 'الرسوم وردها'],
    versions: [
      paper('ar', 'قواعد سداد الرسوم وردها', '2026-08-01', {
        articles: [
          article(
            'السداد',
            'تُسدد رسوم الفصل الدراسي قبل نهاية أسبوعي الإضافة والحذف، ويجوز التقسيط على دفعتين بموافقة إدارة الشؤون المالية.',
          ),
          article(
            'الرد',
            'يُرد 75٪ من رسوم المقرر لمن حذفه خلال الأسبوعين الأولين، و50٪ حتى نهاية الأسبوع الرابع، ولا يُرد شيء بعد ذلك.',
          ),
        ],
        signatures: ['مدير الشؤون المالية'],
      }),
    ],
  },
  ...(
    [
      [
        'form-excuse',
        'Excuse from an examination',
        'طلب عذر عن امتحان',
        ['المقرر', 'تاريخ الامتحان', 'سبب العذر', 'المرفقات'],
      ],
      ['form-withdrawal', 'Withdrawal from a course', 'طلب الانسحاب من مقرر', ['المقرر', 'أستاذ المقرر', 'سبب الانسحاب']],
      ['form-recheck', 'Recheck of a grade', 'التماس مراجعة درجة', ['المقرر', 'الدرجة المعلنة', 'رقم إيصال السداد']],
    ] as const
  ).map(([key, name, name_local, lines]): DemoPaper => ({
    key,
    names: [name, name_local],
    versions: [
      paper('ar', name_local, '2026-09-01', {
        below: name,
        lines: ['اسم الطالب', 'الكود', 'البرنامج والمستوى', ...lines, 'التاريخ'],
        signatures: ['توقيع الطالب', 'المرشد الأكاديمي', 'شؤون الطلاب'],
      }),
    ],
  })),
  {
    key: 'internship',
    names: ['Guide to field training', 'دليل التدريب الميداني'],
    versions: [
      paper('en', 'Guide to field training', '2026-05-10', {
        articles: [
          article(
            'Before',
            'Choose a place from the list of your program, or propose one. Your advisor confirms it two weeks before the beginning.',
          ),
          article(
            'Meanwhile',
            'Keep the training record each day. The supervisor of the company signs it each week, and the supervisor of the faculty visits you once.',
          ),
          article(
            'Afterwards',
            'Hand in the record and a report of ten pages within two weeks. The mark is given by both supervisors.',
          ),
        ],
      }),
    ],
  },
  ...[
    [
      111,
      '2026-06-14',
      [
        'الموافقة على نتائج الفصل الدراسي الثاني.',
        'الموافقة على تعيين ستة معيدين بكلية الهندسة.',
        'إحالة مقترح برنامج الأمن السيبراني إلى لجنة شؤون التعليم.',
      ],
    ] as const,
    [
      112,
      '2026-08-20',
      [
        'اعتماد الخطة الزمنية للعام الجامعي 2026/2027.',
        'اعتماد لائحة الدراسة والامتحانات المعدلة.',
        'بقاء دور أغسطس للمستوى الأول.',
      ],
    ] as const,
  ].map(([number, on, decided]): DemoPaper => ({
    key: `council-${number}`,
    names: [`Minutes of session ${number}`, `محضر الجلسة رقم ${number}`],
    versions: [
      paper('ar', `محضر جلسة مجلس الجامعة رقم ${number}`, on, {
        facts: [
          { label: 'التاريخ', value: on },
          { label: 'المكان', value: 'قاعة المجلس' },
          { label: 'الحضور', value: '19 من 21 عضوًا' },
          { label: 'رئيس الجلسة', value: 'رئيس الجامعة' },
        ],
        articles: decided.map((text, i) => article(`القرار ${i + 1}`, text)),
        signatures: ['أمين المجلس', 'رئيس الجامعة'],
      }),
    ],
  })),
]

/** The latest minutes of a faculty's council. */
export const minutesOf = ({ code, name_local }: { code: string; name_local: string }): DemoPaper => ({
  key: `minutes-${code}`,
  names: ['Minutes of session 9', 'محضر الجلسة رقم 9'],
  versions: [
    paper('ar', 'محضر جلسة مجلس الكلية رقم 9', '2026-10-06', {
      below: name_local,
      facts: [
        { label: 'التاريخ', value: '2026-10-06' },
        { label: 'الحضور', value: '11 من 12 عضوًا' },
      ],
      articles: [
        article('القرار 1', 'اعتماد توزيع المقررات على أعضاء هيئة التدريس للفصل الدراسي الأول.'),
        article('القرار 2', 'قبول عذر سبعة طلاب عن الامتحانات النهائية بعد الاطلاع على تقارير مستشفى الجامعة.'),
        article('القرار 3', 'الموافقة على تشكيل لجان الامتحانات والمراقبة.'),
      ],
      signatures: ['أمين المجلس', 'عميد الكلية'],
    }),
  ],
})
