/** Absences from exams: recorded, excused, cancelled; of a final exam the registration goes along. */
import { setExamExcused } from '#areas/attendance/excuses/exam.server.ts'
import type { Tx } from '#db/connect.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/errors.ts'
import { columnsOf, serverField } from '#kit/server/fields.ts'
import { pagedList, type ListSource } from '#kit/server/list.ts'
import { notifyEach } from '#kit/server/notifications.ts'
import { asSystem } from '#kit/server/request.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/scope.ts'
import { ref } from '#kit/server/sql.ts'
import { serveWorkflow } from '#kit/server/workflow.ts'
import { sql, type RawBuilder } from 'kysely'
import { inExam } from '../reach.server.ts'
import { examDays, lockSitting, moveRegistrations, readSchedule, studentsInExams } from '../sitting.server.ts'
import { absenceCalls, absenceFields, absenceFlow, absenceSteps, type AbsenceRow } from './absence.contract.ts'
import { checkAbsence, type ExamDayFacts } from './absence.rules.ts'

const TABLES = sql.raw(`exam_schedules s join offerings o on o.id = s.offering_id`)
/** As a record `t` of the exam day is reached: by the offering of its exam. */
export const ofSchedule = (ctx: Ctx): ScopeParts =>
  Object.fromEntries(
    Object.entries(inExam(ctx)).map(([kind, part]) => [
      kind,
      typeof part === 'function'
        ? (ids: readonly number[]) =>
            sql`exists (select from ${TABLES} where s.id = t.exam_schedule_id and ${part(ids)})`
        : kind === 'taught'
          ? sql`exists (select from ${TABLES} where s.id = t.exam_schedule_id and ${part})`
          : sql`(select ${part} from ${TABLES} where s.id = t.exam_schedule_id)`,
    ]),
  )
