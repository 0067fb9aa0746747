/** Absences from exams: recorded, excused, cancelled; the registration, or the mark of the exam, goes along. */
import type { ExamKind } from '#areas/common/academics/exam-words.contract.ts'
import type { MainFlag } from '#areas/common/academics/status.rules.ts'
import { examExcused } from '#areas/enrolment/attendance/excuses/exam.server.ts'
import type { Authority } from '#areas/records/grading/guard.rules.ts'
import { examMarks, holdGrids, markAbsent } from '#areas/records/grading/grades/absent.server.ts'
import { decides } from '#areas/enrolment/registration/changes/owners.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ListQuery, Ref } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { hear } from '#kit/server/base/hears.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql, type RawBuilder } from 'kysely'
import { inExam } from '../reach.server.ts'
import { NAME_OF, ofSchedule, ownOf, recordList, TELLS } from '../records.server.ts'
import {
  examDays,
  lockSitting,
  moveRegistrations,
  readSchedule,
  readSitting,
  studentsInExams,
} from '../sitting.server.ts'
import { absenceCalls, absenceFields, absenceFlow, absenceSteps, type AbsenceRow } from './absence.contract.ts'
import { checkAbsence, type Following } from './absence.rules.ts'

interface Of {
  readonly id: number
  readonly registration_id: number
  readonly offering_id: number
  readonly kind: ExamKind
}
const ofMany = async (tx: Tx, ids: readonly number[]): Promise<Of[]> =>
  (
    await sql<Of>`select t.id, t.registration_id, s.offering_id, e.kind from exam_absences t
      join exam_schedules s on s.id = t.exam_schedule_id join exams e on e.id = s.exam_id
    where t.id = any(${[...ids]}::int[]) order by t.id`.execute(tx)
  ).rows

type Sitting = Awaited<ReturnType<typeof lockSitting>>
/** What would be done to a registration, which control may hold. */
const toward = ({ main }: { readonly main: MainFlag }) =>
  main === 'Incomplete' ? 'undo_incomplete' : main === 'Absent' ? 'undo' : 'absent'
/** Registrations of exams of a kind, locked after the grids of their offerings, each with what follows from an absence. */
async function lockFollowing(
  ctx: Ctx,
  tx: Tx,
  kind: ExamKind,
  ids: readonly number[],
  offering_ids: readonly number[],
) {
  await holdGrids(tx, offering_ids)
  const sitting: Sitting = await lockSitting(ctx, tx, ids, toward)
  const marks = await examMarks(tx, kind, ids)
  const following = (id: number): Following => {
    const { course, held } = sitting.get(id)!
    return { course, held, final: kind === 'final', graded: marks.has(id), mark: marks.get(id)?.mark ?? null }
  }
  return { sitting, following }
}

/** A student in an exam, of whom an absence may be recorded. */
interface Asked {
  readonly registration_id: number
  readonly exam_schedule_id: number
  readonly kind: ExamKind
  readonly begins: string
  readonly begun: boolean
}
/** Why the absence of students in exams cannot be recorded: the rule by which it is recorded, of all of them at once. */
async function refusedOf(ctx: Ctx, all: readonly Asked[]) {
  const sitting = await readSitting(
    ctx,
    all.map((one) => one.registration_id),
    toward,
  )
  const marks = new Map<ExamKind, Awaited<ReturnType<typeof examMarks>>>()
  for (const [kind, those] of Map.groupBy(all, (one) => one.kind))
    marks.set(
      kind,
      await examMarks(
        ctx.db,
        kind,
        those.map((one) => one.registration_id),
      ),
    )
  return ({ registration_id, kind, begins, begun }: Asked): Reason | undefined => {
    const { main, course, held } = sitting.get(registration_id)!
    const mark = marks.get(kind)!.get(registration_id)
    const following = { course, held, final: kind === 'final', graded: mark !== undefined, mark: mark?.mark ?? null }
    return checkAbsence({ course, begins, begun, main, following, recorded: false })[0]
  }
}

