/** Students of general programs: their list, putting them into a program by hand, and taking that back. */
import type { Ref } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import type { CourseCondition } from '../distribution/assign.rules.ts'
import { give, takeBack, usedSince } from './given.server.ts'
import { checkSpecialise } from './specialise.rules.ts'
import { studentCalls, type SpecializationCandidate, type GivenRow } from './students.contract.ts'
import { conditionsMet, programsElsewhere } from '../passed.server.ts'

const given = sql`exists (select from student_specializations y where y.student_id = s.id and y.removed_at is null)`

const candidates = (ctx: Ctx): ListSource => ({
  from: sql`students s join programs p on p.id = s.program_id join faculties f on f.id = s.faculty_id
    join shown_standing h on h.student_id = s.id
    left join lateral (select x.choices from specialization_preferences x join specialization_times w on w.id = x.specialization_time_id
      where x.student_id = s.id and w.removed_at is null order by w.start_date desc limit 1) x on true
    left join specializations z on z.id = x.choices[1]
    left join lateral (select y.specialization_id from student_specializations y where y.student_id = s.id and y.removed_at is null
      order by y.assigned_at desc limit 1) y on true
    left join specializations g on g.id = y.specialization_id`,
  select: sql`s.id, s.code, s.name, s.name_local, ${ref('p')} as program, ${ref('f')} as faculty, h.level, h.gpa::numeric(3, 2)::text as gpa,
    trim_scale(h.passed_hours::numeric)::text as passed_hours, coalesce(cardinality(x.choices), 0) as wishes, ${refOrNull('z')} as first,
    ${refOrNull('g')} as given,
    case when p.is_general and s.status = 'studying' and ${scopeCondition(ctx, 'bulk_specialize', studentReach(ctx, 's'))}
      then array['specialise'] else '{}' end as abilities`,
  where: [
    sql`s.removed_at is null and (p.is_general or ${given})`,
    scopeCondition(ctx, 'access_specialization', studentReach(ctx, 's')),
  ],
  search: ['s.search_text'],
  sort: {
    code: 's.code',
    name: 's.name collate "und-x-icu"',
    name_local: 's.name_local collate "ar-x-icu"',
    level: 'h.level',
    gpa: 'h.gpa',
    passed_hours: 'h.passed_hours',
  },
  order: ['code', 'asc'],
  filters: {
    program_id: (value) => sql`s.program_id = any(${numbers(value)}::int[])`,
    faculty_id: (value) => sql`s.faculty_id = any(${numbers(value)}::int[])`,
    first_id: (value) => sql`x.choices[1] = any(${numbers(value)}::int[])`,
    specialised: (value) => (value === true ? given : sql`not ${given}`),
    with_wishes: (value) =>
      value === true ? sql`coalesce(cardinality(x.choices), 0) > 0` : sql`coalesce(cardinality(x.choices), 0) = 0`,
  },
  key: 's.id',
})
function numbers(value: unknown): number[] {
  const list = Array.isArray(value) ? value : [value]
  if (!list.every((one) => Number.isSafeInteger(one) && one > 0 && one < 2 ** 31))
    throw refuse(422, 'wrong_type', undefined, 'filters')
  return list as number[]
}

interface ToSpecialise {
  id: number
  code: string
  name: string
  studying: boolean
  general: boolean
  program_id: number
  gpa: string | null
  passed_hours: string
  met: number[]
  elsewhere: number[]
  user_id: number | null
  /** The record of who asks. */
  own: boolean
  way: {
    specialization_id: number
    general_program_id: number
    program_id: number
    capacity: number
    min_gpa: string | null
    min_passed_hours: string | null
    courses: CourseCondition[]
  } | null
  left: number | null
  waiting: { start: string; end: string } | null
  target: { program: string; program_local: string }
}
const hundredths = (value: string | null): number | null => (value === null ? null : parseHundredths(value))
/** SQL: the record `s` is that of who asks, or of who acts as another one. Nobody decides on the own. */
const OWN = (ctx: Ctx) =>
  sql`coalesce(s.user_id = any(${[ctx.actor?.user_id, ctx.actor?.impersonator_id].filter((one) => one != null)}::int[]), false)`

