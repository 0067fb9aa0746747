/** What a distribution is made of, read in one statement, and what of it has changed since. */
import { sql, type RawBuilder } from 'kysely'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { COUNTS_AS, GOOD_ENOUGH, PASSED_HERE } from '../passed.server.ts'
import type { Applicant, CutOff, ProgramSeat } from './assign.rules.ts'

/**
 * SQL: the students of a window who have wishes and take part, a row each. The order of equals is a text, in which smaller
 * comes first.
 */
export const inputsOf = (windowId: number): RawBuilder<unknown> => sql`
  select s.id as student_id, s.code, s.program_id, sh.gpa::numeric(3, 2) as gpa, sh.passed_hours::numeric(6, 2) as passed_hours,
    case w.tie_rule when 'older' then s.birth_date::text when 'lot' then md5(w.id || ' ' || w.created_at || ' ' || s.code)
      when 'school' then to_char(1000 - s.school_percentage, 'FM0000.00') end as tie,
    p.choices, coalesce(m.met, '{}') as met, coalesce(own.elsewhere, '{}') as elsewhere, own.account
  from specialization_preferences p
    join specialization_times w on w.id = p.specialization_time_id
    join students s on s.id = p.student_id and s.removed_at is null and s.status = 'studying'
    join shown_standing sh on sh.student_id = s.id
    left join (
      select x.student_id, array_agg(x.id order by x.id) as met from (
        select distinct r.student_id, c.id
        from specialization_seats e join specialization_courses c on c.specialization_id = e.specialization_id ${COUNTS_AS}
          join registrations r on r.course_id = k.course_id
          join specialization_preferences mine on mine.student_id = r.student_id and mine.specialization_time_id = e.specialization_time_id
          join offerings o on o.id = r.offering_id join students s on s.id = r.student_id join bylaws b on b.id = s.bylaw_id
        where e.specialization_time_id = ${windowId} and ${PASSED_HERE} and ${GOOD_ENOUGH}
        union
        select r.student_id, c.id
        from specialization_seats e join specialization_courses c on c.specialization_id = e.specialization_id ${COUNTS_AS}
          join course_credits r on r.course_id = k.course_id and r.former_study_id is null
          join specialization_preferences mine on mine.student_id = r.student_id and mine.specialization_time_id = e.specialization_time_id
          join students s on s.id = r.student_id
        where e.specialization_time_id = ${windowId} and ${GOOD_ENOUGH}) x
      group by 1) m on m.student_id = s.id
    left join lateral (
      select max(o.user_id) as account, array_agg(o.program_id order by o.program_id) filter (where o.program_id in (
        select z.program_id from specialization_seats e join specializations z on z.id = e.specialization_id
        where e.specialization_time_id = ${windowId})) as elsewhere
      from students o where o.user_id = s.user_id and o.id <> s.id and o.removed_at is null) own on true
  where p.specialization_time_id = ${windowId} and p.choices <> '{}'
    and s.program_id in (select z.general_program_id from specialization_seats e join specializations z on z.id = e.specialization_id
      where e.specialization_time_id = ${windowId})
    and (w.min_level is null or sh.level >= w.min_level)
    and (w.min_passed_hours is null or sh.passed_hours >= w.min_passed_hours)`

interface InputRow {
  student_id: number
  code: string
  program_id: number
  gpa: string | null
  passed_hours: string
  tie: string | null
  choices: string
  met: string
  elsewhere: string
  account: number | null
}
const hundredths = (value: string | null): number | null => (value === null ? null : parseHundredths(value))
/** `{1,2}` as numbers: a hundred thousand lists are not worth a parser each. */
const list = (text: string): number[] => (text.length < 3 ? [] : text.slice(1, -1).split(',').map(Number))

/** Everybody who is to be distributed. */
export async function readApplicants(tx: Db | Tx, windowId: number): Promise<Applicant[]> {
  const { rows } = await sql<InputRow>`select student_id, code, program_id, gpa::text, passed_hours::text, tie,
    choices::text, met::text, elsewhere::text, account from (${inputsOf(windowId)}) x`.execute(tx)
  return rows.map((row) => ({
    ...row,
    gpa: hundredths(row.gpa),
    passed_hours: hundredths(row.passed_hours) ?? 0,
    choices: list(row.choices),
    met: list(row.met),
    elsewhere: list(row.elsewhere),
  }))
}

