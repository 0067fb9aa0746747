/** What a student has in a term, and what he or she can still have: for the student, the advisor and the registrar. */
import type { StudentStatus } from '#areas/common/academics/student-status.rules.ts'
import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { loadFor, type TermType } from '#areas/study/catalogue/bylaw.rules.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ref } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { byBlock } from '../block/by-block.server.ts'
import { actionsOn, holdOn } from '../changes/change.server.ts'
import { isSelf, reachOf, studentScope, type Bound } from '../capacity.server.ts'
import { weighing } from '../swap/swap.rules.ts'
import { checkRequest, meetingsClash } from '../registration.rules.ts'
import type { RefusalCode } from '../registration-refusals.rules.ts'
import type { RequestedMeeting } from '../registration-input.rules.ts'
import { opensTo } from '#areas/common/academics/window-reach.server.ts'
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import { STANDING_READERS } from '#areas/records/students/student/student.contract.ts'
import {
  attemptOf,
  countsInLoad,
  flag,
  fromWire,
  isAudit,
  loadMask,
  mainOf,
  type StageCode,
} from '#areas/common/academics/status.rules.ts'
import { gatherRequest, type GatheredOffering } from './gather.server.ts'
import {
  courseCodes,
  hoursToDegree,
  inputOf,
  openStages,
  reasonsOf,
  elsewhereIn,
  rulesFor,
  slotCodes,
  toldTo,
  wayIn,
} from './judge.server.ts'
import { offeredTo, slotJoins, slotJson, slotOrder, whileAsked } from './offered.server.ts'
import type {
  Available,
  AvailableOffering,
  LoadRow,
  Requested,
  RequestedRow,
  SlotRow,
  StageRow,
  WaitRow,
} from './request.contract.ts'
import { inQueueOf } from './queue.server.ts'
import { waitColumns } from './wait-list.server.ts'

/** Rights by which staff look at a student's registration. */
export const LOOKERS: readonly PermissionKey[] = [
  'access_registration',
  'request_registration',
  'accept_registration',
  'access_advising',
]

/** The student within the reader's reach, the windows that concern the student, and the term that is meant. */
const base = (ctx: Ctx, studentId: number, termId: number | undefined): RawBuilder<unknown> => sql`
  s as (
    select s.id, s.code, s.name, s.name_local, s.status, s.user_id, s.faculty_id, s.program_id, s.bylaw_id, s.advisor_id, p.department_id,
      p.min_credit_hours as program_hours, f.level, f.gpa, f.warnings, f.passed_hours, sh.level as shown_level,
      ${isSelf(ctx, studentId) ? sql`(sh.gpa_shown and not results_held(s.id))` : sql`true`} as gpa_shown
    from students s join programs p on p.id = s.program_id join shown_standing sh on sh.student_id = s.id
      -- The student reads figures that are out, staff those that control has settled.
      cross join lateral (select ${sql.raw(
        ['level', 'gpa', 'warnings', 'passed_hours']
          .map((name) => `${isSelf(ctx, studentId) ? 'sh' : 's'}.${name}`)
          .join(', '),
      )}) f
    where s.id = ${studentId} and s.removed_at is null and ${scopeCondition(ctx, ['access_student', ...LOOKERS], studentScope(ctx))}
  ), windows as (
    select w.id, w.term_id, sc.code, sc.name, sc.name_local, w.starts_at, w.ends_at, now() >= w.starts_at and now() < w.ends_at as open
    from s cross join stage_windows w join stage_codes sc on sc.id = w.stage_code_id left join stage_groups g on g.id = w.stage_group_id
    where w.removed_at is null and w.ends_at > now()
      and ${opensTo({ student: 's', window: 'w', group: 'g', level: 's.shown_level' })}
  ), now_term as (select term_id from current_terms where key = 'current_term'
  ), t as (
    select * from terms where id = coalesce(${termId ?? null}::int,
      (select term_id from windows where open and code in ('register', 'add_drop', 'withdraw')
        order by term_id = (select term_id from now_term) desc nulls last, starts_at limit 1),
      (select term_id from now_term))
  )`

const stageJson = sql`json_build_object('id', w.id, 'code', w.code, 'name', w.name, 'name_local', w.name_local,
  'starts_at', to_char(w.starts_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'ends_at', to_char(w.ends_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'open', w.open,
  'term', (select ${ref('x')} from terms x where x.id = w.term_id))`
