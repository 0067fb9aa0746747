/** What an offering says of itself: its results, lists and meetings, read in one round trip each, for many offerings at once. */
import { flag, seatMask } from '#areas/common/academics/status.rules.ts'
import { offeringsSaid } from '#areas/quality/questionnaires/results/of-offering.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import type { ReportState } from '../files/course-file.rules.ts'
import { changedFigures, reportFigures, type ReportFigures, type ReportSource } from './report.rules.ts'

/** Marks of an offering are known to everybody concerned. */
export const PUBLISHED = `('Published', 'Frozen')`
const WITHDRAWN = sql.lit(String(flag.Withdrawn | flag.ForcedWithdrawn))
const SEATED = sql.lit(String(seatMask))

/** What is counted of offerings. */
async function sourcesOf(db: Db | Tx, offerings: readonly number[]): Promise<Map<number, ReportSource>> {
  if (!offerings.length) return new Map()
  const { rows } = await sql<Omit<ReportSource, 'said'> & { id: number }>`
    select o.id, n.registered, n.withdrawn, n.results, coalesce(p.planned, 0) as planned, m.held, m.cancelled, m.present, m.recorded, b.before
    from offerings o join courses c on c.id = o.course_id join terms w on w.id = o.term_id
      cross join lateral (
        select count(*)::int as registered, count(*) filter (where r.status & ${WITHDRAWN}::bigint <> 0)::int as withdrawn,
          coalesce(json_agg(json_build_object('total', (r.total * 100 / coalesce(r.maximum, 100))::float8, 'letter', r.letter, 'passed', r.passed)
            order by r.id) filter (where r.letter is not null and r.status & ${SEATED}::bigint <> 0 and r.status & ${WITHDRAWN}::bigint = 0), '[]') as results
        from registrations r where r.offering_id = o.id) n
      cross join lateral (
        select count(*) filter (where x.cancelled_at is null and a.recorded > 0)::int as held,
          count(*) filter (where x.cancelled_at is not null)::int as cancelled,
          coalesce(sum(a.present), 0)::int as present, coalesce(sum(a.recorded), 0)::int as recorded
        from meeting_occurrences x left join lateral (
          select count(*) filter (where e.state in ('present', 'late')) as present, count(*) as recorded
          from attendance e where e.occurrence_id = x.id) a on true
        where x.offering_id = coalesce(o.linked_offering_id, o.id)) m
      left join lateral (
        select (count(*) * floor((w.end_date - w.start_date) / 7.0))::int as planned from offering_slots s
        where s.offering_id = coalesce(o.linked_offering_id, o.id) and s.day is not null) p on true
      left join lateral (
        select json_build_object('mean', round(avg(r.total * 100 / coalesce(r.maximum, 100)), 2)::float8,
          'passed', round(100.0 * count(*) filter (where r.passed) / nullif(count(r.passed), 0), 2)::float8) as before
        from registrations r where r.letter is not null and r.status & ${SEATED}::bigint <> 0 and r.status & ${WITHDRAWN}::bigint = 0 and r.offering_id = (
          select z.id from offerings z join terms y on y.id = z.term_id
          where z.course_id = o.course_id and z.removed_at is null and z.control_status in ${sql.raw(PUBLISHED)} and y.start_date < w.start_date
          order by y.start_date desc, z.faculty_id is not distinct from o.faculty_id desc, z.id limit 1)
        having count(*) > 0) b on true
    where o.id = any(${[...offerings]}::int[])`.execute(db)
  const said = await offeringsSaid(db, offerings)
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, said: said.get(id) ?? null }]))
}

/** Figures of offerings as they are now. */
export async function figuresNow(db: Db | Tx, offerings: readonly number[]): Promise<Map<number, ReportFigures>> {
  return new Map([...(await sourcesOf(db, offerings))].map(([id, source]) => [id, reportFigures(source)]))
}

interface Filled {
  readonly id: number
  readonly offering_id: number
  readonly published: boolean
  readonly figures: ReportFigures | null
  readonly unanswered: boolean
}
/** How the reports of course files stand, and whether their marks are published. */
export async function reportsOf(
  db: Db | Tx,
  ids: readonly number[],
): Promise<Map<number, { state: ReportState; published: boolean; changed: readonly (keyof ReportFigures)[] }>> {
  const { rows } = await sql<Filled>`
    select t.id, t.offering_id, o.control_status in ${sql.raw(PUBLISHED)} as published, p.figures,
      exists (select from offering_report_questions q where q.removed_at is null and not q.is_optional and not exists (
        select from offering_report_answers a where a.report_id = p.id and a.question_id = q.id)) as unanswered
    from course_files t join offerings o on o.id = t.offering_id left join offering_reports p on p.course_file_id = t.id
    where t.id = any(${[...ids]}::int[])`.execute(db)
  const now = await figuresNow(
    db,
    rows.flatMap(({ figures, offering_id }) => (figures ? [offering_id] : [])),
  )
  return new Map(
    rows.map(({ id, offering_id, published, figures, unanswered }) => {
      const current = now.get(offering_id)
      const changed = figures && current ? changedFigures(figures, current) : []
      const state = !figures ? 'missing' : changed.length ? 'outdated' : unanswered ? 'unanswered' : 'filled'
      return [id, { state, published, changed }]
    }),
  )
}
