import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { SystemFigures } from './figures.contract.ts'
import { FIGURE_MEASURES, type MeasureKey } from './measures.contract.ts'
import { SYSTEM_LINKS, systemReport, type ReportLink } from './reports.contract.ts'

/**
 * Each declared measure against a plain SQL statement that was written apart: of everything, and by one dimension. Flags are
 * written as numbers here: 262144 Registered, 549755813888 Dropped.
 */
const STUDENTS = `students where removed_at is null`
const TERM = `(select term_id from current_terms where key = 'current_term')`
const CONTROL = `(select term_id from current_terms where key = 'current_control_term')`
const NOW_YEAR = `(select year_id from terms where id = ${TERM})`
const person = (where: string) =>
  `select count(distinct case when user_id is null then 'r' || id else 'u' || user_id end) from ${STUDENTS} and ${where}`
const entered = `entry_term_id in (select id from terms where year_id = ${NOW_YEAR})`
const REG = `registrations r join students s on s.id = r.student_id and s.removed_at is null`
/** In the load and no request: neither 1048576 (RegisterRequest) nor 2097152 (AddRequest). */
const IN_LOAD = `exists (select from unnest(array[262144, 4194304, 8388608, 16777216, 512, 1024, 134217728, 67108864, 268435456, 2048]::bigint[]) f where r.status & f <> 0)`
const of = (term: string, what: string, where: string) =>
  `select ${what} from ${REG} where r.term_id = ${term} and ${where}`
const GRAD = `students s join student_status_decisions d on d.id = s.status_decision_id left join terms e on e.id = s.entry_term_id
  join programs p on p.id = s.program_id where s.status = 'graduated' and s.removed_at is null`
const YEARS = `ceil((d.decided_on - e.start_date) / 365.25)`
const COHORT = `students s join terms e on e.id = s.entry_term_id left join student_status_decisions d on d.id = s.status_decision_id
  where s.removed_at is null`
const LEFT = `s.status in ('withdrawn', 'transferred', 'dismissed')`
const OLD = `e.start_date <= university_today() - 365`
const STAYED = `${OLD} and not coalesce(${LEFT} and d.decided_on - e.start_date < 365, false)`
const MEET = `offering_slots m join offerings o on o.id = m.offering_id and o.removed_at is null where o.term_id = ${TERM}`
const TEACH = `offering_slot_instructors si join instructors i on i.id = si.instructor_id and i.removed_at is null
  join offering_slots m on m.id = si.offering_slot_id join offerings o on o.id = m.offering_id and o.removed_at is null
  left join slots l on l.id = m.slot_id where o.term_id = ${TERM}`
const WEEK = `sum(case when l.id is null then 0 else extract(epoch from l.end_time) - extract(epoch from l.start_time) end) / 3600.0`
const APP = `applicants where removed_at is null`
const WISH = `applicant_preferences w, applicants t where t.id = w.applicant_id and t.removed_at is null and t.status <> 'CANCELLED'`
const FOREIGN = `nationality_id is not null and nationality_id <> 64`
const PERMIT = `students s, document_kinds k where s.removed_at is null and s.status = 'studying' and s.${FOREIGN.replace(' and nationality_id', ' and s.nationality_id')}
  and k.code in ('PASSPORT', 'VISA', 'RESIDENCE')`
const LAST = `(select d.expires_on from student_documents d where d.student_id = s.id and d.kind_id = k.id and d.removed_at is null
  and d.status = any('{handed_in,accepted,outdated}') order by d.id desc limit 1)`
const HANDED = `exists (select from student_documents d where d.student_id = s.id and d.kind_id = k.id and d.removed_at is null
  and d.status = any('{handed_in,accepted,outdated}'))`
const USD = `invoices i join invoice_balances b on b.invoice_id = i.id join payers y on y.id = i.payer_id join students s on s.id = y.student_id
  where i.currency = 'USD' and i.reversed_at is null and s.nationality_id <> 64`
