/** The academic records of many students at once: from their registrations to the rows of their terms. */
import { bylawSettings } from '#areas/catalogue/bylaws/settings.server.ts'
import type { BylawSettings } from '#areas/catalogue/bylaws/settings.rules.ts'
import type { TermType } from '#areas/catalogue/bylaw.rules.ts'
import { parseHundredths, printHundredths } from '#areas/catalogue/decimal.rules.ts'
import { programPlan } from '#areas/catalogue/programs/plan.server.ts'
import { equalCourses } from '#areas/catalogue/courses/equals.server.ts'
import { auditDegree, type AuditCourse, type StudyPlan } from '#areas/catalogue/study-plan.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { notify } from '#kit/server/notifications.ts'
import { sql } from 'kysely'
import { listedMains, markedMains, maskOf } from '../grades/grades.rules.ts'
import { computeRegistrationGrades } from '../grades/compute.server.ts'
import { actOn } from '../guard.server.ts'
import {
  computeTerms,
  graduation,
  termBylaw,
  type Standing,
  type StudentTerm,
  type TermBylaw,
  type TermRegistration,
  type TermResult,
} from '../grading.rules.ts'

/** What a row of `student_terms` holds, as PostgreSQL writes it in JSON. */
export interface TermRow {
  student_id: number
  term_id: number
  registered_hours: number
  attempted_hours: number
  passed_hours: number
  term_points: string
  gpa: string | null
  cumulative_hours: number
  cumulative_passed_hours: number
  cumulative_points: string
  cumulative_gpa: string | null
  level: number
  warned: boolean
  warnings: number
  standing: 'good' | 'warned' | 'dismissed'
  graduation: { code: string; data: Record<string, unknown> }[] | null
}

/** A row as it is kept; `revised`: it follows a result that has changed, and is valid for nobody until it is computed. */
interface StoredRow extends TermRow {
  revised: boolean
}

/** A figure of a stored row that computing again does not give; null: there is no row on that side. */
export interface Difference {
  student_id: number
  term_id: number
  field: keyof TermRow
  stored: unknown
  computed: unknown
}

/**
 * Why a student's term cannot be finished: an offering below Approved, a registration without result, or an earlier
 * finished term that is being revised and waits itself.
 */
export interface Unfinished {
  student_id: number
  term_id: number
  below: number
  without_result: number
  earlier: boolean
}

export interface Records {
  rows: TermRow[]
  /** Rows that differ from what is stored, or are not stored yet. */
  changed: TermRow[]
  differences: Difference[]
  unfinished: Unfinished[]
  /** Rows of terms in which nothing is left. */
  removed: { student_id: number; term_id: number }[]
  /** Figures of students that follow from their last finished term. */
  students: {
    id: number
    gpa: string | null
    passed_hours: number
    warnings: number
    level: number
    /** The first term that is finished for the student. */
    first: boolean
  }[]
}

/** Bits of one registration as the query packs them. */
const bit = {
  passed: 1,
  failed: 2,
  gpa: 4,
  attempted: 8,
  settled: 16,
  blocked: 32,
  without: 64,
  listed: 128,
  incomplete: 256,
} as const
/** [term, course, credit hours, hundredths of points or null, bits] */
type Packed = [number, number, number, number | null, number]

interface Source {
  id: number
  bylaw_id: number
  bylaw_version: number
  program_id: number
  level: number
  gpa: string | null
  passed_hours: number
  warnings: number
  training_weeks: number
  packed: Packed[] | null
  stored: StoredRow[] | null
}

const STANDING: Record<Standing, TermRow['standing']> = { good: 'good', warning: 'warned', dismissal: 'dismissed' }

/** Terms by their place in time, kept for one run. */
export interface Calendar {
  readonly order: ReadonlyMap<number, number>
  readonly type: ReadonlyMap<number, TermType>
}
/** All terms in the order of time. */
export async function calendarOf(tx: Db | Tx): Promise<Calendar> {
  const { rows } = await sql<{
    id: number
    term_type: TermType
  }>`select id, term_type from terms order by start_date, id`.execute(tx)
  return { order: new Map(rows.map(({ id }, i) => [id, i])), type: new Map(rows.map((t) => [t.id, t.term_type])) }
}

