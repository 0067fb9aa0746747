/**
 * Results and records of students, worked out again from marks and settings: total, letter and points of every
 * registration that control approved, and the figures of every finished term. Whole hundredths throughout.
 */
import type { Ask, Finding } from './checker.ts'

interface Course {
  id: number
  student_id: number
  term_id: number
  course_id: number
  hours: number
  status: string
  approved: boolean
  letter: string | null
  total: number | null
  points: number | null
  passed: boolean | null
  in_gpa: boolean | null
  attempted: boolean | null
  pass_fail: boolean
  course_counts: boolean
  marks: [max: number, final: boolean, mark: number | null, absent: boolean][] | null
  categories: number
  /** Grace marks on the course, in hundredths. */
  grace: number | null
}
interface Range {
  from: number
  to: number
  letter: string
  points: number
  success: boolean
  kind: 'letter' | 'pass_fail'
}
interface Bylaw {
  id: number
  min_final: number
  places: number
  rule: 'last' | 'best' | 'average'
  repeat_max: number | null
  improve_max: number | null
  warning_type: 'term' | 'cumulative'
  warning_count: 'consecutive' | 'total'
  warning_gpa: number
  max_warnings: number
  in_summer: boolean
  ranges: Range[] | null
  levels: [level: number, from: number][] | null
  /** By marks: the share that passes, and ratings by the share they begin at. */
  by_marks: boolean
  pass: number
  capped: boolean
  ratings: { code: string; from: number }[] | null
}
/** What a bylaw said until a term, as it is kept. */
interface Edition {
  bylaw_id: number
  until: number
  settings: Record<string, unknown> & {
    levels: { level: number; passed_hours: unknown }[]
    grade_types: { kind: Range['kind']; ranges: Record<string, unknown>[] }[]
    ratings: { code: string; from_share: unknown }[]
  }
}
/** A study that ended; the one a student is in has no end. */
interface Study {
  id: number | null
  student_id: number
  bylaw_id: number
  last_term_id: number | null
}
interface Credit {
  student_id: number
  former_study_id: number | null
  after: number | null
  course_id: number
  hours: number
  points: number | null
  in_gpa: boolean
}
interface Term {
  term_id: number
  registered: number
  attempted: number
  passed: number
  gpa: number | null
  cumulative_passed: number
  cumulative_gpa: number | null
  level: number
  warnings: number
}

const has = (status: string, flag: bigint): boolean => (BigInt(status) & flag) !== 0n
const MARKED = 262144n | 4194304n | 8388608n | 16777216n | 2147483648n
const LEFT = 1024n | 17592186044416n | 2048n
const LISTED = MARKED | LEFT | 4294967296n | 536870912n | 134217728n | 2305843009213693952n
const AUDIT = 32768n
const REPEAT = 32n
const IMPROVE = 64n

/** Half away from zero, of a fraction that is not negative. */
const nearest = (above: bigint, below: bigint): number => Number((2n * above + below) / (2n * below))

/** The same by marks: out of what the maxima sum to; passed by the share of it, at a later sitting with no more than that. */
function rated(
  course: Course,
  bylaw: Bylaw,
  { marks, sum, unit, weak }: { marks: NonNullable<Course['marks']>; sum: number; unit: number; weak: boolean },
): { total: number; letter: string | null; points: null; passed: boolean } {
  const whole = marks.reduce((all, [maximum]) => all + maximum, 0)
  const earned = nearest(BigInt(sum), BigInt(unit)) * unit
  const passed = !weak && earned * 10_000 >= bylaw.pass * whole
  const enough = Math.ceil((bylaw.pass * whole) / 10_000)
  const total = passed && bylaw.capped && has(course.status, REPEAT) ? Math.min(earned, enough) : earned
  const fits = (bylaw.ratings ?? []).filter(
    ({ from }) => total * 10_000 >= from * whole && (passed || from < bylaw.pass),
  )
  // What grace marks make passed has the rating that just passes, and the marks that were earned.
  const lifted = !passed && !weak && course.grace !== null && earned + course.grace >= enough
  const rating = lifted
    ? (bylaw.ratings ?? []).find(({ from }) => from === bylaw.pass)
    : fits.sort((a, b) => b.from - a.from)[0]
  return { total, letter: course.pass_fail ? null : (rating?.code ?? null), points: null, passed: passed || lifted }
}