const stagesOfTerm = sql`coalesce((select json_agg(${stageJson} order by w.starts_at, w.id) from windows w
  where w.term_id = (select id from t) and w.code in ('register', 'add_drop', 'withdraw', 'excuse')), '[]')`
const personJson = sql`json_build_object('id', s.id, 'name', s.name, 'name_local', s.name_local, 'code', s.code, 'level', s.level,
  'program', (select ${ref('x')} from programs x where x.id = s.program_id), 'faculty', (select ${ref('x')} from faculties x where x.id = s.faculty_id),
  'advisor', (select ${ref('x')} from instructors x where x.id = s.advisor_id))`
const termJson = sql`(select json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'code', t.code, 'term_type', t.term_type,
  'start_date', t.start_date, 'end_date', t.end_date) from t)`
const courseJson = sql`json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local, 'credit_hours', c.credit_hours)`

type Known = Omit<Bound, 'id'> & {
  status: StudentStatus
  student: Requested['student']
  bylaw_version: number
  gpa: string | null
  /** The bylaw lets the reader see it; limits of the load follow it all the same. */
  gpa_shown: boolean
  warnings: number
  passed_hours: number
  program_hours: number
  elsewhere: LoadRow['elsewhere']
}
const known = sql`${personJson} as student, s.status, s.faculty_id, s.department_id, s.bylaw_id, s.program_id, s.advisor_id, s.gpa, s.gpa_shown, s.warnings,
  s.passed_hours::float8, s.program_hours::float8,
  (select version from bylaws where id = s.bylaw_id) as bylaw_version,
  coalesce((select json_agg(json_build_object('program', ${ref('p')}, 'hours', x.hours, 'courses', x.courses) order by p.code) from (
      select o.program_id, sum(r.credit_hours)::float8 as hours, count(*)::int as courses
      from students o join registrations r on r.student_id = o.id and not outweighed(r.id)
      where o.user_id = s.user_id and o.id <> s.id and o.removed_at is null and r.term_id = (select id from t)
        and r.status & ${String(loadMask)}::bigint <> 0 group by 1) x
    join programs p on p.id = x.program_id), '[]') as elsewhere`
const boundOf = (row: Known): Bound => ({
  id: row.student.id,
  faculty_id: row.faculty_id,
  department_id: row.department_id,
  bylaw_id: row.bylaw_id,
  program_id: row.program_id,
  advisor_id: row.advisor_id,
})

/** Who reads how a student stands, besides the student. */
const STANDING = STANDING_READERS.filter((reader) => reader !== 'self')

async function loadOf(
  ctx: Ctx,
  row: Known,
  termType: TermType | undefined,
  registrations: readonly { id: number; status: string; credit_hours: number; gives_up_id: number | null }[],
): Promise<LoadRow> {
  const rules = await bylawSettings(ctx.db, row.bylaw_id, row.bylaw_version)
  const gpa = row.gpa === null ? null : Math.round(Number(row.gpa) * 100)
  const hours_to_degree = hoursToDegree(row, rules)
  const limit = rules.marks
    ? null
    : loadFor(rules, { gpa, warnings: row.warnings, hours_to_degree }, termType ?? 'fall')
  const standing = isSelf(ctx, row.student.id) || reachOf(ctx, STANDING, boundOf(row)) !== null
  const loaded = weighing(registrations.filter((registration) => countsInLoad(mainOf(fromWire(registration.status)))))
  return {
    hours: sumDecimals(loaded.map((one) => one.credit_hours)),
    max_hours: limit?.max_ch ?? null,
    courses: loaded.length,
    max_courses: limit?.max_courses ?? null,
    by_marks: rules.marks !== null,
    // How the student stands is told with the record; the limit that comes of it is not.
    gpa: row.gpa_shown && standing && !rules.marks ? row.gpa : null,
    warnings: standing && !rules.marks ? row.warnings : null,
    level: row.student.level,
    elsewhere: row.elsewhere,
  }
}

type RequestedSql = Known & {
  term: Requested['term']
  stages: StageRow[]
  registrations: (Pick<
    RequestedRow,
    'id' | 'offering_id' | 'offering_code' | 'course' | 'slots' | 'requested_at' | 'status' | 'by_decision'
  > & { credit_hours: number; control_status: ControlStatus; by_block: boolean; gives_up_id: number | null })[]
  waiting: WaitRow[]
}