async function bulk(
  ctx: Ctx,
  programId: number,
  { student_ids, reason, override }: { student_ids: number[]; reason?: string; override: boolean },
) {
  if (override && !reason?.trim()) throw refuse(422, 'reason_required', undefined, 'reason')
  const ids = [...new Set(student_ids)]
  return ctx.write(
    async (tx) => {
      // The places of a program are given one after the other, whoever gives them.
      const { rows: programs } =
        await sql`select from programs where id = ${programId} and removed_at is null for no key update`.execute(tx)
      if (!programs.length) throw refuse(404, 'not_found')
      await sql`select from students s where s.id = any(${ids}::int[]) order by s.id for no key update`.execute(tx)
      const { rows } = await sql<ToSpecialise>`
        select s.id, s.code, s.name, s.user_id, ${OWN(ctx)} as own, s.status = 'studying' as studying, p.is_general as general, s.program_id,
          h.gpa::numeric(3, 2)::text as gpa, h.passed_hours::numeric(6, 2)::text as passed_hours,
          json_build_object('program', t.name, 'program_local', t.name_local) as target,
          case when z.id is not null then json_build_object('specialization_id', z.id, 'general_program_id', z.general_program_id,
            'program_id', z.program_id, 'capacity', z.capacity, 'min_gpa', z.min_gpa::text, 'min_passed_hours', z.min_passed_hours::text,
            'courses', (select coalesce(json_agg(json_build_object('id', c.id, 'course', k.code, 'min_letter', c.min_letter) order by c.position), '[]')
              from specialization_courses c join courses k on k.id = c.course_id where c.specialization_id = z.id)) end as way,
          ${conditionsMet(sql`c.specialization_id = z.id`)} as met, ${programsElsewhere} as elsewhere,
          l.places_left as left,
          (select json_build_object('start', w.start_date, 'end', w.end_date) from specialization_windows w
              join specialization_preferences x on x.specialization_time_id = w.id
            where x.student_id = s.id and x.choices <> '{}' and w.removed_at is null and w.state in ('open', 'closed', 'distributed')
            order by w.start_date limit 1) as waiting
        from students s join programs p on p.id = s.program_id join bylaws b on b.id = s.bylaw_id join shown_standing h on h.student_id = s.id
          join programs t on t.id = ${programId}
          left join lateral (select * from specializations z where z.general_program_id = s.program_id and z.program_id = t.id
            and z.removed_at is null order by z.code limit 1) z on true
          left join lateral (
            select e.capacity - (select count(*)::int from student_specializations y where y.specialization_id = z.id
              and y.removed_at is null and (y.specialization_time_id = w.id or (y.specialization_time_id is null and y.assigned_at > w.confirmed_at))) as places_left
            from specialization_times w join specialization_seats e on e.specialization_time_id = w.id and e.specialization_id = z.id
            where w.status = 'confirmed' and w.removed_at is null order by w.confirmed_at desc limit 1) l on true
        where s.id = any(${ids}::int[]) and s.removed_at is null and ${scopeCondition(ctx, 'bulk_specialize', studentReach(ctx, 's'))}
        order by h.gpa desc nulls last, h.passed_hours desc, s.code`.execute(tx)
      const found = new Map(rows.map((row) => [row.id, row]))
      const failed: { id: number; name?: string; errors: ReturnType<typeof toProblem>[] }[] = []
      for (const id of ids) if (!found.has(id)) failed.push({ id, errors: [toProblem({ code: 'not_found' })] })
      const done: { student_id: number; specialization_id: number; preference: null }[] = []
      const taken = new Map<number, number>()
      // Of two records of one person, one is put into the program.
      const accounts = new Set<number>()
      for (const { id, code, way, own, ...row } of rows) {
        if (own) {
          failed.push({ id, name: code, errors: [toProblem({ code: 'step_own' })] })
          continue
        }
        const seat = way && {
          ...way,
          min_gpa: hundredths(way.min_gpa),
          min_passed_hours: hundredths(way.min_passed_hours),
        }
        const used = seat ? (taken.get(seat.specialization_id) ?? 0) : 0
        const reasons: Reason[] = checkSpecialise({
          ...row,
          seat,
          student: {
            program_id: row.program_id,
            gpa: hundredths(row.gpa),
            passed_hours: hundredths(row.passed_hours) ?? 0,
            met: row.met,
            elsewhere: row.user_id !== null && accounts.has(row.user_id) ? [programId] : row.elsewhere,
          },
          left: row.left === null ? null : row.left - used,
          program: row.target,
          override,
        })
        if (reasons.length || !seat) failed.push({ id, name: code, errors: reasons.map(toProblem) })
        else {
          taken.set(seat.specialization_id, used + 1)
          if (row.user_id !== null) accounts.add(row.user_id)
          done.push({ student_id: id, specialization_id: seat.specialization_id, preference: null })
        }
      }
      await give(ctx, tx, done, { window_id: null, reason: reason ?? null })
      return { done: done.map((one) => one.student_id), failed }
    },
    { reason: reason ?? null },
  )
}

