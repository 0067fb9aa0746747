import { followIds, insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { tally } from './counting/tally.rules.ts'
import type { FormAnswers, FormQuestion, OutcomeDomain, QuestionKind } from './types/form.contract.ts'
import { formOfType } from './types/question.server.ts'

type Names = readonly [en: string, ar: string]
interface DemoQuestion {
  readonly names: Names
  readonly kind: QuestionKind
  readonly section?: Names
  readonly options?: readonly Names[]
  readonly rows?: readonly Names[]
  readonly voluntary?: true
  readonly domain?: OutcomeDomain
  /** Asked where the question before it is rated below 3. */
  readonly ifLow?: true
}
const AGREE: readonly Names[] = [
  ['Not at all', 'لا أوافق إطلاقًا'],
  ['Rather not', 'لا أوافق'],
  ['Partly', 'إلى حد ما'],
  ['Rather', 'أوافق'],
  ['Fully', 'أوافق تمامًا'],
]
const COURSE: Names = ['Course', 'المقرر']
const TYPES: readonly {
  code: string
  names: Names
  kind: string
  about: string
  questions: readonly DemoQuestion[]
}[] = [
  {
    code: 'COURSE',
    names: ['Evaluation of a course', 'تقييم مقرر'],
    kind: 'student',
    about: 'course',
    questions: [
      {
        names: ['The goals of the course were clear.', 'كانت أهداف المقرر واضحة.'],
        kind: 'rating',
        section: COURSE,
        options: AGREE,
      },
      {
        names: ['What was unclear?', 'ما الذي لم يكن واضحًا؟'],
        kind: 'text',
        section: COURSE,
        ifLow: true,
        voluntary: true,
      },
      {
        names: ['The workload fits the credit hours.', 'يتناسب الجهد مع الساعات المعتمدة.'],
        kind: 'rating',
        section: COURSE,
        options: AGREE,
      },
      {
        names: ['How good were', 'ما مدى جودة'],
        kind: 'grid',
        rows: [
          ['the lectures', 'المحاضرات'],
          ['the exercises', 'التمارين'],
          ['the material', 'المادة العلمية'],
        ],
      },
      {
        names: ['What helped you learn?', 'ما الذي ساعدك على التعلم؟'],
        kind: 'several',
        options: [
          ['Lectures', 'المحاضرات'],
          ['Books', 'الكتب'],
          ['Videos', 'مقاطع الفيديو'],
          ['Fellow students', 'الزملاء'],
        ],
      },
      {
        names: ['I can explain the main ideas of the course.', 'أستطيع شرح الأفكار الرئيسة للمقرر.'],
        kind: 'rating',
        options: AGREE,
        domain: 'knowledge',
      },
      {
        names: ['I can solve its typical problems by myself.', 'أستطيع حل مسائله المعتادة بنفسي.'],
        kind: 'rating',
        options: AGREE,
        domain: 'skills',
      },
      { names: ['Hours of study in a week', 'ساعات المذاكرة في الأسبوع'], kind: 'number' },
      {
        names: ['What should stay, what should change?', 'ما الذي ينبغي أن يبقى وما الذي ينبغي أن يتغير؟'],
        kind: 'text',
        voluntary: true,
      },
    ],
  },
  {
    code: 'INSTRUCTOR',
    names: ['Evaluation of an instructor', 'تقييم عضو هيئة تدريس'],
    kind: 'student',
    about: 'instructor',
    questions: [
      { names: ['Explains clearly.', 'يشرح بوضوح.'], kind: 'rating', options: AGREE },
      { names: ['Is there when I have questions.', 'متاح للإجابة عن أسئلتي.'], kind: 'rating', options: AGREE },
      { names: ['What would you say to your instructor?', 'ماذا تود أن تقول لأستاذك؟'], kind: 'text', voluntary: true },
    ],
  },
  {
    code: 'LIFE',
    names: ['Life at the university', 'الحياة الجامعية'],
    kind: 'student',
    about: 'university',
    questions: [
      {
        names: ['Put in order of importance to you', 'رتب بحسب الأهمية لك'],
        kind: 'ranking',
        options: [
          ['Library', 'المكتبة'],
          ['Sports', 'الرياضة'],
          ['Transport', 'المواصلات'],
        ],
      },
      { names: ['How satisfied are you?', 'ما مدى رضاك؟'], kind: 'rating' },
    ],
  },
  {
    code: 'STAFF',
    names: ['Work at the university', 'العمل في الجامعة'],
    kind: 'faculty',
    about: 'university',
    questions: [{ names: ['I like to work here.', 'أحب العمل هنا.'], kind: 'rating', options: AGREE }],
  },
  {
    code: 'GRADUATES',
    names: ['Where graduates work', 'أين يعمل الخريجون'],
    kind: 'graduate',
    about: 'university',
    questions: [
      {
        names: ['What do you do now?', 'ماذا تعمل الآن؟'],
        kind: 'single',
        options: [
          ['Work in my field', 'أعمل في تخصصي'],
          ['Work in another field', 'أعمل في مجال آخر'],
          ['Study', 'أدرس'],
          ['Look for work', 'أبحث عن عمل'],
        ],
      },
    ],
  },
  {
    code: 'EMPLOYERS',
    names: ['What employers say of our graduates', 'رأي جهات العمل في خريجينا'],
    kind: 'outsider',
    about: 'university',
    questions: [
      {
        names: ['Our graduates know their field.', 'يتمكن خريجونا من تخصصهم.'],
        kind: 'rating',
        options: AGREE,
        domain: 'knowledge',
      },
      {
        names: ['They work well with others.', 'يعملون جيدًا مع الآخرين.'],
        kind: 'rating',
        options: AGREE,
        domain: 'competences',
      },
      { names: ['What should we teach more of?', 'ما الذي ينبغي أن نزيده في التدريس؟'], kind: 'text', voluntary: true },
    ],
  },
]

/** Employers of graduates: asked by a link, without an account. */
const EMPLOYERS: readonly (readonly [name: string, organisation: string, email: string, language: string])[] = [
  ['Nadia Selim', 'Delta Engineering', 'nadia.selim@delta.example', 'en'],
  ['كريم فؤاد', 'بنك النيل', 'karim.fouad@nilebank.example', 'ar'],
  ['منى عادل', 'مستشفى النور', 'mona.adel@nour.example', 'ar'],
  ['Samir Hassan', 'Red Sea Software', 'samir@redsea.example', 'en'],
  ['هالة مراد', 'مكتب مراد للاستشارات', 'hala@mourad.example', 'ar'],
  ['Claire Dubois', 'Méditerranée Conseil', 'claire.dubois@medconseil.example', 'fr'],
  ['Jens Vogt', 'Hafen Logistik', 'jens.vogt@hafen.example', 'de'],
]

async function loadQuestions(tx: Tx): Promise<void> {
  await insertRows(
    tx,
    'questionnaire_types',
    TYPES.map(({ code, names: [name, name_local], kind, about }, i) => ({
      id: i + 1,
      code,
      name,
      name_local,
      kind,
      about,
    })),
  )
  await followIds(tx, 'questionnaire_types')
  const all = TYPES.flatMap(({ questions }, type) =>
    questions.map((question, at) => ({ ...question, type_id: type + 1, position: at + 1 })),
  )
  await insertRows(
    tx,
    'questionnaire_questions',
    all.map(({ names, kind, section, voluntary, ifLow, domain, type_id, position }, i) => ({
      id: i + 1,
      type_id,
      position,
      question: names[0],
      question_local: names[1],
      section: section?.[0] ?? null,
      section_local: section?.[1] ?? null,
      kind,
      points: kind === 'rating' || kind === 'grid' ? 5 : null,
      minimum: kind === 'number' ? 0 : null,
      maximum: kind === 'number' ? 60 : null,
      required: !voluntary,
      outcome_domain: domain ?? null,
      condition_id: ifLow ? i : null,
      condition_is: ifLow ? 'below' : null,
      condition_value: ifLow ? 3 : null,
    })),
  )
  await followIds(tx, 'questionnaire_questions')
  for (const [table, part] of [
    ['questionnaire_options', 'options'],
    ['questionnaire_grid_rows', 'rows'],
  ] as const)
    await insertRows(
      tx,
      table,
      all.flatMap((question, i) =>
        (question[part] ?? []).map(([name, name_local], at) => ({
          question_id: i + 1,
          position: at + 1,
          name,
          name_local,
        })),
      ),
    )
}

const SAID = [
  'More examples, please',
  'المحاضرات مفيدة',
  'The exercises came too late',
  'الكتاب صعب',
  'Keep the project',
  'أتمنى مزيدًا من التمارين',
  'Everything was fine',
]
/** What one of a class answers: made up, always the same. */
function answersOf(form: readonly FormQuestion[], at: number): FormAnswers {
  const answer = ({ kind, points, options, rows }: FormQuestion, i: number) => {
    const turn = (at * 7 + i * 3 + (at >> 2)) % 10
    if (kind === 'text') return turn < 4 ? (SAID[(at + i) % SAID.length] ?? null) : null
    if (kind === 'number') return 2 + turn
    if (kind === 'single') return (turn % options.length) + 1
    if (kind === 'several') return [(turn % options.length) + 1]
    if (kind === 'ranking') return options.map((_, place) => ((place + turn) % options.length) + 1)
    const point = (more: number) => Math.max(1, (points ?? 5) - ((turn + more) % 4))
    return kind === 'grid' ? rows.map((_, row) => point(row)) : point(0)
  }
  return Object.fromEntries(form.map((question, i) => [question.key, answer(question, i)]))
}

/** A questionnaire that is over: what counting would have left of it. */
async function count(tx: Tx, id: number, form: readonly FormQuestion[]): Promise<void> {
  const { rows } = await sql<{
    id: number
    asked: number
  }>`select x.id, count(a.user_id)::int as asked from questionnaire_sets x
    left join questionnaire_asked(${id}) a on a.set_id = x.id where x.questionnaire_id = ${id} group by x.id order by x.id`.execute(
    tx,
  )
  const counted = rows.map((set, i) => {
    const answered = Math.floor((set.asked * (45 + ((i * 13) % 40))) / 100)
    const all = Array.from({ length: answered }, (_, at) => answersOf(form, at + i))
    return { ...set, answered, tallied: tally(form, all, set.asked) }
  })
  await insertRows(
    tx,
    'questionnaire_figures',
    counted.flatMap(({ id: set_id, tallied }) => (tallied?.figures ?? []).map((figure) => ({ set_id, ...figure }))),
  )
  const comments = counted.flatMap(({ id: set_id, tallied }) =>
    (tallied?.comments ?? []).map((comment) => ({ set_id, ...comment })),
  )
  for (const [i, comment] of comments.entries())
    await sql`insert into questionnaire_comments (set_id, question, text, state)
      values (${comment.set_id}, ${comment.question}, ${comment.text}, ${i % 3 === 0 ? 'waiting' : 'shown'})`.execute(
      tx,
    )
  await sql`update questionnaire_sets x set asked = c.asked, answered = c.answered, small = c.answered < 5
    from jsonb_to_recordset(${JSON.stringify(counted.map(({ tallied: _, ...set }) => set))}::jsonb) as c (id int, asked int, answered int)
    where x.id = c.id`.execute(tx)
}

/** The list of a questionnaire to employers; where it is open, they were written to. */
async function askEmployers(tx: Tx, questionnaire_id: number, open: boolean): Promise<void> {
  const rows = EMPLOYERS.slice(open ? 0 : 3).map(([name, organisation, email, language]) => ({
    questionnaire_id,
    name,
    organisation,
    email,
    language,
  }))
  await insertRows(tx, 'questionnaire_outsiders', rows)
  if (!open) return
  await sql`insert into questionnaire_invitations (questionnaire_id, outsider_id, sent_on)
    select questionnaire_id, id, university_today() - 1 from questionnaire_outsiders where questionnaire_id = ${questionnaire_id}`.execute(
    tx,
  )
}

export default demoPart(
  ['questionnaire_types', 'questionnaire_questions', 'questionnaires'],
  ['registrations', 'offerings', 'students', 'terms'],
  async (tx) => {
    await loadQuestions(tx)
    const { rows } = await sql<{ now: number; before: number }>`select c.term_id as now,
        coalesce((select t.id from terms t where t.end_date < n.start_date order by t.end_date desc limit 1), c.term_id) as before
      from current_terms c join terms n on n.id = c.term_id where c.key = 'current_term'`.execute(tx)
    const { now, before } = firstRow(rows)
    const day = (days: number) => addDays(dayOf(), days)
    const planned: readonly (readonly [
      status: string,
      type_id: number,
      term_id: number | null,
      from: number,
      until: number,
      faculty_id?: number,
    ])[] = [
      ['closed', 1, before, -150, -130],
      ['open', 2, now, -3, 11],
      ['paused', 3, null, -10, 20],
      ['planned', 1, now, 20, 34],
      ['open', 4, null, -1, 13],
      ['planned', 5, null, 30, 60],
      // Of one faculty alone.
      ['planned', 3, null, 40, 70, 1],
      ['planned', 1, now, 40, 54, 2],
      ['open', 6, null, -2, 20],
      ['planned', 6, null, 25, 50, 1],
    ]
    for (const [status, type_id, term_id, from, until, faculty_id = null] of planned) {
      const form = status === 'planned' ? null : await formOfType(tx, type_id)
      const { rows: made } = await sql<{
        id: number
      }>`insert into questionnaires (type_id, term_id, faculty_id, opens_on, closes_on, remind_days, status, form, counted_on)
        values (${type_id}, ${term_id}, ${faculty_id}, ${day(from)}, ${day(until)}, 7, ${status}, ${form && JSON.stringify(form)}::jsonb,
          ${status === 'closed' ? day(until + 1) : null}) returning id`.execute(tx)
      const { id } = firstRow(made)
      if (form) await sql`select make_questionnaire_sets(${id})`.execute(tx)
      if (type_id === 6) await askEmployers(tx, id, status === 'open')
      if (form && status === 'closed') await count(tx, id, form)
    }
  },
)