/** Registrations of a student in a term, with what the reader may do about them. @throws {Refusal} 404 out of reach */
export async function requestedOf(ctx: Ctx, studentId: number, termId?: number): Promise<Requested> {
  const over = ctx.can('use_over_quota')
  const { rows } = await sql<RequestedSql>`with ${base(ctx, studentId, termId)}
    select ${known}, ${termJson} as term, ${stagesOfTerm} as stages,
      coalesce((select json_agg(json_build_object('id', r.id, 'offering_id', r.offering_id, 'offering_code', o.code,
          'course', ${courseJson}, 'credit_hours', r.credit_hours, 'status', r.status::text, 'control_status', o.control_status,
          'by_block', ${byBlock('r')}, 'by_decision', registration_case_stands(r.id, decided_state(r.status)),
          'gives_up_id', (select x.gives_up_id from registration_exchanges x where x.registration_id = r.id), 'requested_at', to_char(r.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
          'slots', coalesce((select json_agg(${slotJson(over)} order by os.day, p.start_time, os.id) from registration_slots rs
            join ${slotJoins} on os.id = rs.offering_slot_id where rs.registration_id = r.id), '[]')) order by c.code)
        from registrations r join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id
        where r.student_id = s.id and r.term_id = (select id from t)), '[]') as registrations,
      coalesce((select json_agg(${waitColumns} order by w.id) from wait_list w join offerings o on o.id = w.offering_id join courses c on c.id = o.course_id
        where w.student_id = s.id and w.state = 'waiting' and o.term_id = (select id from t)), '[]') as waiting
    from s`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const bound = boundOf(row)
  const open: StageCode[] = row.stages.filter((stage) => stage.open).map((stage) => stage.code)
  const stages = [...new Set(open)]
  const abilities: string[] = []
  const staff = reachOf(ctx, ['request_registration'], bound) !== null
  const override = reachOf(ctx, ['override_registration_rule'], bound) !== null
  const self = isSelf(ctx, studentId)
  if ((self || staff) && (stages.includes('register') || (staff && override))) abilities.push('request')
  if ((self || staff) && (stages.includes('add_drop') || (staff && override))) abilities.push('add')
  if (reachOf(ctx, ['enroll_students'], bound) !== null) abilities.push('enroll')
  if (override) abilities.push('override')
  if (reachOf(ctx, ['use_over_quota'], bound) !== null) abilities.push('over_quota')
  if (reachOf(ctx, ['accept_registration'], bound) !== null) abilities.push('accept')
  return {
    student: row.student,
    term: row.term,
    stages: row.stages,
    load: await loadOf(ctx, row, row.term?.term_type, row.registrations),
    registrations: row.registrations.map(({ credit_hours: _hours, control_status, by_block, gives_up_id, ...one }) => {
      const status = fromWire(one.status)
      const main = mainOf(status) ?? 'Registered'
      const given_for = row.registrations.find((other) => other.gives_up_id === one.id)
      return {
        ...one,
        gives_up: exchangedWith(row.registrations.find(({ id }) => id === gives_up_id)),
        given_for: exchangedWith(given_for),
        state: main,
        attempt: attemptOf(status),
        audit: isAudit(status),
        abilities: actionsOn(ctx, {
          main,
          stages,
          student: bound,
          student_status: row.status,
          control_status,
          by_block,
          course_code: one.course.code ?? '',
          under_way: given_for !== undefined,
        }),
        held: holdOn(ctx, { main, student: bound, control_status, course_code: one.course.code ?? '' }),
      }
    }),
    waiting: row.waiting,
    abilities,
  }
}

const exchangedWith = (
  row: Pick<RequestedRow, 'id' | 'offering_id' | 'course'> | undefined,
): RequestedRow['gives_up'] =>
  row ? { registration_id: row.id, offering_id: row.offering_id, course: row.course } : null

/** Windows of a student, open and coming, of every term. @throws {Refusal} 404 */
export async function stagesOf(ctx: Ctx, studentId: number): Promise<StageRow[]> {
  const { rows } = await sql<{ stages: StageRow[] }>`with ${base(ctx, studentId, undefined)}
    select coalesce((select json_agg(${stageJson} order by w.starts_at, w.id) from windows w), '[]') as stages from s`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].stages
}