async function givenOf(ctx: Ctx, studentId: number) {
  const { rows } = await sql<{ data: { student: Ref; program: Ref; rows: GivenRow[] } }>`
    select json_build_object('student', ${ref('s')}, 'program', ${ref('p')}, 'rows', coalesce((
      select json_agg(json_build_object('id', g.id, 'specialization', ${ref('z')}, 'from', ${ref('a')}, 'into', ${ref('i')},
          'window', case when w.id is not null then json_build_object('id', w.id, 'start_date', w.start_date, 'end_date', w.end_date) end,
          'preference', g.preference, 'reason', g.reason, 'assigned_at', g.assigned_at,
          'assigned_by', case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end,
          'removed_at', g.removed_at, 'removed_reason', g.removed_reason,
          'abilities', case when g.removed_at is null and s.program_id = g.program_id
            and ${scopeCondition(ctx, 'bulk_specialize', studentReach(ctx, 's'))} then array['remove'] else array[]::text[] end)
          order by g.assigned_at desc, g.id desc)
      from student_specializations g join specializations z on z.id = g.specialization_id join programs a on a.id = g.from_program_id
        join programs i on i.id = g.program_id left join specialization_times w on w.id = g.specialization_time_id
        left join users u on u.id = g.assigned_by
      where g.student_id = s.id), '[]')) as data
    from students s join programs p on p.id = s.program_id
    where s.id = ${studentId} and s.removed_at is null and (${scopeCondition(ctx, 'access_student_specialization', studentReach(ctx, 's'))}
      or (s.id = ${ctx.actor?.student_id ?? null}::int and ${ctx.can('access_student')}))`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].data
}

export const studentHandlers: readonly Handled[] = [
  handle(studentCalls.list, (ctx, { body }) => pagedList<SpecializationCandidate>(ctx, candidates(ctx), body)),
  handle(studentCalls.given, async (ctx, { params: { id } }) => ({ data: await givenOf(ctx, id) })),
  handle(studentCalls.bulk, (ctx, { params: { programId }, body }) => bulk(ctx, programId, body as never)),
  handle(studentCalls.remove, (ctx, { params: { id }, body }) =>
    ctx.write(
      async (tx) => {
        const { rows } = await sql<{ removed: boolean; version: number; own: boolean }>`
          select g.removed_at is not null as removed, g.version, ${OWN(ctx)} as own from student_specializations g join students s on s.id = g.student_id
          where g.id = ${id} and ${scopeCondition(ctx, 'bulk_specialize', studentReach(ctx, 's'))}
          for update of g for no key update of s`.execute(tx)
        const [row] = rows
        if (!row) throw refuse(404, 'not_found')
        if (row.own) throw refuse(403, 'step_own')
        if (row.removed) throw refuse(409, 'specialization_removed')
        if (body?.version !== undefined && body.version !== row.version)
          throw refuse(409, 'changed_meanwhile', { version: row.version })
        const used = await usedSince(tx, sql`g.id = ${id}`)
        if (used.length) throw new Refusal(409, used)
        await takeBack(ctx, tx, sql`g.id = ${id}`, body?.reason ?? null)
        return { id }
      },
      { reason: body?.reason ?? null },
    ),
  ),
]
