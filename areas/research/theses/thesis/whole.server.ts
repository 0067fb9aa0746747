/** Everything about a thesis in one answer, and the own ones. */
import { addMonths } from '#kit/contract/day.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { toProblem } from '#kit/server/base/errors.ts'
import { refOrNull, refText } from '#kit/server/base/sql.ts'
import type { Ref } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { sql } from 'kysely'
import { lastDayOf } from './clock.rules.ts'
import { factsOfTheses } from './facts.server.ts'
import { findThesis, mayThesis, thesisReach } from './reach.server.ts'
import type { ThesisJob } from './thesis.rules.ts'
import {
  checkDiscussion,
  checkThesisGrant,
  checkRegistration,
  checkSchedule,
  type ThesisFacts,
} from './thesis.rules.ts'
import { thesisCalls as calls, type WholeThesis } from './whole.contract.ts'

/** Why the next step of its state cannot be taken now. */
export function nextReasons(facts: ThesisFacts): Reason[] {
  if (facts.status === 'draft' || facts.status === 'registered') return checkRegistration(facts)
  if (facts.status === 'approved') {
    if (facts.discussion && facts.discussion.result !== 'refused')
      return checkDiscussion(facts).filter(({ code }) => code !== 'thesis_result_missing')
    const earliest = facts.approved_on ? addMonths(facts.approved_on, facts.rules.min_months) : facts.today
    return checkSchedule(facts, earliest > facts.today ? earliest : facts.today)
  }
  return facts.status === 'discussed' ? checkThesisGrant(facts) : []
}

const FILE = (alias: string) =>
  sql.raw(`json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'size', ${alias}.size)`)
const BY = sql.raw(`(select ${refText('u')} from users u where u.id = r.created_by)`)
type Unlinked<T> = T extends { url: string }
  ? Omit<T, 'url'>
  : T extends readonly (infer E)[]
    ? Unlinked<E>[]
    : T extends object
      ? { [K in keyof T]: Unlinked<T[K]> }
      : T
type Read = Unlinked<Omit<WholeThesis, 'earliest' | 'latest' | 'extensions_left' | 'reasons' | 'report_due'>>

