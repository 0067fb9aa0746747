/** Interns of a year: who they are, what they have and lack, what they wish for, and when their year is done. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { revokeCertificates } from '../certificate/certificate.server.ts'
import { holdYear, holdYearOf } from '../reach.server.ts'
import { rotationFacts, rotationsById, rotationsOfType } from '../rotations/facts.server.ts'
import { checkCompleted, checkInterrupted, typeDone, type TrainingTypeFacts } from '../rotations/rotation.rules.ts'
import { reachedRotation, servedRotations } from '../rotations/rotation.server.ts'
import { emtyazTrainingCalls, type AvailableTraining } from '../trainings/training.contract.ts'
import { checkRotationAccepted, checkRotationAsked } from '../rotations/rotation.rules.ts'
import { checkIntern, checkWishes } from './intern.rules.ts'
import { yearReasons } from './asked.server.ts'
import { emtyazIntern, emtyazInternCalls as calls, type InternDetail } from './intern.contract.ts'

const COUNT = (
  condition: string,
) => `(select count(*)::int from emtyaz_rotations r where r.year_id = t.year_id and r.student_id = t.student_id
  and r.removed_at is null and ${condition})`
const LIVE = `r.status in ('requested', 'added', 'accepted')`
const student = (column: string) => sql`(select s.${sql.ref(column)} from students s where s.id = t.student_id)`

/** Holds the intern's year, and says what must be said of who joins it. */
async function judge(ctx: Ctx, tx: Tx, merged: Record<string, unknown>, id: number | null): Promise<void> {
  const year_id = Number(merged.year_id)
  const student_id = Number(merged.student_id)
  await holdYearOf(ctx, tx, year_id, 'add_emtyazIntern', 'edit_emtyazIntern')
  await sql`select from students where id = ${student_id} for no key update`.execute(tx)
  const { rows } = await sql<Parameters<typeof checkIntern>[0]>`
    select s.status, s.faculty_id = y.faculty_id as in_faculty, y.bylaw_id is null or s.bylaw_id = y.bylaw_id as in_bylaw,
      y.starts_on::text as year_from, (y.starts_on + y.periods * y.period_weeks * 7 - 1)::text as year_until, ${String(merged.joined_on)}::text as joined_on,
      exists (select from emtyaz_interns i join emtyaz_years e on e.id = i.year_id where i.student_id = s.id and i.removed_at is null
        and i.id is distinct from ${id}::int and i.completed_on is null and not e.is_closed) as elsewhere,
      (select min(r.starts_on)::text from emtyaz_rotations r where r.year_id = y.id and r.student_id = s.id and r.removed_at is null and ${sql.raw(LIVE)}) as first_day,
      coalesce((select i.completed_on is not null from emtyaz_interns i where i.id = ${id}::int), false) as completed,
      ${merged.with_student_id ?? null}::int is null or exists (select from emtyaz_interns i where i.year_id = y.id and i.removed_at is null
        and i.student_id = ${merged.with_student_id ?? null}::int) as with_there
    from students s, emtyaz_years y where s.id = ${student_id} and y.id = ${year_id}`.execute(tx)
  const [facts] = rows
  if (!facts) throw refuse(422, 'reference_missing', undefined, 'student_id')
  const reasons = [
    ...checkIntern(facts, id === null),
    ...checkWishes(
      await electivesOf(tx, year_id),
      ((merged.wishes ?? []) as { type_id: number }[]).map(({ type_id }) => type_id),
    ),
  ]
  if (reasons.length) throw new Refusal(422, reasons)
}
interface Elective {
  id: number
  name: string
  name_local: string
  code: string
  weeks: number
  trainings: number
}
/** Electives of a year that are offered in it. */
async function electivesOf(db: Db | Tx, year_id: number): Promise<Elective[]> {
  const { rows } = await sql<Elective>`select p.id, p.name, p.name_local, p.code, p.weeks, count(t.id)::int as trainings
    from emtyaz_training_types p join emtyaz_courses c on c.id = p.course_id join emtyaz_trainings t on t.type_id = p.id
    where t.year_id = ${year_id} and t.removed_at is null and c.is_elective and p.removed_at is null
    group by p.id order by p.name, p.id`.execute(db)
  return rows
}