/** What the marks make of a registration, where marks decide; null where something else does, or marks are missing. */
function graded(
  course: Course,
  bylaw: Bylaw,
): { total: number; letter: string | null; points: number | null; passed: boolean | null } | null {
  const marks = course.marks ?? []
  if (marks.length < course.categories || !marks.length || has(course.status, AUDIT)) return null
  if (marks.some(([, final, , absent]) => final && absent)) return null
  const sum = marks.reduce((all, [, , mark]) => all + (mark ?? 0), 0)
  const unit = 10 ** (2 - bylaw.places)
  const total = nearest(BigInt(sum), BigInt(unit)) * unit
  const final = marks.find(([, isFinal]) => isFinal)
  const weak = final !== undefined && (final[2] ?? 0) * 10_000 < bylaw.min_final * final[0]
  if (bylaw.by_marks) return rated(course, bylaw, { marks, sum, unit, weak })
  const decides = weak ? 0 : total
  const kind = course.pass_fail ? 'pass_fail' : 'letter'
  const ranges = (bylaw.ranges ?? []).filter((range) => range.kind === kind)
  let range = ranges.find(({ from, to }) => decides >= from && (decides < to || (to === 10_000 && decides === 10_000)))
  if (!range) return { total, letter: null, points: null, passed: null }
  const passed = range.success
  if (course.pass_fail) return { total, letter: null, points: null, passed }
  const most = has(course.status, REPEAT) ? bylaw.repeat_max : has(course.status, IMPROVE) ? bylaw.improve_max : null
  // The highest letter that earns no more than the bylaw lets a repeated course earn.
  if (most !== null && range.points > most)
    range =
      ranges.filter(({ points }) => points <= most).sort((a, b) => b.points - a.points || b.from - a.from)[0] ?? range
  return { total, letter: range.letter, points: range.points, passed }
}

const hundredths = (value: unknown): number => Math.round(Number(value) * 100)
const hundredthsOrNone = (value: unknown): number | null => (value === null ? null : hundredths(value))

/** A bylaw as an edition keeps it. */
function ofEdition({ bylaw_id, settings: s }: Edition): Bylaw {
  return {
    id: bylaw_id,
    min_final: hundredths(s.min_percentage_final_exam),
    places: Number(s.total_places),
    rule: s.repeat_rule as Bylaw['rule'],
    repeat_max: hundredthsOrNone(s.repeat_max_points),
    improve_max: hundredthsOrNone(s.improve_max_points),
    warning_type: s.warning_type as Bylaw['warning_type'],
    warning_count: s.warning_count as Bylaw['warning_count'],
    warning_gpa: hundredths(s.warning_gpa),
    max_warnings: Number(s.max_warnings),
    in_summer: s.warning_in_summer === true,
    ranges: s.grade_types.flatMap(({ kind, ranges }) =>
      ranges.map((one) => ({
        from: hundredths(one.from_percent),
        to: hundredths(one.to_percent),
        letter: String(one.letter),
        points: hundredths(one.points),
        success: one.success === true,
        kind,
      })),
    ),
    levels: s.levels.map((one) => [one.level, hundredths(one.passed_hours)]),
    by_marks: s.program_type === 'term' || s.program_type === 'annual',
    pass: hundredths(s.pass_share),
    capped: s.later_sitting_capped === true,
    ratings: s.ratings.map((one) => ({ code: one.code, from: hundredths(one.from_share) })),
  }
}

