/**
 * Everything a request for registration is judged by, in one statement: the student, the windows, what he or she has
 * passed and holds now, and the offerings with their groups, meetings and free seats.
 */
import { toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { MeetingType } from '#kit/contract/week.ts'
import type pg from 'pg'
import { CompiledQuery } from 'kysely'
import { query, type Tx } from '#db/connect.ts'
import type { TermType } from '#areas/study/catalogue/bylaw.rules.ts'
import type { PassedCourse, Requisite } from '#areas/study/catalogue/requisites.rules.ts'
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import type { PlacementBand } from '#areas/common/academics/placement.rules.ts'
import { windowOpensTo } from '#areas/common/academics/window-reach.server.ts'
import type {
  CurrentRegistration,
  ExamTime,
  RequestedMeeting,
  RegistrationElsewhere,
} from '../registration-input.rules.ts'
import type { StageCode } from '#areas/common/academics/status.rules.ts'
import { requestedMeetingsAt, requestReferenceOf, type RequestReference } from './reference.server.ts'

/** Within a transaction the statement sees what the transaction has locked. */
type Client = pg.Pool | pg.PoolClient | Tx

const read = async (client: Client, studentId: number, offeringIds: readonly number[]): Promise<Row[]> =>
  'executeQuery' in client
    ? (await client.executeQuery<Row>(CompiledQuery.raw(SEVERAL, [studentId, offeringIds]))).rows
    : query<Row>(client, 'registration_gather', SEVERAL, [studentId, offeringIds])

/** A slot with what a person wants to know of it; `taken` counts the seats held now. */
export type GatheredSlot = {
  id: number
  group_id: number
  group: number
  group_name: string | null
  type: MeetingType
  /** Meetings of one group and type that are attended together; others are alternatives. */
  section: string | null
  /** In regular and in Ramadan time; empty: not yet placed. */
  meetings: RequestedMeeting[]
  quota: number
  over_quota: number
  taken: number
  /** Free seats that only the wait list may give. */
  held: number
}

/** An offering as it is judged. `open_program`: whether the student's program is among those it is open to. */
export type GatheredOffering = {
  id: number
  term_id: number
  course_id: number
  is_open: boolean
  control_status: ControlStatus
  open_program: boolean
  level: number | null
  course_code: string
  /** Hours. */
  credit_hours: number
  min_passed_hours: number
  min_level: number
  prerequisites: Requisite | null
  corequisite_ids: number[]
  /** As what the course stands in the student's plan; null: it does not. */
  plan_kind: 'mandatory' | 'elective' | 'university' | 'faculty' | null
  slots: GatheredSlot[]
}

/** A registration of the student in one of the terms asked about; credit hours in hundredths. */
export type GatheredRegistration = Omit<CurrentRegistration, 'course_code' | 'exams'> & {
  id: number
  term_id: number
  slot_ids: number[]
}

/** What the person is registered for in another program in one of these terms. */
export type GatheredElsewhere = Omit<RegistrationElsewhere, 'exams'> & { term_id: number }

export type GatheredRequest = {
  now: string
  reference: RequestReference
  /** See `registration_turns`: moves on with every registration of the student. */
  turn: number
  student: {
    id: number
    user_id: number | null
    status: string
    faculty_id: number
    department_id: number | null
    program_id: number
    bylaw_id: number
    advisor_id: number | null
    level: number
    /** Hundredths. */
    gpa: number | null
    /** Hours. */
    passed_hours: number
    /** Hours the program asks for; 0: the bylaw says it. */
    program_hours: number
    warnings: number
    /** The same figures as far as results are out: by these a student's own requests are judged. */
    shown_level: number
    /** Hundredths. */
    shown_gpa: number | null
    shown_passed_hours: number
    shown_warnings: number
    blocked: boolean
    bylaw_version: number
  }
  holds: {
    kind: 'unpaid_invoice' | 'obligatory_survey' | 'blocked' | 'missing_documents'
    note: string | null
    note_local: string | null
    since: string
  }[]
  /** Passed by settled results; `out`: the student may know it. What is neither is in progress. */
  passed: (PassedCourse & { out: boolean })[]
  /** Placement tests with a result, and those that have to be taken before their courses. */
  placements: PlacementBand[]
  /** Courses failed in some attempt (by marks, absent, banned, punished), as far as that is out. */
  failed_ids: number[]
  improvements: number
  terms: { id: number; term_type: TermType; stages: { code: StageCode; from: string; to: string }[] }[]
  registrations: GatheredRegistration[]
  /** Published exams of these offerings, by offering. */
  exams: ReadonlyMap<number, ExamTime[]>
  elsewhere: GatheredElsewhere[]
  offerings: GatheredOffering[]
}

// Students and offerings come as `$1` and `$2`. Only a turn that several records of a person share has an account. Linked offerings show the groups and seats of the one they are linked to. A program is
// admitted by the list of the offering, else by having the course in its plan; a program without any plan (imported,
// say) is not shut out. Flags travel as text: JSON would round them. Columns are aggregated one by one, because objects
// cost several times as much. 64 is Improve, 18141941861376 is everything by which an attempt ends without result,
// 2305843009884782592 is Absent, Banned and Punished (status.rules.ts).
const statement = (asked: string, offerings: string, terms: string) => `
select now() as now, (select version from registration_reference) as reference,
  tu.turn,
  s.id, s.user_id, s.status, s.faculty_id, p.department_id, s.program_id, s.bylaw_id, s.advisor_id, s.level, s.gpa,
  s.passed_hours::float8, p.min_credit_hours::float8 as program_hours, s.warnings, sh.level as shown_level, sh.gpa as shown_gpa,
  sh.passed_hours::float8 as shown_passed_hours, sh.warnings as shown_warnings, s.blocked_at is not null as blocked,
  (select version from bylaws where id = s.bylaw_id) as bylaw_version,
  (select json_agg(json_build_object('kind', kind, 'note', note, 'note_local', note_local, 'since', since))
    from standing_holds where student_id = s.id) as holds,
  (select json_agg(json_build_object('test', t.name, 'test_local', t.name_local, 'level', pr.level,
      'level_name', coalesce(pl.name, ''), 'level_name_local', coalesce(pl.name_local, ''),
      'courses', (select coalesce(json_agg(json_build_object('course_id', pc.course_id, 'level', pc.level)), '[]')
        from placement_courses pc where pc.placement_test_id = t.id)))
    from placement_results pr join placement_tests t on t.id = pr.placement_test_id and t.removed_at is null
      left join placement_levels pl on pl.placement_test_id = t.id and pl.position + 1 = pr.level
    where pr.student_id = s.id and pr.removed_at is null
      and (pr.state = 'scored' or (pr.state = 'due' and t.is_required))) as placements,
  done.*,
  (select json_agg(json_build_array(t.id, t.term_type,
      (select json_agg(json_build_array((select code from stage_codes where id = w.stage_code_id), w.starts_at, w.ends_at))
        from stage_windows w left join stage_groups g on g.id = w.stage_group_id
        where w.term_id = t.id and w.removed_at is null and w.ends_at > now()
          and w.stage_code_id = any (array(select id from stage_codes where code in ('register', 'add_drop', 'withdraw', 'excuse')))
          and ${windowOpensTo({ student: 's', window: 'w', group: 'g', level: 'sh.level' })})))
    from terms t where t.id ${terms}) as terms,
  (select json_agg(json_build_array(x.offering_id, x.on_date, extract(epoch from lower(x.during)::time)::int / 60,
      extract(epoch from upper(x.during)::time)::int / 60))
    from (select r.offering_id from registrations r where r.student_id = s.id and r.term_id ${terms}
        union select o.id from offerings o where o.id ${offerings}
        union select r.offering_id from students other join registrations r on r.student_id = other.id and r.term_id ${terms}
          where tu.account is not null and other.user_id = s.user_id and other.id <> s.id) k
      cross join lateral (select * from exam_schedules where offering_id = k.offering_id offset 0) x
      join exams e on e.id = x.exam_id and e.status = 'published'
      where x.removed_at is null and x.during is not null) as exams,
  (select json_agg(json_build_array(r.id, r.term_id, r.offering_id, r.course_id, r.credit_hours, r.status::text, m.slots,
      (select gives_up_id from registration_exchanges where registration_id = r.id)))
    from registrations r
    left join lateral (
      select json_agg(json_build_array(os.id, os.day, os.slot_id)) as slots
      from registration_slots rs join offering_slots os on os.id = rs.offering_slot_id
      where rs.registration_id = r.id) m on true
    where r.student_id = s.id and r.term_id ${terms}) as registrations,
  case when tu.account is not null then (select json_agg(json_build_array(r.term_id, r.offering_id, r.course_id, c.code || ' (' || op.code || ')', r.status::text, m.slots))
    from students other join registrations r on r.student_id = other.id join courses c on c.id = r.course_id
    join programs op on op.id = other.program_id
    left join lateral (
      select json_agg(json_build_array(os.id, os.day, os.slot_id)) as slots
      from registration_slots rs join offering_slots os on os.id = rs.offering_slot_id
      where rs.registration_id = r.id) m on true
    where other.user_id = s.user_id and other.id <> s.id and other.removed_at is null and r.term_id ${terms}) end as elsewhere,
  (select json_agg(json_build_array(o.id, o.term_id, o.course_id, o.is_open, o.control_status,
      case when op.listed then op.own
        else plan.id is not null or not exists (select from program_courses where program_id = s.program_id) end,
      coalesce(op.level, o.level), c.code, c.credit_hours, c.min_passed_hours, c.min_level,
      coalesce(plan.prerequisites, c.prerequisites),
      (select json_agg(required_course_id) from course_corequisites where course_id = c.id),
      (select json_agg(json_build_array(os.id, os.group_id, g.number, g.name, os.type, os.section, os.day, os.slot_id,
          os.quota, os.over_quota, os.taken, os.held))
        from offering_slots os join offering_groups g on g.id = os.group_id
        where os.offering_id = coalesce(o.linked_offering_id, o.id)), plan.kind))
    from offerings o join courses c on c.id = o.course_id
    left join program_courses plan on plan.program_id = s.program_id and plan.course_id = o.course_id
    left join lateral (
      select count(*) > 0 as listed, bool_or(program_id = s.program_id) as own,
        max(level) filter (where program_id = s.program_id) as level
      from offering_programs where offering_id = o.id) op on true
    where o.id ${offerings} and o.removed_at is null) as offerings
from ${asked} join students s on s.id = q.student_id and s.removed_at is null join programs p on p.id = s.program_id
join shown_standing sh on sh.student_id = s.id
left join registration_turns tu on tu.student_id = s.id
left join lateral (
  select to_json(array_agg(course_id) filter (where passed and settled)) as passed_ids,
    to_json(array_agg(letter) filter (where passed and settled)) as passed_letters,
    to_json(array_agg(points) filter (where passed and settled)) as passed_points,
    to_json(array_agg(is_out and not results_held(s.id)) filter (where passed and settled)) as passed_out,
    array_agg(course_id) filter (where not coalesce(passed, false) and is_out) as failed_ids,
    (count(*) filter (where status & 64 <> 0 and status & 18141941861376 = 0))::int as improvements
  from (select r.course_id, r.passed, r.letter, r.points, r.status, result_out(o.control_status, 'Approved', r.status, r.total) as settled,
      result_out(o.control_status, b.grades_visibility ->> 'letter', r.status, r.total) as is_out
    from registrations r join offerings o on o.id = r.offering_id join bylaws b on b.id = s.bylaw_id
    where r.student_id = s.id and (r.passed is not null or r.status & (64 | 2305843009884782592) <> 0)
      and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
    union all
    select k.course_id, true, k.letter, k.points, 0, true, true
    from course_credits k where k.student_id = s.id and k.former_study_id is null) results) done on true`

// One offering of each of some students: what most requests are.
const ONE_EACH = statement(
  'registration_pairs($1::int[], $2::int[]) as q',
  '= q.offering_id',
  '= (select term_id from offerings where id = q.offering_id)',
)
// Several offerings of one student.
const SEVERAL = statement(
  '(select $1::int as student_id) as q',
  '= any ($2::int[])',
  '= any (array(select distinct term_id from offerings where id = any ($2::int[])))',
)

type Row = Omit<GatheredRequest['student'], 'gpa' | 'shown_gpa'> & {
  shown_gpa: string | null
  now: string
  reference: number
  turn: number
  gpa: string | null
  holds: GatheredRequest['holds'] | null
  placements: PlacementBand[] | null
  passed_ids: number[] | null
  passed_letters: (string | null)[] | null
  passed_points: (number | null)[] | null
  passed_out: boolean[] | null
  failed_ids: number[] | null
  improvements: number
  terms: [number, TermType, [StageCode, string, string][] | null][] | null
  exams: [offering: number, date: string, from: number, to: number][] | null
  registrations:
    | [number, number, number, number, number, string, [number, number | null, number | null][] | null, number | null][]
    | null
  elsewhere: [number, number, number, string, string, [number, number | null, number | null][] | null][] | null
  offerings:
    | [
        number,
        number,
        number,
        boolean,
        ControlStatus,
        boolean,
        number | null,
        string,
        number,
        number,
        number,
        Requisite | null,
        number[] | null,
        (
          | [
              number,
              number,
              number,
              string | null,
              MeetingType,
              string | null,
              number | null,
              number | null,
              number,
              number,
              number,
              number,
            ][]
          | null
        ),
        GatheredOffering['plan_kind'],
      ][]
    | null
}

const hundredths = (value: number): number => Math.round(value * 100)

/** What a request for several offerings is judged by; null where there is no such student. Offerings that do not exist are left out. */
export async function gatherRequest(
  client: Client,
  studentId: number,
  offeringIds: readonly number[],
): Promise<GatheredRequest | null> {
  const [row] = await read(client, studentId, offeringIds)
  return row ? gathered(row, await requestReferenceOf(client, row.reference)) : null
}

/** The same for one offering of each of some different students, in the order asked. */
export async function gatherEach(
  client: pg.Pool | pg.PoolClient,
  asked: readonly { student_id: number; offering_id: number }[],
): Promise<(GatheredRequest | null)[]> {
  const rows = await query<Row>(client, 'registration_gather_each', ONE_EACH, [
    asked.map((one) => one.student_id),
    asked.map((one) => one.offering_id),
  ])
  const [any] = rows
  const reference = any && (await requestReferenceOf(client, any.reference))
  const byStudent = new Map(rows.map((row) => [row.id, row]))
  return asked.map(({ student_id }) => {
    const row = byStudent.get(student_id)
    return row && reference ? gathered(row, reference) : null
  })
}

function examsOf(rows: NonNullable<Row['exams']>): Map<number, ExamTime[]> {
  const found = new Map<number, ExamTime[]>()
  for (const [offering, date, from, to] of rows)
    found.set(offering, [...(found.get(offering) ?? []), { date, from, to }])
  return found
}

function gathered(row: Row, reference: RequestReference): GatheredRequest {
  const {
    now,
    reference: _version,
    turn,
    holds,
    placements,
    passed_ids,
    passed_letters,
    passed_points,
    passed_out,
    failed_ids,
    improvements,
    terms,
    exams,
    registrations,
    elsewhere,
    offerings,
    ...student
  } = row
  return {
    now,
    reference,
    turn,
    student: {
      ...student,
      gpa: row.gpa === null ? null : hundredths(Number(row.gpa)),
      shown_gpa: row.shown_gpa === null ? null : hundredths(Number(row.shown_gpa)),
    },
    holds: holds ?? [],
    placements: placements ?? [],
    passed: (passed_ids ?? []).map((course_id, i) => {
      const points = passed_points?.[i]
      return {
        course_id,
        letter: passed_letters?.[i] ?? null,
        points: points == null ? null : hundredths(points),
        out: passed_out?.[i] === true,
      }
    }),
    failed_ids: failed_ids ?? [],
    improvements,
    terms: (terms ?? []).map(([id, term_type, stages]) => ({
      id,
      term_type,
      stages: (stages ?? []).map(([code, from, to]) => ({ code, from, to })),
    })),
    exams: examsOf(exams ?? []),
    registrations: (registrations ?? []).map(
      ([id, term_id, offering_id, course_id, credit_hours, status, slots, gives_up_id]) => ({
        id,
        term_id,
        offering_id,
        course_id,
        credit_hours: toHundredths(credit_hours),
        status,
        slot_ids: (slots ?? []).map((slot) => slot[0]),
        meetings: (slots ?? []).flatMap(([, day, period]) => requestedMeetingsAt(reference, day, period)),
        gives_up_id,
      }),
    ),
    elsewhere: (elsewhere ?? []).map(([term_id, offering_id, course_id, course_code, status, slots]) => ({
      term_id,
      offering_id,
      course_id,
      course_code,
      status,
      meetings: (slots ?? []).flatMap(([, day, period]) => requestedMeetingsAt(reference, day, period)),
    })),
    offerings: (offerings ?? []).map((o) => ({
      id: o[0],
      term_id: o[1],
      course_id: o[2],
      is_open: o[3],
      control_status: o[4],
      open_program: o[5],
      level: o[6],
      course_code: o[7],
      credit_hours: o[8],
      min_passed_hours: o[9],
      min_level: o[10],
      prerequisites: o[11],
      corequisite_ids: o[12] ?? [],
      plan_kind: o[14],
      slots: (o[13] ?? []).map((t) => ({
        id: t[0],
        group_id: t[1],
        group: t[2],
        group_name: t[3],
        type: t[4],
        section: t[5],
        meetings: requestedMeetingsAt(reference, t[6], t[7]),
        quota: t[8],
        over_quota: t[9],
        taken: t[10],
        held: t[11],
      })),
    })),
  }
}
