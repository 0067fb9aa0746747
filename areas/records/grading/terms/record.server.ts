/** The academic records of many students at once: from their registrations to the rows of their terms. */
import { bylawSettings } from '#areas/study/catalogue/bylaws/settings.server.ts'
import type { BylawSettings } from '#areas/study/catalogue/bylaws/settings.rules.ts'
import { levelFor, type TermType } from '#areas/study/catalogue/bylaw.rules.ts'
import { fromHundredths, parseHundredths, printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import type { TakenCourse } from '#areas/records/degree-audit/audits/audit.rules.ts'
import { basisOf, degreeBasis } from '#areas/records/degree-audit/audits/basis.server.ts'
import { toDegreeAudit } from '#areas/records/degree-audit/audits/plan.rules.ts'
import {
  excusedJson,
  exceptionsJson,
  heldIn,
  requiredBy,
  withFacts,
  type GrantedFor,
  type Required,
} from '#areas/records/degree-audit/audits/required.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'
import { notify } from '#kit/server/notifications.ts'
import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import { sql } from 'kysely'
import { listedMains, markedMains, maskOf } from '../grades/grades.rules.ts'
import { computeRegistrationGrades } from '../grades/compute.server.ts'
import { actOn } from '../guard.server.ts'
import { sealsRecords } from '../signing/sign.server.ts'
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
  /** What its eligibility for graduation stood on; null: not known. */
  graduation_basis: string | null
}
/** A row as it is written. */
type WrittenRow = TermRow & Pick<StoredRow, 'graduation_basis'>

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
  changed: WrittenRow[]
  /** Rows that are as they were, though their eligibility stands on something that has changed. */
  examined: Pick<WrittenRow, 'student_id' | 'term_id' | 'graduation_basis'>[]
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
  /** What stands for students to whom courses were credited, until a later term is finished. */
  entries: { id: number; standing: EntryStanding }[]
}

/** What stands for a student before the first finished term, or after courses were credited. */
interface EntryStanding {
  gpa: string | null
  passed_hours: number
  warnings: number
  level: number
  /** Terms that end later say more. */
  after_term_id: number | null
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
/** [term, course, hundredths of credit hours, hundredths of points or null, bits] */
type Packed = [number, number, number, number | null, number]
/** A course that counts as passed without having been taken: [course, hundredths of hours and of points, in the GPA, counts after this term, of this ended study] */
type Credit = [number, number, number | null, boolean, number | null, number | null]
/** A study that a transfer ended: its own bylaw and program, up to its last term. */
interface FormerStudy {
  id: number
  bylaw_id: number
  bylaw_version: number
  program_id: number
  last_term_id: number | null
}

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
  exceptions: GrantedFor[]
  excused_ids: number[]
  stored: StoredRow[] | null
  study_after_term_id: number | null
  credits: Credit[] | null
  former: FormerStudy[] | null
}

/**
 * The studies of a student, each as if it were the only one: its terms, its bylaw and program, and the courses credited in
 * it. The one the student is in comes last.
 */