/** What does not change during one run: bylaws as the rules want them, study plans, terms. */
export class Reference {
  readonly calendar: Calendar
  readonly bylaws = new Map<number, { settings: BylawSettings; rules: TermBylaw }>()
  readonly plans = new Map<number, { plan: StudyPlan; training_weeks: number }>()
  /** Courses that count as a course. */
  equals: ReadonlyMap<number, readonly number[]> | undefined
  constructor(calendar: Calendar) {
    this.calendar = calendar
  }
  async load(tx: Db | Tx, students: readonly Source[]): Promise<void> {
    this.equals ??= await equalCourses(tx)
    for (const { bylaw_id, bylaw_version } of students) {
      if (this.bylaws.get(bylaw_id)?.settings.version === bylaw_version) continue
      const settings = await bylawSettings(tx, bylaw_id, bylaw_version)
      this.bylaws.set(bylaw_id, { settings, rules: termBylaw(settings) })
    }
    for (const { program_id } of students) {
      if (this.plans.has(program_id)) continue
      const { plan, program } = await programPlan(tx, program_id)
      this.plans.set(program_id, { plan, training_weeks: program.min_training_weeks })
    }
  }
}

/**
 * SQL over `r` (registrations) and `o` (offerings): what the rules need to know of a registration, in bits. Settled is
 * what cannot change any more: grades that control has approved, and states in which the student has left the course.
 */
const PACKED = sql.raw(`(
  case r.passed when true then ${bit.passed} when false then ${bit.failed} else 0 end
  | case when r.counts_in_gpa then ${bit.gpa} else 0 end
  | case when r.counts_in_attempted_hours then ${bit.attempted} else 0 end
  | case when r.status & ${maskOf(listedMains)} = 0 then 0
    else ${bit.listed}
      | case when o.control_status in ('Approved', 'Published', 'Frozen') or r.status & ${maskOf(['Withdrawn', 'ForcedWithdrawn', 'Excused'])} <> 0
          then ${bit.settled} | case when r.letter is null and r.status & ${maskOf(markedMains)} <> 0 then ${bit.without} else 0 end
          else ${bit.blocked} end
      | case when r.status & ${maskOf(['Incomplete'])} <> 0 then ${bit.incomplete} else 0 end end)`)

async function gather(tx: Db | Tx, student_ids: readonly number[], lock: boolean): Promise<Source[]> {
  if (lock)
    await sql`select from students where id = any(${student_ids}::int[]) order by id for no key update`.execute(tx)
  const { rows } = await sql<Source>`
    select s.id, s.bylaw_id, b.version as bylaw_version, s.program_id, s.level, s.gpa, s.passed_hours, s.warnings,
      coalesce((s.data ->> 'training_weeks')::int, 0) as training_weeks, a.packed, t.stored
    from students s join bylaws b on b.id = s.bylaw_id
    left join (
      select r.student_id, json_agg(json_build_array(r.term_id, r.course_id, r.credit_hours, (r.points * 100)::int, ${PACKED}) order by r.id) as packed
      from registrations r join offerings o on o.id = r.offering_id
      where r.student_id = any(${student_ids}::int[]) group by 1) a on a.student_id = s.id
    left join (
      select t.student_id, json_agg(json_build_object('student_id', t.student_id, 'term_id', t.term_id,
        'registered_hours', t.registered_hours, 'attempted_hours', t.attempted_hours, 'passed_hours', t.passed_hours,
        'term_points', t.term_points::text, 'gpa', t.gpa::text, 'cumulative_hours', t.cumulative_hours,
        'cumulative_passed_hours', t.cumulative_passed_hours, 'cumulative_points', t.cumulative_points::text,
        'cumulative_gpa', t.cumulative_gpa::text, 'level', t.level, 'warned', t.warned, 'warnings', t.warnings,
        'standing', t.standing, 'graduation', t.graduation, 'revised', t.revised_since is not null)) as stored
      from student_terms t where t.student_id = any(${student_ids}::int[]) group by 1) t on t.student_id = s.id
    where s.id = any(${student_ids}::int[]) order by s.id`.execute(tx)
  return rows
}