/** The figures of a study's terms, in the order of time; each term by what its bylaw said then. */
function terms(
  courses: readonly Course[],
  credits: readonly Credit[],
  order: readonly { id: number; summer: boolean }[],
  bylawIn: (term: number | null) => Bylaw,
): Map<number, Term> {
  const rows = new Map<number, Term>()
  const attempts = new Map<number, { points: number; hours: number }[]>()
  /** What each course counts with: as its last attempt made it, by the rule of that term. */
  const counted = new Map<number, { points: bigint; hours: bigint; best: number }>()
  const attempt = (id: number, one: { points: number; hours: number }, rule: Bylaw['rule']): void => {
    const tries = [...(attempts.get(id) ?? []), one]
    attempts.set(id, tries)
    const before = counted.get(id)
    if (rule === 'best' && before && one.points < before.best) return
    counted.set(id, {
      // 720720 is a multiple of every number of attempts up to 16.
      points:
        rule === 'average'
          ? (720720n * BigInt(tries.reduce((a, b) => a + b.points, 0))) / BigInt(tries.length)
          : 720720n * BigInt(one.points),
      hours: BigInt(one.hours),
      best: one.points,
    })
  }
  const passedHours = new Map<number, number>()
  const failed = new Set<number>()
  let warnings = 0
  const credit = (after: number | null): void => {
    for (const one of credits.filter((each) => each.after === after)) {
      if (one.in_gpa && one.points !== null)
        attempt(one.course_id, { points: one.points, hours: one.hours }, bylawIn(null).rule)
      passedHours.set(one.course_id, Math.max(one.hours, passedHours.get(one.course_id) ?? 0))
    }
  }
  credit(null)
  for (const [i, { id, summer }] of order.entries()) {
    if (i) credit(order[i - 1]!.id)
    const own = courses.filter((one) => one.term_id === id)
    if (!own.length) continue
    const bylaw = bylawIn(id)
    let weight = 0n
    let hours = 0n
    const row = { registered: 0, attempted: 0, passed: 0 }
    for (const one of own) {
      if (!has(one.status, LISTED)) continue
      row.registered += one.hours
      const settled = one.approved || has(one.status, LEFT)
      if (!settled || (one.letter === null && has(one.status, MARKED | 4294967296n))) continue
      if (one.attempted) row.attempted += one.hours
      if (one.in_gpa && one.points !== null) {
        const most = passedHours.has(one.course_id)
          ? bylaw.improve_max
          : failed.has(one.course_id)
            ? bylaw.repeat_max
            : null
        const points = most === null ? one.points : Math.min(one.points, most)
        weight += BigInt(points * one.hours)
        hours += BigInt(one.hours)
        attempt(one.course_id, { points, hours: one.hours }, bylaw.rule)
      }
      if (one.passed === true) {
        row.passed += one.hours
        passedHours.set(one.course_id, Math.max(one.hours, passedHours.get(one.course_id) ?? 0))
      } else if (one.passed === false) failed.add(one.course_id)
    }
    let all = 0n
    let under = 0n
    for (const one of counted.values()) {
      all += one.points * one.hours
      under += 720720n * one.hours
    }
    const gpa = hours === 0n ? null : nearest(weight, hours)
    const cumulative_gpa = under === 0n ? null : nearest(all, under)
    if (bylaw.max_warnings > 0 && gpa !== null && (bylaw.in_summer || !summer)) {
      if ((bylaw.warning_type === 'term' ? gpa : (cumulative_gpa ?? gpa)) < bylaw.warning_gpa) warnings++
      else if (bylaw.warning_count === 'consecutive') warnings = 0
    }
    const cumulative_passed = [...passedHours.values()].reduce((a, b) => a + b, 0)
    const level = Math.max(
      ...(bylaw.levels ?? []).filter(([, from]) => from <= cumulative_passed).map(([number]) => number),
      0,
    )
    rows.set(id, { term_id: id, ...row, gpa, cumulative_gpa, cumulative_passed, warnings, level })
  }
  return rows
}

