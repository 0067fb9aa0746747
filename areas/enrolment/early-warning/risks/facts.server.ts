/** Figures of students at a day of a term: of the running one, and of finished ones as they were on a day. */
import type { Db, Tx } from '#db/connect.ts'
import { COUNTED_STATE } from '#areas/common/academics/attendance-state.server.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TermFacts } from '../rules/figures.rules.ts'

export interface KnownStudent {
  readonly student_id: number
  readonly facts: TermFacts
}

const LOAD = sql.raw(loadMask.toString())
/** Days that count as the last ones of attendance. */
const LATE = 21

/**
 * Figures of students `s` of a condition. Of figures of finished terms only those that are out: an advisor learns no result before the
 * student does. Marks of the running term are those that were entered, and apart from them those that the bylaw shows.
 * @param term SQL of the term's id
 * @param day SQL of the day, up to which meetings, marks and debts count
 */
export async function studentFactsOf(
  db: Db | Tx,
  term: RawBuilder<unknown>,
  day: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): Promise<KnownStudent[]> {
  const { rows } = await sql<KnownStudent>`
    with t as materialized (select w.id, w.start_date, ${day}::date as day from terms w where w.id = ${term}),
    who as materialized (
      select s.id, s.level, s.bylaw_id, s.program_id, own_visibility(s.id, b.grades_visibility) as seen, h.term_start, h.term_id as held
      from students s join bylaws b on b.id = s.bylaw_id
        left join lateral figures_held_back(s.id, b.grades_visibility ->> 'gpa') h on true
      where s.removed_at is null and ${where}),
    plans as (
      select p.id, p.min_credit_hours::float8 as hours, max(c.semester) as semesters from programs p join program_courses c on c.program_id = p.id
      where p.id in (select program_id from who) group by p.id)
    select k.id as student_id, json_build_object(
      'attendance', json_build_object('attended', a.attended, 'recorded', a.recorded, 'late_attended', a.late_attended, 'late_recorded', a.late_recorded),
      'marks', json_build_object('below', m.below, 'of', m."of", 'own_below', m.own_below, 'own_of', m.own_of),
      'record', json_build_object('gpa', l.cumulative_gpa::float8, 'term_gpa', l.gpa::float8, 'term_gpa_before', b.gpa::float8,
        'failed', coalesce(l.failed, 0), 'warnings', coalesce(l.warnings, 0), 'passed_hours', coalesce(l.passed_hours, 0),
        'planned_hours', p.hours * least(n.terms, p.semesters) / p.semesters, 'told', coalesce(k.seen ->> 'gpa' is not null, false)),
      'term', json_build_object('courses', r.courses, 'days', (select t.day - t.start_date from t)),
      'unpaid_days', u.days,
      'figures', json_build_object('marks_mean', m.mean, 'hours', r.hours, 'level', coalesce(l.level, k.level), 'terms', n.terms)) as facts
    from who k left join plans p on p.id = k.program_id
      cross join lateral (
        select (count(*) filter (where x.state in ('present', 'late')))::int as attended, (count(*) filter (where x.state <> 'excused'))::int as recorded,
          (count(*) filter (where x.state in ('present', 'late') and x.lately))::int as late_attended,
          (count(*) filter (where x.state <> 'excused' and x.lately))::int as late_recorded
        from (select ${sql.raw(COUNTED_STATE)} as state, x.date > (select t.day from t) - ${LATE}::int as lately
          from attendance a join meeting_occurrences x on x.id = a.occurrence_id join offerings o on o.id = x.offering_id
          where a.student_id = k.id and o.term_id = (select t.id from t) and x.cancelled_at is null and x.date <= (select t.day from t)) x) a
      cross join lateral (
        select (count(*) filter (where x.got * 2 < x.most))::int as below, count(*)::int as "of",
          (count(*) filter (where x.got * 2 < x.most and x.own))::int as own_below, (count(*) filter (where x.own))::int as own_of,
          (100 * avg(x.got / x.most))::float8 as mean
        from (select sum(coalesce(g.mark, 0)) as got, sum(om.max) as most,
            coalesce(control_rank(o.control_status) >= control_rank(k.seen ->> 'marks'), false) as own
          from registrations r join offerings o on o.id = r.offering_id join registration_marks g on g.registration_id = r.id
            join offering_marks om on om.id = g.offering_mark_id join mark_categories c on c.id = om.mark_category_id and not c.is_final_exam
          where r.student_id = k.id and r.term_id = (select t.id from t) and r.status & ${LOAD} <> 0
            and (g.entered_at at time zone university_zone())::date <= (select t.day from t)
          group by r.id, o.control_status) x) m
      cross join lateral (
        select count(*)::int as courses, coalesce(sum(r.credit_hours), 0)::float8 as hours from registrations r
        where r.student_id = k.id and r.term_id = (select t.id from t) and r.status & ${LOAD} <> 0) r
      cross join lateral (
        select max((select t.day from t) - h.since)::int as days from student_holds h where h.student_id = k.id and h.kind = 'unpaid_invoice'
          and h.since <= (select t.day from t) and (h.lifted_at is null or h.lifted_at::date > (select t.day from t))) u
      left join lateral (
        select x.term_id, x.cumulative_gpa, x.gpa, x.warnings, x.level, x.cumulative_passed_hours::float8 as passed_hours, w.start_date,
          (select count(*)::int from registrations f where f.student_id = k.id and f.term_id = x.term_id and f.passed is false) as failed
        from student_terms x join terms w on w.id = x.term_id
        where x.student_id = k.id and x.revised_since is null and w.start_date < (select t.start_date from t)
          and (k.held is null or (w.start_date, w.id) < (k.term_start, k.held))
        order by w.start_date desc, w.id desc limit 1) l on true
      left join lateral (
        select x.gpa from student_terms x join terms w on w.id = x.term_id
        where x.student_id = k.id and x.revised_since is null and w.start_date < l.start_date and x.gpa is not null
        order by w.start_date desc, w.id desc limit 1) b on true
      cross join lateral (
        select count(*)::int as terms from student_terms x join terms w on w.id = x.term_id
        where x.student_id = k.id and w.term_type <> 'summer' and w.start_date < (select t.start_date from t)
          and (l.start_date is null or w.start_date <= l.start_date)) n
    order by k.id`.execute(db)
  return rows
}