const EQ = `equivalences e where coalesce((select status from external_transfers x where x.id = e.external_transfer_id),
  (select status from internal_transfers x where x.id = e.internal_transfer_id)) in ('entered', 'executed', 'added', 'agreed')`
/** Students as of a day stand in own reports alone, whose tests compare them. */
type Told = Exclude<MeasureKey, 'students_then' | 'people_then'>
const PLAIN: Readonly<Record<Told, string>> = {
  students: person(`status = 'studying'`),
  people: person('true'),
  new_students: person(`status = 'studying' and ${entered}`),
  warned: person(`status = 'studying' and warnings >= 1`),
  left: person(`status not in ('studying', 'graduated', 'suspended')`),
  mean_gpa: `select round(avg(gpa), 2) from ${STUDENTS} and status = 'studying'`,
  graduates: person(`status = 'graduated'`),
  mean_years: `select round(avg(${YEARS}), 2) from ${GRAD}`,
  in_time: `select count(*) from ${GRAD} and ${YEARS} * 2 <= p.semesters + p.semesters % 2`,
  in_time_share: `select round(100.0 * count(*) filter (where ${YEARS} * 2 <= p.semesters + p.semesters % 2) / count(${YEARS}), 2) from ${GRAD}`,
  graduates_gpa: `select round(avg(s.gpa), 2) from ${GRAD}`,
  entered: `select count(distinct coalesce(s.user_id, -s.id)) from ${COHORT}`,
  after_a_year: `select count(distinct coalesce(s.user_id, -s.id)) from ${COHORT} and ${STAYED}`,
  retention: `select round(100.0 * count(distinct coalesce(s.user_id, -s.id)) filter (where ${STAYED})
    / count(distinct coalesce(s.user_id, -s.id)) filter (where ${OLD}), 2) from ${COHORT}`,
  still_here: `select count(distinct coalesce(s.user_id, -s.id)) from ${COHORT} and s.status in ('studying', 'suspended')`,
  completed: `select count(*) from ${COHORT} and s.status = 'graduated'`,
  gone: `select count(*) from ${COHORT} and ${LEFT}`,
  completion: `select round(100.0 * count(*) filter (where s.status = 'graduated') / count(distinct coalesce(s.user_id, -s.id)), 2) from ${COHORT}`,
  registered: of(TERM, 'count(*)', IN_LOAD),
  registered_students: of(TERM, 'count(distinct coalesce(s.user_id, -s.id))', IN_LOAD),
  hours: of(TERM, 'sum(r.credit_hours)', IN_LOAD),
  load: of(TERM, 'round(sum(r.credit_hours) / count(distinct coalesce(s.user_id, -s.id)), 2)', IN_LOAD),
  requested: of(
    TERM,
    'count(*)',
    `exists (select from unnest(array[1048576, 2097152, 4194304, 8388608, 16777216]::bigint[]) f where r.status & f <> 0)`,
  ),
  passed: of(
    CONTROL,
    'count(*)',
    `r.passed and r.offering_id in (select id from offerings where control_status in ('Published', 'Frozen'))`,
  ),
  failed: of(
    CONTROL,
    'count(*)',
    `r.passed = false and r.offering_id in (select id from offerings where control_status in ('Published', 'Frozen'))`,
  ),
  pass_share: of(
    CONTROL,
    'round(100.0 * count(*) filter (where r.passed) / count(*), 2)',
    `r.passed is not null and r.offering_id in (select id from offerings where control_status in ('Published', 'Frozen'))`,
  ),
  added: of(TERM, 'count(*)', `r.id in (select registration_id from registration_history where action = 'add')`),
  dropped: of(TERM, 'count(*)', 'r.status & 549755813888 > 0'),
  withdrawn: of(TERM, 'count(*)', `r.status & 17592186045440 <> 0`),
  excused: of(TERM, 'count(*)', 'r.status & 2048 <> 0'),
  lost_share: of(
    TERM,
    'round(100.0 * count(*) filter (where r.status & (549755813888 + 17592186045440 + 2048) <> 0) / count(*), 2)',
    'true',
  ),
  meetings: `select count(*) from ${MEET}`,
  seats: `select sum(m.quota) from ${MEET}`,
  taken: `select count(*) from registration_slots x join ${MEET.replace('where', 'on x.offering_slot_id = m.id where')}`,
  free: `select sum(case when m.quota > m.taken + m.held then m.quota - m.taken - m.held else 0 end) from ${MEET}`,
  occupancy: `select round(100.0 * sum(m.taken) / sum(m.quota), 2) from ${MEET}`,
  teachers: `select count(distinct i.id) from ${TEACH}`,
  taught_meetings: `select count(*) from ${TEACH}`,
  taught_hours: `select round(${WEEK}, 2) from ${TEACH}`,
  mean_teaching: `select round(${WEEK} / count(distinct i.id), 2) from ${TEACH}`,
  applicants: `select count(*) from ${APP}`,
  unfinished: `select count(*) from ${APP} and status = 'INCOMPLETE'`,
  sent: `select count(submitted_at) from ${APP}`,
  given_place: `select count(program_id) from ${APP} and status <> 'CANCELLED'`,
  admitted: `select count(*) from ${APP} and lower(status) in ('approved', 'accepted')`,
  admitted_share: `select round(100.0 * count(*) filter (where lower(status) in ('approved', 'accepted')) / count(submitted_at), 2) from ${APP}`,
  mean_percentage: `select round(avg(percentage), 2) from ${APP}`,
  wishes: `select count(*) from ${WISH}`,
  first_wishes: `select count(*) from ${WISH} and w.position = 0`,
  wishers: `select count(distinct t.id) from ${WISH}`,
  got_it: `select count(*) from ${WISH} and t.program_id = w.program_id`,
  got_share: `select round(100.0 * count(*) filter (where t.program_id = w.program_id) / count(*), 2) from ${WISH}`,
  lowest: `select min(t.percentage) from ${WISH} and t.program_id = w.program_id`,
  foreigners: person(`status = 'studying' and ${FOREIGN}`),
  foreign_new: person(`status = 'studying' and ${FOREIGN} and ${entered}`),
  foreign_women: person(`status = 'studying' and ${FOREIGN} and gender = 2`),
  foreign_graduates: person(`status = 'graduated' and ${FOREIGN}`),
  permits: `select count(*) from ${PERMIT} and ${HANDED}`,
  permits_missing: `select count(*) from ${PERMIT} and not ${HANDED}`,
  permits_expired: `select count(*) from ${PERMIT} and ${LAST} < university_today()`,
  permits_soon: `select count(*) from ${PERMIT} and ${LAST} - university_today() between 0 and 90`,
  foreign_payers: `select count(distinct coalesce(s.user_id, -s.id)) from ${USD}`,
  usd_charged: `select coalesce(sum(b.charged), 0) from ${USD}`,
  usd_paid: `select coalesce(sum(b.settled), 0) from ${USD}`,
  usd_open: `select coalesce(sum(b.charged), 0) - coalesce(sum(b.settled), 0) from ${USD}`,
  usd_share: `select round(100.0 * sum(b.settled) / sum(b.charged), 2) from ${USD}`,
  courses_asked: `select count(*) from ${EQ} and e.split_of is null`,
  courses_accepted: `select count(*) from ${EQ} and e.split_of is null and e.decided and e.state <> 'none'`,
  courses_refused: `select count(*) from ${EQ} and e.split_of is null and e.decided and e.state = 'none'`,
  courses_open: `select count(*) from ${EQ} and e.split_of is null and not e.decided`,
  accepted_share: `select round(100.0 * count(*) filter (where e.state <> 'none') / count(*), 2) from ${EQ} and e.split_of is null and e.decided`,
  hours_brought: `select sum(e.source_hours) from ${EQ} and e.split_of is null`,
  hours_accepted: `select sum(e.credit_hours) from ${EQ} and e.decided`,
  moved_students: `select count(distinct coalesce((select 's' || coalesce(s.user_id, -s.id) from students s where s.id = coalesce(
    (select student_id from external_transfers x where x.id = e.external_transfer_id), (select student_id from internal_transfers x where x.id = e.internal_transfer_id))),
    'a' || (select applicant_id from external_transfers x where x.id = e.external_transfer_id))) from ${EQ}`,
}