const flow = serveWorkflow(absenceFlow, absenceSteps, {
  table: 'exam_absences',
  scope: ofSchedule,
  seen: ['access_examAbsence'],
  nameOf: NAME_OF,
  own: ownOf,
  enteredByOfficer: true,
  facts: async (ctx, tx, ids) => {
    const rows = await ofMany(tx, ids)
    const facts = new Map<number, Following>()
    for (const [kind, those] of Map.groupBy(rows, (row) => row.kind)) {
      const { following } = await lockFollowing(
        ctx,
        tx,
        kind,
        those.map((one) => one.registration_id),
        those.map((one) => one.offering_id),
      )
      for (const one of those) facts.set(one.id, following(one.registration_id))
    }
    return facts
  },
  effect: async (ctx, tx, moved) => {
    const of = new Map(
      (
        await ofMany(
          tx,
          moved.map((one) => one.id),
        )
      ).map((one) => [one.id, one]),
    )
    for (const { id, to, reason } of moved) {
      await follow(ctx, tx, of.get(id)!.kind, [of.get(id)!.registration_id], to, reason ?? 'Exam absence')
      if (to !== 'excused') await sql`update exam_absences set excuse_id = null where id = ${id}`.execute(tx)
    }
  },
  tells: TELLS,
})

/** Brings registrations, or marks, to where an absence has them; what another door has done stays. */
async function follow(
  ctx: Ctx,
  tx: Tx,
  kind: ExamKind,
  ids: readonly number[],
  to: AbsenceRow['status'],
  reason: string,
): Promise<void> {
  if (!ids.length) return
  const now = async () => lockSitting(ctx, tx, ids, () => 'absent')
  if (kind !== 'final') {
    const sitting = await now()
    const authority = (id: number): Authority | null => sitting.get(id)!.authority
    await markAbsent(
      ctx,
      tx,
      kind,
      ids.map((id) => ({ id, authority: authority(id) })),
      to === 'recorded',
    )
    return
  }
  const move = (sitting: Sitting, main: string, action: Parameters<typeof moveRegistrations>[2]) =>
    moveRegistrations(
      ctx,
      ids.filter((id) => sitting.get(id)!.main === main),
      action,
      reason,
      'Absent',
    )
  const found = await now()
  if (to !== 'recorded') await move(found, 'Absent', 'undo')
  if (to !== 'excused') await move(found, 'Incomplete', 'undo_incomplete')
  const then = await now()
  if (to === 'recorded') await move(then, 'Registered', 'absent')
  if (to === 'excused') await move(then, 'Registered', 'incomplete')
}

/** Of whom a refusal speaks, where there are several. */
const named = ({ code, name, name_local }: { code: string; name: string; name_local: string }) => ({
  student: name,
  student_local: name_local,
  student_code: code,
})
/** Whether an absence stands. */
const isRecorded = (status: string | null): boolean => status === 'recorded' || status === 'excused'
interface Recorded {
  readonly ids: number[]
  readonly recorded: number
  readonly excused: number
  readonly already: number
}
/**
 * Records absences; who has an accepted excuse for the exam is excused at once. All or none.
 *
 * @param again whoever is recorded already is refused; or stays, and is counted
 * @param fieldOf what a refusal points at; null: there is one student
 */
