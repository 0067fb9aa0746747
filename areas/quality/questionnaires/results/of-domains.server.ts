/** What students and graduates say of outcomes: beside what their marks show. */
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import type { OutcomeDomain } from '../types/form.contract.ts'

/** Of one domain in one year: how many answers to ratings about it, and how many of them say it was reached. */
export interface DomainSaid {
  readonly domain: OutcomeDomain
  readonly year_id: number
  readonly answers: number
  readonly reached: number
}

/**
 * Counted answers to ratings that ask about outcomes, by domain and year: of a course, by its students, once the marks of the
 * offering are published; of a program, by its graduates. An answer says that it was reached where it lies at least so far along the
 * scale as `threshold` (percent: of five points and 60, four and five). What everybody said alike is not kept, and counts nowhere.
 */
export async function domainsSaid(
  db: Db | Tx,
  of: { readonly course_id: number | null; readonly program_id: number | null },
  threshold: number,
  years: readonly number[],
): Promise<readonly DomainSaid[]> {
  const { rows } = await sql<DomainSaid>`
    select e.question ->> 'domain' as domain, y.id as year_id, sum(c.times::int)::int as answers,
      coalesce(sum(c.times::int) filter (where 100 * (c.point::int - 1) >= ${threshold}::int * ((e.question ->> 'points')::int - 1)), 0)::int as reached
    from ${
      of.course_id === null
        ? sql`questionnaires q join questionnaire_types k on k.id = q.type_id and k.kind = 'graduate'
            join questionnaire_sets x on x.questionnaire_id = q.id
            join years y on q.closes_on between y.start_date and y.end_date`
        : sql`offerings o join questionnaire_sets x on x.offering_id = o.id and x.instructor_id is null
            join questionnaires q on q.id = x.questionnaire_id
            join terms w on w.id = o.term_id join years y on y.id = w.year_id`
    }
      cross join lateral jsonb_array_elements(q.form) as e (question)
      join questionnaire_figures f on f.set_id = x.id and f.question = e.question ->> 'key'
      cross join lateral jsonb_each_text(f.counts) as c (point, times)
    where ${
      of.course_id === null
        ? sql`q.program_id = ${of.program_id}`
        : sql`o.course_id = ${of.course_id} and o.removed_at is null and o.control_status in ('Published', 'Frozen')`
    } and q.counted_on is not null and q.removed_at is null and e.question ->> 'domain' is not null
      and y.id = any(${[...years]}::int[])
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
