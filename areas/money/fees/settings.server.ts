/** What other areas compute with: a version of the settings of a year, and the facts of students. One statement each. */
import { flag } from '#areas/common/academics/status.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql, type RawBuilder } from 'kysely'
import type { PayerFacts, TermKind } from './pricing.rules.ts'
import type { YearSettings } from './settings/settings.rules.ts'

const list = (row: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(${row} order by z.id), '[]') from ${from})`

/** SQL of a version `v` as rules work with it. */
export const feeSettingsJson =
  () => sql<YearSettings>`json_build_object('year_id', v.year_id, 'version_id', v.id, 'version', v.number,
  'stacking', v.stacking, 'grant_cap', v.grant_cap,
  'items', (select coalesce(json_agg(json_build_object('id', i.id, 'code', i.code, 'name', i.name, 'name_local', i.name_local,
      'type', i.type, 'is_automatic', i.is_automatic, 'late_only', i.late_only, 'deposit', i.deposit) order by i.id), '[]')
    from fee_items i where i.id in (select p.item_id from fee_prices p where p.version_id = v.id)),
  'prices', ${list(
    sql`json_build_object('id', z.id, 'item_id', z.item_id, 'program_id', z.program_id, 'faculty_id', z.faculty_id, 'level', z.level,
      'bylaw_id', z.bylaw_id, 'nationality_group_id', z.nationality_group_id, 'currency', z.currency, 'amount', z.amount, 'per', z.per, 'entry_year_id', z.entry_year_id, 'course_id', z.course_id, 'repeats', z.repeats,
      'flat', case when z.flat_from is not null then json_build_object('from', z.flat_from, 'to', z.flat_to, 'amount', z.flat_amount) end)`,
    sql`fee_prices z where z.version_id = v.id`,
  )},
  'due_dates', ${list(
    sql`json_build_object('id', z.id, 'type', z.type, 'instalment', z.instalment, 'due_on', z.due_on, 'share', z.share,
      'term_kind', z.term_kind, 'faculty_id', z.faculty_id, 'level', z.level)`,
    sql`fee_due_dates z where z.version_id = v.id`,
  )},
  'fines', ${list(
    sql`json_build_object('id', z.id, 'type', z.type, 'currency', z.currency, 'cap', z.cap, 'steps',
      (select coalesce(json_agg(json_build_object('from_days', s.from_days, 'amount', s.amount, 'per_mille', s.per_mille) order by s.from_days), '[]')
        from fee_fine_steps s where s.version_id = v.id and s.fine_id = z.id))`,
    sql`fee_fines z where z.version_id = v.id`,
  )},
  'accounts', ${list(
    sql`json_build_object('id', z.id, 'type', z.type, 'currency', z.currency, 'bank_id', z.bank_id)`,
    sql`fee_accounts z where z.version_id = v.id`,
  )})`

/** The settings of a year: the last version, or the one that is asked for by its number. null where there is none. */
export async function feeSettingsOf(db: Db | Tx, year_id: number, version?: number): Promise<YearSettings | null> {
  const { rows } = await sql<{ settings: YearSettings }>`select ${feeSettingsJson()} as settings from fee_versions v
    where v.year_id = ${year_id} and ${version === undefined ? sql`true` : sql`v.number = ${version}`}
    order by v.number desc limit 1`.execute(db)
  return rows[0]?.settings ?? null
}

/** What a price stands on, of one student. `charged_items`, `entering`, `asked` and `used` of grants are what the caller knows. */
export interface StudentFacts extends PayerFacts {
  readonly student_id: number
  readonly year_id: number
  readonly term_id: number | null
}
/** Registrations that are charged in full; those that were left cost what the bylaw said then, and requests nothing. */
const FULL =
  flag.Registered |
  flag.DropRequest |
  flag.WithdrawRequest |
  flag.ExcuseRequest |
  flag.Incomplete |
  flag.Complete |
  flag.Absent |
  flag.Punished |
  flag.Banned
const LEFT = flag.Withdrawn | flag.ForcedWithdrawn
const LEFT_OR_EXCUSED = LEFT | flag.Excused
const bits = (value: bigint) => sql.lit(value.toString())

/**
 * Facts of many students for a term, or for a year without its courses, by student: study and level are those in which
 * they were then. The level is that of the year where it is kept by year. What a student was exempted from is not
 * charged.
 */
export async function feeFacts(
  db: Db | Tx,
  student_ids: readonly number[],
  when: { readonly term_id: number } | { readonly year_id: number },
): Promise<Map<number, StudentFacts>> {
  const period =
    'term_id' in when
      ? sql`select t.id as term_id, t.year_id, t.term_type as kind, y.start_date, y.end_date, t.start_date as begun, t.end_date as ended
          from terms t join years y on y.id = t.year_id where t.id = ${when.term_id}`
      : sql`select null::int as term_id, y.id as year_id, 'fall' as kind, y.start_date, y.end_date, y.start_date as begun, y.end_date as ended
          from years y where y.id = ${when.year_id}`
  const { rows } = await sql<{ facts: StudentFacts & { readonly term_kind: TermKind } }>`
    with period as (${period}),
    courses as (
      select r.student_id, json_agg(json_build_object('registration_id', r.id, 'code', c.code, 'course_id', c.id,
          'repeats', r.status & ${bits(flag.Repeat)}::bigint <> 0, 'hours', (r.credit_hours * 100)::int,
          'charged', case when r.status & ${bits(LEFT_OR_EXCUSED)}::bigint = 0 then 10000 else (coalesce(w.percent,
            case when r.status & ${bits(LEFT)}::bigint <> 0 then b.withdrawal_charge else b.excuse_charge end) * 100)::int end)
          order by c.code, r.id) as list
      from period p join registrations r on r.term_id = p.term_id join courses c on c.id = r.course_id
        join students s on s.id = r.student_id join bylaws b on b.id = s.bylaw_id
        left join withdrawal_charges w on w.registration_id = r.id
      where r.student_id = any(${student_ids}::int[]) and r.status & ${bits(FULL | LEFT_OR_EXCUSED)}::bigint <> 0
        and not (r.status & ${bits(flag.Complete)}::bigint <> 0 and r.total is null)
      group by r.student_id
    ),
    grants as (
      select g.student_id, json_agg(json_build_object('id', g.id,
          'scholarship', json_build_object('id', h.id, 'name', h.name, 'name_local', h.name_local),
          'percent', (g.percent * 100)::int, 'amount', g.amount, 'currency', g.currency, 'types', g.types, 'item_ids', g.item_ids,
          'priority', g.priority) order by g.priority, g.id) as list
      from period p join scholarship_grants g on g.during @> p.start_date join scholarships h on h.id = g.scholarship_id
      where g.student_id = any(${student_ids}::int[]) and g.status = 'applied'
      group by g.student_id
    )
    select json_build_object('student_id', s.id, 'year_id', p.year_id, 'term_id', p.term_id, 'term_kind', p.kind,
      'program_id', d.program_id, 'faculty_id', d.faculty_id, 'bylaw_id', d.bylaw_id,
      'level', coalesce(sy.level, d.level), 'entry_year_id', (select e.year_id from terms e where e.id = s.entry_term_id),
      'nationality_group', case when n.id is not null then json_build_object('id', n.id, 'currency', n.currency) end,
      'late', ${'term_id' in when ? sql`coalesce(registered_late(s.id, p.term_id), false)` : sql`false`},
      'courses', coalesce(c.list, '[]'), 'grants', coalesce(g.list, '[]')) as facts
    from period p cross join students s cross join lateral study_in(s.id, p.begun, p.ended) d left join student_years sy on sy.student_id = s.id and sy.year_id = p.year_id
      left join nationality_groups n on n.id = nationality_group_of(s.nationality_id)
      left join courses c on c.student_id = s.id left join grants g on g.student_id = s.id
    where s.id = any(${student_ids}::int[])`.execute(db)
  return new Map(rows.map(({ facts }) => [facts.student_id, facts]))
}
