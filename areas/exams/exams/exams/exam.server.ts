/** Exams: their days, slots and halls, what they cover, and publishing them. */
import type { AnswerOf } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import { EXAM_KINDS } from '#areas/common/academics/exam-words.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { reachesAll, scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { checkRemoved, exam, examCalls, examFlow, examSteps, type ExamFacts, type InUse } from './exam.contract.ts'

/** An exam belongs to its faculty; that of the university to everybody who reads exams. */
export const examReach = (alias = 't') => ({ faculty: sql.ref(`${alias}.faculty_id`) }) satisfies ScopeParts
const everybodys = sql`t.faculty_id is null`

/** Open boards of an exam are read again. */
export const tellBoard = (ctx: Ctx, tx: Tx, exam_id: number): Promise<void> =>
  ctx.services.events.publish('all', { type: 'exam_board', data: { exam_id } }, tx)

/** How many students sit an exam. */
export const sitting = (schedule: string): string =>
  `(select count(*)::int from registrations r where r.offering_id = ${schedule}.offering_id and sits_exam(r.status))`
/** How many of them have a place in a hall. */
export const seated = (schedule: string): string =>
  `(select coalesce(sum(l.seats), 0)::int from exam_schedule_locations l where l.exam_schedule_id = ${schedule}.id)`

export const examWorkflow = serveWorkflow(examFlow, examSteps, {
  table: 'exams',
  scope: () => examReach(),
  nameOf: 't.code',
  facts: async (_ctx, tx, ids) => {
    const { rows } = await sql<ExamFacts & { id: number }>`
      select e.id, count(s.id)::int as schedules, (count(s.id) filter (where s.during is null))::int as unplaced,
        coalesce(sum(greatest(${sql.raw(sitting('s'))} - ${sql.raw(seated('s'))}, 0)) filter (where s.during is not null), 0)::int as unseated,
        (select count(distinct b.exam_schedule_id)::int from exams_beside_meetings(array[e.id]) b where b.what = 'hall') as taught,
        (select count(distinct b.registration_id)::int from exams_against_accommodations(array[e.id]) b) as accommodations,
        (count(s.id) filter (where lower(s.during) > now() at time zone university_zone()))::int as ahead,
        max(upper(s.during))::date::text as last_day,
        (select count(*)::int from exam_absences a join exam_schedules x on x.id = a.exam_schedule_id
          where x.exam_id = e.id and x.removed_at is null and a.status <> 'cancelled') as absences,
        (select count(*)::int from exam_cases a join exam_schedules x on x.id = a.exam_schedule_id
          where x.exam_id = e.id and x.removed_at is null and a.removed_at is null) as cases,
        (select count(*)::int from exam_deliveries a join exam_schedules x on x.id = a.exam_schedule_id
          where x.exam_id = e.id and x.removed_at is null) as deliveries
      from exams e left join exam_schedules s on s.exam_id = e.id and s.removed_at is null
      where e.id = any(${ids}::int[]) group by e.id`.execute(tx)
    return new Map(rows.map(({ id, ...facts }) => [id, facts]))
  },
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      for (const { id, action } of moved)
        await sql`update exams set status = ${action === 'publish' ? 'published' : 'draft'},
          published_at = ${action === 'publish' ? sql`now()` : null} where id = ${id}`.execute(tx)
    },
  },
  // Who sits it and who invigilates.
  tells: {
    users: `array(select s.user_id from exam_schedules x join registrations r on r.offering_id = x.offering_id and sits_exam(r.status)
          join students s on s.id = r.student_id where x.exam_id = t.id and x.removed_at is null and s.user_id is not null
        union select i.user_id from exam_schedules x join exam_schedule_instructors v on v.exam_schedule_id = x.id
          join instructors i on i.id = v.instructor_id where x.exam_id = t.id and x.removed_at is null and i.user_id is not null)`,
    data: `json_build_object('exam', t.name, 'exam_local', t.name_local)`,
    link: () => '/my_exams',
  },
})

