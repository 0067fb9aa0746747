import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'
import { control } from '#areas/records/grading/control/flow.contract.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { offeringReach, taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { studentScope } from '#areas/enrolment/registration/capacity.server.ts'
import { flag, loadMask } from '#areas/common/academics/status.rules.ts'
import { STUDENT_STATUSES } from '#areas/records/students/student/student.contract.ts'
import { students } from '#areas/records/students/student/student.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { holds, reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { overviewCalls } from './overview.contract.ts'
import type { Activities, OverviewCounts, Faculties, Payments } from './overview.contract.ts'

// --- Pieces ---------------------------------------------------------------------------------------------------------

const REQUESTS = ['RegisterRequest', 'AddRequest', 'DropRequest', 'WithdrawRequest', 'ExcuseRequest'] as const
export const requestMask = REQUESTS.reduce((bits, name) => bits | flag[name], 0n)
const askingIn = flag.RegisterRequest | flag.AddRequest
/** Registered: counts in the load, and is no wish any more. */
export const registeredMask = loadMask & ~askingIn
const leftMask = flag.Dropped | flag.Withdrawn | flag.ForcedWithdrawn | flag.Excused

type Sql = RawBuilder<unknown>
const termJson = (
  id: Sql,
) => sql`(select json_build_object('id', x.id, 'code', x.code, 'name', x.name, 'name_local', x.name_local,
  'start_date', x.start_date, 'end_date', x.end_date) from terms x where x.id = ${id} and x.removed_at is null)`
const statusesJson = (of: Sql) =>
  sql`json_build_object(${sql.join(controlStatuses.flatMap((s) => [sql.lit(s), sql`count(*) filter (where ${of} = ${sql.lit(s)})`]))})`
const flags = (mask: bigint) => sql`r.status & ${sql.raw(String(mask))} <> 0`
const when = (held: boolean, value: Sql): Sql => (held ? value : sql`null`)

/** The term asked for, or the one in which this part of the university works now. */
const termId = (
  asked: number | undefined,
  ...keys: ('current_term' | 'current_control_term' | 'current_exam_term')[]
): Sql => (asked === undefined ? sql`coalesce(${sql.join(keys.map((key) => currentTermId(key)))})` : sql`${asked}::int`)

/** Control is told to who sees control, else to who sees offerings. */
const controlAccess = (ctx: Ctx) => (holds(ctx, 'access_control') ? 'access_control' : 'access_offering')

/** Students (`t`) within reach. Everything: nothing is asked. */
const peopleIn = (ctx: Ctx) => sql`t.removed_at is null and ${students.scope(ctx, 'access_students')}`
/** Offerings (`o`) of a term within reach. */
const offeringsIn = (ctx: Ctx, term: Sql, access: 'access_offering' | 'access_control') =>
  sql`o.term_id = ${term} and o.removed_at is null and ${scopeCondition(ctx, access, offeringReach(ctx, 'o'))}`

/** Rows (`r`, with a student and an offering) of registrations within reach. Who reaches all joins nothing. */
function registrationsIn(ctx: Ctx): RawBuilder<SqlBool> {
  if (reachesAll(ctx, 'access_registration') || !holds(ctx, 'access_registration'))
    return sql<SqlBool>`${holds(ctx, 'access_registration')}`
  const taught = { taught: taughtBy(ctx.actor?.instructor_id ?? null, 'o') }
  return sql<SqlBool>`(r.student_id in (select s.id from students s join programs p on p.id = s.program_id
      where ${scopeCondition(ctx, 'access_registration', studentScope(ctx))})
    or r.offering_id in (select o.id from offerings o where ${scopeCondition(ctx, 'access_registration', taught)}))`
}

async function first<T>(ctx: Ctx, query: RawBuilder<T>): Promise<T> {
  const { rows } = await query.execute(ctx.db)
  return rows[0] as T
}

// --- Figures of the day ---------------------------------------------------------------------------------------------

/** How far ahead a window is told. */
const AHEAD = '14 days'