type AvailableSql = Known & {
  term: Available['term']
  stages: StageRow[]
  registrations: { id: number; offering_id: number; status: string; credit_hours: number; gives_up_id: number | null }[]
  queues: { offering_id: number; position: number }[]
}

/** Offerings open to a student's program in a term, with what stands against each. @throws {Refusal} 404 */
export const availableTo = (ctx: Ctx, studentId: number, termId?: number): Promise<Available> =>
  whileAsked(ctx, async () => {
    const { rows } = await sql<AvailableSql>`with ${base(ctx, studentId, termId)}
      select ${known}, ${termJson} as term, ${stagesOfTerm} as stages,
        coalesce((select json_agg(json_build_object('id', r.id, 'offering_id', r.offering_id, 'status', r.status::text, 'credit_hours', r.credit_hours,
            'gives_up_id', (select x.gives_up_id from registration_exchanges x where x.registration_id = r.id)))
          from registrations r where r.student_id = s.id and r.term_id = (select id from t)), '[]') as registrations,
        coalesce((select json_agg(json_build_object('offering_id', mine.offering_id, 'position', (select count(*) from wait_list w
            where w.state = 'waiting' and w.id <= mine.id and ${inQueueOf('w', 'mo')})))
          from wait_list mine join offerings mo on mo.id = mine.offering_id where mine.student_id = s.id and mine.state = 'waiting'), '[]') as queues
      from s`.execute(ctx.db)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    const own = new Map(row.registrations.map((one) => [one.offering_id, one]))
    const places = new Map(row.queues.map((queue) => [queue.offering_id, queue.position]))
    const offered = row.term ? await offeredTo(ctx, row.term.id, row.program_id, ctx.can('use_over_quota')) : []
    const seen = offered.filter((one) => one.rules.is_open || own.has(one.row.id))
    const [load, refusals] = await Promise.all([
      loadOf(ctx, row, row.term?.term_type, row.registrations),
      refusalsOf(
        ctx,
        row,
        row.stages,
        seen.map((one) => one.rules),
      ),
    ])
    return {
      term: row.term,
      student: row.student,
      stages: row.stages,
      load,
      offerings: seen.map((one) => {
        const registration = own.get(one.row.id)
        return {
          ...one.row,
          registration: registration
            ? { id: registration.id, state: mainOf(fromWire(registration.status)) ?? 'Registered' }
            : null,
          wait_position: places.get(one.row.id) ?? null,
          refusals: refusals.get(one.row.id) ?? [],
        }
      }),
    }
  })

async function refusalsOf(
  ctx: Ctx,
  row: Known,
  stages: readonly StageRow[],
  offerings: readonly GatheredOffering[],
): Promise<Map<number, AvailableOffering['refusals']>> {
  const [any] = offerings
  if (!any) return new Map()
  // The student's part, with one offering to name the term.
  const own = await gatherRequest(ctx.pool, row.student.id, [any.id])
  if (!own) throw refuse(404, 'not_found')
  const g = { ...(await toldTo(ctx, own)), offerings: [...offerings] }
  const [rules, codes] = await Promise.all([rulesFor(ctx, g), courseCodes(ctx, g)])
  const who = isSelf(ctx, row.student.id)
    ? 'student'
    : reachOf(ctx, ['request_registration'], boundOf(row)) === 'scope'
      ? 'registrar'
      : 'advisor'
  const terms = {
    who,
    action: wayIn(stages.flatMap((stage) => (stage.open ? stage.code : []))),
    over_quota: false,
  } as const
  return new Map(
    g.offerings.map((offering) => {
      const current = g.registrations.filter((registration) => registration.term_id === offering.term_id)
      const input = inputOf(g, rules, offering, current, { offering_slot_ids: [], improve: false }, [], terms, codes)
      const found = checkRequest(input).filter((one) => !slotCodes.has(one.code))
      const problems = reasonsOf([{ offering_id: offering.id, refusals: found }], () => null).map(toProblem)
      return [offering.id, problems as (ReturnType<typeof toProblem> & { code: RefusalCode })[]] as const
    }),
  )
}