async function wholeOf(ctx: Ctx, id: number): Promise<WholeThesis> {
  await findThesis(ctx, ctx.db, id, 'show_thesis')
  const list = (rows: ReturnType<typeof sql>) => sql`coalesce((select json_agg(x) from (${rows}) x), '[]')`
  const { rows } = await sql<Read>`select t.id, json_build_object(
      'team', ${mayThesis(ctx, 'edit_thesis', 'register_thesis', 'discuss_thesis')}, 'supervise', ${mayThesis(ctx, 'supervise_thesis')},
      'write', ${mayThesis(ctx, 'write_thesis')}, 'decide', ${mayThesis(ctx, 'approve_thesis')}, 'discuss', ${mayThesis(ctx, 'discuss_thesis')},
      'deposit', ${mayThesis(ctx, 'deposit_thesis')}) as may,
    ${list(sql`select m.id, json_build_object('id', coalesce(i.id, x.id), 'name', coalesce(i.name, x.name), 'name_local', coalesce(i.name_local, x.name_local),
        'code', coalesce(i.code, x.code)) as person, m.examiner_id is not null as external, m.instructor_id, m.examiner_id,
        coalesce(i.academic_title, x.academic_title) as academic_title, m.job, m.position, m.share, m.tie, m.from_date, m.until_date
      from thesis_members m left join instructors i on i.id = m.instructor_id left join external_examiners x on x.id = m.examiner_id
      where m.thesis_id = t.id order by m.until_date is not null, m.position, m.id`)} as members,
    ${list(sql`select r.id, r.kind, r.council, r.session, r.number, r.decided_on, r.undone_at is not null as undone
      from thesis_decisions r where r.thesis_id = t.id order by r.id`)} as decisions,
    ${list(sql`select r.id, r.title, r.title_local, ${refOrNull('d')} as department, r.supervisors is not null as supervisors,
        json_build_object('title', r.before ->> 'title', 'title_local', r.before ->> 'title_local', 'department',
          (select ${sql.raw(refText('b'))} from departments b where b.id = (r.before ->> 'department_id')::int), 'supervisors', r.before -> 'supervisors') as before,
        r.reason, r.state, r.created_at as at
      from thesis_changes r left join departments d on d.id = r.department_id where r.thesis_id = t.id order by r.id desc`)} as changes,
    ${list(sql`select r.id, r.kind, r.from_date, r.until_date, r.reason, r.decision from thesis_clock r where r.thesis_id = t.id order by r.id`)} as clock,
    ${list(sql`select r.id, ${sql.raw(refText('l'))} as room, lower(r.during) as starts_at, upper(r.during) as ends_at,
        coalesce((select json_agg(json_build_object('id', p.id, 'name', coalesce(i.name, x.name), 'name_local', coalesce(i.name_local, x.name_local)) order by p.id)
          from thesis_discussion_people p left join instructors i on i.id = p.instructor_id left join external_examiners x on x.id = p.examiner_id
          where p.discussion_id = r.id), '[]') as people,
        r.result, r.changes_due, r.changes_done_on, r.minutes, r.cancelled_at is not null as cancelled
      from thesis_discussions r join locations l on l.id = r.location_id where r.thesis_id = t.id order by r.id desc`)} as discussions,
    ${list(sql`select r.id, r.until_date, r.progress, r.satisfied, r.text, ${BY} as by from thesis_reports r where r.thesis_id = t.id order by r.until_date desc`)} as reports,
    ${list(sql`select r.id, r.held_on, r.title from thesis_seminars r where r.thesis_id = t.id order by r.held_on desc`)} as seminars,
    ${list(sql`select r.id, r.kind, r.text, case when f.id is not null then ${FILE('f')} end as file, r.accepted_at
      from thesis_proofs r left join files f on f.id = r.file_id where r.thesis_id = t.id order by r.id`)} as proofs,
    ${list(sql`select r.id, r.number, ${FILE('f')} as file, r.note, r.created_at as at, ${BY} as by, r.similarity::float8 as similarity,
        case when g.id is not null then ${FILE('g')} end as similarity_file
      from thesis_versions r join files f on f.id = r.file_id left join files g on g.id = r.similarity_file_id
      where r.thesis_id = t.id order by r.number desc`)} as versions,
    ${list(sql`select r.id, r.version_id, r.reply_to, r.page, r.text, ${BY} as by, r.created_at as at, r.settled_at
      from thesis_remarks r join thesis_versions v on v.id = r.version_id where v.thesis_id = t.id order by coalesce(r.reply_to, r.id) desc, r.id`)} as remarks,
    (select json_build_object('handle', r.handle, 'embargo_until', r.embargo_until, 'licence', r.licence, 'deposited_at', r.deposited_at,
      'withdrawn_at', r.withdrawn_at, 'withdrawn_reason', r.withdrawn_reason) from thesis_deposits r where r.thesis_id = t.id) as deposit
    from theses t where t.id = ${id}`.execute(ctx.db)
  const read = firstRow(rows)
  const facts = (await factsOfTheses(ctx.db, [id])).get(id)!
  const { rules, approved_on, registered_on, clock, status } = facts
  const link = <F extends { id: number; name: string } | null>(file: F) =>
    file && { ...file, url: ctx.services.files.link(file, ctx.actor!) }
  const since = status === 'registered' ? registered_on : approved_on
  const last = read.reports[0]?.until_date ?? registered_on
  return {
    ...read,
    proofs: read.proofs.map((one) => ({ ...one, file: link(one.file) })),
    versions: read.versions.map((one) => ({
      ...one,
      file: link(one.file),
      similarity_file: link(one.similarity_file),
    })),
    earliest: status === 'approved' && approved_on ? addMonths(approved_on, rules.min_months) : null,
    latest: lastDayOf(facts),
    extensions_left: Math.max(
      0,
      rules.max_extensions - clock.filter((one) => one.kind === 'extension' && one.from_date >= (since ?? '')).length,
    ),
    report_due:
      last && ['registered', 'approved', 'changing'].includes(status) ? addMonths(last, rules.report_months) : null,
    reasons: nextReasons(facts).map((reason) => toProblem(reason)),
  }
}

export const wholeHandlers: readonly Handled[] = [
  handle(calls.whole, async (ctx, { params: { id } }) => ({ data: await wholeOf(ctx, id) })),
  handle(calls.my, async (ctx) => {
    const { own, supervised } = thesisReach(ctx)
    const { rows } = await sql<{
      id: number
      title: string
      title_local: string
      student: Ref
      degree: 'master' | 'doctorate'
      status: string
      due_on: string | null
      job: ThesisJob | null
      report_due: string | null
    }>`select t.id, t.title, t.title_local, ${sql.raw(refText('s'))} as student, t.degree, t.status, t.due_on::text,
        (select m.job from thesis_members m where m.thesis_id = t.id and m.until_date is null and m.instructor_id = ${ctx.actor?.instructor_id ?? null}::int
          order by m.position limit 1) as job,
        case when t.status in ('registered', 'approved', 'changing') then (coalesce((select max(r.until_date) from thesis_reports r where r.thesis_id = t.id), t.registered_on)
          + make_interval(months => coalesce((select r.report_months from thesis_rules r where r.bylaw_id = s.bylaw_id), 6)))::date::text end as report_due
      from theses t join students s on s.id = t.student_id
      where t.removed_at is null and (${own} or ${supervised}) and ${mayThesis(ctx, 'access_thesis')}
      order by t.status in ('granted', 'ended'), t.due_on nulls last, t.id`.execute(ctx.db)
    return { data: rows }
  }),
]
