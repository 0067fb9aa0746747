/** Duties as the judge looks at them, and what is drawn from. */
import { firstRow } from '#db/rows.ts'
import type { Db, Tx } from '#db/connect.ts'
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { sql, type RawBuilder } from 'kysely'
import type { DutyNeed, DutyPerson } from './draw.rules.ts'
import type { JudgedDuty } from './judge.rules.ts'

/** Saturday and Friday, as weeks are kept here. */
const isWeekend = (day: string): boolean => [0, 6].includes(weekPlace(day))

/** SQL: a kind of duty `k`, as screens show it. */
export const KIND = `json_build_object('id', k.id, 'name', k.name, 'name_local', k.name_local, 'code', k.code, 'part', k.part,
  'from_time', to_char(k.from_time, 'HH24:MI'), 'to_time', to_char(k.to_time, 'HH24:MI'), 'interns', k.interns)`

/** SQL: the rotation of the student is in the training on a day. */
const THERE = (
  student: string,
  training: string,
  day: string,
) => `exists (select from emtyaz_rotations r where r.student_id = ${student}
  and r.training_id = ${training} and r.status = 'accepted' and r.removed_at is null and ${day} between r.starts_on and coalesce(r.interrupted_on, r.ends_on))`
/** SQL: the intern is on leave on a day. */
export const ON_LEAVE = (
  student: string,
  day: string,
) => `exists (select from emtyaz_leaves l join emtyaz_interns i on i.id = l.intern_id
  where i.student_id = ${student} and i.removed_at is null and ${day} between l.starts_on and l.ends_on)`

/**
 * Duties of these students around some days, as they would be: `held` gives (shift, student) for those that change hands.
 * Of all trainings: who comes from another one rests as well.
 */
export async function judgedDuties(
  db: Db | Tx,
  students: readonly number[],
  from: string,
  until: string,
  held: readonly (readonly [shift: number, student: number])[] = [],
): Promise<JudgedDuty[]> {
  const shifts = held.map(([shift]) => shift)
  const to = held.map(([, student]) => student)
  const { rows } = await sql<JudgedDuty>`
    select d.student_id, d.day::text, d.starts_at, d.ends_at, json_build_object('name', k.name, 'name_local', k.name_local) as kind, s.name, s.name_local,
      ${sql.raw(THERE('d.student_id', 'k.training_id', 'd.day'))} as there, ${sql.raw(ON_LEAVE('d.student_id', 'd.day'))} as on_leave
    from (select x.id, x.kind_id, x.day, x.starts_at, x.ends_at, coalesce(h.student_id, x.student_id) as student_id from duty_shifts x
        left join unnest(${shifts}::int[], ${to}::int[]) as h (shift_id, student_id) on h.shift_id = x.id) d
      join duty_kinds k on k.id = d.kind_id join students s on s.id = d.student_id
    where d.student_id = any(${[...students]}::int[]) and d.day between ${addDays(from, -2)}::date and ${addDays(until, 2)}::date
    order by d.student_id, d.starts_at`.execute(db)
  return rows
}

const EPOCH = Date.UTC(2000, 0, 1)
const minutesOf = (day: string, time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (Date.parse(`${day}T00:00:00Z`) - EPOCH) / 60_000 + hours * 60 + minutes
}
interface Read {
  readonly kinds: readonly { id: number; part: string; from_time: string; to_time: string; interns: number }[]
  readonly people: readonly {
    id: number
    days: string[]
    wishes: string[]
    other: { from: string; to: string }[]
    nights: number
    weekends: number
    all: number
  }[]
}
/** What a roster of a training is drawn from. `but`: the roster whose place the new one takes. */
export async function drawnFrom(
  db: Db | Tx,
  training: number,
  from: string,
  until: string,
  but: RawBuilder<unknown>,
): Promise<{ needs: (DutyNeed & { kind_id: number })[]; people: DutyPerson[] }> {
  const { rows } = await sql<Read>`
    select coalesce((select json_agg(json_build_object('id', k.id, 'part', k.part, 'from_time', to_char(k.from_time, 'HH24:MI'),
        'to_time', to_char(k.to_time, 'HH24:MI'), 'interns', k.interns) order by k.id)
        from duty_kinds k where k.training_id = ${training} and k.removed_at is null), '[]') as kinds,
      coalesce((select json_agg(json_build_object('id', p.student_id,
          'days', (select coalesce(json_agg(d.day::date), '[]') from generate_series(${from}::date, ${until}::date, interval '1 day') as d (day)
            where ${sql.raw(THERE('p.student_id', String(training), 'd.day::date'))} and not ${sql.raw(ON_LEAVE('p.student_id', 'd.day::date'))}),
          'wishes', (select coalesce(json_agg(w.day), '[]') from duty_wishes w where w.student_id = p.student_id and w.day between ${from}::date and ${until}::date),
          'other', (select coalesce(json_agg(json_build_object('from', to_char(x.starts_at at time zone university_zone(), 'YYYY-MM-DD HH24:MI'),
              'to', to_char(x.ends_at at time zone university_zone(), 'YYYY-MM-DD HH24:MI'))), '[]') from duty_shifts x
            where x.student_id = p.student_id and x.day between ${addDays(from, -2)}::date and ${addDays(until, 2)}::date and x.roster_id not in (${but})),
          'nights', h.nights, 'weekends', h.weekends, 'all', h.all) order by p.student_id)
        from (select distinct r.student_id from emtyaz_rotations r where r.training_id = ${training} and r.status = 'accepted' and r.removed_at is null
            and r.starts_on <= ${until}::date and coalesce(r.interrupted_on, r.ends_on) >= ${from}::date) p,
          lateral (select count(*) filter (where k.part = 'night') as nights, count(*) as all,
              count(*) filter (where extract(dow from x.day) in (5, 6)) as weekends
            from duty_shifts x join duty_kinds k on k.id = x.kind_id where x.student_id = p.student_id and k.training_id = ${training}
              and x.roster_id not in (${but})) h), '[]') as people`.execute(db)
  const { kinds, people } = firstRow(rows)
  const needs: (DutyNeed & { kind_id: number })[] = []
  for (let day = from; day <= until; day = addDays(day, 1))
    for (const kind of kinds) {
      const begins = minutesOf(day, kind.from_time)
      const ends = minutesOf(day, kind.to_time)
      needs.push({
        key: `${kind.id} ${day}`,
        kind_id: kind.id,
        day,
        from: begins,
        to: ends <= begins ? ends + 1440 : ends,
        night: kind.part === 'night',
        weekend: isWeekend(day),
        interns: kind.interns,
      })
    }
  /** From the database: day and time of the university, without a zone. */
  const at = (text: string) => {
    const [day = '', time = ''] = text.split(' ')
    return minutesOf(day, time)
  }
  return {
    needs,
    people: people.map(({ id, days, wishes, other, ...had }) => ({
      id,
      days: new Set(days),
      wishes: new Set(wishes),
      other: other.map((one) => ({ from: at(one.from), to: at(one.to) })),
      had,
    })),
  }
}
