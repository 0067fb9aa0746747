import { createHash } from 'node:crypto'
import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew, momentBefore, stepsTo, usersByEmail } from '#demo/part.ts'
import { addDays, addMonths } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { thesisFlow } from './thesis/flow.contract.ts'

/** One page of paper: what a manuscript looks like from afar. */
const PAPER = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`,
)
const SUBJECTS = [
  [
    'Learning from few labelled examples',
    'التعلم من أمثلة قليلة موسومة',
    'Methods that need a hundred examples instead of a million.',
    2,
  ],
  ['Arabic names in registers', 'الأسماء العربية في السجلات', 'Finding the same person under many spellings.', 1],
  [
    'Timetables that stay stable',
    'جداول دراسية مستقرة',
    'Changing a timetable as little as possible when a room is lost.',
    1,
  ],
  ['Water use of cooling towers', 'استهلاك المياه في أبراج التبريد', 'Measured at three plants of the Delta.', 2],
  [
    'Reading aloud in the first grades',
    'القراءة الجهرية في الصفوف الأولى',
    'What pupils understand, and what they only pronounce.',
    1,
  ],
] as const
const EXAMINERS = [
  ['EX-01', 'Hassan Abdel Rahman', 'حسن عبد الرحمن', 'Nile Delta University', 'professor'],
  ['EX-02', 'Salma El Gohary', 'سلمى الجوهري', 'University of Upper Egypt', 'professor'],
  ['EX-03', 'Karim Mansour', 'كريم منصور', 'Red Sea Institute of Technology', 'associate_professor'],
] as const
const TITLES = [
  ['Compact models for speech in Egyptian Arabic', 'نماذج صغيرة للتعرف على اللهجة المصرية'],
  ['Searching scanned Arabic manuscripts', 'البحث في المخطوطات العربية الممسوحة ضوئيًا'],
  ['Private statistics of hospital records', 'إحصاءات تحفظ الخصوصية من سجلات المستشفيات'],
  ['Predicting failures of water pumps', 'التنبؤ بأعطال مضخات المياه'],
  ['Fair allocation of student places', 'التوزيع العادل لأماكن الطلاب'],
  ['Query plans for growing tables', 'خطط الاستعلام للجداول المتنامية'],
  ['Energy budgets of sensor networks', 'ميزانية الطاقة في شبكات المجسات'],
  ['Reading comprehension in two scripts', 'الفهم القرائي بكتابتين'],
  ['Small firms and export credit', 'الشركات الصغيرة وائتمان التصدير'],
  ['Salt in the soils of the northern Delta', 'ملوحة تربة شمال الدلتا'],
  ['Wind over the Gulf of Suez', 'الرياح فوق خليج السويس'],
] as const
const STATES = [
  'granted',
  'discussed',
  'approved',
  'changing',
  'registered',
  'draft',
  'ended',
  'approved',
  'granted',
  'registered',
  'approved',
] as const
const ABSTRACT =
  'We ask how the method behaves where data are few, measure it on three collections, and publish what we measured.'
const ABSTRACT_LOCAL = 'نسأل كيف تعمل الطريقة حين تقل البيانات، ونقيسها على ثلاث مجموعات، وننشر ما قسناه.'

export default demoPart(
  [
    'external_examiners',
    'thesis_rules',
    'thesis_subjects',
    'thesis_wishes',
    'theses',
    'thesis_members',
    'thesis_decisions',
    'thesis_changes',
    'thesis_clock',
    'thesis_discussions',
    'thesis_discussion_people',
    'thesis_reports',
    'thesis_seminars',
    'thesis_proofs',
    'thesis_versions',
    'thesis_remarks',
    'thesis_deposits',
  ],
  ['postgraduates', 'students', 'instructors', 'departments', 'locations', 'bylaws', 'users', 'course_file_documents'],
  async (tx, demo) => {
    const today = demo.today
    const by = (await usersByEmail(tx)).get(`registrar@${demo.university.domain}`) ?? null
    const examiners = await insertNew(
      tx,
      'external_examiners',
      EXAMINERS.map(([code, name, name_local, university, academic_title]) => ({
        code,
        name,
        name_local,
        university,
        academic_title,
      })),
    )
    // Masters of the program that there is, and one program more in each of two other faculties.
    const { rows: elsewhere } = await sql<{ faculty_id: number; bylaw_id: number; department_id: number; n: number }>`
      select f.id as faculty_id, b.id as bylaw_id, d.id as department_id, row_number() over (order by f.id)::int as n
      from faculties f join lateral (select id from bylaws where faculty_id = f.id and removed_at is null order by id desc limit 1) b on true
        join lateral (select id from departments where faculty_id = f.id and removed_at is null order by id limit 1) d on true
      where not exists (select from programs p where p.faculty_id = f.id and p.study_level = 'postgraduate')
        and exists (select from instructors i where i.faculty_id = f.id and i.academic_title = 'professor' and i.removed_at is null)
      order by f.id limit 2`.execute(tx)
    const { rows: countries } = await sql<{ id: number }>`select id from countries where code = 'SD'`.execute(tx)
    const sudan = countries[0]?.id ?? null
    for (const { faculty_id, bylaw_id, department_id, n } of elsewhere) {
      const [program_id] = await insertNew(tx, 'programs', [
        {
          bylaw_id,
          faculty_id,
          department_id,
          code: `MSC-R${n}`,
          name: 'Master by research',
          name_local: 'ماجستير بحثي',
          degree: 'Master',
          degree_local: 'ماجستير',
          program_type: 'credit_hours',
          study_level: 'postgraduate',
          semesters: 4,
        },
      ])
      await insertNew(
        tx,
        'students',
        (
          [
            ['Amal Fathy', 'أمل فتحي'],
            ['Yassin Darwish', 'ياسين درويش'],
          ] as const
        ).map(([name, name_local], i) => ({
          code: `PGR${n}${i + 1}`,
          name,
          name_local,
          faculty_id,
          program_id,
          bylaw_id,
          level: 1,
          // From Sudan: who is Egyptian has a national id.
          nationality_id: sudan,
        })),
      )
    }
    const { rows: students } = await sql<{
      id: number
      user_id: number | null
      name: string
      name_local: string
      faculty_id: number
      bylaw_id: number
      department_id: number
      status: string
    }>`
      select s.id, s.user_id, s.name, s.name_local, s.faculty_id, s.bylaw_id, s.status,
        coalesce(p.department_id, (select d.id from departments d where d.faculty_id = s.faculty_id order by d.id limit 1)) as department_id
      from students s join programs p on p.id = s.program_id where p.study_level = 'postgraduate' and s.removed_at is null
      order by s.status <> 'graduated', row_number() over (partition by s.faculty_id order by s.id), s.faculty_id limit ${STATES.length + 3}`.execute(
      tx,
    )
    const bylaws = [...new Set(students.map((one) => one.bylaw_id))]
    await insertNew(
      tx,
      'thesis_rules',
      bylaws.map((bylaw_id, i) => ({ bylaw_id, min_publications: i === 0 ? 1 : 0, needs_language: i === 0 })),
    )
    const { rows: professors } = await sql<{
      id: number
      user_id: number | null
      faculty_id: number
      department_id: number | null
      title: string
    }>`
      select i.id, i.user_id, i.faculty_id, i.department_id, i.academic_title as title from instructors i
      where i.removed_at is null and i.academic_title in ('professor', 'associate_professor') order by i.user_id is null, i.id`.execute(
      tx,
    )
    const of = (faculty_id: number) => [
      ...professors.filter((one) => one.faculty_id === faculty_id),
      ...professors.filter((one) => one.faculty_id !== faculty_id),
    ]
    const subjects = await insertNew(
      tx,
      'thesis_subjects',
      SUBJECTS.map(([name, name_local, description, places], i) => {
        const { faculty_id, department_id } = students[i % students.length]!
        return {
          instructor_id: of(faculty_id)[i % 3]!.id,
          department_id,
          name,
          name_local,
          description,
          places,
          open_until: addDays(today, 60),
        }
      }),
    )
    const hash = createHash('sha256').update(PAPER).digest('hex')
    const file = async (name: string, created_by: number | null) =>
      (
        await insertNew(tx, 'files', [
          { hash, ext: 'pdf', mime: 'application/pdf', size: PAPER.byteLength, name, created_by },
        ])
      )[0]!
    const { rows: rooms } = await sql<{
      id: number
    }>`select id from locations where removed_at is null and location_type in ('hall', 'room') order by id desc limit 12`.execute(
      tx,
    )

    for (const [i, status] of STATES.entries()) {
      const student = students[i]
      if (!student) break
      const team = of(student.faculty_id)
      const [leader, second, judge, other] = [0, 1, 2, 3].map((n) => team[(i + n) % team.length]!) as [
        (typeof team)[0],
        (typeof team)[0],
        (typeof team)[0],
        (typeof team)[0],
      ]
      const registered_on = status === 'draft' ? null : addDays(today, status === 'registered' ? -70 : -760)
      const past = ['approved', 'changing', 'discussed', 'granted'].includes(status)
      const approved_on = past ? addDays(today, -700) : null
      const granted_on = status === 'granted' ? addDays(today, -40) : null
      const [title, title_local] = TITLES[i]!
      const due_on =
        status === 'registered'
          ? addMonths(registered_on!, 6)
          : status === 'approved' || status === 'changing'
            ? addMonths(approved_on!, 36)
            : status === 'discussed'
              ? addDays(today, 50)
              : null
      const at = momentBefore(STATES.length - i + 4)
      const [id] = (await insertNew(tx, 'theses', [
        {
          student_id: student.id,
          department_id: student.department_id,
          degree: 'master',
          language: i % 2 ? 'ar' : 'en',
          title,
          title_local,
          abstract: ABSTRACT,
          abstract_local: ABSTRACT_LOCAL,
          keywords: 'few data, measurement',
          keywords_local: 'بيانات قليلة، قياس',
          status,
          registered_on,
          approved_on,
          granted_on,
          due_on,
          created_at: at,
        },
      ])) as [number]
      const member = (position: number, job: string, more: object) => ({
        thesis_id: id,
        position,
        job,
        from_date: addDays(today, -770),
        ...more,
      })
      await insertRows(tx, 'thesis_members', [
        member(1, 'leader', { instructor_id: leader.id, share: 70 }),
        member(2, 'member', { instructor_id: second.id, share: 30 }),
      ])
      if (past) {
        await insertRows(tx, 'thesis_members', [
          member(3, 'committee', { instructor_id: judge.id }),
          member(4, 'committee', { instructor_id: other.id }),
        ])
        await insertRows(tx, 'thesis_members', [
          member(5, 'committee', { examiner_id: examiners[i % examiners.length] }),
        ])
      }
      const decided = (kind: string, number: string, decided_on: string) => ({
        thesis_id: id,
        kind,
        council: 'Faculty council',
        session: '12',
        number,
        decided_on,
        created_by: by,
      })
      if (past) await insertRows(tx, 'thesis_decisions', [decided('approve', `${i + 3}`, approved_on!)])
      if (granted_on) await insertRows(tx, 'thesis_decisions', [decided('grant', `${i + 30}`, granted_on)])
      if (past) {
        await insertRows(
          tx,
          'thesis_reports',
          [-500, -320, -130].map((days, n) => ({
            thesis_id: id,
            until_date: addDays(today, days),
            progress: 25 * (n + 1),
            satisfied: true,
            text: 'Work goes on as planned.',
            created_by: leader.user_id,
          })),
        )
        await insertRows(tx, 'thesis_seminars', [
          { thesis_id: id, held_on: addDays(today, -300), title: 'State of the art', created_by: leader.user_id },
        ])
        await insertRows(tx, 'thesis_proofs', [
          {
            thesis_id: id,
            kind: 'language',
            text: 'English test, 92 of 120',
            accepted_at: at,
            accepted_by: leader.user_id,
            created_by: student.user_id,
          },
          {
            thesis_id: id,
            kind: 'publication',
            text: '10.1000/182',
            accepted_at: at,
            accepted_by: leader.user_id,
            created_by: student.user_id,
          },
        ])
        const [version] = (await insertNew(tx, 'thesis_versions', [
          {
            thesis_id: id,
            number: 1,
            file_id: await file('thesis.pdf', student.user_id),
            note: 'For the committee',
            declared_at: at,
            similarity: '12.5',
            similarity_file_id: await file('similarity.pdf', leader.user_id),
            created_by: student.user_id,
            created_at: at,
          },
        ])) as [number]
        const [remark] = (await insertNew(tx, 'thesis_remarks', [
          {
            version_id: version,
            page: 14,
            text: 'Say where these figures come from.',
            created_by: judge.user_id,
            created_at: at,
          },
        ])) as [number]
        if (i % 2)
          await insertNew(tx, 'thesis_remarks', [
            {
              version_id: version,
              reply_to: remark,
              text: 'The source stands beneath the table now.',
              created_by: student.user_id,
              created_at: at,
            },
          ])
      }
      if (status === 'changing')
        await insertNew(tx, 'thesis_changes', [
          {
            thesis_id: id,
            title: `${title} in practice`,
            before: { title, title_local, department_id: student.department_id, supervisors: [] },
            reason: 'The question became narrower.',
            created_by: student.user_id,
          },
        ])
      if (i === 2)
        await insertNew(tx, 'thesis_clock', [
          {
            thesis_id: id,
            kind: 'suspension',
            from_date: addDays(today, -200),
            until_date: addDays(today, -140),
            reason: 'Illness',
            decision: '8/2025',
            created_by: by,
          },
        ])
      if (status === 'discussed' || status === 'granted' || i === 7 || i === 10) {
        // One was held yesterday: its result is still to be recorded.
        const held = i !== 7 && i !== 10
        const day = held ? addDays(today, -60 - i) : addDays(today, i === 7 ? -1 : 40)
        const during = `[${day} 10:00:00+02,${day} 12:00:00+02)`
        const changes = status === 'discussed'
        const [discussion] = (await insertNew(tx, 'thesis_discussions', [
          {
            thesis_id: id,
            location_id: rooms[i % rooms.length]!.id,
            during,
            result: held ? (changes ? 'changes' : 'accepted') : null,
            changes_due: changes ? due_on : null,
            minutes: held ? 'The committee asked for fifty minutes and agreed on the result.' : null,
            created_by: by,
          },
        ])) as [number]
        await insertRows(
          tx,
          'thesis_discussion_people',
          [leader, second, judge, other].map((one) => ({ discussion_id: discussion, instructor_id: one.id, during })),
        )
        await insertRows(tx, 'thesis_discussion_people', [
          { discussion_id: discussion, examiner_id: examiners[i % examiners.length], during },
        ])
      }
      if (granted_on) {
        const withdrawn = i > 0
        await insertNew(tx, 'thesis_deposits', [
          {
            thesis_id: id,
            handle: `${granted_on.slice(0, 4)}-${String(id).padStart(6, '0')}`,
            file_id: await file('thesis.pdf', student.user_id),
            title,
            title_local,
            creator: student.name,
            creator_local: student.name_local,
            contributors: [],
            abstract: ABSTRACT,
            abstract_local: ABSTRACT_LOCAL,
            keywords: 'few data, measurement',
            keywords_local: 'بيانات قليلة، قياس',
            language: 'en',
            degree: 'master',
            faculty_id: student.faculty_id,
            granted_on,
            licence: 'cc-by',
            withdrawn_at: withdrawn ? at : null,
            withdrawn_reason: withdrawn ? 'Court order 118 of this year' : null,
            created_by: by,
          },
        ])
      }
      const step = { workflow: thesisFlow.name, record_id: id, at }
      await insertRows(tx, 'step_history', [
        { ...step, reason: null, action: 'begin', from_state: null, to_state: 'draft', actor_id: by },
        ...stepsTo(thesisFlow as never, status).map((taken) => ({
          ...step,
          reason: taken.to_state === 'ended' ? 'No progress for two reports.' : null,
          actor_id: taken.action === 'register' ? student.user_id : by,
          ...taken,
        })),
      ])
    }
    // Those who have no thesis wish for subjects.
    for (const student of students.slice(STATES.length))
      await insertRows(
        tx,
        'thesis_wishes',
        subjects.slice(0, 2).map((subject_id, n) => ({ student_id: student.id, subject_id, position: n + 1 })),
      )
    return async (_db, storage) => {
      await storage.put(PAPER)
    }
  },
)