export const emtyazInterns = workings(emtyazIntern, {
  scope: {
    faculty: () => student('faculty_id'),
    department: () =>
      sql`(select p.department_id from students s join programs p on p.id = s.program_id where s.id = t.student_id)`,
    bylaw: () => student('bylaw_id'),
    program: () => student('program_id'),
    own: (ctx) => (ctx.actor?.student_id == null ? sql`false` : sql`t.student_id = ${ctx.actor.student_id}`),
  },
  computed: {
    accepted: COUNT(`r.status = 'accepted'`),
    passed: COUNT(`r.status = 'accepted' and r.outcome = 'passed'`),
    waiting: COUNT(`r.status in ('requested', 'added')`),
  },
  search: ['(select s.search_text from students s where s.id = t.student_id)'],
  beforeWrite: (ctx, tx, merged, current) => judge(ctx, tx, merged, current?.id ?? null),
  async beforeRemove(_ctx, tx, id) {
    await sql`select from emtyaz_interns where id = ${id} for update`.execute(tx)
    const { rows } = await sql<{
      count: number
    }>`select ${sql.raw(COUNT(LIVE))} as count from emtyaz_interns t where t.id = ${id}`.execute(tx)
    const { count } = firstRow(rows)
    if (count > 0) throw refuse(409, 'emtyaz_intern_rotations', { count })
  },
  async afterRestore(ctx, tx, id) {
    const [row] = await emtyazInterns.stored(tx, [id])
    if (row) await judge(ctx, tx, row, id)
  },
})

/** SQL: the reader reaches the intern `t` by one of these rights. */
const reached = (ctx: Ctx, ...keys: PermissionKey[]) =>
  sql<boolean>`exists (select from students s where s.id = t.student_id and ${scopeCondition(ctx, keys, studentReach(ctx, 's'))})`

