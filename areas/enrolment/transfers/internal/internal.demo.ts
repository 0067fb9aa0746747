import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew, momentBefore } from '#demo/part.ts'
import { OPEN_RESULTS } from '../leaver.server.ts'
import { followInternal, moveStudent } from './internal.server.ts'

/** Where the student goes: to another faculty, to another program of the own, or to a study by marks. */
type Way = 'other' | 'own' | 'marks'
/** A new student has no results yet: nothing is to be decided. */
type Who = 'new' | 'studied'
/** Requests: where to, in which state, why, whether the courses are decided on, and the reason of who refused. */
const ASKED: readonly (readonly [
  way: Way,
  who: Who,
  status: string,
  why: string,
  decided: boolean,
  reason?: string,
])[] = [
  ['own', 'studied', 'executed', 'أرغب في التخصص الذي يناسب مشروع تخرجي.', true],
  [
    'own',
    'studied',
    'rejected',
    'My friends study in the other program.',
    true,
    'The places are for students of level one.',
  ],
  ['own', 'studied', 'cancelled', 'أريد تجربة برنامج آخر.', false, 'غيرت رأيي بعد لقاء المرشد.'],
  ['own', 'studied', 'deleted', 'Entered at the window.', false, 'Entered twice.'],
  ['own', 'studied', 'added', 'I want to work with data after my degree.', false],
  ['own', 'studied', 'added', 'ميولي أقرب إلى هذا البرنامج، وأخذت مقرراته الاختيارية.', false],
  ['own', 'new', 'added', 'The other program of my faculty fits my training better.', true],
  ['own', 'new', 'added', 'نصحني مرشدي بهذا البرنامج.', true],
  ['own', 'new', 'added', 'I chose too fast when I came.', true],
  ['own', 'studied', 'agreed', 'برنامجي الحالي لا يناسبني.', false],
  ['own', 'studied', 'agreed', 'برنامج الكلية الآخر أقرب إلى تدريبي.', true],
  ['other', 'new', 'agreed', 'My sister studies there, and we share one flat.', true],
  ['other', 'new', 'agreed', 'The lectures fit my work.', true],
  ['marks', 'studied', 'agreed', 'أرغب في العودة إلى الدراسة بنظام الدرجات.', false],
]
const ROADS: Readonly<Record<string, readonly (readonly [action: string, from: string, to: string])[]>> = {
  executed: [
    ['agree', 'added', 'agreed'],
    ['execute', 'agreed', 'executed'],
  ],
  rejected: [['reject', 'added', 'rejected']],
  cancelled: [['cancel', 'added', 'cancelled']],
  deleted: [['delete', 'added', 'deleted']],
  agreed: [['agree', 'added', 'agreed']],
}

/** Students who wish to move, and one who has. */
export default demoPart(
  ['internal_transfers', 'equivalences', 'former_studies', 'course_credits'],
  ['student_terms'],
  async (tx, demo) => {
    // Of the last of each faculty in turn: the first are those that demo accounts and examples name.
    const { rows: students } = await sql<{
      id: number
      user_id: number | null
      program_id: number
      faculty_id: number
      own: number | null
      other: number | null
      marks: number | null
      who: Who | null
    }>`
      select s.id, s.user_id, s.program_id, s.faculty_id,
        (select p.id from programs p where p.faculty_id = s.faculty_id and p.id <> s.program_id and p.removed_at is null order by p.id limit 1) as own,
        (select p.id from programs p where p.faculty_id <> s.faculty_id and p.removed_at is null and coalesce(p.program_type,
          (select b.program_type from bylaws b where b.id = p.bylaw_id)) = 'credit_hours' order by p.id limit 1) as other,
        case when b.program_type = 'credit_hours' then (select p.id from programs p join bylaws m on m.id = p.bylaw_id where p.faculty_id <> s.faculty_id
          and p.removed_at is null and m.program_type in ('term', 'annual') order by p.id limit 1) end as marks,
        case when not exists (select from registrations r where r.student_id = s.id and r.passed) then 'new'
          when b.program_type = 'credit_hours' then 'studied' end as who
      from students s join bylaws b on b.id = s.bylaw_id where s.status = 'studying' and s.removed_at is null and s.blocked_at is null and not s.missing_documents
        and exists (select from registrations r where r.student_id = s.id)
        and not exists (select from student_holds h where h.student_id = s.id and h.lifted_at is null)
        and ${OPEN_RESULTS} = 0
      order by row_number() over (partition by s.faculty_id order by s.id desc), s.faculty_id`.execute(tx)
    const term_id = demo.current_terms.current_transfer_term ?? demo.current_terms.current_term
    const used = new Set<number>()
    for (const [i, [way, who, status, why, decided, reason]] of ASKED.entries()) {
      const n = 2 * (ASKED.length - i) + 2
      const student = students.find((one) => !used.has(one.id) && one[way] !== null && one.who === who)
      if (!student) continue
      used.add(student.id)
      const program_id = student[way]!
      const [id] = (await insertNew(tx, 'internal_transfers', [
        {
          student_id: student.id,
          program_id,
          term_id,
          from_program_id: student.program_id,
          from_faculty_id: student.faculty_id,
          why,
          status: 'added',
          created_at: momentBefore(n),
        },
      ])) as [number]
      await followInternal(tx, { id, student_id: student.id, program_id })
      if (decided)
        await sql`update equivalences set decided = true, state = case when course_id is null then 'none' else 'confirmed' end
          where internal_transfer_id = ${id}`.execute(tx)
      await sql`update internal_transfers set status = ${status}, decided_reason = ${reason ?? null},
        executed_at = ${status === 'executed' ? sql`now()` : null} where id = ${id}`.execute(tx)
      if (status === 'executed') await moveStudent(null, tx, id)
      const step = { workflow: 'internal_transfer', record_id: id }
      await insertRows(tx, 'step_history', [
        {
          ...step,
          actor_id: student.user_id,
          action: 'begin',
          from_state: null,
          to_state: 'added',
          reason: null,
          at: momentBefore(n),
        },
        ...(ROADS[status] ?? []).map(([action, from_state, to_state], nth) => ({
          ...step,
          at: momentBefore(n - 1 - nth),
          actor_id: null,
          action,
          from_state,
          to_state,
          reason: reason ?? null,
        })),
      ])
    }
  },
)