/** Slots of an offering, those the student has chosen in it, and the registration. */
export async function currentSlots(
  ctx: Ctx,
  studentId: number,
  offeringId: number,
): Promise<{ registration_id: number | null; chosen: number[]; slots: SlotRow[] }> {
  const { rows } = await sql<{
    registration_id: number | null
    chosen: number[]
    slots: SlotRow[]
  }>`with ${base(ctx, studentId, undefined)}
    select (select id from registrations r where r.student_id = s.id and r.offering_id = o.id) as registration_id,
      array(select rs.offering_slot_id from registrations r join registration_slots rs on rs.registration_id = r.id
        where r.student_id = s.id and r.offering_id = o.id order by 1) as chosen,
      coalesce((select json_agg(${slotJson(ctx.can('use_over_quota'))} order by ${slotOrder})
        from ${slotJoins} where os.offering_id = coalesce(o.linked_offering_id, o.id)), '[]') as slots
    from s join offerings o on o.id = ${offeringId} and o.removed_at is null`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/**
 * Slots of an offering that the student can choose, each with the courses it clashes with.
 * @throws {Refusal} 409 with every reason why the offering cannot be had at all; 404
 */
export async function slotsFor(
  ctx: Ctx,
  studentId: number,
  offeringId: number,
  improve: boolean,
): Promise<(SlotRow & { clashes: string[] })[]> {
  const { slots } = await currentSlots(ctx, studentId, offeringId)
  const gathered = await gatherRequest(ctx.pool, studentId, [offeringId])
  const offering = gathered?.offerings[0]
  if (!gathered || !offering) throw refuse(404, 'not_found')
  const g = await toldTo(ctx, gathered)
  const [rules, codes] = await Promise.all([rulesFor(ctx, g), courseCodes(ctx, g)])
  const action = wayIn(openStages(g, offering.term_id))
  const who = isSelf(ctx, studentId) ? 'student' : 'registrar'
  const input = inputOf(
    g,
    rules,
    offering,
    g.registrations,
    { offering_slot_ids: [], improve },
    [],
    { who, action, over_quota: false },
    codes,
  )
  const refusals = checkRequest(input).filter((one) => !slotCodes.has(one.code))
  if (refusals.length)
    throw new Refusal(
      409,
      reasonsOf([{ offering_id: offeringId, refusals }], () => null),
    )
  const busy = g.registrations.filter(
    (registration) => countsInLoad(mainOf(fromWire(registration.status))) && registration.offering_id !== offeringId,
  )
  const elsewhere = elsewhereIn(g, offering.term_id).filter((one) => countsInLoad(mainOf(fromWire(one.status))))
  const meetingOf = new Map(offering.slots.map((slot) => [slot.id, slot]))
  return slots.map((slot) => {
    const meeting = meetingOf.get(slot.id)
    const clashing = (one: { meetings: readonly RequestedMeeting[] }) =>
      one.meetings.some((other) => meeting?.meetings.some((own) => meetingsClash(own, other)))
    const clashes = [
      ...busy.filter(clashing).map((one) => codes[one.course_id] ?? ''),
      ...elsewhere.filter(clashing).map((one) => one.course_code),
    ]
    return { ...slot, clashes }
  })
}

type TermTaken = Ref & {
  term_type: TermType
  start_date: string
  end_date: string
  courses: number
  hours: number
  gpa: string | null
  is_current: boolean
}

/** Terms in which a student has registrations, the newest first. @throws {Refusal} 404 */
export async function termsOf(ctx: Ctx, studentId: number): Promise<TermTaken[]> {
  const { rows } = await sql<{ terms: TermTaken[] }>`with ${base(ctx, studentId, undefined)}
    select coalesce((select json_agg(json_build_object('id', x.id, 'name', x.name, 'name_local', x.name_local, 'code', x.code, 'term_type', x.term_type,
        'start_date', x.start_date, 'end_date', x.end_date, 'courses', r.courses, 'hours', r.hours,
        'gpa', (select gpa::text from student_terms st where st.student_id = s.id and st.term_id = x.id and st.revised_since is null
          ${isSelf(ctx, studentId) ? sql`and s.gpa_shown and figures_out(s.id, x.id, (select b.grades_visibility ->> 'gpa' from bylaws b where b.id = s.bylaw_id))` : sql``}),
        'is_current', x.id = (select term_id from now_term)) order by x.start_date desc)
      from (select term_id, count(*)::int as courses, coalesce(sum(credit_hours) filter (where status & ${flag.Dropped.toString()}::bigint = 0), 0) as hours
        from registrations where student_id = s.id group by 1) r join terms x on x.id = r.term_id), '[]') as terms
    from s`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].terms
}