async function recordIn(
  ctx: Ctx,
  tx: Tx,
  exam_schedule_id: number,
  given: readonly number[],
  note: string | null,
  again: 'refused' | 'counted',
  fieldOf: ((id: number) => string) | null,
): Promise<Recorded> {
  const schedule = await readSchedule(ctx, tx, exam_schedule_id, 'edit_examAbsence')
  if (!schedule) throw refuse(404, 'not_found')
  const { begins, begun, kind, code: course } = schedule
  const asked = [...new Set(given)]
  const { rows: known } = await sql<{ id: number }>`select id from registrations
    where id = any(${asked}::int[]) and offering_id = ${schedule.offering_id}`.execute(tx)
  if (known.length < asked.length) throw refuse(409, 'exam_seat_other', undefined, 'registration_ids')
  // Whoever records the same hall at this moment comes before or after: what stands is read behind the locks.
  const { sitting, following } = await lockFollowing(ctx, tx, kind, asked, [schedule.offering_id])
  const { rows } = await sql<{
    id: number
    user_id: number | null
    code: string
    name: string
    name_local: string
    standing: AbsenceRow['status'] | null
    excuse_id: number | null
  }>`
    select r.id, u.user_id, u.code, u.name, u.name_local, a.status as standing,
      (select x.id from excuses x where x.student_id = r.student_id and x.kind = 'exam' and x.status = 'accepted' and x.removed_at is null
        and x.offering_id = r.offering_id and ${schedule.date}::date between x.from_date and x.to_date order by x.id limit 1) as excuse_id
    from registrations r join students u on u.id = r.student_id
      left join exam_absences a on a.exam_schedule_id = ${exam_schedule_id} and a.registration_id = r.id
    where r.id = any(${asked}::int[]) order by r.id`.execute(tx)
  const here = again === 'counted' ? rows.filter((one) => !isRecorded(one.standing)) : rows
  const reasons: Reason[] = here.flatMap((one) =>
    checkAbsence({
      course,
      begins,
      begun,
      main: sitting.get(one.id)!.main,
      following: following(one.id),
      recorded: isRecorded(one.standing),
    }).map((reason): Reason =>
      fieldOf
        ? { ...reason, field: fieldOf(one.id), data: { ...reason.data, ...named(one) } }
        : { ...reason, field: null },
    ),
  )
  if (reasons.length) throw new Refusal(409, reasons)
  const ids: number[] = []
  for (const one of here) {
    const status = one.excuse_id === null ? 'recorded' : 'excused'
    const { rows: made } = await sql<{ id: number }>`
      insert into exam_absences (exam_schedule_id, registration_id, status, note, excuse_id, recorded_by)
      values (${exam_schedule_id}, ${one.id}, ${status}, ${note}, ${one.excuse_id}, ${ctx.actor?.user_id ?? null})
      on conflict (exam_schedule_id, registration_id) do update set status = excluded.status, note = excluded.note,
        excuse_id = excluded.excuse_id, recorded_by = excluded.recorded_by, recorded_at = now(), version = exam_absences.version + 1
      returning id`.execute(tx)
    ids.push(made[0]!.id)
    await flow.begin(ctx, tx, made[0]!.id, status)
  }
  for (const status of ['recorded', 'excused'] as const) {
    const those = here.filter((one) => (one.excuse_id === null) === (status === 'recorded')).map((one) => one.id)
    await follow(ctx, tx, kind, those, status, note ?? 'Absent from the exam')
  }
  await notifyEach(
    tx,
    here.flatMap((one) =>
      one.user_id === null
        ? []
        : [
            {
              user_id: one.user_id,
              key: one.excuse_id === null ? 'exam-days.notice_absent' : 'exam-days.notice_excused',
              data: { course: schedule.course, course_local: schedule.course_local, date: schedule.date },
              link: '/myCourses',
            },
          ],
    ),
  )
  const excused = here.filter((one) => one.excuse_id !== null).length
  return { ids, recorded: ids.length - excused, excused, already: rows.length - here.length }
}
const record = (ctx: Ctx, exam_schedule_id: number, given: readonly number[], note: string | null) =>
  ctx.write(async (tx) => {
    const several = given.length > 1 ? (one: number) => `registration_ids.${given.indexOf(one)}` : null
    const { already: _none, ...data } = await recordIn(ctx, tx, exam_schedule_id, given, note, 'refused', several)
    return { data }
  })

/** Whoever makes a registration absent by its status records the absence from its final exam, once that has begun. */
export const absentDecided = decides('Absent', {
  lead: async (ctx, tx, registration_id, { reason }) => {
    const { rows } = await sql<{ id: number }>`select s.id from exam_schedules s join exams e on e.id = s.exam_id
        join registrations r on r.id = ${registration_id} and r.offering_id = s.offering_id
      where e.kind = 'final' and e.removed_at is null and s.removed_at is null
        and lower(s.during) <= now() at time zone university_zone() order by s.during desc limit 1`.execute(tx)
    return rows[0] !== undefined && Boolean(await record(ctx, rows[0].id, [registration_id], reason))
  },
  takeBack: async (ctx, tx, registration_id, { reason }) => {
    const { rows } = await sql<{
      id: number
    }>`select a.id from exam_absences a join exam_schedules s on s.id = a.exam_schedule_id
        join exams e on e.id = s.exam_id
      where a.registration_id = ${registration_id} and a.status = 'recorded' and a.removed_at is null and e.kind = 'final'`.execute(
      tx,
    )
    // Of several finals that were missed one is not taken back for all.
    return rows.length === 1 && Boolean(await flow.take(ctx, firstRow(rows).id, 'cancel', { reason }))
  },
})

