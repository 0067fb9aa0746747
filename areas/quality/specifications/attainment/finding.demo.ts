import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew, momentBefore, stepsTo } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { attainmentFigures } from './attainment.server.ts'
import { findingFlow } from './finding.contract.ts'

const TEXTS = [
  ['The exercises come too late in the term.', 'Exercises begin in the second week.'],
  ['The marks of the midterm are far below those of the coursework.', 'The midterm is discussed with every group.'],
  ['Few students solve problems of practice.', 'Two cases of practice are added to the exercises.'],
  ['الطلاب لا يوثقون المصادر.', 'محاضرة عن التوثيق في الأسبوع الثالث.'],
] as const
const STATES = ['action_planned', 'action_taken', 'improved', 'not_improved'] as const

/** Two of each faculty, of courses that were measured in at least two years. */
export default demoPart(['quality_findings'], ['specifications', 'instructors', 'registrations'], async (tx) => {
  const { rows } = await sql<{ course_id: number; responsible_id: number }>`select x.course_id, x.responsible_id from (
      select s.course_id, i.id as responsible_id, row_number() over (partition by c.faculty_id order by s.course_id) as place
      from specifications s join courses c on c.id = s.course_id
        join lateral (select oi.instructor_id as id from offering_instructors oi join offerings o on o.id = oi.offering_id
          where o.course_id = s.course_id order by o.id desc, oi.instructor_id limit 1) i on true
      where s.status = 'approved' and s.removed_at is null) x
    where x.place <= 2 order by x.place, x.course_id`.execute(tx)
  const made: { row: Record<string, unknown>; status: (typeof STATES)[number] }[] = []
  for (const { course_id, responsible_id } of rows) {
    const { years, figures } = await attainmentFigures(tx, { course_id, program_id: null }, null)
    const shares = years.flatMap(({ id }) => {
      const figure = figures.find((one) => one.year_id === id)
      return figure ? [{ year_id: id, share: figure.share, code: figure.code }] : []
    })
    const [first, later] = [shares[0], shares.at(-1)]
    if (!first || !later || first.year_id === later.year_id) continue
    const at = made.length
    const status = STATES[at % STATES.length] ?? 'action_planned'
    const [finding, action] = TEXTS[at % TEXTS.length] ?? TEXTS[0]
    const seen = status === 'improved' || status === 'not_improved'
    made.push({
      status,
      row: {
        course_id,
        year_id: first.year_id,
        outcome_code: first.code,
        finding,
        action,
        responsible_id,
        due_on: addDays(dayOf(), 20 - 10 * (at % 4)),
        share: first.share,
        status,
        seen_year_id: seen ? later.year_id : null,
        seen_share: seen ? later.share : null,
      },
    })
  }
  const ids = await insertNew(
    tx,
    'quality_findings',
    made.map(({ row }) => row),
  )
  await insertRows(
    tx,
    'step_history',
    made.flatMap(({ status }, i) =>
      [
        { action: 'begin', from_state: null, to_state: 'action_planned', reason: null },
        ...stepsTo(findingFlow as never, status).map((step) => ({
          ...step,
          reason: step.action === 'repeat' ? 'The share fell again.' : null,
        })),
      ].map((step, n) => ({
        workflow: findingFlow.name,
        record_id: ids[i]!,
        actor_id: null,
        at: momentBefore(20 - n),
        ...step,
      })),
    ),
  )
})