/** SQL: whether a record `t` is about one of these people. */
export const ownOf = (people: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select from registrations r join students u on u.id = r.student_id where r.id = t.registration_id and u.user_id = any(${people}))`
export const NAME_OF = `(select u.code || ' · ' || c.code from registrations r join students u on u.id = r.student_id
  join courses c on c.id = r.course_id where r.id = t.registration_id)`
export const TELLS = {
  users: `array(select u.user_id from registrations r join students u on u.id = r.student_id where r.id = t.registration_id and u.user_id is not null)`,
  data: `(select json_build_object('course', c.name, 'course_local', c.name_local) from registrations r join courses c on c.id = r.course_id
    where r.id = t.registration_id)`,
  link: () => '/myCourses',
}

type Facts = Pick<ExamDayFacts, 'final' | 'held'>
const flow = serveWorkflow(absenceFlow, absenceSteps, {
  table: 'exam_absences',
  scope: ofSchedule,
  seen: ['access_examAbsence'],
  nameOf: NAME_OF,
  own: ownOf,
  enteredByOfficer: true,
  facts: async (ctx, tx, ids) => {
    const { rows } = await sql<{ id: number; registration_id: number; final: boolean }>`
      select t.id, t.registration_id, e.kind = 'final' as final from exam_absences t join exam_schedules s on s.id = t.exam_schedule_id
        join exams e on e.id = s.exam_id where t.id = any(${[...ids]}::int[])`.execute(tx)
    const sitting = await lockSitting(
      ctx,
      tx,
      rows.filter((one) => one.final).map((one) => one.registration_id),
      ({ main }) => (main === 'Incomplete' ? 'undo_incomplete' : main === 'Absent' ? 'undo' : 'absent'),
    )
    return new Map<number, Facts>(
      rows.map((one) => [one.id, { final: one.final, held: sitting.get(one.registration_id)?.held ?? null }]),
    )
  },
  effect: async (ctx, tx, moved) => {
    const { rows } = await sql<{ id: number; registration_id: number }>`
      select t.id, t.registration_id from exam_absences t join exam_schedules s on s.id = t.exam_schedule_id
        join exams e on e.id = s.exam_id where t.id = any(${moved.map((one) => one.id)}::int[]) and e.kind = 'final'`.execute(
      tx,
    )
    const of = new Map(rows.map((row) => [row.id, row.registration_id]))
    for (const { id, to, reason } of moved) {
      const registration = of.get(id)
      if (registration !== undefined) await follow(ctx, tx, registration, to, reason ?? 'Exam absence')
      if (to !== 'excused') await sql`update exam_absences set excuse_id = null where id = ${id}`.execute(tx)
    }
  },
  tells: TELLS,
})

/** Brings a registration to where an absence from its final exam has it; what another door has done stays. */
async function follow(
  ctx: Ctx,
  tx: Tx,
  registration_id: number,
  to: AbsenceRow['status'],
  reason: string,
): Promise<void> {
  const main = async () => (await lockSitting(ctx, tx, [registration_id], () => 'absent')).get(registration_id)!.main
  const move = (action: Parameters<typeof moveRegistrations>[2]) =>
    moveRegistrations(ctx, [registration_id], action, reason)
  const found = await main()
  if (to !== 'recorded' && found === 'Absent') await move('undo')
  if (to !== 'excused' && found === 'Incomplete') await move('undo_incomplete')
  const now = await main()
  if (now !== 'Registered') return
  if (to === 'recorded') await move('absent')
  if (to === 'excused') await move('incomplete')
}

/** Records absences; who has an accepted excuse for the exam is excused at once. All or none. */
const record = (ctx: Ctx, exam_schedule_id: number, given: readonly number[], note: string | null) =>
  ctx.write(async (tx) => {
    const schedule = await readSchedule(ctx, tx, exam_schedule_id, 'edit_examAbsence')
    if (!schedule) throw refuse(404, 'not_found')
    const ids = [...new Set(given)]
    const { rows: here } = await sql<{
      id: number
      user_id: number | null
      absence: number | null
      standing: string | null
      excuse_id: number | null
    }>`
      select r.id, u.user_id, a.id as absence, a.status as standing,
        (select x.id from excuses x where x.student_id = r.student_id and x.kind = 'exam' and x.status = 'accepted' and x.removed_at is null
          and x.offering_id = r.offering_id and ${schedule.date}::date between x.from_date and x.to_date order by x.id limit 1) as excuse_id
      from registrations r join students u on u.id = r.student_id
        left join exam_absences a on a.exam_schedule_id = ${exam_schedule_id} and a.registration_id = r.id
      where r.id = any(${ids}::int[]) and r.offering_id = ${schedule.offering_id} order by r.id`.execute(tx)
    if (here.length < ids.length) throw refuse(409, 'exam_seat_other', undefined, 'registration_ids')
    const sitting = await lockSitting(ctx, tx, ids, () => 'absent')
    const reasons: Reason[] = here.flatMap((one) => {
      const { main, held } = sitting.get(one.id)!
      const { begins, begun, final, code: course } = schedule
      const recorded = one.standing === 'recorded' || one.standing === 'excused'
      return checkAbsence({ course, begins, begun, final, main, held, recorded }).map((reason) => ({
        ...reason,
        field: ids.length > 1 ? `registration_ids.${ids.indexOf(one.id)}` : null,
      }))
    })
    if (reasons.length) throw new Refusal(409, reasons)
    const recorded: number[] = []
    for (const one of here) {
      const status = one.excuse_id === null ? 'recorded' : 'excused'
      const { rows } = await sql<{ id: number }>`
        insert into exam_absences (exam_schedule_id, registration_id, status, note, excuse_id, recorded_by)
        values (${exam_schedule_id}, ${one.id}, ${status}, ${note}, ${one.excuse_id}, ${ctx.actor?.user_id ?? null})
        on conflict (exam_schedule_id, registration_id) do update set status = excluded.status, note = excluded.note,
          excuse_id = excluded.excuse_id, recorded_by = excluded.recorded_by, recorded_at = now(), version = exam_absences.version + 1
        returning id`.execute(tx)
      recorded.push(rows[0]!.id)
      await flow.begin(ctx, tx, rows[0]!.id, status)
      if (schedule.final) await follow(ctx, tx, one.id, status, note ?? 'Absent from the exam')
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
    return { data: { ids: recorded, recorded: recorded.length - excused, excused } }
  })

// An accepted excuse of an exam excuses the absence that is recorded; one that is accepted no more does not.
setExamExcused(async (ctx, tx, { id, accepted }) => {
  const { rows } = await sql<{ id: number }>`
    select a.id from exam_absences a join exam_schedules s on s.id = a.exam_schedule_id join registrations r on r.id = a.registration_id
      join excuses x on x.id = ${id} and x.student_id = r.student_id and x.offering_id = r.offering_id
    where ${accepted ? sql`a.status = 'recorded' and s.on_date between x.from_date and x.to_date` : sql`a.status = 'excused' and a.excuse_id = x.id`}
    order by a.id`.execute(tx)
  const reason = accepted ? 'An excuse was accepted' : 'The excuse is accepted no more'
  const system = asSystem(ctx.services, reason, ctx.lang)
  for (const one of rows) {
    await flow.take(system, one.id, accepted ? 'excuse' : 'restore', { reason })
    if (accepted) await sql`update exam_absences set excuse_id = ${id} where id = ${one.id}`.execute(tx)
  }
})

type Stored = Omit<AbsenceRow, 'abilities' | 'refused'> & { __steps: Parameters<typeof flow.open>[2] }
const filters = Object.fromEntries(
  columnsOf(absenceFields, {
    student_id: 'r.student_id',
    course_id: 'r.course_id',
    offering_id: 'r.offering_id',
    term_id: 'r.term_id',
    date: 's.on_date',
  }).map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
)
const source = (ctx: Ctx): ListSource => ({
  from: sql`exam_absences t join exam_schedules s on s.id = t.exam_schedule_id join exams e on e.id = s.exam_id
    join registrations r on r.id = t.registration_id join students u on u.id = r.student_id
    join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id`,
  select: sql`t.id, t.version, ${ref('u')} as student, ${ref('c')} as course, ${ref('e')} as exam,
    to_char(s.on_date, 'YYYY-MM-DD') as date, t.status, t.note, t.excuse_id, t.recorded_at, ${flow.column(ctx)} as __steps`,
  where: [scopeCondition(ctx, 'access_examAbsence', inExam(ctx)), sql`t.removed_at is null`],
  search: ['u.search_text', 'c.search_text'],
  sort: {
    student_id: 'u.name',
    course_id: 'c.code',
    date: 's.on_date',
    status: 't.status',
    recorded_at: 't.recorded_at',
  },
  order: ['recorded_at', 'desc'],
  filters,
})
const list = async (ctx: Ctx, query: ListQuery) => {
  const { data, meta } = await pagedList<Stored>(ctx, source(ctx), query)
  return {
    data: data.map(({ __steps, ...row }): AbsenceRow => ({ ...row, ...flow.open(ctx, row.status, __steps) })),
    meta,
  }
}

export const absenceHandlers: readonly Handled[] = [
  ...flow.handlers,
  handle(absenceCalls.list, (ctx, { body }) => list(ctx, body)),
  handle(absenceCalls.lookups, async (ctx, { body }) => ({
    data: {
      ...(await examDays(ctx, 'access_examAbsence', body.exam_id ?? null)),
      statuses: absenceFlow.states.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] })),
    },
  })),
  handle(absenceCalls.studentInfo, async (ctx, { body }) => ({
    data: await studentsInExams(ctx, 'access_examAbsence', body.text, body.exam_id ?? null),
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
