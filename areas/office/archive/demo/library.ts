/** A page, a paper or a folder of the demo university's archive, by its English and Arabic name. */
type Names = readonly [name: string, name_local: string]
export interface Page {
  readonly names: Names
  readonly short?: string
  readonly en: string
  readonly ar: string
}
export interface Folder {
  readonly names: Names
  readonly short?: string
  /** Keys of the roles to which it is limited. */
  readonly limited?: readonly (readonly [role: string, level: 'view' | 'edit'])[]
  readonly holds: readonly (Folder | Page)[]
  /** Keys of papers that lie in it. */
  readonly papers?: readonly string[]
  readonly pictures?: readonly { readonly name: string; readonly name_local: string; readonly from: string }[]
}

/** Who reads what concerns the university as a whole. */
const STAFF = [
  ['registrar', 'edit'],
  ['admin', 'edit'],
  ['dean', 'view'],
  ['president', 'view'],
  ['vice_president', 'view'],
  ['university_administration_manager', 'edit'],
] as const

/** The folder of a faculty: for everybody, and in it the minutes, which its dean and the registrar keep. */
export const facultyFolder = ({
  name,
  name_local,
  code,
}: {
  name: string
  name_local: string
  code: string
}): Folder => ({
  names: [name, name_local],
  short: code.toLowerCase(),
  holds: [
    {
      names: ['Office hours', 'ساعات العمل المكتبية'],
      en: '<p>Student affairs are open from Sunday to Thursday, 9 to 15 h. Papers that were asked for before noon are ready the next working day.</p>',
      ar: '<p>تستقبل إدارة شؤون الطلاب بالكلية الطلاب من الأحد إلى الخميس من التاسعة صباحًا حتى الثالثة عصرًا، وتُسلَّم الشهادات المطلوبة قبل الظهر في يوم العمل التالي.</p>',
    },
    {
      names: ['Minutes of the Faculty Council', 'محاضر مجلس الكلية'],
      limited: [
        ['dean', 'edit'],
        ['registrar', 'edit'],
        ['admin', 'edit'],
        ['faculty_registrar', 'view'],
      ],
      holds: [],
      papers: [`minutes-${code}`],
    },
  ],
})