async function countsOf(ctx: Ctx, asked?: number): Promise<OverviewCounts> {
  const [term, control] = [termId(asked, 'current_term'), termId(asked, 'current_control_term', 'current_term')]
  const [people, registrations, offerings] = [
    holds(ctx, 'access_students'),
    holds(ctx, 'access_registration'),
    holds(ctx, 'access_offering'),
  ]
  const access = controlAccess(ctx)
  const groupReach = scopeCondition(ctx, 'admin_system', {
    faculty: sql`coalesce(g.faculty_id, b.faculty_id, p.faculty_id)`,
    bylaw: sql`coalesce(g.bylaw_id, p.bylaw_id)`,
    program: sql`g.program_id`,
  })
  const statuses = STUDENT_STATUSES.flatMap(({ value }) => [
    sql.lit(value),
    sql`count(*) filter (where t.status = ${sql.lit(value)})`,
  ])
  return first(
    ctx,
    sql<OverviewCounts>`
    with o as materialized (select o.id, o.is_open, o.linked_offering_id, coalesce(o.linked_offering_id, o.id) as root
      from offerings o where ${offeringsIn(ctx, term, 'access_offering')}),
    v as materialized (select v.* from offering_seats v where v.offering_id = any(array(select o.root from o)))
    select ${termJson(term)} as term, ${termJson(control)} as control_term,
      (select coalesce(json_agg(json_build_object('id', w.id, 'stage_code', ${ref('k')}, 'term', ${ref('x')}, 'starts_at', w.starts_at, 'ends_at', w.ends_at,
          'stage_group', case when g.id is not null then ${ref('g')} end) order by w.starts_at > now(), w.ends_at, k.id, g.code), '[]')
        from term_stages w join stage_codes k on k.id = w.stage_code_id join terms x on x.id = w.term_id
          left join stage_groups g on g.id = w.stage_group_id left join programs p on p.id = g.program_id left join bylaws b on b.id = g.bylaw_id
        where w.removed_at is null and w.term_id in (${term}, ${control}, ${termId(asked, 'current_exam_term', 'current_term')})
          and w.ends_at > now() and w.starts_at < now() + ${sql.lit(AHEAD)}::interval
          and (coalesce(g.faculty_id, g.bylaw_id, g.program_id) is null or ${groupReach})) as windows,
      ${when(
        people,
        sql`(select json_build_object('statuses', json_build_object(${sql.join(statuses)}),
          'warned', count(*) filter (where t.status = 'studying' and t.warnings > 0),
          'without_advisor', count(*) filter (where t.status = 'studying' and t.advisor_id is null))
        from students t where ${peopleIn(ctx)})`,
      )} as students,
      ${when(
        registrations,
        sql`(select json_build_object('total', count(*) filter (where ${flags(registeredMask)}),
          'students', count(distinct r.student_id) filter (where ${flags(registeredMask)}),
          'requests', json_build_object('total', count(*) filter (where ${flags(requestMask)}),
            ${sql.join(REQUESTS.flatMap((name) => [sql.lit(name), sql`count(*) filter (where ${flags(flag[name])})`]))},
            'oldest', min(case when ${flags(askingIn)} then r.created_at when ${flags(requestMask)} then r.updated_at end)))
        from registrations r where r.term_id = ${term} and ${registrationsIn(ctx)})`,
      )} as registrations,
      ${when(
        offerings,
        sql`(select json_build_object('total', count(*), 'open', count(*) filter (where o.is_open),
          'full', count(*) filter (where coalesce(v.free, 0) = 0), 'unplaced', count(*) filter (where v.unplaced > 0),
          'seats', coalesce(sum(v.seats) filter (where o.linked_offering_id is null), 0),
          'taken', coalesce(sum(v.seats - v.free) filter (where o.linked_offering_id is null), 0),
          'waiting', (select count(*) from wait_list w where w.state = 'waiting' and w.offering_id = any(array(select o.id from o))),
          'waited_for', (select count(distinct w.offering_id) from wait_list w where w.state = 'waiting' and w.offering_id = any(array(select o.id from o))))
        from o left join v on v.offering_id = o.root)`,
      )} as offerings,
      ${when(
        holds(ctx, access),
        sql`(select ${statusesJson(sql`o.control_status`)} from offerings o where ${offeringsIn(ctx, control, access)})`,
      )} as control`,
  )
}

// --- Faculties and programs -----------------------------------------------------------------------------------------

