import { levelFor } from '#areas/study/catalogue/bylaw.rules.ts'
import { fromHundredths, parseHundredths, printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { TakenCourse } from '#areas/records/degree-audit/audits/audit.rules.ts'
import { basisOf } from '#areas/records/degree-audit/audits/basis.server.ts'
import { toDegreeAudit } from '#areas/records/degree-audit/audits/plan.rules.ts'
import { heldIn, withFacts } from '#areas/records/degree-audit/audits/required.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import {
  computeTerms,
  graduation,
  type AcademicStanding,
  type StudentTerm,
  type TermBylaw,
  type TermRegistration,
  type TermResult,
} from '../terms.rules.ts'
import {
  type TermRow,
  type StoredRow,
  bit,
  type Credit,
  type Source,
  type TermOrder,
  requiredKey,
  GradingReference,
  gatherRecord,
  text,
} from './gather-record.server.ts'

/** A row as it is written. */
type WrittenRow = TermRow & Pick<StoredRow, 'graduation_basis'>

/** A figure of a stored row that computing again does not give; null: there is no row on that side. */
export interface RecordDifference {
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
  differences: RecordDifference[]
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

/**
 * The studies of a student, each as if it were the only one: its terms, its bylaw and program, and the courses credited in
 * it. The one the student is in comes last.
 */
function studiesOf(student: Source, { order }: TermOrder): readonly Source[] {
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
      credits: student.credits?.filter((credit) => credit[5] === id) ?? null,
    }
  })
}

const STANDING: Record<AcademicStanding, TermRow['standing']> = {
  good: 'good',
  warning: 'warned',
  dismissal: 'dismissed',
}

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
  const credited = [...Map.groupBy(credits, (credit) => credit[4])].map(([after, some]) => ({
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
function recordOf(student: Source, targets: ReadonlySet<number>, reference: GradingReference, out: Records): void {
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
  reference: GradingReference,
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
    const below = registrations.filter((registration) => registration[4] & bit.blocked).length
    const without_result = registrations.filter((registration) => registration[4] & bit.without).length
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
      exception_ids: exceptions.map((exception) => exception.id),
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
    ...(student.credits ?? []).map((credit) => credit[4]),
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
  reference: GradingReference,
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
  const students = await gatherRecord(tx, student_ids, lock)
  await reference.load(tx, students)
  const targets = new Set(term_ids)
  for (const student of students) recordOf(student, targets, reference, out)
  return out
}
