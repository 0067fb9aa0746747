import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart, insertNew, momentBefore, stepsTo } from '#demo/part.ts'
import { sql } from 'kysely'
import { specificationFlow } from './spec/specification.contract.ts'

type Names = readonly [en: string, ar: string]
type Outcome = readonly [
  code: string,
  domain: 'knowledge' | 'skills' | 'competences',
  level: number,
  verb: string,
  ...Names,
]

/** Outcomes of every program: their codes are those that courses serve. */
const PROGRAM: readonly Outcome[] = [
  ['A1', 'knowledge', 2, 'explain', 'Explain the concepts and theories of the field', 'يشرح مفاهيم التخصص ونظرياته'],
  ['A2', 'knowledge', 2, 'describe', 'Describe current methods and tools', 'يصف الأساليب والأدوات الحديثة'],
  ['B1', 'skills', 4, 'analyse', 'Analyse problems and choose a way to solve them', 'يحلل المشكلات ويختار طرق حلها'],
  ['B2', 'skills', 3, 'apply', 'Apply methods to cases of practice', 'يطبق الأساليب على حالات عملية'],
  ['B3', 'skills', 5, 'evaluate', 'Evaluate evidence and results', 'يقيّم الأدلة والنتائج'],
  ['C1', 'competences', 6, 'plan', 'Plan work in a team and answer for it', 'يخطط للعمل في فريق ويتحمل مسؤوليته'],
  [
    'C2',
    'competences',
    5,
    'judge',
    'Judge what is right by the ethics of the profession',
    'يحكم على المواقف وفق أخلاقيات المهنة',
  ],
]
const COURSE: readonly Outcome[] = [
  ['K1', 'knowledge', 1, 'define', 'Define the basic terms of the course', 'يعرّف المصطلحات الأساسية للمقرر'],
  ['K2', 'knowledge', 2, 'explain', 'Explain how its methods work', 'يشرح كيفية عمل الأساليب'],
  ['S1', 'skills', 3, 'solve', 'Solve typical problems', 'يحل المسائل النموذجية'],
  ['S2', 'skills', 4, 'compare', 'Compare ways to a solution', 'يقارن بين طرق الحل'],
  ['V1', 'competences', 3, 'use', 'Use sources honestly and name them', 'يستخدم المصادر بأمانة ويوثقها'],
]
/** Which outcome of the program each outcome of a course serves. */
const SERVES: Readonly<Record<string, string>> = { K1: 'A1', K2: 'A2', S1: 'B2', S2: 'B1', V1: 'C2' }
const TOPICS: readonly (readonly [weeks: number, ...Names])[] = [
  [2, 'Introduction and basic terms', 'مقدمة ومصطلحات أساسية'],
  [4, 'Theory', 'الأسس النظرية'],
  [4, 'Methods and exercises', 'الأساليب والتطبيقات'],
  [3, 'Cases of practice', 'حالات عملية'],
  [1, 'Review', 'مراجعة'],
]
const METHODS: readonly Names[] = [
  ['Lectures', 'المحاضرات'],
  ['Exercises in groups', 'تدريبات جماعية'],
  ['Self-study', 'التعلم الذاتي'],
]
const REFERENCES: readonly (readonly [kind: string, text: string])[] = [
  ['textbook', 'Lecture notes of the department, current edition'],
  ['further', 'Handbook of the field, 3rd edition'],
]
/** Topics and outcomes by their places from 0: what teaches what. */
const TAUGHT: readonly (readonly [outcome: number, topic: number])[] = [
  [0, 0],
  [0, 4],
  [1, 1],
  [1, 4],
  [2, 2],
  [3, 2],
  [3, 3],
  [4, 3],
]