/** An accepted excuse of an exam excuses the absence that is recorded; one that is accepted no more does not. */
export const excusedExams = hear(examExcused, async (ctx, tx, { id, accepted }) => {
  const { rows } = await sql<{ id: number }>`
    select a.id from exam_absences a join exam_schedules s on s.id = a.exam_schedule_id join registrations r on r.id = a.registration_id
      join excuses x on x.id = ${id} and x.student_id = r.student_id and x.offering_id = r.offering_id
    where ${accepted ? sql`a.status = 'recorded' and s.on_date between x.from_date and x.to_date` : sql`a.status = 'excused' and a.excuse_id = x.id`}
    order by a.id`.execute(tx)
  const reason = accepted ? 'An excuse was accepted' : 'The excuse is accepted no more'
  const system = asSystem(ctx.services, reason, ctx.lang)
  for (const row of rows) {
    await flow.take(system, row.id, accepted ? 'excuse' : 'restore', { reason })
    if (accepted) await sql`update exam_absences set excuse_id = ${id} where id = ${row.id}`.execute(tx)
  }
})

type Stored = Omit<AbsenceRow, 'abilities' | 'refused'> & { __steps: Parameters<typeof flow.open>[2] }
const page = recordList<Stored>({
  table: 'exam_absences',
  permission: 'access_examAbsence',
  fields: absenceFields,
  select: (ctx) => sql`t.note, t.excuse_id, t.recorded_at, ${flow.column(ctx)} as __steps`,
  sort: { recorded_at: 't.recorded_at' },
  order: ['recorded_at', 'desc'],
})
const list = async (ctx: Ctx, query: ListQuery) => {
  const { data, meta } = await page(ctx, query)
  return {
    data: data.map(({ __steps, ...row }): AbsenceRow => ({ ...row, ...flow.open(ctx, row.status, __steps) })),
    meta,
  }
}

/** Halls `l` at a time, of exams that are reached, with how many sit there and how many of them are absent. */
const HALL = sql`min(l.id)::int as id, ${ref('p')} as hall, to_char(lower(l.during), 'YYYY-MM-DD') as date,
  to_char(lower(l.during), 'HH24:MI') as "from", lower(l.during) <= now() at time zone university_zone() as begun,
  json_agg(distinct c.code order by c.code) as courses, coalesce(sum(x.seated), 0)::int as seated, coalesce(sum(x.absent), 0)::int as absent`
const halls = (condition: RawBuilder<unknown>) => sql`select ${HALL} from exam_schedule_locations l
    join locations p on p.id = l.location_id join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
    join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
    cross join lateral (select count(*) as seated, count(*) filter (where exists (select from exam_absences a
        where a.exam_schedule_id = z.exam_schedule_id and a.registration_id = z.registration_id and a.status in ('recorded', 'excused'))) as absent
      from exam_seats z join registrations r on r.id = z.registration_id and sits_exam(r.status)
      where z.exam_schedule_id = l.exam_schedule_id and z.location_id = l.location_id) x
  where ${condition} group by p.id, l.during order by l.during, p.code`

/** Everybody who sits in a hall at a time, whatever exam it is, with whether the absence can be recorded. */
async function hallOf(ctx: Ctx, id: number) {
  const mine = scopeCondition(ctx, 'edit_examAbsence', inExam(ctx))
  const { rows: found } = await sql<{ location_id: number; during: string; exam: Ref }>`
    select l.location_id, l.during::text as during, ${ref('e')} as exam from exam_schedule_locations l
      join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null join exams e on e.id = s.exam_id
      join offerings o on o.id = s.offering_id where l.id = ${id} and ${mine}`.execute(ctx.db)
  if (!found[0]) throw refuse(404, 'not_found')
  const { location_id, during, exam } = found[0]
  const at = sql`l.location_id = ${location_id} and l.during && ${during}::tsrange and ${mine}`
  const [{ rows: choices }, { rows }] = [
    await halls(at).execute(ctx.db),
    await sql<{
      registration_id: number
      exam_schedule_id: number
      seat: number
      student: Ref
      course: { code: string }
      absence: AbsenceRow['status'] | null
      kind: ExamKind
      begun: boolean
      begins: string
    }>`
      select r.id as registration_id, s.id as exam_schedule_id, z.seat, ${ref('u')} as student, ${ref('c')} as course,
        (select a.status from exam_absences a where a.exam_schedule_id = s.id and a.registration_id = r.id) as absence,
        e.kind, lower(l.during) <= now() at time zone university_zone() as begun,
        to_char(lower(l.during), 'YYYY-MM-DD HH24:MI') as begins
      from exam_schedule_locations l join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null
        join exams e on e.id = s.exam_id join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        join exam_seats z on z.exam_schedule_id = s.id and z.location_id = l.location_id
        join registrations r on r.id = z.registration_id join students u on u.id = r.student_id
      where ${at} and sits_exam(r.status) order by z.seat, r.id`.execute(ctx.db),
  ]
  const refused = await refusedOf(ctx, rows)
  return {
    ...(choices[0] as { id: number }),
    id,
    exam,
    rows: rows.map((row) => {
      const { begun: _begun, begins: _begins, kind: _kind, ...one } = row
      const reason = isRecorded(one.absence) ? undefined : refused(row)
      return { ...one, refused: reason ? toProblem(reason) : null }
    }),
  }
}