let u: TestUniversity
let root: Caller
beforeAll(async () => {
  u = await testUniversity([reportsServer], { database: await demoDatabase() })
  root = await u.as('super_admin')
}, 720_000)
afterAll(() => u?.close())
const read = async (link: ReportLink, body: object = {}): Promise<SystemFigures> =>
  ok(await root('POST', `/reports/${link}`, body))

describe('every measure says what plain SQL says', () => {
  it.each(Object.keys(PLAIN) as Told[])('%s', async (key) => {
    expect(FIGURE_MEASURES[key]).toBeDefined()
    // The one report that narrows it to the term of the plain statement.
    const link = SYSTEM_LINKS.find((one) => {
      const report = systemReport(one)
      const results = ['passed', 'failed', 'pass_share'].includes(key)
      return (
        report.measures.some((measure) => measure === key) && (report.current !== 'current_control_term' || results)
      )
    })!
    const { measures, total } = await read(link)
    const { rows } = await u.database.pool.query({ text: PLAIN[key], rowMode: 'array' })
    const [[plain]] = rows as [[string | null]]
    expect(total.values[measures.indexOf(key)]).toBe(plain === null ? null : Number(plain))
  })
})

describe('every report of the demo university', () => {
  it.each(SYSTEM_LINKS)(
    '%s tells something, by every dimension and with every column',
    async (link) => {
      const report = systemReport(link)
      const whole = await read(link)
      expect(whole.rows.length).toBeGreaterThan(0)
      expect(whole.total.values.some((value) => Number(value) > 0)).toBe(true)
      for (const rows of report.rows) {
        const by = await read(link, { rows })
        expect([rows, by.total.values]).toEqual([rows, whole.total.values])
        expect([rows, by.rows.length > 0]).toEqual([rows, true])
      }
      for (const columns of report.columns.filter((one) => one !== report.rows[0])) {
        const by = await read(link, { columns })
        expect(by.total.values).toEqual(whole.total.values)
        expect(by.rows.map(({ values }) => values)).toEqual(whole.rows.map(({ values }) => values))
      }
    },
    60_000,
  )
  it.each(SYSTEM_LINKS)(
    '%s: the rows behind a figure are as many as it says, each with the way to its record',
    async (link) => {
      const { measures, rows } = await read(link)
      const row = rows.toSorted((a, b) => Number(b.values[0]) - Number(a.values[0]))[0]!
      for (const [at, measure] of measures.entries()) {
        if (FIGURE_MEASURES[measure].unit !== 'count') continue
        const { status, body } = await root('POST', `/reports/${link}/rows`, {
          measure,
          row: row.key,
          of_row: true,
          perPage: 500,
        })
        expect([link, measure, status]).toEqual([link, measure, 200])
        // Persons or rows: what the figure counts.
        if (!['seats', 'taken', 'free'].includes(measure))
          expect([measure, row.values[at]]).toSatisfy(() =>
            [body.meta.count, body.meta.people].includes(row.values[at] as number),
          )
        expect(body.data.rows.length).toBe(Math.min(500, body.meta.count))
        for (const one of body.data.rows) expect(one.to).toMatch(/^\/[a-z]/)
      }
    },
    60_000,
  )
})
