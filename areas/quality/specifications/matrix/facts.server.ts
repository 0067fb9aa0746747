/** What the rules of specifications look at, of many at once. */
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import type { SpecificationFacts } from './gaps.rules.ts'

/** Offerings of the course in its year, whose mark scheme gives a part another share than the assessments of the specification say. */
const SCHEMES = `coalesce((select json_agg(json_build_object('offering', d.offering, 'category', k.name, 'category_local', k.name_local,
      'has', d.has, 'wants', d.wants) order by d.offering, k.id)
    from (select o.id, c.code || ' (' || o.code || ')' as offering, z.category,
        z.share::float8 as has, z.weight::float8 as wants
      from offerings o join terms x on x.id = o.term_id and x.year_id = t.year_id join courses c on c.id = o.course_id
        cross join lateral (select coalesce(m.mark_category_id, w.mark_category_id) as category, coalesce(m.share, 0) as share, coalesce(w.weight, 0) as weight
          from (select om.mark_category_id, round(100 * om.max / sum(om.max) over (), 2) as share from offering_marks om where om.offering_id = o.id) m
            full join (select a.mark_category_id, sum(a.weight) as weight from specification_assessments a
              where a.specification_id = t.id and a.mark_category_id is not null group by a.mark_category_id) w
              on w.mark_category_id = m.mark_category_id) z
      where o.course_id = t.course_id and o.removed_at is null and o.linked_offering_id is null
        and exists (select from offering_marks om where om.offering_id = o.id)
        and exists (select from specification_assessments a where a.specification_id = t.id and a.mark_category_id is not null)
        and abs(z.share - z.weight) >= 0.01
 ) d join mark_categories k on k.id = d.category), '[]')`

const named = (table: string, more = '') => `coalesce((select json_agg(json_build_object('id', x.id, 'name', x.text,
    'name_local', x.text_local${more}) order by x.position, x.id) from ${table} x where x.specification_id = t.id), '[]')`
const pairs = (table: string, other: string) => `coalesce((select json_agg(json_build_array(x.outcome_id, x.${other})
    order by x.outcome_id, x.${other}) from ${table} x where x.specification_id = t.id), '[]')`

/** Facts of specifications by their ids, in one statement. */
export async function specificationFacts(
  db: Db | Tx,
  ids: readonly number[],
): Promise<Map<number, SpecificationFacts>> {
  const { rows } = await sql<SpecificationFacts & { id: number }>`
    select t.id, case when t.course_id is null then 'program' else 'course' end as of,
      coalesce((select json_agg(json_build_object('id', x.id, 'code', x.code) order by x.position, x.id)
        from specification_outcomes x where x.specification_id = t.id), '[]') as outcomes,
      ${sql.raw(named('specification_topics'))} as topics,
      ${sql.raw(named('specification_assessments', `, 'weight', (x.weight * 100)::int`))} as assessments,
      ${sql.raw(pairs('outcome_topics', 'topic_id'))} as taught,
      ${sql.raw(pairs('outcome_assessments', 'assessment_id'))} as assessed,
      coalesce((select json_agg(json_build_object('outcome_id', x.outcome_id, 'program', p.code, 'code', x.code, 'known', exists (
            select from specification_outcomes po where po.specification_id = specification_in_force(null, x.program_id, t.year_id)
              and po.code = x.code)) order by p.code, x.code, x.outcome_id)
        from outcome_contributions x join programs p on p.id = x.program_id where x.specification_id = t.id), '[]') as serves,
      exists (select from program_courses pc join specification_outcomes po
        on po.specification_id = specification_in_force(null, pc.program_id, t.year_id) where pc.course_id = t.course_id) as wanted,
      coalesce((select json_agg(distinct x.code) from program_courses pc join outcome_contributions x
        on x.specification_id = specification_in_force(pc.course_id, null, t.year_id) and x.program_id = pc.program_id
        where pc.program_id = t.program_id), '[]') as served,
      ${sql.raw(SCHEMES)} as schemes
    from specifications t where t.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}