function studiesOf(student: Source, { order }: Calendar): readonly Source[] {
  if (!student.former) return [student]
  const at = (term_id: number | null): number => (term_id === null ? -1 : (order.get(term_id) ?? -1))
  const current = { ...student, id: null as number | null, last_term_id: null as number | null }
  let begun = -1
  return [...student.former, current].map(({ id, bylaw_id, bylaw_version, program_id, last_term_id }) => {
    const from = begun
    const until = id === null ? Infinity : at(last_term_id)
    begun = Math.max(begun, until)
    const here = (term_id: number) => at(term_id) > from && at(term_id) <= until
    return {
      ...student,
      bylaw_id,
      bylaw_version,
      program_id,
      packed: student.packed?.filter(([term_id]) => here(term_id)) ?? null,
      stored: student.stored?.filter((row) => here(row.term_id)) ?? null,
      credits: student.credits?.filter((one) => one[5] === id) ?? null,
    }
  })
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

const requiredKey = (student: Pick<Source, 'program_id' | 'bylaw_id' | 'bylaw_version'>): string =>
  `${student.program_id} ${student.bylaw_id} ${student.bylaw_version}`

/** What a bylaw said before the term `until`. */
interface EarlierRules {
  readonly until: number
  readonly rules: TermBylaw
}
/** What does not change during one run: bylaws as the rules want them, study plans, terms. */
export class Reference {
  readonly calendar: Calendar
  readonly bylaws = new Map<number, { settings: BylawSettings; rules: TermBylaw; earlier: readonly EarlierRules[] }>()
  /** What programs require, by program, bylaw and its version: of one revision for the whole run. */
  readonly required = new Map<string, Required & { basis: string }>()
  /** Courses that count as a course. */
  equals: ReadonlyMap<number, readonly number[]> | undefined
  constructor(calendar: Calendar) {
    this.calendar = calendar
  }
  async load(tx: Db | Tx, students: readonly Source[]): Promise<void> {
    this.equals ??= await equalCourses(tx)
    const studies = students.flatMap((one) => [one, ...(one.former ?? [])])
    for (const { bylaw_id, bylaw_version } of studies) {
      if (this.bylaws.get(bylaw_id)?.settings.version === bylaw_version) continue
      const settings = await bylawSettings(tx, bylaw_id, bylaw_version)
      this.bylaws.set(bylaw_id, {
        settings,
        rules: termBylaw(settings),
        earlier: settings.earlier.map((one) => ({ until: one.until.id, rules: termBylaw(one.settings) })),
      })
    }
    for (const study of studies) {
      if (this.bylaws.get(study.bylaw_id)!.settings.marks) continue
      const key = requiredKey(study)
      if (this.required.has(key)) continue
      const basis = await degreeBasis(tx, study)
      this.required.set(key, { ...(await requiredBy(tx, { ...study, courses: 'all' })), basis })
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

/** Who studies by credit hours, or did so: under a regulation by marks there is no GPA, and years are settled instead of terms. */
async function gather(tx: Db | Tx, student_ids: readonly number[], lock: boolean): Promise<Source[]> {
  if (lock)
    await sql`select from students where id = any(${student_ids}::int[]) order by id for no key update`.execute(tx)
  const { rows } = await sql<Source>`
    select s.id, s.bylaw_id, b.version as bylaw_version, s.program_id, s.level, s.gpa, s.passed_hours::float8, s.warnings,
      coalesce((s.data ->> 'training_weeks')::int, 0) as training_weeks, a.packed, t.stored, s.study_after_term_id,
      (select json_agg(json_build_array(k.course_id, (k.credit_hours * 100)::int, (k.points * 100)::int, k.counts_in_gpa,
          k.after_term_id, k.former_study_id) order by k.id) from course_credits k where k.student_id = s.id) as credits,
      (select json_agg(json_build_object('id', m.id, 'bylaw_id', m.bylaw_id, 'bylaw_version', x.version, 'program_id', m.program_id,
          'last_term_id', m.last_term_id) order by m.id)
        from former_studies m join bylaws x on x.id = m.bylaw_id where m.student_id = s.id) as former,
      ${exceptionsJson('s.id')} as exceptions, ${excusedJson('s.id')} as excused_ids
    from students s join bylaws b on b.id = s.bylaw_id
    left join (
      select r.student_id, json_agg(json_build_array(r.term_id, r.course_id, (r.credit_hours * 100)::int, (r.points * 100)::int, ${PACKED}) order by r.id) as packed
      from registrations r join offerings o on o.id = r.offering_id
      where r.student_id = any(${student_ids}::int[]) group by 1) a on a.student_id = s.id
    left join (
      select t.student_id, json_agg(json_build_object('student_id', t.student_id, 'term_id', t.term_id,
        'registered_hours', t.registered_hours, 'attempted_hours', t.attempted_hours, 'passed_hours', t.passed_hours,
        'term_points', t.term_points::text, 'gpa', t.gpa::text, 'cumulative_hours', t.cumulative_hours,
        'cumulative_passed_hours', t.cumulative_passed_hours, 'cumulative_points', t.cumulative_points::text,
        'cumulative_gpa', t.cumulative_gpa::text, 'level', t.level, 'warned', t.warned, 'warnings', t.warnings,
        'standing', t.standing, 'graduation', t.graduation, 'revised', t.revised_since is not null,
        'graduation_basis', t.graduation_basis)) as stored
      from student_terms t where t.student_id = any(${student_ids}::int[]) group by 1) t on t.student_id = s.id
    where s.id = any(${student_ids}::int[]) and (b.program_type = 'credit_hours'
      or exists (select from former_studies m join bylaws x on x.id = m.bylaw_id
        where m.student_id = s.id and x.program_type = 'credit_hours')) order by s.id`.execute(tx)
  return rows
}

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
    registered_hours: fromHundredths(registered),
    attempted_hours: fromHundredths(result.registered_hours),
    passed_hours: fromHundredths(result.passed_hours),
    term_points: printHundredths(result.points),
    gpa: text(result.gpa),
    cumulative_hours: fromHundredths(result.cumulative_registered_hours),
    cumulative_passed_hours: fromHundredths(result.cumulative_passed_hours),
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

/** A term of credited courses has no row: it stands in the pass over the terms under this sign. */
const CREDITED = -1

/** Terms in the order of time, with the courses that were credited after some of them. */
function withCredits(
  terms: readonly StudentTerm[],
  credits: readonly Credit[],
  at: (term_id: number) => number,
): StudentTerm[] {
  const place = (after: number | null): number => (after === null ? -1 : at(after))
  const credited = [...Map.groupBy(credits, (one) => one[4])].map(([after, some]) => ({
    place: place(after) + 0.5,
    term: {
      term_id: CREDITED,
      term_type: 'fall' as const,
      credited: true,
      registrations: some.map(([course_id, credit_hours, points, counts]): TermRegistration => ({
        course_id,
        credit_hours,
        points,
        outcome: 'passed',
        counts_in_gpa: counts,
        counts_in_attempted_hours: counts,
      })),
    },
  }))
  return [...terms.map((term) => ({ place: at(term.term_id), term })), ...credited]
    .sort((a, b) => a.place - b.place)
    .map(({ term }) => term)
}

/** The record of one student: each study by itself. */
function recordOf(student: Source, targets: ReadonlySet<number>, reference: Reference, out: Records): void {
  const studies = studiesOf(student, reference.calendar)
  const { order } = reference.calendar
  const begun = student.study_after_term_id === null ? -1 : (order.get(student.study_after_term_id) ?? -1)
  for (const [i, study] of studies.entries()) {
    if (reference.bylaws.get(study.bylaw_id)!.settings.marks) continue
    const current = i === studies.length - 1
    // What was ended is not finished again: only what stands there follows a result that changes.
    const asked = current ? new Set([...targets].filter((id) => (order.get(id) ?? 0) > begun)) : new Set<number>()
    studyOf(study, asked, reference, out, current)
  }
}

/** The terms of one study: rows of the terms asked for, and again of those that already have rows. */
function studyOf(
  student: Source,
  targets: ReadonlySet<number>,
  reference: Reference,
  out: Records,
  current: boolean,
): void {
  const { order, type } = reference.calendar
  const { settings, rules, earlier: editions } = reference.bylaws.get(student.bylaw_id)!
  const stored = new Map((student.stored ?? []).map((row) => [row.term_id, row]))
  const byTerm = Map.groupBy(student.packed ?? [], ([term_id]) => term_id)

  const at = (term_id: number): number => order.get(term_id) ?? 0
  /** What the bylaw said in the term, where that has changed since. */
  const rulesIn = (term_id: number): TermBylaw | undefined =>
    editions.find(({ until }) => at(term_id) < at(until))?.rules
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
  const credits = student.credits ?? []
  const termsUntil = (last: number): StudentTerm[] => {
    const terms = [...byTerm.keys()]
      .filter((id) => at(id) <= last)
      .sort((a, b) => at(a) - at(b))
      .map((term_id): StudentTerm => ({
        term_id,
        term_type: type.get(term_id) ?? 'fall',
        ...(editions.length && rulesIn(term_id) && { rules: rulesIn(term_id)! }),
        registrations: byTerm.get(term_id)!.flatMap(([, course_id, credit_hours, points, bits]): TermRegistration[] =>
          bits & bit.settled && !(bits & bit.without)
            ? [
                {
                  course_id,
                  credit_hours,
                  points,
                  outcome: bits & bit.passed ? 'passed' : bits & bit.failed ? 'failed' : 'none',
                  counts_in_gpa: (bits & bit.gpa) !== 0,
                  counts_in_attempted_hours: (bits & bit.attempted) !== 0,
                },
              ]
            : [],
        ),
      }))
    return withCredits(
      terms,
      credits.filter(([, , , , after]) => after === null || at(after) <= last),
      at,
    )
  }
  if (wanted.size) {
    const terms = termsUntil(Math.max(...[...wanted].map(at)))
    const required = reference.required.get(requiredKey(student))!
    const { auditor } = required
    /** Passed and failed courses up to the term: of each the attempt that counts. */
    const taken = new Map<number, TakenCourse>()
    const exceptions = heldIn(student.exceptions, student.program_id)
    const graduation_basis = basisOf(required.basis, {
      exception_ids: exceptions.map((one) => one.id),
      excused_ids: student.excused_ids,
      credited_ids: credits.map(([course_id]) => course_id),
      training_weeks: student.training_weeks,
    })
    let semester = 0
    let unfinished = 0
    for (const [course_id, credit_hours, points, counts_in_gpa] of credits) {
      const equal_ids = reference.equals?.get(course_id) ?? []
      const credit = { course_id, credit_hours, state: 'passed' as const, equal_ids, points, counts_in_gpa }
      taken.set(course_id, withFacts(required, credit))
    }
    for (const result of computeTerms({ bylaw: rules, terms })) {
      const registrations = byTerm.get(result.term_id)
      if (!registrations) continue
      let registered = 0
      semester++
      for (const [, course_id, credit_hours, points, bits] of registrations) {
        if (bits & bit.listed) registered += credit_hours
        if (bits & (bit.incomplete | bit.blocked | bit.without)) unfinished++
        const passed = (bits & bit.passed) !== 0
        if (!(bits & bit.settled) || (!passed && (!(bits & bit.failed) || taken.get(course_id)?.state === 'passed')))
          continue
        const equal_ids = reference.equals?.get(course_id) ?? []
        const counts_in_gpa = (bits & bit.gpa) !== 0
        const state = passed ? 'passed' : 'failed'
        taken.set(
          course_id,
          withFacts(required, { course_id, credit_hours, state, equal_ids, points, counts_in_gpa, semester }),
        )
      }
      if (!wanted.has(result.term_id)) continue
      const gpa = result.cumulative_gpa
      const { training_weeks } = student
      const answer = auditor.evaluator.audit({
        courses: [...taken.values()],
        gpa,
        training_weeks,
        exceptions,
        excused_ids: student.excused_ids,
        semester,
      })
      const { reasons: against } = graduation(toDegreeAudit(auditor.input, answer, gpa), result.standing, unfinished)
      const reasons = against.map(({ code, data }) => ({ code, data }))
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
        out.changed.push({ ...row, graduation_basis })
        stored.set(row.term_id, { ...row, graduation_basis, revised: false })
      } else if (old.graduation_basis !== graduation_basis)
        out.examined.push({ student_id: student.id, term_id: row.term_id, graduation_basis })
    }
  }
  if (!current) return
  const entry = entryOf(student, { at, rules, termsUntil, levels: settings.levels.length > 0 })
  if (entry) out.entries.push({ id: student.id, standing: entry })
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

/** What stands after courses were credited, or a study began anew; null: neither was so. */
function entryOf(
  student: Source,
  {
    at,
    rules,
    termsUntil,
    levels,
  }: {
    at: (term_id: number) => number
    rules: TermBylaw
    termsUntil: (last: number) => StudentTerm[]
    levels: boolean
  },
): EntryStanding | null {
  const afters = [
    ...(student.credits ?? []).map((one) => one[4]),
    ...(student.former ? [student.study_after_term_id] : []),
  ]
  if (!afters.length) return null
  const place = (after: number | null): number => (after === null ? -1 : at(after))
  const after_term_id = afters.reduce((latest, one) => (place(one) > place(latest) ? one : latest))
  const last = computeTerms({ bylaw: rules, terms: termsUntil(place(after_term_id)) }).at(-1)
  return {
    gpa: last ? text(last.cumulative_gpa) : null,
    passed_hours: last ? last.cumulative_passed_hours / 100 : 0,
    warnings: last?.warnings ?? 0,
    level: levels ? (last?.level ?? levelFor(rules.levels, 0)) : student.level,
    after_term_id,
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
  const out: Records = {
    rows: [],
    changed: [],
    examined: [],
    differences: [],
    unfinished: [],
    removed: [],
    students: [],
    entries: [],
  }
  const students = await gather(tx, student_ids, lock)
  await reference.load(tx, students)
  const targets = new Set(term_ids)
  for (const student of students) recordOf(student, targets, reference, out)
  return out
}

/**
 * Finishes terms for some students: computes results that states left empty, then writes rows that are new or differ,
 * and the figures of the students. Doing it again writes nothing.
 *
 * @param ctx null: a loader
 */
export async function writeRecords(
  ctx: Ctx | null,
  tx: Tx,
  reference: Reference,
  term_ids: readonly number[],
  student_ids: readonly number[],
): Promise<Records> {
  const finished_by = ctx?.actor?.user_id ?? null
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
  sealsRecords(tx)
  if (records.removed.length) {
    await sql`delete from student_terms t using jsonb_to_recordset(${JSON.stringify(records.removed)}::jsonb) as n(student_id int, term_id int)
      where t.student_id = n.student_id and t.term_id = n.term_id`.execute(tx)
  }
  if (records.changed.length) {
    await sql`insert into student_terms as t (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
        cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing,
        graduation, graduation_basis, finished_by)
      select student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa,
        cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing,
        nullif(graduation, 'null'), graduation_basis, ${finished_by}::int
      from jsonb_to_recordset(${JSON.stringify(records.changed)}::jsonb) as n(student_id int, term_id int, registered_hours numeric,
        attempted_hours numeric, passed_hours numeric, term_points numeric, gpa numeric, cumulative_hours numeric,
        cumulative_passed_hours numeric, cumulative_points numeric, cumulative_gpa numeric, level int, warned boolean,
        warnings int, standing text, graduation jsonb, graduation_basis text)
      on conflict (student_id, term_id) do update set registered_hours = excluded.registered_hours,
        attempted_hours = excluded.attempted_hours, passed_hours = excluded.passed_hours, term_points = excluded.term_points,
        gpa = excluded.gpa, cumulative_hours = excluded.cumulative_hours,
        cumulative_passed_hours = excluded.cumulative_passed_hours, cumulative_points = excluded.cumulative_points,
        cumulative_gpa = excluded.cumulative_gpa, level = excluded.level, warned = excluded.warned,
        warnings = excluded.warnings, standing = excluded.standing, graduation = excluded.graduation,
        graduation_basis = excluded.graduation_basis,
        revised_since = null, finished_at = now(), finished_by = excluded.finished_by`.execute(tx)
  }
  if (records.examined.length)
    await sql`update student_terms t set graduation_basis = n.graduation_basis
      from jsonb_to_recordset(${JSON.stringify(records.examined)}::jsonb) as n (student_id int, term_id int, graduation_basis text)
      where t.student_id = n.student_id and t.term_id = n.term_id`.execute(tx)
  if (records.entries.length)
    await sql`update students s set entry_standing = n.standing
      from jsonb_to_recordset(${JSON.stringify(records.entries)}::jsonb) as n (id int, standing jsonb)
      where s.id = n.id and s.entry_standing is distinct from n.standing`.execute(tx)
  await settleStanding(
    ctx,
    tx,
    [...new Set([...records.students, ...records.entries].map((one) => one.id))],
    // What stood before the first finished term stands again when no row does.
    records.students.filter((one) => one.first).map((one) => one.id),
  )
  return records
}

/** Computes again the rows of these students that are being revised, as far as nothing waits for control. */
export async function followRecords(ctx: Ctx | null, tx: Tx, student_ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`select distinct student_id as id from student_terms
    where student_id = any(${[...student_ids]}::int[]) and revised_since is not null order by 1`.execute(tx)
  if (!rows.length) return
  await writeRecords(
    ctx,
    tx,
    new Reference(await calendarOf(tx)),
    [],
    rows.map((row) => row.id),
  )
}

/** Students to whom courses were credited, or who began another study: what stands for them follows. */
export const standCredits = async (ctx: Ctx | null, tx: Tx, student_ids: readonly number[]): Promise<void> => {
  await writeRecords(ctx, tx, new Reference(await calendarOf(tx)), [], student_ids)
}

/**
 * Figures of students as the last valid row says. Whom it dismisses is dismissed by a decision of its own, whom it dismisses
 * no more is back, each with what follows from it, and is told. It takes effect once the figures of the term are
 * published, so that nobody learns from it what is not out.
 */
export async function settleStanding(
  ctx: Ctx | null,
  tx: Tx,
  student_ids: readonly number[],
  first_ids: readonly number[] = [],
): Promise<void> {
  if (!student_ids.length) return
  const { rows } = await sql<{ id: number; term_id: number; code: string; dismissed: boolean }>`
    select x.student_id as id, x.term_id, x.dismissed, t.code
    from settle_standing(${[...student_ids]}::int[], ${[...first_ids]}::int[]) x join terms t on t.id = x.term_id`.execute(
    tx,
  )
  for (const turned of Map.groupBy(rows, (row) => `${row.term_id}/${row.dismissed}`).values()) {
    const { term_id, dismissed, code } = turned[0]!
    const decided = await decideStatus(
      ctx,
      tx,
      turned.map((row) => row.id),
      {
        to: dismissed ? 'dismissed' : 'studying',
        decision: `Results of ${code}`,
        source: 'term_result',
        source_id: term_id,
      },
    )
    await notify(
      tx,
      decided.map((row) => row.user_id),
      {
        key: dismissed ? 'grading.notice_dismissed' : 'grading.notice_readmitted',
        data: {},
        link: '/student-academic',
        records: decided.map((row) => row.id),
      },
    )
  }
}
