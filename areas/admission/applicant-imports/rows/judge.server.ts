/** Rows beside what is there: what saving each would do. Judged as a set, whatever their number. */
import { sql, type RawBuilder } from 'kysely'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { ImportedAdmission } from './facts.server.ts'

/** Columns of an application that a row writes as they are. */
export const ROW_VALUES = [
  'name',
  'name_local',
  'nationality_id',
  'national_id',
  'passport_number',
  'gender',
  'birth_date',
  'birth_community_id',
  'phone',
  'second_phone',
  'community_id',
  'address',
  'certificate_type_id',
  'certificate_year',
  'certificate_school',
  'seat_number',
  'certificate_total',
] as const
export type RowValue = (typeof ROW_VALUES)[number]

const columns = (alias: string) => sql.join(ROW_VALUES.map((name) => sql.ref(`${alias}.${name}`)))
/** What a row leaves empty stays as it is. */
const written = sql.join(ROW_VALUES.map((name) => sql`coalesce(${sql.ref(`r.${name}`)}, ${sql.ref(`a.${name}`)})`))

/** SQL: whether the row `r` says something else than the application `a`, nominated as `n`. */
const DIFFERS = sql`((${written}) is distinct from (${columns('a')})
  or (coalesce(r.ministry_number, n.ministry_number), coalesce(r.ministry_email, n.email)) is distinct from (n.ministry_number, n.email)
  or (r.wishes is not null and r.wishes is distinct from array(select w.program_id from applicant_preferences w
    where w.applicant_id = a.id order by w.position))
  or (r.subjects is not null and exists (select from jsonb_to_recordset(r.subjects) as s (certificate_subject_id int, mark numeric)
    left join applicant_subjects o on o.applicant_id = a.id and o.certificate_subject_id = s.certificate_subject_id
    where o.mark is distinct from s.mark)))`

/** SQL: the reason of the row, as `errors` has it. */
const why = (code: string, data: RawBuilder<unknown> = sql`'{}'::jsonb`) =>
  sql`jsonb_build_array(jsonb_build_object('at', null, 'code', ${sql.lit(code)}, 'data', ${data}))`

/**
 * SQL of rows `row`, `outcome`, `seen` (their outcome before), `errors`, `applicant_id` as they stand now. In this order: what is wrong; twice in the file; a number
 * of somebody else; nominated before (decided, changed or the same); a student, or applied by the form or elsewhere; new.
 *
 * @param source SQL of the rows: `row`, `outcome` ('wrong' or another), `errors` and what they say
 * @param whole rows come from a whole file, among which the same person may stand twice; else that was looked at before
 */
export function judgedRows(
  ctx: Ctx,
  source: RawBuilder<unknown>,
  admission: ImportedAdmission,
  whole: boolean,
): RawBuilder<unknown> {
  const twice = (
    by: 'person' | 'ministry_number',
  ) => sql`(select ${sql.ref(by)} as said, min(row) as first from (${source}) s
    where outcome <> 'wrong' and ${sql.ref(by)} is not null group by 1 having count(*) > 1)`
  const undergraduate = admission.type === 1 || admission.type === 3
  // Of a whole file all that is there is read once; of a portion each is looked up.
  const there = sql`from applicants o where o.admission_id + 0 = ${admission.id} and o.removed_at is null and o.status <> 'CANCELLED'`
  const lookUp = (name: 'national_id' | 'passport_number') => {
    const column = sql.ref(name)
    return whole
      ? sql`left join (select o.${column} as said, min(o.id) as id ${there} and o.${column} is not null group by 1) ${sql.ref(`f_${name}`)}
            on ${sql.ref(`f_${name}.said`)} = r.${column}
          left join (select distinct s.${column} as said from students s where s.removed_at is null and s.${column} is not null) ${sql.ref(`s_${name}`)}
            on ${sql.ref(`s_${name}.said`)} = r.${column}`
      : sql`left join lateral (select o.id ${there} and o.${column} = r.${column} limit 1) ${sql.ref(`f_${name}`)} on true
          left join lateral (select s.${column} as said from students s where r.${column} is not null and s.${column} = r.${column} and s.removed_at is null limit 1)
            ${sql.ref(`s_${name}`)} on true`
  }
  return sql`select x.row, x.outcome, x.outcome_read as seen,
      case x.outcome when 'wrong' then coalesce(x.errors, ${why('applicant_row_number_taken')})
        when 'duplicate' then ${why('applicant_row_twice', sql`jsonb_build_object('row', x.first)`)}
        when 'decided' then ${why('applicant_row_decided')}
        when 'elsewhere' then case when x.unreached then ${why('applicant_row_not_yours')}
          when x.found is not null then ${why('applicant_row_applied')} else ${why('applicant_row_student')} end
      end as errors,
      case when x.outcome in ('changed', 'same', 'decided') then x.nominated when x.outcome = 'elsewhere' then x.found end as applicant_id
    from (select j.*, case
        when j.outcome_read = 'wrong' then 'wrong'
        when j.first < j.row then 'duplicate'
        when j.other_number then 'wrong'
        when j.nominated is not null then case when j.unreached then 'elsewhere' when not j.differs then 'same'
          when j.late then 'decided' else 'changed' end
        when j.found is not null or j.is_student then 'elsewhere'
        else 'new' end as outcome
      from (select r.row, r.outcome as outcome_read, r.errors,
          ${whole ? sql`least(p.first, q.first)` : sql`null::integer`} as first,
          coalesce(n.applicant_id, m.applicant_id) as nominated,
          m.applicant_id is not null and (n.applicant_id <> m.applicant_id
            or (n.applicant_id is null and m.person not like 'm:%' and m.person <> r.person and r.person not like 'm:%')) as other_number,
          a.id is not null and not ${applicants.scope(ctx, 'import_applicant')} as unreached,
          a.id is not null and (a.status <> 'INCOMPLETE' or a.admission_id <> ${admission.id} or a.removed_at is not null) as late,
          a.id is not null and ${differing()} as differs,
          case when a.id is null then coalesce(f_national_id.id, f_passport_number.id) end as found,
          a.id is null and ${undergraduate ? sql`(s_national_id.said is not null or s_passport_number.said is not null)` : sql`false`} as is_student
        from (${source}) r
          ${whole ? sql`left join ${twice('person')} p on p.said = r.person left join ${twice('ministry_number')} q on q.said = r.ministry_number` : sql``}
          left join applicant_nominations n on n.admission_id = ${admission.id} and n.person = r.person
          left join applicant_nominations m on m.admission_id = ${admission.id} and m.ministry_number = r.ministry_number
          left join applicants t on t.id = coalesce(n.applicant_id, m.applicant_id)
          left join applicants a on a.id = t.id
          ${lookUp('national_id')} ${lookUp('passport_number')}) j) x`
}

/** The same, where a number alone tells who it is. */
const differing = () =>
  sql`(case when n.applicant_id is not null then ${DIFFERS} else ${sql`exists (select from applicant_nominations n
  where n.applicant_id = a.id and ${DIFFERS})`} end)`
