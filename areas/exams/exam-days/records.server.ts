/** Absences and investigations: how they are reached, named, told and listed. */
import type { ListQuery } from '#kit/contract/index.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { columnsOf, serverField } from '#kit/server/base/fields.ts'
import { pagedList, type ListSource } from '#kit/server/resource/list.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { inExam } from './reach.server.ts'

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

interface Listed {
  readonly table: 'exam_absences' | 'exam_cases'
  readonly permission: PermissionKey
  readonly fields: Parameters<typeof columnsOf>[0]
  /** Columns besides student, course, exam and day, and the steps as `__steps`. */
  readonly select: (ctx: Ctx) => RawBuilder<unknown>
  readonly sort: Readonly<Record<string, string>>
  readonly order: ListSource['order']
}
/** The list of such records, within reach. */
export function recordList<Stored extends object>({ table, permission, fields, select, sort, order }: Listed) {
  const filters = Object.fromEntries(
    columnsOf(fields, {
      student_id: 'r.student_id',
      course_id: 'r.course_id',
      offering_id: 'r.offering_id',
      term_id: 'r.term_id',
      date: 's.on_date',
    }).map((column) => [column.name, (value: unknown) => serverField(column.field).filter(column, value)]),
  )
  const source = (ctx: Ctx): ListSource => ({
    from: sql`${sql.table(table)} t join exam_schedules s on s.id = t.exam_schedule_id join exams e on e.id = s.exam_id
      join registrations r on r.id = t.registration_id join students u on u.id = r.student_id
      join offerings o on o.id = r.offering_id join courses c on c.id = o.course_id`,
    select: sql`t.id, t.version, ${ref('u')} as student, ${ref('c')} as course, ${ref('e')} as exam,
      to_char(s.on_date, 'YYYY-MM-DD') as date, t.status, ${select(ctx)}`,
    where: [scopeCondition(ctx, permission, inExam(ctx)), sql`t.removed_at is null`],
    search: ['u.search_text', 'c.search_text'],
    sort: { student_id: 'u.name', course_id: 'c.code', date: 's.on_date', status: 't.status', ...sort },
    order,
    filters,
  })
  return (ctx: Ctx, query: ListQuery) => pagedList<Stored>(ctx, source(ctx), query)
}
