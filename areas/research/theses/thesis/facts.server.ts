/** What the rules of theses look at, of many at once. */
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { lastDayOf } from './clock.rules.ts'
import { USUAL_RULES, type ThesisFacts, type ThesisRules } from './thesis.rules.ts'

type Read = Omit<ThesisFacts, 'rules'> & { id: number; rules: ThesisRules | null }
const RULES = Object.keys(USUAL_RULES)
/** SQL: publications of the student `s` that are listed. */
const LISTED = sql.raw(`(select count(*)::int from publication_members a join publications b on b.id = a.publication_id
  where a.user_id = s.user_id and b.removed_at is null and b.status = 'listed')`)
/** SQL: the instructor `i` and the student `s` have published together, whatever was declared. */
const WROTE_TOGETHER =
  sql.raw(`exists (select from publication_members a join publication_members c on c.publication_id = a.publication_id
  join publications b on b.id = a.publication_id where a.user_id = s.user_id and c.user_id = i.user_id and b.removed_at is null)`)

/** Facts of theses by id. What decides is locked by whoever acts. */
export async function factsOfTheses(db: Db | Tx, ids: readonly number[]): Promise<Map<number, ThesisFacts>> {
  const { rows } = await sql<Read>`
    select t.id, t.status, university_today()::text as today, t.registered_on::text, t.approved_on::text, true as title,
      p.study_level = 'postgraduate' as postgraduate, s.status = 'studying' as studying, s.status = 'graduated' as graduated,
      coalesce((select json_agg(json_build_object('name', coalesce(i.name, x.name), 'name_local', coalesce(i.name_local, x.name_local),
          'job', m.job, 'external', m.examiner_id is not null, 'academic_title', coalesce(i.academic_title, x.academic_title),
          'share', m.share, 'tie', case when m.tie = 'none' and ${WROTE_TOGETHER} then 'coauthor' else m.tie end, 'gone', coalesce(i.removed_at, x.removed_at) is not null,
          'load', (select count(distinct o.thesis_id) from thesis_members o join theses ot on ot.id = o.thesis_id
            where o.instructor_id = m.instructor_id and o.until_date is null and o.job in ('leader', 'member') and o.thesis_id <> t.id
              and ot.removed_at is null and ot.status in ('registered', 'approved', 'changing', 'discussed'))) order by m.position, m.id)
        from thesis_members m left join instructors i on i.id = m.instructor_id left join external_examiners x on x.id = m.examiner_id
        where m.thesis_id = t.id and m.until_date is null), '[]') as members,
      (select json_build_object(${sql.raw(RULES.map((name) => `'${name}', r.${name}`).join(', '))})
        from thesis_rules r where r.bylaw_id = s.bylaw_id) as rules,
      coalesce((select json_agg(json_build_object('kind', c.kind, 'from_date', c.from_date, 'until_date', c.until_date) order by c.id)
        from thesis_clock c where c.thesis_id = t.id), '[]') as clock,
      (select d.decided_on::text from thesis_decisions d where d.thesis_id = t.id and d.undone_at is null
        and d.kind = case t.status when 'registered' then 'approve' when 'discussed' then 'grant' else 'change' end
        and (t.status <> 'changing' or d.created_at >= (select c.created_at from thesis_changes c where c.thesis_id = t.id and c.state = 'waiting'))
        order by d.id desc limit 1) as decided_on,
      exists (select from thesis_changes c where c.thesis_id = t.id and c.state = 'waiting') as change,
      exists (select from thesis_changes c where c.thesis_id = t.id and c.state = 'waiting' and c.supervisors is not null) as change_team,
      coalesce((select d.kind = 'change' from thesis_decisions d where d.thesis_id = t.id and d.undone_at is null
        order by d.id desc limit 1), false) as changed_last,
      (select count(*)::int from thesis_reports r where r.thesis_id = t.id) as reports,
      (select count(*)::int from thesis_seminars r where r.thesis_id = t.id) as seminars,
      ((select count(*)::int from thesis_proofs r where r.thesis_id = t.id and r.kind = 'publication' and r.accepted_at is not null) + ${LISTED}) as publications,
      exists (select from thesis_proofs r where r.thesis_id = t.id and r.kind = 'language' and r.accepted_at is not null) as language,
      v.similarity::float8 as similarity, v.id is not null as manuscript,
      case when d.id is not null then json_build_object('begins_on', (lower(d.during) at time zone university_zone())::date,
        'over', lower(d.during) <= now(), 'result', d.result, 'changes_due', d.changes_due, 'changes_done_on', d.changes_done_on) end as discussion,
      exists (select from thesis_deposits d where d.thesis_id = t.id) as deposited
    from theses t join students s on s.id = t.student_id join programs p on p.id = s.program_id
      left join lateral (select v.id, v.similarity from thesis_versions v where v.thesis_id = t.id order by v.number desc limit 1) v on true
      left join lateral (select d.* from thesis_discussions d where d.thesis_id = t.id and d.cancelled_at is null order by d.id desc limit 1) d on true
    where t.id = any(${[...ids]}::int[])`.execute(db)
  return new Map(rows.map(({ id, rules, ...facts }) => [id, { ...facts, rules: rules ?? USUAL_RULES }]))
}

/** The supervisors of theses, held: what they supervise is counted while nobody else registers a thesis of theirs. */
export const holdSupervisors = (tx: Tx, ids: readonly number[]) =>
  sql`select from instructors i where i.id in (select m.instructor_id from thesis_members m
    where m.thesis_id = any(${[...ids]}::int[]) and m.until_date is null and m.job in ('leader', 'member'))
    order by i.id for no key update`.execute(tx)

/** The latest day of the next step, kept with the thesis; another day is told anew. */
export async function keepDue(tx: Tx, ids: readonly number[]): Promise<void> {
  const facts = await factsOfTheses(tx, ids)
  const due = [...facts].map(([id, one]) => ({ id, due: lastDayOf(one) }))
  await sql`update theses t set due_on = x.due, told_90 = null, told_30 = null, told_7 = null, told_late = null
    from jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as x (id int, due date)
    where t.id = x.id and t.due_on is distinct from x.due`.execute(tx)
}