async function facultiesOf(ctx: Ctx, asked?: number): Promise<Faculties> {
  const [term, control] = [termId(asked, 'current_term'), termId(asked, 'current_control_term', 'current_term')]
  const [people, registrations, offerings] = [
    holds(ctx, 'access_students'),
    holds(ctx, 'access_registration'),
    holds(ctx, 'access_offering'),
  ]
  const access = controlAccess(ctx)
  const figures = (x: string) => sql`'studying', ${when(people, sql.raw(`coalesce(${x}.studying, 0)`))},
    'registered', ${when(registrations, sql.raw(`coalesce(${x}.registered, 0)`))}, 'requests', ${when(registrations, sql.raw(`coalesce(${x}.requests, 0)`))}`
  return first(
    ctx,
    sql<Faculties>`
    with of_students as (select t.faculty_id, t.program_id, count(*)::int as studying, 0 as registered, 0 as requests
      from students t where t.status = 'studying' and ${peopleIn(ctx)} group by 1, 2),
    of_registrations as (select t.faculty_id, t.program_id, 0 as studying, count(*) filter (where x.registered)::int as registered, sum(x.requests)::int as requests
      from (select r.student_id, bool_or(${flags(registeredMask)}) as registered, count(*) filter (where ${flags(requestMask)}) as requests
        from registrations r where r.term_id = ${term} and ${registrationsIn(ctx)} group by 1) x join students t on t.id = x.student_id group by 1, 2),
    per_program as materialized (select faculty_id, program_id, sum(studying)::int as studying, sum(registered)::int as registered, sum(requests)::int as requests
      from (select * from of_students union all select * from of_registrations) x group by 1, 2),
    per_faculty as (select faculty_id, sum(studying)::int as studying, sum(registered)::int as registered, sum(requests)::int as requests
      from per_program group by 1),
    offered as materialized (select o.faculty_id, count(*)::int as offerings from offerings o where ${offeringsIn(ctx, term, 'access_offering')} group by 1),
    controlled as materialized (select o.faculty_id, ${statusesJson(sql`o.control_status`)} as control
      from offerings o where ${offeringsIn(ctx, control, access)} group by 1),
    -- The last three terms of which anything is finished, and of them the last with at least half of its students.
    finished as materialized (select x.id from terms x where x.removed_at is null and exists (select from student_terms st where st.term_id = x.id)
      and x.start_date <= (select y.start_date from terms y where y.id = ${term}) order by x.start_date desc limit 3),
    last_term as materialized (select x.* from finished join terms x using (id)
      where (select count(*) from student_terms st where st.term_id = x.id) * 2 >= (select count(distinct r.student_id) from registrations r where r.term_id = x.id)
      order by x.start_date desc limit 1),
    record as materialized (select st.gpa, st.standing from student_terms st join students t on t.id = st.student_id and st.revised_since is null
      where st.term_id = (select id from last_term) and t.removed_at is null and ${students.scope(ctx, 'show_student_record')})
    select coalesce((select json_agg(json_build_object('faculty', case when f.id is not null then ${ref('f')} end, ${figures('n')},
          'offerings', ${when(offerings, sql`coalesce(offered.offerings, 0)`)}, 'control', c.control,
          'programs', coalesce((select json_agg(json_build_object('program', ${ref('p')}, ${figures('pp')}) order by p.code)
            from per_program pp join programs p on p.id = pp.program_id where pp.faculty_id = k.id), '[]')) order by f.code nulls last)
        from (select faculty_id as id from per_faculty union select faculty_id from offered union select faculty_id from controlled) k
          left join faculties f on f.id = k.id left join per_faculty n on n.faculty_id = k.id
          left join offered on offered.faculty_id is not distinct from k.id left join controlled c on c.faculty_id is not distinct from k.id), '[]') as faculties,
      ${when(
        holds(ctx, 'show_student_record'),
        sql`(select json_build_object('term', ${ref('x')}, 'students', (select count(*) from record), 'mean', (select round(avg(gpa), 2)::text from record),
          'warned', (select count(*) from record where standing <> 'good'),
          'bands', (select json_agg(json_build_object('from', (b * 0.5)::numeric(3, 1)::text, 'to', ((b + 1) * 0.5)::numeric(3, 1)::text,
            'students', (select count(*) from record where least(floor(gpa * 2), 7) = b)) order by b) from generate_series(0, 7) as b))
        from last_term x)`,
      )} as results`,
  )
}

// --- Payments --------------------------------------------------------------------------------------------------------

/** Invoices of the year of the term, by faculty: as the list of invoices has them. Two currencies are two answers. */
async function paymentsOf(ctx: Ctx, asked?: number): Promise<Payments> {
  const year = sql`(select w.year_id from terms w where w.id = ${termId(asked, 'current_term')})`
  const seen = reachesAll(ctx, 'access_payment')
    ? sql`true`
    : scopeCondition(ctx, 'access_payment', studentReach(ctx, 's'))
  const per = (
    currency: string,
  ) => sql`(select coalesce(json_agg(json_build_object('faculty', case when f.id is not null then ${ref('f')} end,
      'invoices', g.invoices, 'charged', g.charged, 'paid', g.paid, 'open', g.charged - g.paid) order by f.code), '[]')
    from (select o.faculty_id, count(*) as invoices, sum(o.charged) as charged, sum(o.settled) as paid from owed o where o.currency = ${sql.lit(currency)} group by 1) g
      left join faculties f on f.id = g.faculty_id)`
  const held = holds(ctx, 'access_payment')
  return first(
    ctx,
    sql<Payments>`
    with owed as materialized (select i.faculty_id, i.currency, b.charged, b.settled from invoices i join invoice_balances b on b.invoice_id = i.id
        join payers p on p.id = i.payer_id join students s on s.id = p.student_id
      where i.year_id = ${year} and i.reversed_at is null and b.charged > 0 and ${seen})
    select (select ${ref('y')} from years y where y.id = ${year}) as year, ${when(held, per('EGP'))} as payments_per_faculty,
      ${when(held, per('USD'))} as payments_per_faculty_dollar`,
  )
}