const hours = (hundredths: number): number => Math.round(hundredths / 100)
const text = (hundredths: number | null): string | null => (hundredths === null ? null : printHundredths(hundredths))

function rowOf(
  student_id: number,
  result: TermResult,
  registered: number,
  level: number,
  reasons: TermRow['graduation'],
): TermRow {
  return {
    student_id,
    term_id: result.term_id,
    registered_hours: registered,
    attempted_hours: hours(result.registered_hours),
    passed_hours: hours(result.passed_hours),
    term_points: printHundredths(result.points),
    gpa: text(result.gpa),
    cumulative_hours: hours(result.cumulative_registered_hours),
    cumulative_passed_hours: hours(result.cumulative_passed_hours),
    cumulative_points: printHundredths(result.cumulative_points),
    cumulative_gpa: text(result.cumulative_gpa),
    level,
    warned: result.warned,
    warnings: result.warnings,
    standing: STANDING[result.standing],
    graduation: reasons,
  }
}

const FIELDS: readonly (keyof TermRow)[] = [
  'registered_hours',
  'attempted_hours',
  'passed_hours',
  'term_points',
  'gpa',
  'cumulative_hours',
  'cumulative_passed_hours',
  'cumulative_points',
  'cumulative_gpa',
  'level',
  'warned',
  'warnings',
  'standing',
  'graduation',
]
/** JSON in a fixed order of keys: PostgreSQL keeps its own. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
const equal = (a: unknown, b: unknown): boolean => a === b || (typeof a === 'object' && canonical(a) === canonical(b))

/** The terms of one student: rows of the terms asked for, and again of those that already have rows. */
function recordOf(student: Source, targets: ReadonlySet<number>, reference: Reference, out: Records): void {
  const { order, type } = reference.calendar
  const { settings, rules } = reference.bylaws.get(student.bylaw_id)!
  const stored = new Map((student.stored ?? []).map((row) => [row.term_id, row]))
  const byTerm = Map.groupBy(student.packed ?? [], ([term_id]) => term_id)

  const at = (term_id: number): number => order.get(term_id) ?? 0
  const tell = (term_id: number, field: keyof TermRow, before: unknown, computed: unknown) =>
    out.differences.push({ student_id: student.id, term_id, field, stored: before, computed })
  const wanted = new Set<number>()
  /** A finished term that waits for control holds up every later one: their cumulative figures stand on it. */
  let earlier = false
  for (const term_id of [...new Set([...targets, ...stored.keys()])].sort((a, b) => at(a) - at(b))) {
    const registrations = byTerm.get(term_id)?.filter((one) => one[4] & bit.listed)
    if (!registrations?.length) {
      // Nothing is left of what the row was computed from. (A row that was loaded without registrations stays.)
      if (stored.get(term_id)?.revised) {
        tell(term_id, 'term_id', term_id, null)
        out.removed.push({ student_id: student.id, term_id })
        stored.delete(term_id)
      }
      continue
    }
    const below = registrations.filter((one) => one[4] & bit.blocked).length
    const without_result = registrations.filter((one) => one[4] & bit.without).length
    if (below + without_result === 0 && !earlier) wanted.add(term_id)
    else {
      if (targets.has(term_id)) out.unfinished.push({ student_id: student.id, term_id, below, without_result, earlier })
      if (!stored.has(term_id)) continue
      earlier = true
      tell(term_id, 'term_id', term_id, null)
    }
  }
  if (wanted.size) {
    const last = Math.max(...[...wanted].map(at))
    const terms: StudentTerm[] = [...byTerm.keys()]
      .filter((id) => at(id) <= last)
      .sort((a, b) => at(a) - at(b))
      .map((term_id) => ({
        term_id,
        term_type: type.get(term_id) ?? 'fall',
        registrations: byTerm.get(term_id)!.flatMap(([, course_id, credit_hours, points, bits]): TermRegistration[] =>
          bits & bit.settled && !(bits & bit.without)
            ? [
                {
                  course_id,
                  credit_hours: credit_hours * 100,
                  points,
                  outcome: bits & bit.passed ? 'passed' : bits & bit.failed ? 'failed' : 'none',
                  counts_in_gpa: (bits & bit.gpa) !== 0,
                  counts_in_attempted_hours: (bits & bit.attempted) !== 0,
                },
              ]
            : [],
        ),
      }))
    const plan = reference.plans.get(student.program_id)
    const passed = new Map<number, AuditCourse>()
    let unfinished = 0
    for (const result of computeTerms({ bylaw: rules, terms })) {
      const registrations = byTerm.get(result.term_id)!
      let registered = 0
      for (const [, course_id, credit_hours, , bits] of registrations) {
        if (bits & bit.listed) registered += credit_hours
        if (bits & (bit.incomplete | bit.blocked | bit.without)) unfinished++
        if (bits & bit.settled && bits & bit.passed) {
          const equal_ids = [...(reference.equals?.get(course_id) ?? [])]
          passed.set(course_id, { course_id, credit_hours: credit_hours * 100, state: 'passed', equal_ids })
        }
      }
      if (!wanted.has(result.term_id)) continue
      const audit =
        plan &&
        auditDegree({
          plan: plan.plan.min_credit_hours
            ? plan.plan
            : { ...plan.plan, min_credit_hours: settings.graduation.hours * 100 },
          courses: [...passed.values()],
          gpa: result.cumulative_gpa,
          min_gpa: settings.graduation.gpa,
          training_weeks: student.training_weeks,
          min_training_weeks: plan.training_weeks || settings.graduation.training_weeks,
        })
      const reasons = audit
        ? graduation(audit, result.standing, unfinished).reasons.map(({ code, data }) => ({ code, data }))
        : []
      const row = rowOf(
        student.id,
        result,
        registered,
        settings.levels.length ? result.level : student.level,
        reasons.length ? reasons : null,
      )
      out.rows.push(row)
      const old = stored.get(row.term_id)
      const fields = old ? FIELDS.filter((field) => !equal(old[field], row[field])) : []
      for (const field of fields) tell(row.term_id, field, old![field], row[field])
      if (!old) tell(row.term_id, 'term_id', null, row.term_id)
      if (!old || old.revised || fields.length) {
        out.changed.push(row)
        stored.set(row.term_id, { ...row, revised: false })
      }
    }
  }
  // The figures of the student are those of the latest term that has a valid row.
  const latest = [...stored.values()].filter((row) => !row.revised).sort((a, b) => at(b.term_id) - at(a.term_id))[0]
  if (!latest) return
  const { cumulative_gpa: gpa, cumulative_passed_hours: passed_hours, warnings, level } = latest
  const first = !student.stored?.length
  if (
    first ||
    (gpa === null ? null : parseHundredths(gpa)) !== (student.gpa === null ? null : parseHundredths(student.gpa)) ||
    passed_hours !== student.passed_hours ||
    warnings !== student.warnings ||
    level !== student.level
  ) {
    out.students.push({ id: student.id, gpa, passed_hours, warnings, level, first })
  }
}