/** A seat with what it is called, as a run keeps it. */
export interface NamedSeat extends ProgramSeat {
  readonly code: string
  readonly name: string
  readonly name_local: string
}
/** The same after a distribution. */
export interface RunSeat extends NamedSeat {
  readonly given: number
  readonly cut_off: CutOff | null
}

/** What a window offers, in its order. */
export async function readSeats(tx: Db | Tx, windowId: number): Promise<NamedSeat[]> {
  const { rows } = await sql<
    Omit<NamedSeat, 'min_gpa' | 'min_passed_hours'> & { min_gpa: string | null; min_passed_hours: string | null }
  >`select z.id as specialization_id, z.code, z.name, z.name_local, z.general_program_id, z.program_id, e.capacity,
      z.min_gpa::text, z.min_passed_hours::text,
      coalesce((select json_agg(json_build_object('id', c.id, 'course', k.code, 'min_letter', c.min_letter) order by c.position)
        from specialization_courses c join courses k on k.id = c.course_id where c.specialization_id = z.id), '[]') as courses
    from specialization_seats e join specializations z on z.id = e.specialization_id
    where e.specialization_time_id = ${windowId} order by e.position, e.id`.execute(tx)
  return rows.map((row) => ({
    ...row,
    min_gpa: hundredths(row.min_gpa),
    min_passed_hours: hundredths(row.min_passed_hours),
  }))
}

/** Of what has changed, so much is named. */
const NAMED = 20
/** From where to where, and under which conditions. */
const conditionsOf = ({ general_program_id, program_id, min_gpa, min_passed_hours, courses }: NamedSeat): string =>
  JSON.stringify([
    general_program_id,
    program_id,
    min_gpa,
    min_passed_hours,
    courses.map(({ id, min_letter }) => [id, min_letter]),
  ])

/** What has changed in what a window offers since a distribution was made of it. */
export function changedSeats(before: readonly NamedSeat[], now: readonly NamedSeat[]): Reason[] {
  const known = new Map(before.map((seat) => [seat.specialization_id, seat]))
  const gone = new Map(known)
  const reasons = now.flatMap((seat): Reason[] => {
    const old = known.get(seat.specialization_id)
    gone.delete(seat.specialization_id)
    const data = { specialization: seat.name, specialization_local: seat.name_local }
    if (!old) return [{ code: 'specialization_changed_offer', data }]
    return [
      ...(old.capacity === seat.capacity
        ? []
        : [{ code: 'specialization_changed_places', data: { ...data, before: old.capacity, now: seat.capacity } }]),
      ...(conditionsOf(old) === conditionsOf(seat) ? [] : [{ code: 'specialization_changed_conditions', data }]),
    ]
  })
  return [
    ...reasons,
    ...[...gone.values()].map(({ name, name_local }) => ({
      code: 'specialization_changed_offer',
      data: { specialization: name, specialization_local: name_local },
    })),
  ]
}

/** Students whose wishes, figures or place in the university are others than those a distribution was made of. */
export async function changedStudents(tx: Tx, windowId: number, runId: number): Promise<Reason[]> {
  const { rows } = await sql<{ code: string; wishes: boolean; gone: boolean; record: boolean; count: number }>`
    with changed as (
      select coalesce(i.student_id, r.student_id) as id, i.choices is distinct from r.choices and i.student_id is not null as wishes,
        i.student_id is null as gone, i.elsewhere is distinct from r.elsewhere as record
      from (${inputsOf(windowId)}) i full join (select * from specialization_results where run_id = ${runId}) r using (student_id)
      where (i.program_id, i.gpa, i.passed_hours, i.choices, i.met, i.tie, i.elsewhere) is distinct from
        (r.program_id, r.gpa, r.passed_hours, r.choices, r.met, r.tie, r.elsewhere))
    select s.code, c.wishes, c.gone, c.record, (count(*) over ())::int as count from changed c join students s on s.id = c.id
    order by s.code limit ${NAMED}`.execute(tx)
  const reasons = rows.map(({ code, wishes, gone, record }): Reason => ({
    code: gone
      ? 'specialization_changed_gone'
      : wishes
        ? 'specialization_changed_wishes'
        : record
          ? 'specialization_changed_record'
          : 'specialization_changed_student',
    data: { student: code },
  }))
  const more = (rows[0]?.count ?? 0) - rows.length
  return more > 0 ? [...reasons, { code: 'specialization_changed_more', data: { count: more } }] : reasons
}