export const exams = workings(exam, {
  scope: { faculty: () => examReach().faculty },
  common: everybodys,
  computed: {
    schedules: `(select count(*)::int from exam_schedules s where s.exam_id = t.id and s.removed_at is null)`,
    placed: `(select count(*)::int from exam_schedules s where s.exam_id = t.id and s.removed_at is null and s.during is not null)`,
  },
  flow: examWorkflow,
  abilities: {
    edit: (row) => (row.status === 'published' ? 'exam_published' : true),
    remove: (row) => (row.status === 'published' ? 'exam_published' : row.placed ? 'exam_has_schedule' : true),
  },
  async beforeWrite(_ctx, tx, merged, current) {
    merged.students_per_invigilator ??= 40
    merged.reserve_percent ??= 0
    merged.reserve_seats ??= 0
    for (const list of ['days', 'times', 'halls'])
      for (const row of (merged[list] ?? []) as { penalty: number | null }[]) row.penalty ??= 0
    if (!current) return
    const gone = <Row>(list: string, key: keyof Row): Row[] => {
      const stays = new Set(((merged[list] ?? []) as Row[]).map((row) => row[key]))
      return ((current[list] ?? []) as Row[]).filter((row) => !stays.has(row[key]))
    }
    const days = gone<{ on_date: string }>('days', 'on_date').map((row) => row.on_date)
    const times = gone<{ exam_slot_id: number }>('times', 'exam_slot_id').map((row) => row.exam_slot_id)
    const halls = gone<{ location_id: number }>('halls', 'location_id').map((row) => row.location_id)
    if (!days.length && !times.length && !halls.length) return
    const { rows } = await sql<InUse>`
      select 'day' as what, s.on_date::text as name, s.on_date::text as name_local, count(*)::int as count from exam_schedules s
        where s.exam_id = ${current.id} and s.on_date = any(${days}::date[]) and s.removed_at is null group by s.on_date
      union all select 'slot', z.name, z.name_local, count(*)::int from exam_schedules s join exam_slots z on z.id = s.exam_slot_id
        where s.exam_id = ${current.id} and z.id = any(${times}::int[]) and s.removed_at is null group by z.id
      union all select 'hall', l.name, l.name_local, count(*)::int from exam_schedule_locations x join locations l on l.id = x.location_id
        where x.exam_id = ${current.id} and l.id = any(${halls}::int[]) group by l.id order by 1, 2`.execute(tx)
    const reasons = checkRemoved(rows)
    if (reasons.length) throw new Refusal(422, reasons)
  },
  afterWrite: (ctx, tx, id) => tellBoard(ctx, tx, id),
})

/** Offerings that an exam could cover and does not: of its term and faculty, with students. */
const coverable = sql`
  select o.id from exams e join offerings o on o.term_id = e.term_id and o.removed_at is null
    join courses c on c.id = o.course_id
  where (e.faculty_id is null or o.faculty_id = e.faculty_id)
    and exists (select from registrations r where r.offering_id = o.id and sits_exam(r.status))
    and not exists (select from exam_schedules s where s.exam_id = e.id and s.offering_id = o.id and s.removed_at is null)`

export const examHandlers: readonly Handled[] = [
  ...exams.handlers,
  ...examWorkflow.handlers,
  handle(examCalls.lookups, async (ctx) => {
    const { rows } = await sql<Omit<AnswerOf<typeof examCalls.lookups>['data'], 'kinds'>>`
      select coalesce((select json_agg(json_build_object('id', t.id, 'code', t.code, 'name', t.name, 'name_local', t.name_local)
          order by t.start_date desc) from terms t where t.removed_at is null), '[]') as terms,
        coalesce((select json_agg(json_build_object('id', f.id, 'code', f.code, 'name', f.name, 'name_local', f.name_local) order by f.code)
          from faculties f where f.removed_at is null and ${scopeCondition(ctx, examCalls.lookups.permission, { faculty: sql`f.id` })}), '[]') as faculties,
        coalesce((select json_agg(json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'name_local', s.name_local) order by s.start_time)
          from exam_slots s where s.removed_at is null), '[]') as exam_slots`.execute(ctx.db)
    const kinds = EXAM_KINDS.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] }))
    return { data: { ...firstRow(rows), kinds } }
  }),
  handle(examCalls.covered, (ctx, { params: { id }, body: { offering_ids } }) =>
    ctx.write(async (tx) => {
      const { rows: found } = await sql<{
        status: string
      }>`select t.status from exams t where t.id = ${id} and t.removed_at is null
        and (${scopeCondition(ctx, 'add_examSchedule', examReach())} ${reachesAll(ctx, 'add_examSchedule') ? sql`or true` : sql``})
        for update`.execute(tx)
      if (!found[0]) throw refuse(404, 'not_found')
      if (found[0].status === 'published') throw refuse(409, 'exam_published')
      const { rows } = await sql`insert into exam_schedules (exam_id, offering_id)
        select ${id}::int, x.id from (${coverable} and e.id = ${id}) x
        where ${offering_ids.length === 0} or x.id = any(${offering_ids}::int[]) order by x.id returning id`.execute(tx)
      return { data: { added: rows.length } }
    }),
  ),
]
