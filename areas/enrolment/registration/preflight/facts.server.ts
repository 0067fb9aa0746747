/** What the preflight is judged by: of one student, or of all of a faculty in one statement. */
import { firstRow } from '#db/rows.ts'
import { sql, type RawBuilder } from 'kysely'
import { toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { loadFor, type TermType } from '#areas/study/catalogue/bylaw.rules.ts'
import { opensTo } from '#areas/common/academics/window-reach.server.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { flag, loadMask, statusToWire, type StageCode } from '#areas/common/academics/status.rules.ts'
import type { Ref } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import type { RefusalCode } from '../registration-refusals.rules.ts'
import type { RequestInput } from '../registration-input.rules.ts'
import type { GatheredRequest, GatheredOffering } from '../requests/gather.server.ts'
import { hoursToDegree, inputOf, rulesFor } from '../requests/judge.server.ts'
import { judgedAt, preflight, type JudgedLine, type OpenRequest } from './preflight.rules.ts'

/** A student as the preflight reads one; figures are those that are out, because by them a student's requests are judged. */
export type PreflightFacts = Omit<Ref, 'code'> & {
  code: string
  name_local: string
  status: string
  /** Since the last decision on it. */
  status_since: string | null
  faculty_id: number
  department_id: number | null
  program_id: number
  bylaw_id: number
  bylaw_version: number
  advisor_id: number | null
  user_id: number | null
  level: number
  gpa: number | null
  warnings: number
  passed_hours: number
  program_hours: number
  blocked_at: string | null
  holds: GatheredRequest['holds'] | null
  windows: [StageCode, string, string][] | null
  /** Credit hours of what weighs on the term. */
  loaded: number[] | null
  placements: [string, string, string][] | null
  requests: [OpenRequest, string | null, Record<string, string>][] | null
}

export type FactsTerm = { id: number; term_type: TermType; name: string; name_local: string; code: string | null }

const bits = (mask: bigint) => sql.raw(mask.toString())
const WAYS = sql`('register', 'add_drop')`
const leaving = flag.DropRequest | flag.WithdrawRequest

/** What students point to, each named once. */
type Named = Readonly<Record<'faculties' | 'programs' | 'advisors', Readonly<Record<string, Ref>> | null>>

const namesOf = (table: string, column: string) =>
  sql`(select json_object_agg(r.id, ${refOrNull('r')}) from ${sql.table(table)} r where r.id in (select ${sql.ref(column)} from who))`

/** The term of the window that is open or comes next: of a student's own windows, or of those of the whole university. */
export const preflightTermOf = (termId: number | undefined, studentId?: number): RawBuilder<unknown> => sql`
  select coalesce(${termId ?? null}::int,
    (select w.term_id from stage_windows w join stage_codes c on c.id = w.stage_code_id and c.code in ${WAYS}
      left join stage_groups g on g.id = w.stage_group_id
      where w.removed_at is null and w.ends_at > now() and ${
        studentId === undefined
          ? sql`w.exception_id is null`
          : sql`exists (select from students s where s.id = ${studentId}
              and ${opensTo({ student: 's', window: 'w', group: 'g', level: '(select sh.level from shown_standing sh where sh.student_id = s.id)' })})`
      }
      order by w.starts_at, w.id limit 1), ${currentTermId()}) as id`

/**
 * Students with what the preflight needs, in one statement.
 * @param where on the student `s` and the program `p`
 */
export async function preflightFactsOf(
  ctx: Ctx,
  term: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): Promise<{ now: string; term: FactsTerm | null; students: PreflightFacts[]; named: Named }> {
  const { rows } = await sql<{ now: string; term: FactsTerm | null; students: PreflightFacts[] | null; named: Named }>`
    with chosen as (${term}), t as materialized (select x.* from terms x where x.id = (select id from chosen)),
    w as materialized (
      select w.id, w.exception_id, w.stage_group_id, c.code, w.starts_at, w.ends_at from stage_windows w
      join stage_codes c on c.id = w.stage_code_id and c.code in ${WAYS}
      where w.term_id = (select id from t) and w.removed_at is null and w.ends_at > now()
    ), who as materialized (
      select s.id, s.code, s.name, s.name_local, s.status, s.faculty_id, p.department_id, s.program_id, s.bylaw_id, s.advisor_id, s.user_id,
        case when s.status <> 'studying' then (select max(d.decided_on)::text from student_status_decisions d where d.student_id = s.id) end as status_since,
        (select version from bylaws where id = s.bylaw_id) as bylaw_version,
        sh.level, sh.gpa, sh.warnings, sh.passed_hours::float8, p.min_credit_hours::float8 as program_hours,
        s.blocked_at,
        (select json_agg(json_build_object('kind', h.kind, 'note', h.note, 'note_local', h.note_local, 'since', h.since))
          from standing_holds h where h.student_id = s.id) as holds,
        (select json_agg(json_build_array(w.code, w.starts_at, w.ends_at)) from w left join stage_groups g on g.id = w.stage_group_id
          where ${opensTo({ student: 's', window: 'w', group: 'g', level: 'sh.level' })}) as windows,
        (select json_agg(r.credit_hours) from registrations r where r.student_id = s.id and r.term_id = (select id from t)
          and r.status & ${bits(loadMask)} <> 0 and not outweighed(r.id)) as loaded,
        (select json_agg(json_build_array(x.name, x.name_local, pr.created_at)) from placement_results pr
          join placement_tests x on x.id = pr.placement_test_id and x.removed_at is null and x.is_required
          where pr.student_id = s.id and pr.removed_at is null and pr.state = 'due') as placements,
        (select json_agg(json_build_array(q.kind, q.since, q.data)) from (
          select 'withdrawal' as kind, min(r.updated_at) as since, jsonb_build_object('courses', string_agg(c.code, ', ' order by c.code)) as data
            from registrations r join courses c on c.id = r.course_id where r.student_id = s.id and r.term_id = (select id from t)
              and r.status & ${bits(leaving)} <> 0 having count(*) > 0
          union all select 'excuse', min(e.created_at), '{}' from excuses e
            where e.student_id = s.id and e.status = 'requested' and e.removed_at is null having count(*) > 0
          union all select 'transfer', i.created_at, jsonb_build_object('program', np.name, 'program_local', np.name_local)
            from internal_transfers i join programs np on np.id = i.program_id
            where i.student_id = s.id and i.status in ('added', 'agreed') and i.removed_at is null
          union all select 'transfer_out', o.created_at, '{}' from transfers_out o
            where o.student_id = s.id and o.status = 'requested' and o.removed_at is null) q) as requests
      from students s join programs p on p.id = s.program_id join shown_standing sh on sh.student_id = s.id
      where s.removed_at is null and ${where}
    )
    select now() as now, (select json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'code', t.code,
        'term_type', t.term_type) from t) as term,
      (select json_agg(who order by who.code, who.id) from who) as students,
      json_build_object('faculties', ${namesOf('faculties', 'faculty_id')}, 'programs', ${namesOf('programs', 'program_id')},
        'advisors', ${namesOf('instructors', 'advisor_id')}) as named`.execute(ctx.db)
  const { now, term: chosen, students, named } = firstRow(rows)
  return { now: new Date(now).toISOString(), term: chosen, students: students ?? [], named }
}

/** Nothing of a course is asked: no meetings, no requirements, the least hours. */
const IDEAL: GatheredOffering = {
  id: 0,
  term_id: 0,
  course_id: 0,
  is_open: true,
  control_status: 'Draft',
  open_program: true,
  level: null,
  course_code: '',
  credit_hours: 0.01,
  min_passed_hours: 0,
  min_level: 0,
  prerequisites: null,
  corequisite_ids: [],
  plan_kind: null,
  slots: [
    {
      id: 0,
      group_id: 0,
      group: 1,
      group_name: null,
      type: 'Lecture',
      section: null,
      meetings: [],
      quota: 1,
      over_quota: 0,
      taken: 0,
      held: 0,
    },
  ],
}
const WANTED = { offering_slot_ids: [0], improve: false }

/** A student as a request would find one, at the moment at which it is judged. */
export function gatheredOf(
  facts: PreflightFacts,
  term: FactsTerm | null,
  now: string,
): GatheredRequest & { action: 'request' | 'add' } {
  const term_id = term?.id ?? 0
  const stages = (facts.windows ?? []).map(([code, from, to]) => ({ code, from, to }))
  const { at, action } = judgedAt(stages, now)
  const gpa = facts.gpa === null ? null : Math.round(facts.gpa * 100)
  const { level, passed_hours, program_hours, warnings } = facts
  return {
    action,
    now: at,
    reference: { version: 0, periods: new Map(), equals: new Map() },
    turn: 0,
    student: {
      ...facts,
      user_id: null,
      blocked: facts.blocked_at !== null,
      gpa,
      shown_level: level,
      shown_gpa: gpa,
      shown_passed_hours: passed_hours,
      shown_warnings: warnings,
      program_hours,
    },
    holds: facts.holds ?? [],
    passed: [],
    exams: new Map(),
    placements: [],
    failed_ids: [],
    improvements: 0,
    terms: [{ id: term_id, term_type: term?.term_type ?? 'fall', stages }],
    registrations: (facts.loaded ?? []).map((hours, i) => ({
      id: 0,
      term_id,
      offering_id: -1 - i,
      course_id: -1 - i,
      credit_hours: toHundredths(hours),
      status: statusToWire(flag.Registered),
      slot_ids: [],
      meetings: [],
    })),
    elsewhere: [],
    offerings: [],
  }
}

type Rules = Awaited<ReturnType<typeof rulesFor>>

/** The request for a course that asks for nothing, at the moment at which it is judged. */
export const idealRequest = (g: ReturnType<typeof gatheredOf>, rules: Rules): RequestInput =>
  inputOf(g, rules, { ...IDEAL, term_id: g.terms[0]!.id }, g.registrations, WANTED, [], {
    who: 'student',
    action: g.action,
    over_quota: false,
  })

const earliest = (days: readonly (string | null | undefined)[]): string | null =>
  days.filter((day): day is string => Boolean(day)).toSorted()[0] ?? null

/** What the reader is told beside the fact that something blocks. */
export type Told = {
  /** How the student stands: warnings. */
  standing: boolean
  /** Since when a hold stands. */
  holds: boolean
}

/** The lines of a student. */
export function preflightLinesOf(
  facts: PreflightFacts,
  term: FactsTerm | null,
  now: string,
  rules: Rules,
  { standing, holds }: Told,
): JudgedLine[] {
  const g = gatheredOf(facts, term, now)
  const since = (kind: GatheredRequest['holds'][number]['kind']) =>
    holds ? earliest(g.holds.filter((hold) => hold.kind === kind).map((hold) => hold.since)) : null
  const known: Partial<Record<RefusalCode, string | null>> = {
    hold_payment: since('unpaid_invoice'),
    hold_survey: since('obligatory_survey'),
    hold_documents: since('missing_documents'),
    hold_blocked: holds ? earliest([facts.blocked_at, since('blocked')]) : null,
    not_studying: facts.status_since,
  }
  const { shown_gpa: gpa, shown_warnings: warnings, shown_passed_hours: passed_hours, program_hours } = g.student
  const load =
    standing && warnings > 0 && !rules.marks
      ? loadFor(
          rules,
          { gpa, warnings, hours_to_degree: hoursToDegree({ program_hours, passed_hours }, rules) },
          g.terms[0]!.term_type,
        )
      : null
  return preflight(idealRequest(g, rules), {
    advised: facts.advisor_id !== null,
    placements: (facts.placements ?? []).map(([en, ar, day]) => ({ test: { en, ar }, since: day })),
    requests: (facts.requests ?? []).map(([kind, day, data]) => ({ kind, since: day, data })),
    limit: load && { maximum: load.max_ch, warnings },
    since: known,
  })
}