export const LIBRARY: readonly Folder[] = [
  {
    names: ['Regulations', 'اللوائح والأنظمة'],
    short: 'regulations',
    papers: ['bylaw', 'bylaw-en', 'discipline', 'fees'],
    holds: [
      {
        names: ['Study by credit hours', 'الدراسة بنظام الساعات المعتمدة'],
        short: 'credit-hours',
        en: '<h3>Load of a term</h3><p>A student registers 12 to 18 credit hours in a regular term. Who has a GPA of 3.00 or more may take up to 21; who stands under warning takes 12 at most.</p><h3>Attendance</h3><p>Who misses more than 25 % of the meetings of a course is barred from its final exam by decision of the faculty council.</p><h3>Adding and dropping</h3><ul><li>Courses are added and dropped in the first two weeks.</li><li>Withdrawal without a mark in the GPA is possible until the end of week ten.</li></ul>',
        ar: '<h3>العبء الدراسي</h3><p>يسجل الطالب في الفصل الدراسي الأساسي من 12 إلى 18 ساعة معتمدة، ولمن بلغ معدله التراكمي 3.00 فأكثر أن يسجل حتى 21 ساعة، ولا يزيد عبء الطالب المنذر أكاديميًا على 12 ساعة.</p><h3>الحضور</h3><p>يُحرم الطالب من دخول الامتحان النهائي للمقرر بقرار من مجلس الكلية إذا تجاوزت نسبة غيابه 25٪.</p><h3>الإضافة والحذف</h3><ul><li>تكون الإضافة والحذف خلال الأسبوعين الأول والثاني.</li><li>يجوز الانسحاب دون احتساب المقرر في المعدل حتى نهاية الأسبوع العاشر.</li></ul>',
      },
      {
        names: ['Conduct in examinations', 'قواعد الامتحانات'],
        short: 'exam-conduct',
        en: '<p>Candidates take their seats fifteen minutes before the beginning, with the university card on the desk. Nobody enters after the first half hour, and nobody leaves before it.</p><p>Telephones and watches that connect stay outside. An attempt to deceive is written down by the invigilators and goes to the disciplinary board.</p>',
        ar: '<p>يجلس الطالب في مكانه قبل بدء الامتحان بخمس عشرة دقيقة، وبطاقته الجامعية ظاهرة أمامه. لا يُسمح بالدخول بعد مضي نصف الساعة الأول ولا بالخروج قبله.</p><p>تبقى الهواتف والساعات الذكية خارج اللجنة. وتُثبت محاولة الغش في محضر يحرره الملاحظون ويُحال إلى مجلس التأديب.</p>',
      },
      {
        names: ['Decisions of the University Council', 'قرارات مجلس الجامعة'],
        limited: STAFF,
        papers: ['council-111', 'council-112'],
        holds: [
          {
            names: ['Session 112', 'الجلسة رقم 112'],
            en: '<p><strong>Decided:</strong> the calendar of the coming academic year; two weeks of registration before the first lecture; the second exam period of level one stays in August.</p>',
            ar: '<p><strong>تقرر:</strong> اعتماد الخطة الزمنية للعام الجامعي القادم، وفتح باب التسجيل أسبوعين قبل بدء الدراسة، وبقاء دور أغسطس للمستوى الأول.</p>',
          },
        ],
      },
    ],
  },
  {
    names: ['Forms', 'النماذج'],
    short: 'forms',
    papers: ['form-excuse', 'form-withdrawal', 'form-recheck'],
    holds: [
      {
        names: ['How to ask for an excuse', 'كيفية التقدم بعذر عن الامتحان'],
        short: 'excuse',
        en: '<ol><li>Ask within 48 hours after the exam.</li><li>A medical excuse needs the paper of the university hospital.</li><li>The committee of the faculty decides within a week; you are told by a notice.</li></ol>',
        ar: '<ol><li>يُقدَّم العذر خلال 48 ساعة من موعد الامتحان.</li><li>العذر المرضي يُرفق به تقرير من مستشفى الجامعة.</li><li>تبت لجنة الكلية في الطلب خلال أسبوع، ويصلك القرار بإشعار.</li></ol>',
      },
      {
        names: ['Student card', 'البطاقة الجامعية'],
        short: 'student-card',
        en: '<p>The card is issued by the student affairs office of the faculty against a photograph and a proof of registration. A lost card is replaced within three working days.</p>',
        ar: '<p>تصدر البطاقة من إدارة شؤون الطلاب بالكلية بعد تقديم صورة شخصية وإثبات القيد، ويُستخرج بدل الفاقد خلال ثلاثة أيام عمل.</p>',
      },
    ],
  },
  {
    names: ['Guides', 'الأدلة'],
    short: 'guides',
    papers: ['internship'],
    pictures: [
      { name: 'Choosing courses.png', name_local: 'اختيار المقررات.png', from: 'docs/images/registration-ar.png' },
    ],
    holds: [
      {
        names: ['Guide for new students', 'دليل الطالب الجديد'],
        short: 'new-students',
        en: '<h3>The first week</h3><p>Your advisor signs the first registration with you. Find the room of each course on your timetable, and change a group while the window is open.</p><h3>Whom to ask</h3><ul><li>Courses and groups: your advisor</li><li>Papers and cards: student affairs</li><li>Marks: first the instructor, then a recheck</li></ul>',
        ar: '<h3>الأسبوع الأول</h3><p>يعتمد المرشد الأكاديمي تسجيلك الأول معك. ستجد قاعة كل مقرر في جدولك، ويمكنك تغيير المجموعة ما دام باب التسجيل مفتوحًا.</p><h3>إلى من أتوجه؟</h3><ul><li>المقررات والمجموعات: المرشد الأكاديمي</li><li>الوثائق والبطاقات: شؤون الطلاب</li><li>الدرجات: أستاذ المقرر أولًا، ثم التماس المراجعة</li></ul>',
      },
    ],
  },
  {
    names: ['Control', 'الكنترول'],
    limited: [
      ['control_head', 'edit'],
      ['control_team', 'view'],
      ['admin', 'edit'],
    ],
    holds: [
      {
        names: ['Handing over of scripts', 'تسليم كراسات الإجابة'],
        en: '<p>Scripts are counted twice, sealed, and handed over against signature. Codes are given in the control room only, by two persons.</p>',
        ar: '<p>تُعد كراسات الإجابة مرتين وتُحرز وتُسلَّم بتوقيع المستلم. ويجري الترميز داخل غرفة الكنترول فقط وبحضور اثنين.</p>',
      },
    ],
  },
]
