import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

type Names = readonly [name: string, name_local: string]
interface Page {
  readonly names: Names
  readonly short?: string
  readonly en: string
  readonly ar: string
}
interface Folder {
  readonly names: Names
  readonly short?: string
  /** Keys of the roles to which it is limited. */
  readonly limited?: readonly (readonly [role: string, level: 'view' | 'edit'])[]
  readonly holds: readonly (Folder | Page)[]
}

const LIBRARY: readonly Folder[] = [
  {
    names: ['Regulations', 'اللوائح والأنظمة'],
    short: 'regulations',
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

/** A university library of regulations, forms and guides, and a folder of the control's own. */
export default demoPart(['archive_entries', 'archive_pages', 'archive_access'], [], async (tx) => {
  const entries: Record<string, unknown>[] = []
  const pages: Record<string, unknown>[] = []
  const access: { entry_id: number; role: string; level: string }[] = []
  let id = 1
  const add = (holds: readonly (Folder | Page)[], parent_id: number): void => {
    for (const [i, one] of holds.entries()) {
      const own = ++id
      const folder = 'holds' in one
      const [name, name_local] = one.names
      entries.push({
        id: own,
        parent_id,
        kind: folder ? 'folder' : 'page',
        name,
        name_local,
        short_name: one.short ?? null,
        position: i + 1,
        inherits: !folder || !one.limited,
      })
      if (folder) {
        for (const [role, level] of one.limited ?? []) access.push({ entry_id: own, role, level })
        add(one.holds, own)
      } else for (const language of ['en', 'ar'] as const) pages.push({ entry_id: own, language, body: one[language] })
    }
  }
  add(LIBRARY, 1)
  await insertRows(tx, 'archive_entries', entries)
  await insertRows(tx, 'archive_pages', pages)
  await sql`insert into archive_access (entry_id, role_id, level)
    select a.entry_id, r.id, a.level
    from jsonb_to_recordset(${JSON.stringify(access)}::jsonb) as a (entry_id int, role text, level text) join roles r on r.key = a.role`.execute(
    tx,
  )
  await followIds(tx, 'archive_entries')
})