/**
 * Computes the rows of terms for some students, in memory, from one query; writes nothing.
 * @param lock true: the students stay locked until the transaction ends
 */
export async function computeRecords(
  tx: Db | Tx,
  reference: Reference,
  term_ids: readonly number[],
  student_ids: readonly number[],
  lock = false,
): Promise<Records> {
  const out: Records = { rows: [], changed: [], differences: [], unfinished: [], removed: [], students: [] }
  const students = await gather(tx, student_ids, lock)
  await reference.load(tx, students)
  const targets = new Set(term_ids)
  for (const student of students) recordOf(student, targets, reference, out)
  return out
}

/**
 * Finishes terms for some students: computes results that states left empty, then writes rows that are new or differ,
 * and the figures of the students. Doing it again writes nothing.
 */
export async function writeRecords(
  tx: Tx,
  reference: Reference,
  term_ids: readonly number[],
  student_ids: readonly number[],
  finished_by: number | null,
): Promise<Records> {
  // A state set after the marks were approved (absent, withdrawn, …) has voided the result: it is computed here.
  const { rows: empty } = await sql<{ id: number }>`
    select r.id from registrations r join offerings o on o.id = r.offering_id
    where r.student_id = any(${student_ids}::int[]) and r.letter is null and r.status & ${sql.raw(maskOf(listedMains))} <> 0
      and (o.control_status in ('Approved', 'Published', 'Frozen')
        or r.status & ${sql.raw(maskOf(['Withdrawn', 'ForcedWithdrawn', 'Excused']))} <> 0)`.execute(tx)
  if (empty.length) {
    await actOn(tx, 'step')
    await computeRegistrationGrades(
      tx,
      empty.map(({ id }) => id),
    )
  }
  const records = await computeRecords(tx, reference, term_ids, student_ids, true)
  if (records.removed.length) {
    await sql`delete from student_terms t using jsonb_to_recordset(${JSON.stringify(records.removed)}::jsonb) as n(student_id int, term_id int)
      where t.student_id = n.student_id and t.term_id = n.term_id`.execute(tx)
  }
  if (records.changed.length) {
    await sql`insert into student_terms as t (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
        cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing,
        graduation, finished_by)
      select student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
        cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing,
        nullif(graduation, 'null'), ${finished_by}::int
      from jsonb_to_recordset(${JSON.stringify(records.changed)}::jsonb) as n(student_id int, term_id int, registered_hours int,
        attempted_hours int, passed_hours int, term_points numeric, gpa numeric, cumulative_hours int,
        cumulative_passed_hours int, cumulative_points numeric, cumulative_gpa numeric, level int, warned boolean,
        warnings int, standing text, graduation jsonb)
      on conflict (student_id, term_id) do update set registered_hours = excluded.registered_hours,
        attempted_hours = excluded.attempted_hours, passed_hours = excluded.passed_hours, term_points = excluded.term_points,
        gpa = excluded.gpa, cumulative_hours = excluded.cumulative_hours,
        cumulative_passed_hours = excluded.cumulative_passed_hours, cumulative_points = excluded.cumulative_points,
        cumulative_gpa = excluded.cumulative_gpa, level = excluded.level, warned = excluded.warned,
        warnings = excluded.warnings, standing = excluded.standing, graduation = excluded.graduation,
        revised_since = null, finished_at = now(), finished_by = excluded.finished_by`.execute(tx)
  }
  await settleStanding(
    tx,
    records.students.map((one) => one.id),
    // What stood before the first finished term stands again when no row does.
    records.students.filter((one) => one.first).map((one) => one.id),
  )
  return records
}

