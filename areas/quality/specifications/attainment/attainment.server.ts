/** Attainment of outcomes, measured from marks in one statement: of a course, or of a program over its courses, five years. */
import { domainsSaid } from '#areas/quality/questionnaires/results/of-domains.server.ts'
import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import { markedMains, maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { specificationReach } from '../spec/reach.server.ts'
import { attainmentCalls, type AttainmentReport } from './attainment.contract.ts'
import { attainmentTrend, isAttained, saidShare, type Measured } from './attainment.rules.ts'

/** So many years are looked at. */
const YEARS = 5

export interface AttainmentOf {
  readonly course_id: number | null
  readonly program_id: number | null
}
interface Figure extends Measured {
  readonly code: string
  readonly year_id: number
}
interface Source extends Figure {
  readonly source: { readonly code: string; readonly name: string; readonly name_local: string }
}
interface Answer {
  readonly years: AttainmentReport['years']
  readonly cohorts: AttainmentReport['cohorts']
  readonly figures: readonly Figure[]
  readonly sources: readonly Source[]
}

/**
 * Figures by outcome and year, in one round trip. A student's share of an outcome is the weighted mean of the marks of its
 * assessments, each out of its maximum; who is absent has none of it. Where marks by question sum to the mark of the component, its
 * questions stand in its place, each with its share of the weight. Results count from the approval by control on, and what is
 * mapped is what the specification in force in that year says, once it is approved.
 *
 * @param cohort_id only students who began in this year
 */
export async function attainmentFigures(db: Db | Tx, of: AttainmentOf, cohort_id: number | null): Promise<Answer> {
  const course = of.course_id !== null
  const { rows } = await sql<Answer>`
    with span as (
      select y.id, y.start_date, y.code, y.name, y.name_local from years y where y.removed_at is null and y.start_date <= university_today()
      order by y.start_date desc limit ${YEARS}),
    taught as (
      select c.course_id, y.id as year_id, specification_in_force(c.course_id, null, y.id) as spec_id
      from (${
        course
          ? sql`select ${of.course_id}::int as course_id`
          : sql`select pc.course_id from program_courses pc where pc.program_id = ${of.program_id}::int`
      }) c cross join span y),
    outcomes as materialized (
      select t.course_id, t.year_id, u.specification_id as spec_id, u.id as outcome_id, u.code as own_code, ${course ? sql`u.code` : sql`x.code`} as code, s.threshold
      from taught t join specifications s on s.id = t.spec_id and s.status = 'approved'
        join specification_outcomes u on u.specification_id = s.id
        ${course ? sql`` : sql`join outcome_contributions x on x.outcome_id = u.id and x.program_id = ${of.program_id}::int`}),
    mapped as materialized (
      select o.course_id, o.year_id, o.outcome_id, o.code, o.threshold, a.mark_category_id, sum(a.weight) as weight
      from outcomes o join outcome_assessments oa on oa.outcome_id = o.outcome_id
        join specification_assessments a on a.id = oa.assessment_id and a.mark_category_id is not null
      group by o.course_id, o.year_id, o.outcome_id, o.code, o.threshold, a.mark_category_id),
    offered as materialized (
      select o.id, o.course_id, w.year_id, o.code, w.code as term from offerings o join terms w on w.id = o.term_id
      where o.removed_at is null and o.control_status in ('Approved', 'Published', 'Frozen')
        and w.year_id in (select id from span) and o.course_id in (select course_id from taught)),
    sat as materialized (
      select r.id, r.student_id, r.offering_id, e.year_id as cohort_id, f.course_id, f.year_id from offered f join registrations r on r.offering_id = f.id
        join students s on s.id = r.student_id left join terms e on e.id = s.entry_term_id
      where r.status & ${sql.raw(maskOf(markedMains))} <> 0 and r.total is not null
        ${of.program_id === null ? sql`` : sql`and s.program_id = ${of.program_id}`}),
    -- Questions of components whose questions sum to the maximum and measure something: looked up by number, as no plan knows how many there are.
    asked as materialized (
      select om.id, om.max, f.course_id, f.year_id, count(*)::int as questions,
        (select sum(a.weight) from specification_assessments a where a.mark_category_id = om.mark_category_id and a.specification_id =
          (select t.spec_id from taught t where t.course_id = f.course_id and t.year_id = f.year_id)) as weight
      from offered f join offering_marks om on om.offering_id = f.id join assessment_questions q on q.offering_mark_id = om.id
      group by om.id, f.course_id, f.year_id having sum(q.max) = om.max),
    measures as materialized (
      select q.id, a.id as offering_mark_id, a.questions, o.code, o.outcome_id, o.threshold, a.weight * q.max / a.max as weight,
        a.weight / a.max as each, a.year_id, a.course_id
      from asked a join assessment_questions q on q.offering_mark_id = a.id
        join outcomes o on o.course_id = a.course_id and o.year_id = a.year_id and o.own_code = any(q.outcomes)
      where a.weight is not null),
    answered as materialized (
      select n.registration_id, q.offering_mark_id, c.questions, count(*) as answers, sum(n.mark) as mark
      from (select distinct offering_mark_id, questions from measures) c
        join assessment_questions q on q.offering_mark_id = c.offering_mark_id join question_marks n on n.question_id = q.id
      group by n.registration_id, q.offering_mark_id, c.questions),
    had as materialized (
      select r.id, r.student_id, r.offering_id, r.course_id, r.year_id, om.id as offering_mark_id, om.mark_category_id, coalesce(m.mark, 0) / om.max as part, m.mark
      from sat r join offering_marks om on om.offering_id = r.offering_id
        join registration_marks m on m.registration_id = r.id and m.offering_mark_id = om.id
      where ${cohort_id}::int is null or r.cohort_id = ${cohort_id}),
    -- Joined in full, and narrowed by what a missing row meets as well: such a join is never planned as a loop over both.
    marked as materialized (
      select h.id, h.student_id, h.offering_id, h.course_id, h.year_id, h.offering_mark_id, h.mark_category_id, h.part,
        coalesce(w.answers = w.questions and w.mark = h.mark, false) as by_question
      from had h full join answered w on w.registration_id = h.id and w.offering_mark_id = h.offering_mark_id
      where coalesce(h.id, 0) <> 0),
    parts as (
      select p.code, p.year_id, p.course_id, p.outcome_id, k.offering_id, k.student_id, k.id, p.threshold, p.weight, p.weight * k.part as worth
      from mapped p join marked k on k.course_id = p.course_id and k.year_id = p.year_id and k.mark_category_id = p.mark_category_id
      where not k.by_question
      union all
      select e.code, e.year_id, e.course_id, e.outcome_id, k.offering_id, k.student_id, k.id, e.threshold, e.weight, e.each * n.mark
      from (select e.*, n.registration_id, n.mark from measures e join question_marks n on n.question_id = e.id) n
        full join (select * from marked where by_question) k on k.id = n.registration_id and k.offering_mark_id = n.offering_mark_id
        cross join lateral (select n.code, n.year_id, n.course_id, n.outcome_id, n.threshold, n.weight, n.each) e
      where coalesce(k.id, 0) <> 0 and coalesce(n.id, 0) <> 0),
    scored as materialized (
      select code, year_id, course_id, offering_id, student_id, threshold, round(100 * sum(worth) / sum(weight), 6) as score
      from parts group by code, year_id, course_id, outcome_id, offering_id, student_id, id, threshold)
    select coalesce((select json_agg(${ref('y')} order by y.start_date) from span y), '[]') as years,
      coalesce((select json_agg(${ref('y')} order by y.start_date) from years y where y.id in (select cohort_id from sat)), '[]') as cohorts,
      coalesce((select json_agg(json_build_object('code', g.code, 'year_id', g.year_id, 'students', g.students, 'mean', g.mean, 'share', g.share))
        from (select code, year_id, count(distinct student_id)::int as students, round(avg(score), 2)::float8 as mean,
            round(100.0 * count(*) filter (where score >= threshold) / count(*), 2)::float8 as share
          from scored group by code, year_id) g), '[]') as figures,
      coalesce((select json_agg(json_build_object('code', g.code, 'year_id', g.year_id, 'students', g.students, 'mean', g.mean, 'share', g.share,
            'source', ${
              course
                ? sql`(select json_build_object('code', f.term || ' (' || f.code || ')', 'name', f.term || ' (' || f.code || ')', 'name_local', f.term || ' (' || f.code || ')')
                    from offered f where f.id = g.of)`
                : sql`(select json_build_object('code', c.code, 'name', c.name, 'name_local', c.name_local) from courses c where c.id = g.of)`
            }) order by g.code, g.of)
        from (select code, year_id, ${course ? sql`offering_id` : sql`course_id`} as of, count(distinct student_id)::int as students,
            round(avg(score), 2)::float8 as mean, round(100.0 * count(*) filter (where score >= threshold) / count(*), 2)::float8 as share
          from scored group by 1, 2, 3) g), '[]') as sources`.execute(db)
  const [answer] = rows
  if (!answer) throw new Error('A statement of aggregates answered no row')
  return answer
}

const measuredOf = ({ students, mean, share }: Measured): Measured => ({ students, mean, share })

async function attainment(ctx: Ctx, id: number, cohort_id: number | null): Promise<AttainmentReport> {
  const { rows } = await sql<
    AttainmentOf & {
      threshold: number
      outcomes: { code: string; text: string; text_local: string; target: number }[]
    }
  >`select t.course_id, t.program_id, t.threshold, coalesce((select json_agg(json_build_object('code', o.code, 'text', o.text,
        'text_local', o.text_local, 'target', coalesce(o.target, t.target)) order by o.position, o.id)
      from specification_outcomes o where o.specification_id = t.id), '[]') as outcomes
    from specifications t where t.id = ${id} and t.removed_at is null
      and ${scopeCondition(ctx, 'show_specification', specificationReach(ctx))}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { years, cohorts, figures, sources } = await attainmentFigures(ctx.db, found, cohort_id)
  const said = await domainsSaid(
    ctx.db,
    found,
    found.threshold,
    years.map((one) => one.id),
  )
  const last = years.findLast(({ id: year }) => figures.some(({ year_id }) => year_id === year))
  return {
    of: found.course_id === null ? 'program' : 'course',
    years,
    cohorts,
    threshold: found.threshold,
    outcomes: found.outcomes.map((outcome) => {
      const measured = years.map(({ id: year }) => {
        const figure = figures.find((one) => one.code === outcome.code && one.year_id === year)
        return figure ? measuredOf(figure) : null
      })
      return {
        ...outcome,
        measured,
        attained: isAttained(measured.findLast((one) => one !== null) ?? null, outcome.target),
        trend: attainmentTrend(measured),
      }
    }),
    said: OUTCOME_DOMAINS.map(({ value: domain }) => ({
      domain,
      years: years.map(({ id: year }) => saidShare(said.find((one) => one.domain === domain && one.year_id === year))),
    })).filter((one) => one.years.some((year) => year !== null)),
    sources: sources
      .filter(({ year_id }) => year_id === last?.id)
      .map(({ source, code, ...figure }) => ({ ...measuredOf(figure), ...source, outcome: code })),
  }
}

export const attainmentHandlers: readonly Handled[] = [
  handle(attainmentCalls.attainment, async (ctx, { params, query }) => ({
    data: await attainment(ctx, params.id, query.cohort_id ?? null),
  })),
]