/** Compares stored results and records with those worked out here. */
export async function checkRecords(ask: Ask, columns: ReadonlySet<string>): Promise<Finding[]> {
  const found: Finding[] = []
  const bylaws = new Map(
    (
      await ask<Bylaw>(`
        select b.id, (min_percentage_final_exam * 100)::int as min_final, total_places::int as places, repeat_rule as rule,
          (repeat_max_points * 100)::int as repeat_max, (improve_max_points * 100)::int as improve_max, warning_type, warning_count,
          (warning_gpa * 100)::int as warning_gpa, max_warnings::int, warning_in_summer as in_summer,
          (select json_agg(json_build_object('from', (g.from_percent * 100)::int, 'to', (g.to_percent * 100)::int, 'letter', g.letter,
            'points', (g.points * 100)::int, 'success', g.success, 'kind', t.kind))
            from grade_ranges g join grade_types t on t.id = g.grade_type_id where t.bylaw_id = b.id) as ranges,
          coalesce(b.program_type in ('term', 'annual'), false) as by_marks, (b.pass_share * 100)::int as pass, b.later_sitting_capped as capped,
          (select json_agg(json_build_object('code', q.code, 'from', (q.from_share * 100)::int)) from bylaw_ratings q where q.bylaw_id = b.id) as ratings,
          (select json_agg(json_build_array(level, passed_hours * 100)) from bylaw_levels where bylaw_id = b.id) as levels
        from bylaws b`)
    ).map((row) => [row.id, row]),
  )
  const order = await ask<{ id: number; summer: boolean }>(
    `select id, term_type = 'summer' as summer from terms order by start_date, id`,
  )
  const editions = Map.groupBy(
    columns.has('bylaw_editions.settings')
      ? await ask<Edition>(
          `select e.bylaw_id, e.until_term_id as until, e.settings from bylaw_editions e join terms w on w.id = e.until_term_id
           order by w.start_date, w.id`,
        )
      : [],
    (one) => one.bylaw_id,
  )
  const place = new Map(order.map(({ id }, i) => [id, i]))
  const at = (term: number | null): number => (term === null ? -1 : (place.get(term) ?? -1))
  const earlier = new Map<Edition, Bylaw>([...editions.values()].flat().map((one) => [one, ofEdition(one)]))
  /** What a bylaw said in a term; null: what it says now. */
  const bylawIn = (id: number, term: number | null): Bylaw => {
    const edition = term === null ? undefined : editions.get(id)?.find((one) => at(term) < at(one.until))
    return edition ? earlier.get(edition)! : bylaws.get(id)!
  }
  // What is marked as outdated is not shown to anybody as valid, and may differ until it is computed again.
  const stale = [...columns].find((name) => /^student_terms\.stale/.test(name))?.split('.')[1]
  const valid = stale ? `(t.${stale} is null or t.${stale}::text = 'false')` : 'true'

  const STEP = 2000
  let after = 0
  for (;;) {
    const students = await ask<{
      id: number
      bylaw_id: number
      gpa: number | null
      passed: number
      after: number | null
    }>(
      `select id, bylaw_id, (gpa * 100)::int as gpa, (passed_hours * 100)::int as passed, study_after_term_id as after from students where id > $1 order by id limit ${STEP}`,
      [after],
    )
    if (!students.length) return found
    const ids = students.map((one) => one.id)
    after = ids.at(-1)!
    const courses = Map.groupBy(
      await ask<Course>(
        `select r.id, r.student_id, r.term_id, r.course_id, (r.credit_hours * 100)::int as hours, r.status::text, r.letter,
           o.control_status in ('Approved', 'Published', 'Frozen') as approved, (r.total * 100)::int as total,
           (r.points * 100)::int as points, r.passed, r.counts_in_gpa as in_gpa, r.counts_in_attempted_hours as attempted,
           c.grade_kind = 'pass_fail' as pass_fail, c.counts_in_gpa as course_counts,
           (select json_agg(json_build_array((x.max * 100)::int, k.is_final_exam, (m.mark * 100)::int, m.absent))
             from registration_marks m join offering_marks x on x.id = m.offering_mark_id
             join mark_categories k on k.id = x.mark_category_id where m.registration_id = r.id) as marks,
           (select count(*)::int from offering_marks x where x.offering_id = r.offering_id) as categories,
           (select (g.marks * 100)::int from grace_marks g where g.registration_id = r.id) as grace
         from registrations r join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id
         where r.student_id = any ($1) order by r.id`,
        [ids],
      ),
      (one) => one.student_id,
    )
    const stored = Map.groupBy(
      await ask<Term & { student_id: number }>(
        `select t.student_id, t.term_id, (registered_hours * 100)::int as registered, (attempted_hours * 100)::int as attempted, (passed_hours * 100)::int as passed,
           (gpa * 100)::int as gpa, (cumulative_passed_hours * 100)::int as cumulative_passed, (cumulative_gpa * 100)::int as cumulative_gpa,
           level::int, warnings::int
         from student_terms t where t.student_id = any ($1) and ${valid}`,
        [ids],
      ),
      (one) => one.student_id,
    )
    const ended = Map.groupBy(
      columns.has('former_studies.last_term_id')
        ? await ask<Study>(
            `select id, student_id, bylaw_id, last_term_id from former_studies where student_id = any ($1) order by id`,
            [ids],
          )
        : [],
      (one) => one.student_id,
    )
    const credited = Map.groupBy(
      columns.has('course_credits.former_study_id')
        ? await ask<Credit>(
            `select student_id, former_study_id, after_term_id as after, course_id, (credit_hours * 100)::int as hours,
               (points * 100)::int as points, counts_in_gpa as in_gpa
             from course_credits where student_id = any ($1) order by id`,
            [ids],
          )
        : [],
      (one) => one.student_id,
    )
    for (const student of students) {
      const own = courses.get(student.id) ?? []
      const studies: Study[] = [
        ...(ended.get(student.id) ?? []),
        { id: null, student_id: student.id, bylaw_id: student.bylaw_id, last_term_id: null },
      ]
      // A term is of the first study that had not ended before it.
      const studyOf = (term: number): Study =>
        studies.find((one) => one.id === null || at(term) <= at(one.last_term_id))!
      for (const one of own) {
        if (!one.approved || !has(one.status, MARKED) || one.letter === null) continue
        const right = graded(one, bylawIn(studyOf(one.term_id).bylaw_id, one.term_id))
        if (!right) continue
        const wrong =
          right.total !== one.total ||
          (right.letter !== null && (right.letter !== one.letter || right.points !== one.points)) ||
          (right.passed !== null && right.passed !== one.passed)
        if (wrong)
          found.push({
            rule: 'a result is what its marks make it',
            where: `registration ${one.id}`,
            data: {
              stored: [one.total, one.letter, one.points, one.passed],
              computed: [right.total, right.letter, right.points, right.passed],
            },
          })
      }
      const rows = stored.get(student.id)
      if (!rows) continue
      const computed = new Map(
        studies.flatMap((study) => [
          ...terms(
            own.filter((one) => studyOf(one.term_id) === study),
            (credited.get(student.id) ?? []).filter((one) => one.former_study_id === study.id),
            order,
            (term) => bylawIn(study.bylaw_id, term),
          ),
        ]),
      )
      for (const { student_id: _student, ...row } of rows) {
        const right = computed.get(row.term_id)
        const { levels } = bylawIn(studyOf(row.term_id).bylaw_id, row.term_id)
        const keys = (Object.keys(row) as (keyof Term)[]).filter((key) => key !== 'level' || levels?.length)
        const wrong = keys.filter((key) => right?.[key] !== row[key])
        if (wrong.length)
          found.push({
            rule: 'the row of a term is what its courses make it',
            where: `student ${student.id}, term ${row.term_id}`,
            data: Object.fromEntries(wrong.map((key) => [key, [row[key], right?.[key] ?? null]])),
          })
      }
      const last = rows.toSorted(
        (a, b) => order.findIndex(({ id }) => id === b.term_id) - order.findIndex(({ id }) => id === a.term_id),
      )[0]!
      // Who moved and has finished no term since has the figures of what was credited.
      const moved = student.after !== null && at(last.term_id) <= at(student.after)
      if (!stale && !moved && (last.cumulative_gpa !== student.gpa || last.cumulative_passed !== student.passed))
        found.push({
          rule: 'a student has the figures of the last finished term',
          where: `student ${student.id}`,
          data: { gpa: [student.gpa, last.cumulative_gpa], passed: [student.passed, last.cumulative_passed] },
        })
    }
  }
}
