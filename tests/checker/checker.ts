/**
 * An independent look at what is stored. It knows the tables and the university's rules, and nothing of the program: no
 * import from it, figures worked out again by other means. It runs on any database of the product, also on a copy of a
 * real one: `node tests/checker/main.ts postgresql://…`.
 */
import type pg from 'pg'
import { checkRecords } from './records.ts'

/** Something that must not be. `where` names the row so that somebody can look at it. */
export interface Finding {
  readonly rule: string
  readonly where: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Asks the database; what the checker reads, and nothing else. */
export type Ask = <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>

// Flags of a registration's state, from the specification's list.
const REGISTERED = 262144n
const REQUESTS = [1048576n, 2097152n]
const LEAVING = [4194304n, 8388608n, 16777216n]
const WITHDRAWN = [1024n, 17592186044416n]
const ENDED = [4294967296n, 2147483648n, 536870912n, 134217728n, 2305843009213693952n]
const GONE = [549755813888n, 2048n]
const sum = (flags: readonly bigint[]): string => flags.reduce((all, one) => all | one, 0n).toString()
/** Who sits on a seat: everybody but the dropped and the excused. */
const SEATED = sum([REGISTERED, ...REQUESTS, ...LEAVING, ...WITHDRAWN, ...ENDED])
/** Whose hours and meetings weigh on the term. */
const LOADED = sum([REGISTERED, ...REQUESTS, ...LEAVING, ...ENDED])
const MAIN = sum([REGISTERED, ...REQUESTS, ...LEAVING, ...WITHDRAWN, ...ENDED, ...GONE])

/** A rule as one statement that answers what breaks it; the first column says where. */
interface Rule {
  readonly rule: string
  readonly sql: string
}

const RULES: readonly Rule[] = [
  {
    rule: 'seats taken are the seats held',
    sql: `select 'meeting ' || s.id as place, s.taken, count(r.registration_id)::int as held_by_registrations
      from offering_slots s left join registration_slots r on r.offering_slot_id = s.id
      group by s.id having s.taken <> count(r.registration_id)`,
  },
  {
    rule: 'no meeting above its seats',
    sql: `select 'meeting ' || s.id as place, s.quota, s.over_quota, count(r.registration_id)::int as held_by_registrations
      from offering_slots s join registration_slots r on r.offering_slot_id = s.id
      group by s.id having count(r.registration_id) > s.quota + s.over_quota`,
  },
  {
    rule: 'who is in a course sits in its meetings, and nobody else does',
    sql: `select 'registration ' || r.id as place, r.status::text, count(rs.offering_slot_id)::int as seats
      from registrations r join offerings o on o.id = r.offering_id
      left join registration_slots rs on rs.registration_id = r.id
      group by r.id, o.id
      having (r.status & ${SEATED} = 0 and count(rs.offering_slot_id) > 0)
        or (r.status & ${SEATED} <> 0 and count(rs.offering_slot_id) = 0 and r.letter is null and o.control_status = 'Draft'
          and exists (select from offering_slots s where s.offering_id = coalesce(o.linked_offering_id, o.id))
          -- By marks an external student sits the exams alone.
          and not exists (select from student_years y join terms t on t.year_id = y.year_id
            where t.id = r.term_id and y.student_id = r.student_id and y.enrolment = 'external'))`,
  },
  {
    rule: 'seats lie in the course that was registered, in one group',
    sql: `select 'registration ' || r.id as place, array_agg(distinct s.offering_id) as offerings, count(distinct s.group_id)::int as groups
      from registrations r join offerings o on o.id = r.offering_id
      join registration_slots rs on rs.registration_id = r.id join offering_slots s on s.id = rs.offering_slot_id
      group by r.id, o.id
      having count(distinct s.group_id) > 1 or bool_or(s.offering_id <> coalesce(o.linked_offering_id, o.id))`,
  },
  {
    rule: 'who is punished, banned, absent or excused is so by a decision that stands',
    sql: `select 'registration ' || r.id as place, r.status::text from registrations r
      where (r.status & 134217728 <> 0 and not exists (select from exam_cases k where r.id = any(k.punished_ids)
          and k.status in ('punished', 'appealed') and k.removed_at is null))
        or (r.status & 2305843009213693952 <> 0 and not exists (select from absence_cases k
          where k.registration_id = r.id and k.status = 'banned' and k.removed_at is null))
        or (r.status & 536870912 <> 0 and not exists (select from exam_absences a join exam_schedules s on s.id = a.exam_schedule_id
            join exams e on e.id = s.exam_id where a.registration_id = r.id and a.status = 'recorded' and e.kind = 'final')
          and not exists (select from registration_marks m join offering_marks o on o.id = m.offering_mark_id
            join mark_categories k on k.id = o.mark_category_id where m.registration_id = r.id and m.absent and k.is_final_exam))
        or (r.status & 2048 <> 0 and not exists (select from excuses x where x.student_id = r.student_id and x.term_id = r.term_id
          and x.kind in ('course', 'term') and x.status = 'accepted' and x.removed_at is null
          and (x.offering_id is null or x.offering_id = r.offering_id)))`,
  },
  {
    rule: 'a punishment or a ban that stands has its registration in that state',
    sql: `select 'exam case ' || k.id as place, r.id as registration from exam_cases k join registrations r on r.id = any(k.punished_ids)
        where k.status in ('punished', 'appealed') and k.removed_at is null and r.status & 134217728 = 0
      union all select 'absence case ' || k.id, r.id from absence_cases k join registrations r on r.id = k.registration_id
        where k.status = 'banned' and k.removed_at is null and r.status & 2305843009213693952 = 0`,
  },
  {
    rule: 'one alternative of each type of meeting',
    sql: `select 'registration ' || rs.registration_id as place, s.type,
        count(distinct coalesce(s.section, s.id::text || '#'))::int as alternatives
      from registration_slots rs join offering_slots s on s.id = rs.offering_slot_id
      group by rs.registration_id, s.type having count(distinct coalesce(s.section, s.id::text || '#')) > 1`,
  },
  {
    rule: 'nobody is in two places at once',
    // Two meetings of one person at one time, in whatever program, unless somebody set the rule aside or moved a meeting knowing it.
    sql: `with m as (
        select coalesce(who.user_id, -who.id) as person, r.student_id, r.term_id, r.id, s.id as slot_id, s.day, p.start_time, p.end_time
        from registrations r join students who on who.id = r.student_id join registration_slots rs on rs.registration_id = r.id
        join offering_slots s on s.id = rs.offering_slot_id join slots p on p.id = s.slot_id
        where r.status & ${LOADED} <> 0)
      select 'student ' || a.student_id as place, a.id as registration, b.id as other, a.day, a.start_time, b.start_time as other_start
      from m a join m b on a.person = b.person and a.term_id = b.term_id and a.day = b.day and a.slot_id < b.slot_id
        and a.id <> b.id and a.start_time < b.end_time and b.start_time < a.end_time
      where not exists (select from registration_history h where h.registration_id in (a.id, b.id) and h.overrides @> '[{"code": "time_clash"}]')
        -- Of two that are exchanged one will stand.
        and (a.id, b.id) not in (select registration_id, gives_up_id from EXCHANGES) and (b.id, a.id) not in (select registration_id, gives_up_id from EXCHANGES)
        and not exists (select from audit_log l where l.table_name = 'offering_slots' and l.record_id in (a.slot_id, b.slot_id)
          and l.action = 'update' and (l.new ? 'day' or l.new ? 'slot_id'))`,
  },
  {
    rule: 'a person takes a course in one program',
    sql: `select 'person ' || a.user_id as place, ra.course_id, ra.term_id, ra.id as registration, rb.id as other
      from students a join students b on b.user_id = a.user_id and b.id > a.id and a.removed_at is null and b.removed_at is null
        join registrations ra on ra.student_id = a.id and ra.status & ${LOADED} <> 0
        join registrations rb on rb.student_id = b.id and rb.term_id = ra.term_id and rb.course_id = ra.course_id and rb.status & ${LOADED} <> 0
      where not exists (select from registration_history h where h.registration_id in (ra.id, rb.id)
        and h.overrides @> '[{"code": "course_in_other_program"}]')`,
  },
  {
    rule: 'records of one person are of one account, bear one name and take one turn',
    sql: `select 'student ' || a.id as place, b.id as other from students a
        join students b on b.id > a.id and b.removed_at is null and (b.user_id = a.user_id or b.national_id = a.national_id)
        join registration_turns ta on ta.student_id = a.id join registration_turns tb on tb.student_id = b.id
      where a.removed_at is null and (b.user_id is distinct from a.user_id or (b.name, b.name_local) <> (a.name, a.name_local)
        or ta.account is distinct from a.user_id or tb.account is distinct from a.user_id)`,
  },
  {
    rule: 'exactly one main state',
    sql: `select 'registration ' || id as place, status::text from registrations
      where status & ${MAIN} = 0 or (status & ${MAIN}) & ((status & ${MAIN}) - 1) <> 0`,
  },
  {
    rule: 'one course once in a term',
    sql: `select 'student ' || student_id as place, course_id, term_id, count(*)::int as times
      from registrations group by student_id, course_id, term_id having count(*) > 1`,
  },
  {
    rule: 'a registration is of its offering',
    sql: `select 'registration ' || r.id as place, r.term_id, r.course_id, o.term_id as offering_term, o.course_id as offering_course
      from registrations r join offerings o on o.id = r.offering_id where (r.term_id, r.course_id) <> (o.term_id, o.course_id)`,
  },
  {
    rule: 'history leads from nothing to the present state, without a break',
    // The state before each step is the state after the step before it; the last one is what stands now.
    sql: `with h as (
        select registration_id, id, from_status, to_status,
          lag(to_status) over w as before, row_number() over w = 1 as first, lead(id) over w is null as last
        from registration_history window w as (partition by registration_id order by id))
      select 'registration ' || registration_id as place, 'broken' as why, from_status::text, before::text as state_before
      from h where case when first then from_status is not null else from_status is distinct from before end
      union all
      select 'registration ' || registration_id, 'ends elsewhere', h.to_status::text, r.status::text
      from h left join registrations r on r.id = h.registration_id
      where h.last and h.to_status is distinct from r.status
      union all
      select 'registration ' || r.id, 'no history', r.status::text, null from registrations r
      where not exists (select from registration_history h where h.registration_id = r.id)`,
  },
  {
    rule: 'what was submitted to control is changed by control alone',
    // Since the last step out of Draft nobody came, left or moved in the course.
    sql: `with held as (
        select o.id, max(c.at) as since from offerings o join step_history c on c.workflow = 'offering_control' and c.record_id = o.id and c.from_state = 'Draft'
        where o.control_status <> 'Draft' group by o.id)
      select 'registration ' || h.registration_id as place, h.action, h.at, held.since, o.control_status
      from held join offerings o on o.id = held.id join registration_history h on h.offering_id = held.id and h.at > held.since
      where h.action in ('request', 'add', 'enroll', 'accept', 'reject', 'remove', 'drop', 'withdraw', 'force_withdraw', 'change_slots', 'exempt', 'swap', 'give_up')`,
  },
  {
    rule: 'who waits is not in the course already',
    sql: `select 'place in a queue ' || w.id as place, w.student_id, w.offering_id from wait_list w
      join registrations r on r.student_id = w.student_id and r.offering_id = w.offering_id
      where w.state = 'waiting' and r.status & ${LOADED} <> 0
        -- Another group of the course, in exchange for the one held.
        and (to_jsonb(w) ->> 'gives_up_id')::int is distinct from r.id`,
  },
  {
    rule: 'a queue keeps its order',
    // Somebody was moved while an earlier one, who had wanted the very same meetings, stood there and was moved later. Not
    // those who gave a course back in between: what they had at that time, or their load, may have spoken against it.
    sql: `select 'place in a queue ' || late.id as place, early.id as passed_over, late.moved_at, early.moved_at as moved_later
      from wait_list late join offerings lo on lo.id = late.offering_id
      join wait_list early on early.id < late.id and early.state = 'moved' and early.moved_at > late.moved_at
        and early.offering_slot_ids <@ late.offering_slot_ids and early.offering_slot_ids @> late.offering_slot_ids
      join offerings eo on eo.id = early.offering_id and coalesce(eo.linked_offering_id, eo.id) = coalesce(lo.linked_offering_id, lo.id)
      where late.state = 'moved' and not exists (
        select from audit_log a left join registrations r on a.action = 'update' and r.id = a.record_id
        where a.table_name = 'registrations' and a.action in ('update', 'delete')
          and a.at between late.moved_at - interval '1 second' and early.moved_at
          and coalesce((a.old ->> 'student_id')::int, r.student_id) = early.student_id)`,
  },
  {
    rule: 'marks lie between nothing and their maximum, in the scheme of their course',
    sql: `select 'registration ' || m.registration_id as place, m.mark::text, o.max::text
      from registration_marks m join offering_marks o on o.id = m.offering_mark_id join registrations r on r.id = m.registration_id
      where m.mark > o.max or m.mark < 0 or o.offering_id <> r.offering_id`,
  },
  {
    rule: 'a scheme with marks sums to what the course is out of, with one final exam',
    sql: `select 'offering ' || o.offering_id as place, sum(o.max)::text as total, count(*) filter (where c.is_final_exam)::int as finals
      from offering_marks o join mark_categories c on c.id = o.mark_category_id
      where exists (select from registration_marks m join offering_marks x on x.id = m.offering_mark_id where x.offering_id = o.offering_id)
      group by o.offering_id having sum(o.max) not in (
          select c.max_mark from offerings f join courses c on c.id = f.course_id where f.id = o.offering_id
          union all select p.max_mark from offerings f join program_courses p on p.course_id = f.course_id
            where f.id = o.offering_id and p.max_mark is not null)
        or count(*) filter (where c.is_final_exam) <> 1`,
  },
  {
    rule: 'from Approved on everybody has a result',
    sql: `select 'registration ' || r.id as place, r.status::text, o.control_status from registrations r join offerings o on o.id = r.offering_id
      where o.control_status in ('Approved', 'Published', 'Frozen') and r.letter is null
        and r.status & ${sum([REGISTERED, ...LEAVING, 2147483648n])} <> 0`,
  },
  {
    rule: 'steps of control follow one another',
    sql: `with h as (
        select record_id as offering_id, id, from_state as from_status, to_state as to_status, lag(to_state) over w as before,
          lead(id) over w is null as last
        from step_history where workflow = 'offering_control' window w as (partition by record_id order by id))
      select 'offering ' || h.offering_id as place, h.from_status, h.before, h.to_status, o.control_status
      from h join offerings o on o.id = h.offering_id
      where (h.before is not null and h.before <> h.from_status) or (h.last and h.to_status <> o.control_status)`,
  },
  {
    rule: 'every registration stands in the audit trail',
    sql: `select 'registration ' || r.id as place, r.created_at from registrations r
      where exists (select from audit_log where table_name = 'registrations' and action = 'insert')
        and r.created_at > (select min(at) from audit_log where table_name = 'registrations' and action = 'insert')
        and not exists (select from audit_log a where a.table_name = 'registrations' and a.record_id = r.id and a.action = 'insert')`,
  },
  {
    rule: 'everybody has a turn',
    sql: `select 'student ' || s.id as place from students s where not exists (select from registration_turns t where t.student_id = s.id)`,
  },
]

/** Rules that need columns which an older database does not have: left out where they are missing. */
const SINCE: readonly (Rule & { readonly table: string; readonly column: string })[] = [
  {
    table: 'wait_list',
    column: 'gives_up_id',
    rule: 'who exchanges a seat has one of the two at every moment, and never both',
    // In one moment the new one was had and the old one left; or the new one was had as a request, and the old one left
    // when it was accepted. Neither is there without the other.
    sql: `with new as (
        select w.*, h.registration_id, h.to_status & ${sum(REQUESTS)} <> 0 as asked from wait_list w
        left join registration_history h on h.student_id = w.student_id and h.offering_id = w.offering_id and h.action = 'swap' and h.at = w.moved_at
        where w.state = 'moved' and w.gives_up_id is not null
      ), left_at as (
        select h.registration_id, h.at from registration_history h where h.to_status is null or h.to_status & ${SEATED} = 0)
      select 'place in a queue ' || w.id as place, w.student_id, w.offering_id, w.gives_up_id, w.moved_at from new w
      where w.registration_id is null
        or (w.registration_id <> w.gives_up_id and not exists (select from left_at l where l.registration_id = w.gives_up_id and l.at = w.moved_at) and (
          not w.asked or exists (select from registration_history a where a.registration_id = w.registration_id and a.action = 'accept' and a.at > w.moved_at
            and not exists (select from left_at l where l.registration_id = w.gives_up_id and l.at between w.moved_at and a.at))))
      union all
      select 'registration ' || h.registration_id, h.student_id, h.offering_id, null, h.at from registration_history h
      where h.action = 'swap' and not exists (select from wait_list w where w.student_id = h.student_id and w.state = 'moved'
        and w.moved_at = h.at and w.offering_id = h.offering_id)
        or h.action = 'give_up' and not exists (select from registration_history n where n.student_id = h.student_id and n.at = h.at
          and n.action in ('swap', 'accept') and n.registration_id <> h.registration_id and n.to_status & ${SEATED} <> 0)`,
  },
  {
    table: 'registration_exchanges',
    column: 'gives_up_id',
    rule: 'what is exchanged for a request is registered beside it, of the same student and term',
    sql: `select 'registration ' || x.registration_id as place, x.gives_up_id, n.status::text, g.status::text as given from registration_exchanges x
      join registrations n on n.id = x.registration_id join registrations g on g.id = x.gives_up_id
      where n.status & ${sum(REQUESTS)} = 0 or g.status & ${sum([REGISTERED, ...LEAVING])} = 0
        or (n.student_id, n.term_id) <> (g.student_id, g.term_id) or n.course_id = g.course_id`,
  },
  {
    table: 'decision_facts',
    column: 'stood',
    rule: 'a decision is outdated exactly while what it stood on is something else',
    // Each fact worked out again from the tables: what should be told and is not, and the other way round.
    sql: `with results as (
        select r.id, r.course_id, o.control_status, jsonb_strip_nulls(jsonb_build_object('course', r.course_id, 'letter', r.letter,
          'points', trim_scale(r.points), 'total', trim_scale(r.total), 'maximum', r.maximum, 'passed', r.passed,
          'hours', trim_scale(r.credit_hours), 'in_gpa', r.counts_in_gpa, 'state', (r.status - (r.status & 112))::text)) as whole
        from registrations r join offerings o on o.id = r.offering_id
      ), facts as (
        select 'result' as fact, id, case when control_status in ('Published', 'Frozen') then whole else jsonb_build_object('course', course_id) end as value from results
        union all
        select 'approved', id, case when control_status in ('Approved', 'Published', 'Frozen') then whole else jsonb_build_object('course', course_id) end from results
        union all
        select 'figures', s.id, jsonb_build_object('gpa', trim_scale(s.gpa), 'hours', trim_scale(s.passed_hours), 'level', s.level) from students s
        union all
        select 'credit', k.id, jsonb_strip_nulls(jsonb_build_object('course', k.course_id, 'letter', k.letter, 'points', trim_scale(k.points),
          'total', trim_scale(k.mark), 'maximum', k.maximum, 'passed', true, 'hours', trim_scale(k.credit_hours), 'in_gpa', k.counts_in_gpa))
        from course_credits k)
      select d.kind || ' ' || d.decision_id as place, d.fact, d.fact_id, d.stood, d.now as told, f.value as really
      from decision_facts d left join facts f on f.fact = d.fact and f.id = d.fact_id
      where d.fact in ('result', 'approved', 'figures', 'credit')
        and d.now is distinct from nullif(coalesce(f.value, 'null'), d.stood)`,
  },
  {
    table: 'decision_facts',
    column: 'stood',
    rule: 'every course credited for a result of this university says on what it stands',
    sql: `select 'credited course ' || k.id as place, l.registration_id from course_credits k join equivalences e on e.id = k.equivalence_id
        join equivalences l on l.split_of is null and (l.id = coalesce(e.split_of, e.id) or l.joined_to = coalesce(e.split_of, e.id))
      where l.registration_id is not null and not exists (select from decision_facts d
        where d.kind = 'credit' and d.decision_id = k.id and d.fact = 'result' and d.fact_id = l.registration_id)`,
  },
  {
    table: 'offering_slots',
    column: 'held',
    rule: 'seats held for a queue are free ones, at most one for each who waits',
    sql: `select 'meeting ' || s.id as place, s.quota, s.over_quota, s.taken, s.held, s.waiting, count(w.id)::int as really_waiting
      from offering_slots s left join wait_list w on w.state = 'waiting' and s.id = any (w.offering_slot_ids)
      group by s.id
      having s.waiting <> count(w.id) or s.held < 0 or s.held > s.waiting or s.taken + s.held > s.quota + s.over_quota`,
  },
]

/** Loads above every limit that the student's bylaw could have set, whatever the GPA was when the courses were chosen. */
const LOADS = `
  with load as (
    select r.student_id, r.term_id, sum(r.credit_hours)::float8 as hours, count(*)::int as courses
    from registrations r where r.status & ${LOADED} <> 0
      -- Of two that are exchanged the heavier weighs.
      and not exists (select from EXCHANGES x join registrations n on n.id = x.registration_id join registrations g on g.id = x.gives_up_id
        where r.id = case when n.credit_hours < g.credit_hours then n.id else g.id end)
    group by 1, 2
  ), allowed as (
    select l.*, case when t.term_type = 'summer' then max(g.max_summer_ch_value) else max(g.max_ch_value) end
        + coalesce(max((to_jsonb(b) ->> 'graduating_extra_hours')::int), 0) as most,
      max(g.max_courses) + coalesce(max((to_jsonb(b) ->> 'graduating_extra_courses')::int), 0) as most_courses
    from load l join students s on s.id = l.student_id join terms t on t.id = l.term_id
    join bylaws b on b.id = s.bylaw_id join load_ranges g on g.bylaw_id = s.bylaw_id
    where exists (select from (
        select cumulative_gpa as gpa from student_terms x join terms e on e.id = x.term_id
        where x.student_id = s.id and e.start_date < t.start_date
        union all select s.gpa union all select 2.00) known
      where known.gpa is not null and known.gpa >= g.from_gpa and (known.gpa < g.to_gpa or g.to_gpa = 4))
    group by l.student_id, l.term_id, l.hours, l.courses, t.term_type)
  select 'student ' || a.student_id as place, a.term_id, a.hours, a.most, a.courses, a.most_courses from allowed a
  where (a.hours > a.most or a.courses > a.most_courses)
    and not exists (select from registrations r join registration_history h on h.registration_id = r.id
      where r.student_id = a.student_id and r.term_id = a.term_id
        and (h.overrides @> '[{"code": "credit_hours_limit"}]' or h.overrides @> '[{"code": "courses_limit"}]'
          -- What an import brought was decided elsewhere.
          or (h.from_status is null and h.reason is not null and h.actor_id is null)))`

/** At most so many findings of one rule are told. */
const TOLD = 20

/**
 * Looks at everything, in one snapshot.
 * @param options `inside`: the client is inside a transaction already, which goes on; `only`: one rule instead of all
 * @returns what must not be; empty where all is well
 */
export async function checkStored(
  client: pg.ClientBase,
  { inside = false, only }: { inside?: boolean; only?: string } = {},
): Promise<Finding[]> {
  const ask: Ask = async (text, values = []) => (await client.query(text, [...values])).rows
  if (!inside) await client.query('begin transaction isolation level repeatable read read only')
  try {
    const found: Finding[] = []
    const columns = new Set(
      (
        await ask<{ name: string }>(
          `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
        )
      ).map((row) => row.name),
    )
    const rules = [
      ...RULES,
      { rule: 'no load above what the bylaw allows', sql: LOADS },
      ...SINCE.filter(({ table, column }) => columns.has(`${table}.${column}`)),
    ]
    const exchanges = columns.has('registration_exchanges.gives_up_id')
      ? 'registration_exchanges'
      : '(select null::int as registration_id, null::int as gives_up_id where false)'
    for (const { rule, sql } of rules) {
      if (only && rule !== only) continue
      const rows = await ask<{ place: string }>(`${sql.replaceAll('EXCHANGES', exchanges)} limit ${TOLD}`)
      found.push(...rows.map(({ place, ...data }) => ({ rule, where: place, data })))
    }
    if (!only || !rules.some(({ rule }) => rule === only))
      found.push(...(await checkRecords(ask, columns)).slice(0, 5 * TOLD))
    return found
  } finally {
    if (!inside) await client.query('rollback')
  }
}

/** Findings as lines that somebody can read. */
export const tell = (found: readonly Finding[]): string =>
  found.map(({ rule, where, data }) => `${rule}: ${where} ${JSON.stringify(data)}`).join('\n')