interface Known {
  id: number
  year_id: number
  course_id: number | null
  status: 'draft' | 'submitted' | 'sent_back' | 'approved'
  credit_hours: number
}
/** What a specification says; one that is only begun lacks some of it. */
async function fill(tx: Tx, of: Known, at: number): Promise<void> {
  const whole = of.status !== 'draft'
  const outcomes = of.course_id === null ? PROGRAM : COURSE
  const specification_id = of.id
  const ids = await insertNew(
    tx,
    'specification_outcomes',
    outcomes.map(([code, domain, level, verb, text, text_local], i) => ({
      specification_id,
      position: i + 1,
      code,
      domain,
      level,
      verb,
      text,
      text_local,
    })),
  )
  const methods = await insertNew(
    tx,
    'specification_methods',
    METHODS.map(([text, text_local], i) => ({ specification_id, position: i + 1, text, text_local })),
  )
  if (of.course_id === null) return
  const topics = await insertNew(
    tx,
    'specification_topics',
    TOPICS.map(([weeks, text, text_local], i) => ({
      specification_id,
      position: i + 1,
      text,
      text_local,
      weeks,
      hours: Math.max(1, weeks * of.credit_hours),
    })),
  )
  await insertNew(
    tx,
    'specification_references',
    REFERENCES.map(([kind, text], i) => ({ specification_id, position: i + 1, kind, text })),
  )
  // As the marks of its offerings are given: so that outcomes are measured by them.
  const { rows: scheme } = await sql<{
    id: number
    name: string
    name_local: string
    weight: string
    is_final_exam: boolean
  }>`
    select k.id, k.name, k.name_local, round(100 * m.max / sum(m.max) over (), 2)::text as weight, k.is_final_exam
    from offering_marks m join mark_categories k on k.id = m.mark_category_id
    where m.offering_id = (select o.id from offerings o join terms t on t.id = o.term_id
      where o.course_id = ${of.course_id} and o.removed_at is null and exists (select from offering_marks x where x.offering_id = o.id)
      order by t.year_id = ${of.year_id} desc, t.start_date desc, o.id limit 1) order by m.position`.execute(tx)
  const assessments = await insertNew(
    tx,
    'specification_assessments',
    scheme.map(({ id, name, name_local, weight, is_final_exam }, i) => ({
      specification_id,
      position: i + 1,
      text: name,
      text_local: name_local,
      weight,
      week: is_final_exam ? 16 : 4 + 4 * i,
      mark_category_id: id,
    })),
  )
  await insertRows(
    tx,
    'outcome_topics',
    TAUGHT.flatMap(([outcome, topic]) =>
      whole || outcome < 3 ? [{ specification_id, outcome_id: ids[outcome]!, topic_id: topics[topic]! }] : [],
    ),
  )
  await insertRows(
    tx,
    'outcome_methods',
    ids.flatMap((outcome_id, i) =>
      whole ? [{ specification_id, outcome_id, method_id: methods[i % methods.length]! }] : [],
    ),
  )
  // Each is assessed twice where there is enough: one by coursework, all by the last.
  await insertRows(
    tx,
    'outcome_assessments',
    ids.flatMap((outcome_id, i) =>
      whole || i < 3
        ? [...new Set([assessments[i % Math.max(1, assessments.length - 1)], assessments.at(-1)])].flatMap(
            (assessment_id) => (assessment_id === undefined ? [] : [{ specification_id, outcome_id, assessment_id }]),
          )
        : [],
    ),
  )
  await sql`insert into outcome_contributions (specification_id, outcome_id, program_id, code)
    select ${specification_id}, o.id, pc.program_id, x.code from specification_outcomes o
      join jsonb_to_recordset(${JSON.stringify(Object.entries(SERVES).map(([own, code]) => ({ own, code })))}::jsonb) as x (own text, code text) on x.own = o.code
      join program_courses pc on pc.course_id = ${of.course_id}
      join specifications p on p.program_id = pc.program_id and p.removed_at is null and p.revision = 1
    where o.specification_id = ${specification_id} and (${at}::int % 3 > 0 or o.code <> 'V1')
    group by o.id, pc.program_id, x.code`.execute(tx)
}

export default demoPart(
  ['specifications'],
  ['courses', 'programs', 'offerings', 'registrations', 'mark_categories', 'terms', 'users'],
  async (tx) => {
    // Every program in the first year; of each faculty some courses that have been taught, approved for the first year with results;
    // then this year's versions in every state.
    const { rows: years } = await sql<{ first: number; now: number }>`select
      (select y.id from years y where y.removed_at is null order by y.start_date limit 1) as first,
      (select y.id from years y where y.removed_at is null and y.start_date <= university_today() order by y.start_date desc limit 1) as now`.execute(
      tx,
    )
    const { first, now } = firstRow(years)
    const { rows: programs } = await sql<{
      id: number
    }>`select id from programs where removed_at is null order by id`.execute(tx)
    const { rows: courses } = await sql<{ id: number; credit_hours: number; place: number }>`
      select c.id, c.credit_hours::float8 as credit_hours, c.place::int as place from (
        select c.id, c.credit_hours, row_number() over (partition by c.faculty_id order by count(o.id) desc, c.id) as place
        from courses c join offerings o on o.course_id = c.id and o.removed_at is null
          and exists (select from offering_marks m where m.offering_id = o.id)
        where c.removed_at is null and c.department_id is not null group by c.id) c
      where c.place <= 8 order by c.id`.execute(tx)
    const states = ['approved', 'submitted', 'sent_back', 'draft'] as const
    const plan: (Omit<Known, 'id'> & { program_id: number | null; revision: number })[] = [
      ...programs.map(({ id }) => ({
        course_id: null,
        program_id: id,
        year_id: first,
        revision: 1,
        status: 'approved' as const,
        credit_hours: 0,
      })),
      ...courses.map(({ id, credit_hours }) => ({
        course_id: id,
        program_id: null,
        year_id: first,
        revision: 1,
        status: 'approved' as const,
        credit_hours,
      })),
      ...(now === first
        ? []
        : courses
            .filter(({ place }) => place <= 5)
            .map(({ id, credit_hours, place }) => ({
              course_id: id,
              program_id: null,
              year_id: now,
              revision: 1,
              status: states[place % states.length]!,
              credit_hours,
            }))),
    ]
    const ids = await insertNew(
      tx,
      'specifications',
      plan.map(({ credit_hours: _, status: __, ...row }) => ({
        ...row,
        status: 'draft',
        aims: 'To give what later courses and the profession build on.',
        aims_local: 'إعداد الطالب لما تُبنى عليه المقررات التالية والمهنة.',
      })),
    )
    for (const [i, one] of plan.entries()) await fill(tx, { ...one, id: ids[i]! }, i)
    await sql`update specifications t set status = x.status, approved_on = case when x.status = 'approved' then university_today() - 30 end
      from jsonb_to_recordset(${JSON.stringify(plan.map(({ status }, i) => ({ id: ids[i], status })))}::jsonb) as x (id int, status text)
      where t.id = x.id and x.status <> 'draft'`.execute(tx)
    await insertRows(
      tx,
      'step_history',
      plan.flatMap(({ status }, i) =>
        [
          { action: 'begin', from_state: null, to_state: 'draft', reason: null },
          ...stepsTo(specificationFlow as never, status).map((step) => ({
            ...step,
            reason: step.action === 'return' ? 'The assessments do not fit the outcomes yet.' : null,
          })),
        ].map((step, n) => ({
          workflow: specificationFlow.name,
          record_id: ids[i]!,
          actor_id: null,
          at: momentBefore(40 - n),
          ...step,
        })),
      ),
    )
  },
)