/** Records a hall in one go: exam by exam, all or none; whom somebody else recorded meanwhile stays. */
const recordHall = (ctx: Ctx, id: number, given: readonly number[], note: string | null) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ exam_schedule_id: number; registration_id: number }>`
      select s.id as exam_schedule_id, z.registration_id from exam_schedule_locations m
        join exam_schedule_locations l on l.location_id = m.location_id and l.during && m.during
        join exam_schedules s on s.id = l.exam_schedule_id and s.removed_at is null join offerings o on o.id = s.offering_id
        join exam_seats z on z.exam_schedule_id = s.id and z.location_id = l.location_id
      where m.id = ${id} and ${scopeCondition(ctx, 'edit_examAbsence', inExam(ctx))}`.execute(tx)
    if (!rows.length) throw refuse(404, 'not_found')
    const exams = new Map(rows.map((row) => [row.registration_id, row.exam_schedule_id]))
    const fieldOf = (one: number) => `registration_ids.${given.indexOf(one)}`
    const reasons = given.flatMap((one): Reason[] =>
      exams.has(one) ? [] : [{ code: 'exam_seat_other', field: fieldOf(one) }],
    )
    if (reasons.length) throw new Refusal(409, reasons)
    const data: Recorded = { ids: [], recorded: 0, excused: 0, already: 0 }
    let { recorded, excused, already } = data
    // In the order in which everybody locks. What stands against it in any exam is told at once; then nothing was recorded.
    for (const [schedule, ids] of [...Map.groupBy(given, (one) => exams.get(one)!)].toSorted(([a], [b]) => a - b)) {
      try {
        const one = await recordIn(ctx, tx, schedule, ids, note, 'counted', fieldOf)
        data.ids.push(...one.ids)
        recorded += one.recorded
        excused += one.excused
        already += one.already
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        reasons.push(...error.reasons)
      }
    }
    if (reasons.length) throw new Refusal(409, reasons)
    return { data: { ...data, recorded, excused, already } }
  })

export const absenceHandlers: readonly Handled[] = [
  ...flow.handlers,
  handle(absenceCalls.list, (ctx, { body }) => list(ctx, body)),
  handle(absenceCalls.lookups, async (ctx, { body }) => {
    const exam_id = body.exam_id ?? null
    const { rows } = await halls(
      sql`l.exam_id = ${exam_id}::int and ${scopeCondition(ctx, 'access_examAbsence', inExam(ctx))}`,
    ).execute(ctx.db)
    return {
      data: {
        ...(await examDays(ctx, 'access_examAbsence', exam_id)),
        halls: rows as never[],
        statuses: absenceFlow.states.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] })),
      },
    }
  }),
  handle(absenceCalls.hall, async (ctx, { params }) => ({ data: (await hallOf(ctx, params.id)) as never })),
  handle(absenceCalls.recordHall, (ctx, { params, body }) =>
    recordHall(ctx, params.id, body.registration_ids, body.note ?? null),
  ),
  handle(absenceCalls.studentInfo, async (ctx, { body }) => ({
    data: await studentsInExams(ctx, 'access_examAbsence', body, async (found) => {
      const refused = await refusedOf(ctx, found)
      return (one) => ({ refused: isRecorded(one.absence) ? undefined : refused(one) })
    }),
  })),
  handle(absenceCalls.record, (ctx, { body }) =>
    record(ctx, body.exam_schedule_id, [body.registration_id], body.note ?? null),
  ),
  handle(absenceCalls.recordMany, (ctx, { body }) =>
    record(ctx, body.exam_schedule_id, body.registration_ids, body.note ?? null),
  ),
  handle(absenceCalls.recordOf, (ctx, { params, body }) =>
    record(ctx, params.id, body.registration_ids, body.note ?? null),
  ),
]