// --- Day by day -----------------------------------------------------------------------------------------------------

const DAYS = 62

async function activitiesOf(ctx: Ctx, zone: string, asked?: number): Promise<Activities> {
  const term = termId(asked, 'current_term')
  const access = controlAccess(ctx)
  const moves = sql.raw(`count(*) filter (where h.from_status is null)::int as registered,
    count(*) filter (where h.action = 'accept' and h.from_status & ${askingIn} <> 0)::int as accepted,
    count(*) filter (where h.from_status is not null and (h.to_status is null or h.to_status & ${leftMask} <> 0 and h.from_status & ${leftMask} = 0))::int as "left"`)
  const local = (instant: Sql) => sql`(${instant} at time zone z.zone)`
  const month = (instant: Sql) => sql`date_trunc('month', ${local(instant)})`
  const year = sql`(${month(sql`now()`)} - interval '11 months')`
  return first(
    ctx,
    sql<Activities>`
    with z as materialized (select ${zone}::text as zone),
    w as materialized (select greatest(min(${local(sql`w.starts_at`)})::date, least(max(${local(sql`w.ends_at`)}), ${local(sql`now()`)})::date - ${sql.lit(DAYS - 1)}) as "from",
        least(max(${local(sql`w.ends_at`)}), ${local(sql`now()`)})::date as "to"
      from z, term_stages w join stage_codes k on k.id = w.stage_code_id
      where w.removed_at is null and w.term_id = ${term} and k.code in ('register', 'add_drop') and w.starts_at <= now() group by z.zone),
    h as materialized (select r.at, r.action, r.from_status, r.to_status, r.offering_id from registration_history r
      where r.at >= (select least(${year}, w."from") at time zone z.zone from z left join w on true) and ${registrationsIn(ctx)}),
    days as (select ${local(sql`h.at`)}::date as day, ${moves} from z, w, h where h.at >= w."from"::timestamp at time zone z.zone and h.at < (w."to" + 1)::timestamp at time zone z.zone
      and h.offering_id in (select o.id from offerings o where o.term_id = ${term}) group by 1),
    months as (select ${month(sql`h.at`)} as month, ${moves} from z, h group by 1),
    steps as (select ${month(sql`h.at`)} as month, count(*)::int as control from z, step_history h join offerings o on o.id = h.record_id
      where h.workflow = ${control.name} and h.at >= (select ${year} at time zone z.zone from z) and ${scopeCondition(ctx, access, offeringReach(ctx, 'o'))} group by 1)
    select (select json_build_object('from', w."from", 'to', w."to") from w) as window,
      (select coalesce(json_agg(json_build_object('day', d::date, 'registered', coalesce(days.registered, 0), 'accepted', coalesce(days.accepted, 0), 'left', coalesce(days."left", 0)) order by d), '[]')
        from w, generate_series(w."from"::timestamp, w."to"::timestamp, interval '1 day') as d left join days on days.day = d::date) as per_day,
      (select json_agg(json_build_object('month', to_char(m, 'YYYY-MM'), 'registered', coalesce(months.registered, 0), 'accepted', coalesce(months.accepted, 0),
          'left', coalesce(months."left", 0), 'control', coalesce(steps.control, 0)) order by m)
        from z, generate_series(${year}, ${month(sql`now()`)}, interval '1 month') as m
          left join months on months.month = m left join steps on steps.month = m) as activities_per_month`,
  )
}

/** @throws {Refusal} 404 for a term that does not exist */
async function refuseUnknown(ctx: Ctx, term_id: number | undefined): Promise<void> {
  if (term_id === undefined) return
  const { rows } = await sql`select from terms where id = ${term_id} and removed_at is null`.execute(ctx.db)
  if (!rows.length) throw refuse(404, 'not_found')
}

export const overviewHandlers: readonly Handled[] = [
  handle(overviewCalls.counts, async (ctx, { query }) => {
    await refuseUnknown(ctx, query.term_id)
    return { data: await countsOf(ctx, query.term_id) }
  }),
  handle(overviewCalls.faculty, async (ctx, { query }) => {
    await refuseUnknown(ctx, query.term_id)
    return { data: await facultiesOf(ctx, query.term_id) }
  }),
  handle(overviewCalls.payment, async (ctx, { query }) => {
    await refuseUnknown(ctx, query.term_id)
    return { data: await paymentsOf(ctx, query.term_id) }
  }),
  handle(overviewCalls.activities, async (ctx, { query }) => {
    await refuseUnknown(ctx, query.term_id)
    return { data: await activitiesOf(ctx, query.zone, query.term_id) }
  }),
]