/** Computes again the rows of these students that are being revised, as far as nothing waits for control. */
export async function followRecords(tx: Tx, student_ids: readonly number[], by: number | null): Promise<void> {
  const { rows } = await sql<{ id: number }>`select distinct student_id as id from student_terms
    where student_id = any(${[...student_ids]}::int[]) and revised_since is not null order by 1`.execute(tx)
  if (!rows.length) return
  await writeRecords(
    tx,
    new Reference(await calendarOf(tx)),
    [],
    rows.map((row) => row.id),
    by,
  )
}

/**
 * Figures of students, and whether they are dismissed, as the last valid row says; whom the dismissal turns is told. It
 * takes effect once the figures of the term are published, so that nobody learns from it what is not out.
 */
export async function settleStanding(
  tx: Tx,
  student_ids: readonly number[],
  first_ids: readonly number[] = [],
): Promise<void> {
  if (!student_ids.length) return
  const { rows } = await sql<{ user_id: number | null; dismissed: boolean }>`
    select user_id, dismissed from settle_standing(${[...student_ids]}::int[], ${[...first_ids]}::int[])`.execute(tx)
  for (const [dismissed, people] of Map.groupBy(rows, (row) => row.dismissed)) {
    await notify(
      tx,
      people.map((row) => row.user_id),
      {
        key: dismissed ? 'grading.notice_dismissed' : 'grading.notice_readmitted',
        data: {},
        link: '/student-academic',
      },
    )
  }
}