interface Year {
  year: InternDetail['year'] & { leave_days: number }
  student_id: number
  year_id: number
  completed_on: string | null
  types: (TrainingTypeFacts & {
    type: { id: number; name: string; name_local: string; code: string }
    course: { id: number; name: string; name_local: string; code: string }
  })[]
}
/** The year of an intern with every training type of it, and what the intern has of each. */
async function yearOf(db: Db | Tx, id: number): Promise<Year> {
  const { rows } = await sql<Year>`select t.student_id, t.year_id, t.completed_on::text,
      json_build_object('id', y.id, 'name', y.name, 'name_local', y.name_local, 'code', y.code, 'starts_on', y.starts_on,
        'ends_on', y.starts_on + y.periods * y.period_weeks * 7 - 1, 'periods', y.periods, 'period_weeks', y.period_weeks, 'electives', y.electives,
        'wishes_from', y.wishes_from, 'wishes_until', y.wishes_until, 'is_closed', y.is_closed, 'leave_days', y.leave_days) as year,
      coalesce((select json_agg(json_build_object('type', ${ref('p')}, 'course', ${ref('c')}, 'name', p.name, 'name_local', p.name_local,
          'is_elective', c.is_elective, 'days', p.weeks * 7, 'rotations', ${rotationsOfType('t.year_id', 't.student_id', 'p.id', 'null::int')})
          order by c.is_elective, c.code, p.code)
        from emtyaz_training_types p join emtyaz_courses c on c.id = p.course_id
        where c.faculty_id = y.faculty_id and p.removed_at is null and c.removed_at is null and (c.bylaw_id is null or c.bylaw_id = s.bylaw_id)
          and (not c.is_elective or exists (select from emtyaz_rotations r where r.year_id = t.year_id and r.student_id = t.student_id and r.type_id = p.id
            and r.removed_at is null and r.status = 'accepted'))), '[]') as types
    from emtyaz_interns i join emtyaz_interns t on t.id = i.id join emtyaz_years y on y.id = t.year_id join students s on s.id = t.student_id
    where t.id = ${id}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

type Shown = Omit<InternDetail['rotations'][number], 'abilities' | 'refused' | 'interrupts'> & {
  held: Parameters<typeof servedRotations.flow.open>[2]
  decides: boolean
}
async function rotationsOf(ctx: Ctx, of: Year): Promise<InternDetail['rotations']> {
  const { rows } = await sql<Shown>`
    select t.id, t.version, t.status, ${ref('x')} as training, ${ref('p')} as type, ${ref('h')} as hospital, c.is_elective, t.is_makeup,
      t.starts_on::text, t.ends_on::text, t.interrupted_on::text, t.outcome,
      case when g.control_status = 'Published' or ${reachedRotation(ctx, 'review_rotation', 'approve_rotation')} then t.mark::float8 end as mark,
      t.max_mark::float8 as max_mark,
      coalesce((select json_agg(${ref('i')} order by i.name) from emtyaz_training_instructors m join instructors i on i.id = m.instructor_id
        where m.training_id = t.training_id and daterange(m.starts_on, m.ends_on, '[]') && daterange(t.starts_on, t.ends_on, '[]')), '[]') as supervisors,
      ${servedRotations.flow.column(ctx)} as held, ${reachedRotation(ctx, 'decide_rotation')} as decides
    from emtyaz_rotations t join emtyaz_trainings x on x.id = t.training_id join emtyaz_training_types p on p.id = t.type_id
      join emtyaz_courses c on c.id = p.course_id join emtyaz_hospitals h on h.id = x.hospital_id join emtyaz_offerings g on g.id = t.offering_id
    where t.year_id = ${of.year_id} and t.student_id = ${of.student_id} and t.removed_at is null order by t.starts_on, t.id`.execute(
    ctx.db,
  )
  const facts = await rotationFacts(ctx.db, rotationsById(rows.map(({ id }) => id)))
  return rows.map(({ held, decides, ...row }) => {
    const known = facts.get(row.id)
    const open = servedRotations.flow.open(ctx, row.status, held, known)
    return {
      ...row,
      abilities: open.abilities,
      refused: open.refused as InternDetail['rotations'][number]['refused'],
      interrupts:
        decides &&
        known !== undefined &&
        known.starts_on <= known.today &&
        checkInterrupted(known, known.starts_on).length === 0,
    }
  })
}

async function shown(ctx: Ctx, id: number): Promise<InternDetail> {
  const intern = await emtyazInterns.get(ctx, ctx.db, id, 'show_emtyazIntern')
  const of = await yearOf(ctx.db, id)
  const { rows } = await sql<{ own: boolean; decides: boolean; completes: boolean; today: string }>`
    select ${reached(ctx, 'add_rotation')} as own, ${reached(ctx, 'decide_rotation')} as decides, ${reached(ctx, 'complete_emtyaz')} as completes,
      university_today()::text as today from emtyaz_interns t where t.id = ${id}`.execute(ctx.db)
  const { own, decides, completes, today } = firstRow(rows)
  const { leave_days, ...year } = of.year
  const open = !year.is_closed && of.completed_on === null
  const inTime = year.wishes_from !== null && today >= year.wishes_from && today <= (year.wishes_until ?? '')
  const mine = own && ctx.actor?.student_id === of.student_id
  return {
    intern: intern,
    year,
    requirements: of.types.map(({ type, course, ...facts }) => ({
      type,
      course,
      is_elective: facts.is_elective,
      days: facts.days,
      ...typeDone(facts, leave_days),
    })),
    rotations: await rotationsOf(ctx, of),
    missing: [
      ...checkCompleted(of.types, { leave_days, electives: year.electives }),
      ...(await yearReasons(ctx.db, id)),
    ].map(toProblem),
    asks: open && mine && inTime,
    wishes: open && year.electives > 0 && ((mine && inTime) || decides),
    adds: open && decides,
    completes: completes && !year.is_closed,
  }
}

/** An intern within reach, held. @throws {Refusal} 404; 409 where another version was seen */
async function held(ctx: Ctx, tx: Tx, id: number, version: number | undefined, ...keys: PermissionKey[]) {
  const { rows } = await sql<{
    version: number
    student_id: number
    year_id: number
    user_id: number | null
    completed_on: string | null
    closed: boolean
    today: string
    wishes_from: string | null
    wishes_until: string | null
  }>`
    select t.version, t.student_id, t.year_id, s.user_id, t.completed_on::text, y.is_closed as closed, university_today()::text as today,
      y.wishes_from::text, y.wishes_until::text
    from emtyaz_interns t join emtyaz_years y on y.id = t.year_id join students s on s.id = t.student_id
    where t.id = ${id} and t.removed_at is null and ${reached(ctx, ...keys)} for update of t`.execute(tx)
  const [of] = rows
  if (!of) throw refuse(404, 'not_found')
  if (version !== undefined && version !== of.version) throw refuse(409, 'changed_meanwhile')
  if (of.closed) throw refuse(409, 'emtyaz_closed')
  return of
}

/** Graduates of the year's faculty and bylaw who are in no internship year. */
const candidates = (year_id: number) => sql`students s join emtyaz_years y on y.id = ${year_id}
  where s.status = 'graduated' and s.removed_at is null and s.faculty_id = y.faculty_id and (y.bylaw_id is null or s.bylaw_id = y.bylaw_id)
    and not exists (select from emtyaz_interns i where i.student_id = s.id and i.removed_at is null)`

export const emtyazInternHandlers: readonly Handled[] = [
  ...emtyazInterns.handlers,
  emtyazInterns.at(calls.list, 'list'),
  handle(calls.show, async (ctx, { params: { id } }) => ({ data: await shown(ctx, id) })),
  handle(calls.mine, async (ctx) => {
    const { rows } = await sql<{ id: number; year: { id: number; name: string; name_local: string; code: string } }>`
      select t.id, ${ref('y')} as year from emtyaz_interns t join emtyaz_years y on y.id = t.year_id
      where t.removed_at is null and t.student_id = ${ctx.actor?.student_id ?? null}::int and ${reached(ctx, 'show_emtyazIntern')}
      order by y.starts_on desc`.execute(ctx.db)
    return { data: rows }
  }),
  handle(calls.electives, async (ctx, { params: { id } }) => {
    const { rows } = await sql<{ year_id: number }>`select t.year_id from emtyaz_interns t
      where t.id = ${id} and t.removed_at is null and ${reached(ctx, 'show_emtyazIntern')}`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: await electivesOf(ctx.db, rows[0].year_id) }
  }),
  handle(calls.wish, (ctx, { params: { id }, body: { types, with_student_id, version } }) =>
    ctx.write(async (tx) => {
      const of = await held(ctx, tx, id, version, 'add_rotation', 'decide_rotation')
      if (of.completed_on !== null) throw refuse(409, 'emtyaz_completed')
      // The intern within the time for it, the office whenever it is told.
      if (
        ctx.actor?.student_id === of.student_id &&
        (of.wishes_from === null || of.today < of.wishes_from || of.today > (of.wishes_until ?? ''))
      )
        throw refuse(409, of.wishes_from === null ? 'rotation_not_asked' : 'rotation_window', {
          from: of.wishes_from,
          until: of.wishes_until,
        })
      const reasons = checkWishes(await electivesOf(tx, of.year_id), types)
      if (reasons.length) throw new Refusal(422, reasons)
      if (with_student_id != null) {
        const { rows } =
          await sql`select from emtyaz_interns i where i.year_id = ${of.year_id} and i.student_id = ${with_student_id} and i.removed_at is null`.execute(
            tx,
          )
        if (!rows.length || with_student_id === of.student_id)
          throw refuse(422, 'emtyaz_with_elsewhere', undefined, 'with_student_id')
      }
      await sql`delete from emtyaz_wishes where intern_id = ${id}`.execute(tx)
      await sql`insert into emtyaz_wishes (intern_id, position, type_id)
        select ${id}, n, type_id from unnest(${types}::int[]) with ordinality as x (type_id, n)`.execute(tx)
      await sql`update emtyaz_interns set version = version + 1, with_student_id = case when ${with_student_id !== undefined} then ${with_student_id ?? null}::int else with_student_id end
        where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
  handle(calls.candidates, async (ctx, { params: { id } }) => {
    const { rows: years } = await sql`select from emtyaz_years t where t.id = ${id} and t.removed_at is null
      and ${scopeCondition(ctx, 'add_emtyazIntern', { faculty: sql`t.faculty_id` })}`.execute(ctx.db)
    if (!years.length) throw refuse(404, 'not_found')
    const { rows } = await sql<{
      total: number
      students: { id: number; name: string; name_local: string; code: string }[]
    }>`
      select (select count(*)::int from ${candidates(id)}) as total,
        coalesce((select json_agg(x.one order by x.code) from (select ${ref('s')} as one, s.code from ${candidates(id)} order by s.code limit 2000) x), '[]') as students`.execute(
      ctx.db,
    )
    return { data: firstRow(rows) }
  }),
  handle(calls.addMany, (ctx, { params: { id }, body: { student_ids } }) =>
    ctx.write(async (tx) => {
      await holdYear(ctx, tx, id, 'add_emtyazIntern')
      const { rows } = await sql<{ id: number }>`insert into emtyaz_interns (year_id, student_id, joined_on)
        select ${id}, s.id, y.starts_on from ${candidates(id)} and (${student_ids ?? null}::int[] is null or s.id = any(${student_ids ?? null}::int[]))
          and ${scopeCondition(ctx, 'add_emtyazIntern', studentReach(ctx, 's'))} order by s.code
        on conflict (year_id, student_id) do nothing returning id`.execute(tx)
      return { data: { added: rows.length } }
    }),
  ),
  handle(calls.complete, (ctx, { params: { id }, body: { version } }) =>
    ctx.write(async (tx) => {
      const of = await held(ctx, tx, id, version, 'complete_emtyaz')
      if (of.completed_on !== null) throw refuse(409, 'emtyaz_completed')
      // A graduation that was taken back leaves no year to complete.
      const { rows: graduated } = await sql<{
        is: boolean
      }>`select status = 'graduated' as is from students where id = ${of.student_id} for share`.execute(tx)
      if (!firstRow(graduated).is) throw refuse(409, 'emtyaz_not_graduated')
      const { year, types } = await yearOf(tx, id)
      const reasons = [...checkCompleted(types, year), ...(await yearReasons(tx, id))]
      if (reasons.length) throw new Refusal(409, reasons)
      await sql`update emtyaz_interns set completed_on = university_today(), version = version + 1 where id = ${id}`.execute(
        tx,
      )
      if (of.user_id !== null)
        await notify(tx, [of.user_id], {
          key: 'internship.notice_completed',
          data: { year: year.name, year_local: year.name_local },
          link: '/emtyaz/mine',
          records: [of.student_id],
        })
      return { data: { id } }
    }),
  ),
  handle(calls.reopen, (ctx, { params: { id }, body: { reason, version } }) =>
    ctx.write(
      async (tx) => {
        const of = await held(ctx, tx, id, version, 'complete_emtyaz')
        if (of.completed_on === null) throw refuse(409, 'emtyaz_not_completed')
        await sql`update emtyaz_interns set completed_on = null, version = version + 1 where id = ${id}`.execute(tx)
        await revokeCertificates(ctx, tx, of.student_id, reason)
        return { data: { id } }
      },
      { reason },
    ),
  ),
  handle(emtyazTrainingCalls.availableFor, async (ctx, { params: { id } }) => ({ data: await availableFor(ctx, id) })),
]

