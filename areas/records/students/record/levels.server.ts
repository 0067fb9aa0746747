/** Results of levels that stand, of one student: how each year under a regulation by marks ended, and the grace marks in it. */
import { sql } from 'kysely'
import { parseHundredths, divideRounded, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { ref } from '#kit/server/base/sql.ts'
import type { YearResult } from './record.contract.ts'

/** A result as it is stored, and as the transcript reads it. */
export interface LevelOfYear extends Omit<YearResult, 'share' | 'grace'> {
  /** Terms of the year. */
  terms: number[]
  /** Grace marks on the sum and on courses, in hundredths; `added`: those of them that count in the sum of the level. */
  on_sum: number
  on_courses: number
  added: number
  on_transcript: boolean
  /** Registrations with grace marks, in hundredths. */
  by_registration: Record<string, number>
}

/** Levels whose result is announced, the earliest first; with `all` those that are applied as well. */
export async function levelsOf(ctx: Ctx, id: number, all: boolean): Promise<LevelOfYear[]> {
  const { rows } = await sql<LevelOfYear>`
    select ${ref('y')} as year, r.level as number,
      json_build_object('name', coalesce(n.name, 'Level ' || r.level), 'name_local', coalesce(n.name_local, 'المستوى ' || r.level)) as level,
      array(select t.id from terms t where t.year_id = r.year_id) as terms, l.marks::text as marks, l.maximum::text as maximum, l.outcome,
      (l.grace_on_sum * 100)::int as on_sum, ((l.grace - l.grace_on_sum) * 100)::int as on_courses,
      (l.grace_on_sum * 100)::int + coalesce((select sum(g) from jsonb_to_recordset(l.courses) as k(g int, k boolean) where not k), 0)::int as added,
      (select json_build_object('code', g.code, 'name', g.name, 'name_local', g.name_local) from bylaw_ratings g where g.bylaw_id = r.bylaw_id and g.code = l.rating) as rating,
      coalesce((r.rule ->> 'on_transcript')::boolean, false) as on_transcript,
      case when l.grace > 0 then json_build_object('decided_by', r.rule ->> 'decided_by', 'decision_number', r.rule ->> 'decision_number',
        'decided_on', r.rule ->> 'decided_on') end as decision,
      case when l.degree is not null then json_build_object('share', l.degree ->> 'share', 'honours', (l.degree ->> 'honours')::boolean,
        'rating', (select json_build_object('code', g.code, 'name', g.name, 'name_local', g.name_local) from bylaw_ratings g where g.bylaw_id = r.bylaw_id and g.code = l.degree ->> 'rating')) end as degree,
      coalesce((select json_object_agg(g.registration_id, (g.marks * 100)::int) from grace_marks g join registrations q on q.id = g.registration_id
        where g.level_result_id = r.id and q.student_id = l.student_id), '{}') as by_registration
    from level_result_students l join level_results r on r.id = l.level_result_id
    left join bylaw_levels n on n.bylaw_id = r.bylaw_id and n.level = r.level join years y on y.id = r.year_id
    where l.student_id = ${id} and l.applied and (r.status = 'announced' or ${all}) order by y.start_date`.execute(
    ctx.db,
  )
  return rows
}

/** Marks of a level as they count, with grace marks, and their share of the maximum; null: nothing is asked for in it. */
export function levelSumOf(one: Pick<LevelOfYear, 'marks' | 'maximum' | 'added'>): {
  marks: string
  maximum: string
  share: string | null
} {
  const [marks, maximum] = [(parseHundredths(one.marks) ?? 0) + one.added, parseHundredths(one.maximum) ?? 0]
  return {
    marks: trimHundredths(marks),
    maximum: trimHundredths(maximum),
    share: maximum ? trimHundredths(divideRounded(marks * 10_000, maximum)) : null,
  }
}

/** The same as the student's own screens and those of staff show it. */
export const yearResult = (one: LevelOfYear): YearResult => {
  const { year, number, level, outcome, rating, decision, degree, on_sum, on_courses } = one
  const said = (amount: number): string | null => (amount ? trimHundredths(amount) : null)
  return {
    ...levelSumOf(one),
    year,
    number,
    level,
    outcome,
    rating,
    decision,
    degree,
    grace: { on_courses: said(on_courses), on_sum: said(on_sum) },
  }
}