/** Trainings that an intern may still have, with the periods in which each has places, and why not. */
async function availableFor(ctx: Ctx, id: number): Promise<AvailableTraining[]> {
  const { rows: interns } = await sql<{
    year_id: number
    student_id: number
  }>`select t.year_id, t.student_id from emtyaz_interns t
    where t.id = ${id} and t.removed_at is null and ${reached(ctx, 'access_emtyazIntern', 'add_rotation')}`.execute(
    ctx.db,
  )
  const [of] = interns
  if (!of) throw refuse(404, 'not_found')
  const { rows } = await sql<AvailableTraining>`
    select t.id, t.code, t.name, t.name_local, ${ref('p')} as type, ${ref('h')} as hospital, c.is_elective, p.weeks,
      coalesce((select json_agg(json_build_object('starts_on', d.day, 'ends_on', d.day + p.weeks * 7 - 1,
          'free', greatest(0, coalesce(emtyaz_free(t.id, d.day, d.day + p.weeks * 7 - 1), 0))) order by d.day)
        from (select y.starts_on + n * y.period_weeks * 7 as day from generate_series(0, y.periods - 1) n) d
        where d.day + p.weeks * 7 <= y.starts_on + y.periods * y.period_weeks * 7 and d.day >= greatest(i.joined_on, university_today())
          and not exists (select from emtyaz_rotations o where o.student_id = i.student_id and o.status = 'accepted' and o.removed_at is null
            and o.starts_on < d.day + p.weeks * 7 and greatest(coalesce(o.interrupted_on, o.ends_on), o.starts_on) >= d.day)), '[]') as starts
    from emtyaz_trainings t join emtyaz_years y on y.id = t.year_id join emtyaz_training_types p on p.id = t.type_id
      join emtyaz_courses c on c.id = p.course_id join emtyaz_hospitals h on h.id = t.hospital_id
      join emtyaz_interns i on i.id = ${id}
    where t.year_id = ${of.year_id} and t.removed_at is null order by c.is_elective, p.code, t.code`.execute(ctx.db)
  // What stands against each in its first free period.
  const asked = rows.flatMap((one) => {
    const start = one.starts.find(({ free }) => free > 0) ?? one.starts[0]
    return start ? [{ id: one.id, type_id: one.type.id, ...start }] : []
  })
  const facts = await rotationFacts(
    ctx.db,
    sql`select x.id, 'requested' as status, null::text as outcome, ${of.student_id}::int as student_id, ${of.year_id}::int as year_id, x.id as training_id,
        x.type_id, x.starts_on, x.ends_on, false as is_makeup
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as x (id int, type_id int, starts_on date, ends_on date)`,
  )
  return rows.map((one) => {
    const known = facts.get(one.id)
    const reasons = known
      ? [...checkRotationAsked(known), ...checkRotationAccepted(known).filter(({ code }) => code === 'rotation_full')]
      : [{ code: 'rotation_no_period' }]
    return { ...one, reasons: reasons.map(toProblem) }
  })
}
