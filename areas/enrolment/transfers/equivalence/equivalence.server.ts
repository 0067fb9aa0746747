/** Equivalence of courses: what is proposed, what was decided, and what an executed transfer credits. */
import { sealsRecords } from '#areas/records/grading/signing/sign.server.ts'
import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import {
  parseHundredths,
  printHundredths,
  toHundredths,
  type Hundredths,
} from '#areas/study/catalogue/decimal.rules.ts'
import { ratingOf } from '#areas/study/catalogue/mark-regulation.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { Refusal } from '#kit/server/errors.ts'
import { patternOf, ref } from '#kit/server/sql.ts'
import { sql } from 'kysely'
import { failedSources, followSources, standCredited, standDecided } from './basis.server.ts'
import { checkEquivalences, checkSources, markOf, misfits, propose } from './equivalence.rules.ts'
import type { Counted, Decided, DecidedCourse, Decision, PassedElsewhere, Proposed } from './equivalence.rules.ts'
import type { DecisionsInput, Equivalence } from './equivalence.contract.ts'
import { shortOf, targetOf, type Target, type Transfer } from './target.server.ts'

const own = (kind: Transfer['kind'], alias = 'e') => sql.ref(`${alias}.${kind}_transfer_id`)
const column = (kind: Transfer['kind']) => sql.ref(`${kind}_transfer_id`)

/** SQL: what a row `alias` of equivalences counts as. */
const countedJson = (alias: string, course: string) =>
  sql.raw(`'course', case when ${course}.id is not null then json_build_object('id', ${course}.id, 'code', ${course}.code,
      'name', ${course}.name, 'name_local', ${course}.name_local, 'credit_hours', ${course}.credit_hours) end,
    'credit_hours', ${alias}.credit_hours, 'letter', ${alias}.letter, 'points', ${alias}.points::text, 'mark', ${alias}.mark::text,
    'maximum', ${alias}.maximum, 'counts_in_gpa', ${alias}.counts_in_gpa`)

/** Courses of a transfer as they are answered. */
export async function equivalencesOf(db: Db | Tx, { kind, id }: Pick<Transfer, 'kind' | 'id'>): Promise<Equivalence[]> {
  const { rows } = await sql<{ counted: object; line: object }>`
    select json_build_object(${countedJson('e', 'c')}) as counted,
      json_build_object('id', e.id, 'source', json_build_object('course_id', e.source_course_id, 'code', e.source_code,
        'name', e.source_name, 'name_local', e.source_name_local, 'credit_hours', e.source_hours, 'grade', e.source_grade),
      'more', coalesce((select json_agg(json_build_object(${countedJson('m', 'k')}) order by m.id)
        from equivalences m join courses k on k.id = m.course_id where m.split_of = e.id), '[]'),
      'joined_to', e.joined_to, 'state', e.state, 'origin', e.origin) as line
    from equivalences e left join courses c on c.id = e.course_id
    where ${own(kind)} = ${id} and e.split_of is null order by e.position, e.id`.execute(db)
  return rows.map(({ counted, line }) => ({ ...line, ...counted }) as Equivalence)
}

/**
 * What was decided before of these courses for the program: the last time, in a transfer that was executed, with the courses
 * that counted together. Of another university the same faculty comes first; what another faculty of it teaches under the code
 * is another course.
 */
async function decisionsOf(
  db: Db | Tx,
  { id, kind, program_id }: Transfer,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Decision>> {
  const { rows } = await sql<{ key: string } & Decision>`
    with last as (
      select distinct on (e.source_key) e.source_key as key, coalesce(e.joined_to, e.id) as line
      from equivalences e left join internal_transfers i on i.id = e.internal_transfer_id
        left join external_transfers x on x.id = e.external_transfer_id
      where e.source_key = any(${[...keys]}::text[]) and coalesce(i.program_id, x.program_id) = ${program_id}
        and coalesce(i.status, x.status) = 'executed' and e.decided and e.split_of is null and ${SAME_FACULTY(kind, id)}
      order by e.source_key, x.university_faculty_id is null, coalesce(i.executed_at, x.executed_at) desc, e.id desc)
    select last.key, (select json_agg(j.source_key order by j.id) from equivalences j where j.id = last.line or j.joined_to = last.line) as keys,
      coalesce((select json_agg(json_build_object('course_id', m.course_id, 'hours', (m.credit_hours * 100)::int,
          'counts_in_gpa', m.counts_in_gpa, 'graded', m.letter is not null) order by m.id)
        from equivalences m where (m.id = last.line or m.split_of = last.line) and m.course_id is not null), '[]') as counts
    from last`.execute(db)
  return new Map(rows.map(({ key, ...one }) => [key, one]))
}

/** SQL: the transfer `x` and this one name no two different faculties of the university. */
const SAME_FACULTY = (kind: Transfer['kind'], id: number) =>
  kind === 'internal'
    ? sql`true`
    : sql`coalesce(x.university_faculty_id = (select m.university_faculty_id from external_transfers m where m.id = ${id}), true)`

interface Source extends PassedElsewhere {
  readonly registration_id: number | null
  readonly code: string
  readonly name: string
  readonly name_local: string | null
  readonly grade: string | null
}

/** What a student has passed in the study that is left: each course once, with the best result that is published. */
async function passedBy(db: Db | Tx, student_id: number): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select * from (
      select distinct on (x.course_id) 'c' || x.course_id as key, x.course_id, x.registration_id, c.code, c.name, c.name_local,
        (x.credit_hours * 100)::int as hours, (x.percent * 100)::int as percent, x.letter, x.letter as grade, (x.points * 100)::int as points,
        x.by_marks, x.at
      from (
        select r.course_id, r.id as registration_id, r.credit_hours,
          -- What grace marks made passed is worth the share that passes.
          case when r.maximum is null then r.total else greatest(round(r.total * 100 / r.maximum, 2), b.pass_share) end as percent,
          r.letter, r.points, r.maximum is not null as by_marks, w.start_date as at
        from registrations r join offerings o on o.id = r.offering_id join terms w on w.id = r.term_id join students s on s.id = r.student_id
          join bylaws b on b.id = s.bylaw_id
        where r.student_id = ${student_id} and r.passed and o.control_status in ('Published', 'Frozen')
          and (s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id))
        union all
        select k.course_id, null, k.credit_hours, round(k.mark * 100 / k.maximum, 2), k.letter, k.points, k.mark is not null, '0001-01-01'
        from course_credits k where k.student_id = ${student_id} and k.former_study_id is null) x join courses c on c.id = x.course_id
      order by x.course_id, x.points desc nulls last, x.percent desc nulls last, x.at desc) p
    order by p.at, p.code`.execute(db)
  return rows
}

type Line = PassedElsewhere & { readonly id: number }
/** Courses that a transfer has already, as they were passed. */
async function sourcesOf(db: Db | Tx, { kind, id }: Transfer, some?: ReadonlySet<number>): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select e.id, e.source_key as key, e.source_course_id as course_id, (e.source_hours * 100)::int as hours,
      (e.source_percent * 100)::int as percent, e.source_grade as letter, (e.source_points * 100)::int as points, e.source_by_marks as by_marks
    from equivalences e where ${own(kind)} = ${id} and e.split_of is null
      and ${some ? sql`e.id = any(${[...some]}::int[])` : sql`true`} order by e.position, e.id`.execute(db)
  return rows
}

const proposal = async (
  db: Db | Tx,
  transfer: Transfer,
  target: Target,
  passed: readonly PassedElsewhere[],
  besides: ReadonlySet<number> = new Set(),
): Promise<Proposed[]> =>
  propose(
    passed,
    [...target.ours.values()].filter((one) => !besides.has(one.id)),
    {
      equals: await equalCourses(db),
      decisions: await decisionsOf(
        db,
        transfer,
        passed.map((one) => one.key),
      ),
      scale: target.scale,
    },
  )

/** Courses already credited, or passed, in the study a student is in, with those that are equal: they are not credited again. */
async function hasAlready(db: Db | Tx, { kind, student_id }: Transfer): Promise<Set<number>> {
  if (kind === 'internal' || student_id === null) return new Set()
  const equals = await equalCourses(db)
  return new Set(
    (await passedBy(db, student_id)).flatMap(({ course_id }) => [course_id!, ...(equals.get(course_id!) ?? [])]),
  )
}

type State = Equivalence['state']
const stateOf = ({ course_id, joined }: Proposed): State =>
  course_id === null && joined === null ? 'none' : 'proposed'

/** What a row counts as, as it is stored: hundredths. */
interface StoredCounted {
  ours: number | null
  ours_hours: Hundredths | null
  ours_letter: string | null
  ours_points: Hundredths | null
  ours_mark: Hundredths | null
  ours_maximum: Hundredths | null
  counts_in_gpa: boolean
}
const COUNTED = sql`ours int, ours_hours numeric, ours_letter text, ours_points numeric, ours_mark numeric, ours_maximum numeric,
  counts_in_gpa boolean`

/** A proposal as it is stored: a share of the maximum is a mark of the course. */
function counting({ course_id, hours, grade, counts_in_gpa }: Counted, { ours, bylaw }: Target): StoredCounted {
  const maximum = course_id === null ? null : ours.get(course_id)!.maximum
  const mark = !grade || grade.share === null ? null : markOf(grade.share, maximum!, bylaw.total_places)
  return {
    ours: course_id,
    ours_hours: hours,
    ours_letter: grade?.letter ?? null,
    ours_points: grade?.points ?? null,
    ours_mark: mark,
    ours_maximum: mark === null ? null : maximum,
    counts_in_gpa,
  }
}

interface Kept extends StoredCounted {
  id: number
  more: readonly StoredCounted[]
  joined_to: number | null
  state: State
  decided: boolean
  /** null: as it stands, where the course stays the same. */
  origin: string | null
}
/** Writes what courses of a transfer count as; the further courses of each are written anew. */
async function keep(tx: Tx, lines: readonly Kept[]): Promise<void> {
  await sql`delete from equivalences where split_of = any(${lines.map((one) => one.id)}::int[])`.execute(tx)
  await sql`update equivalences e set course_id = x.ours, credit_hours = x.ours_hours / 100.0, letter = x.ours_letter, points = x.ours_points / 100.0,
      mark = x.ours_mark / 100.0, maximum = x.ours_maximum / 100, counts_in_gpa = x.counts_in_gpa, state = x.state, decided = x.decided,
      joined_to = x.joined_to,
      origin = coalesce(x.origin, case when e.course_id is not distinct from x.ours and e.joined_to is not distinct from x.joined_to
        then e.origin else 'hand' end)
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as x (id int, ${COUNTED}, state text, decided boolean, joined_to int, origin text)
    where e.id = x.id`.execute(tx)
  const more = lines.flatMap(({ id, more: further }) => further.map((one, place) => ({ ...one, id, place })))
  if (more.length)
    await sql`insert into equivalences (internal_transfer_id, external_transfer_id, position, registration_id, source_course_id, source_code,
        source_name, source_name_local, source_hours, source_grade, source_percent, source_points, source_by_marks, source_key, split_of,
        course_id, credit_hours, letter, points, mark, maximum, counts_in_gpa, state, decided, origin)
      select e.internal_transfer_id, e.external_transfer_id, e.position, e.registration_id, e.source_course_id, e.source_code,
        e.source_name, e.source_name_local, e.source_hours, e.source_grade, e.source_percent, e.source_points, e.source_by_marks, e.source_key, e.id,
        x.ours, x.ours_hours / 100.0, x.ours_letter, x.ours_points / 100.0, x.ours_mark / 100.0, x.ours_maximum / 100, x.counts_in_gpa,
        e.state, e.decided, e.origin
      from jsonb_to_recordset(${JSON.stringify(more)}::jsonb) as x (id int, ${COUNTED}, place int)
        join equivalences e on e.id = x.id order by x.id, x.place`.execute(tx)
}
const proposedLines = (ids: readonly number[], counted: readonly Proposed[], target: Target): Kept[] =>
  counted.map((one, i) => ({
    ...counting(one, target),
    id: ids[i]!,
    more: one.more.map((further) => counting(further, target)),
    joined_to: one.joined === null ? null : ids[one.joined]!,
    state: stateOf(one),
    decided: false,
    origin: one.origin,
  }))

/** Brings the courses of an internal transfer up to what the student has passed by now. @returns how many came */
export async function followPassed(tx: Tx, transfer: Transfer): Promise<number> {
  const { rows: there } = await sql<{ course_id: number; ours: number | null; split: boolean }>`
    select source_course_id as course_id, course_id as ours, split_of is not null as split from equivalences
    where internal_transfer_id = ${transfer.id}`.execute(tx)
  const known = new Set(there.map((one) => one.course_id))
  const passed = (await passedBy(tx, transfer.student_id!)).filter((one) => !known.has(one.course_id!))
  if (!passed.length) return 0
  const target = await targetOf(tx, transfer)
  const taken = new Set(there.flatMap((one) => one.ours ?? []))
  const counted = await proposal(tx, transfer, target, passed, taken)
  const after = there.filter((one) => !one.split).length
  const lines = passed.map((one, i) => ({ ...one, position: after + i }))
  const { rows: made } = await sql<{ id: number }>`
    insert into equivalences (internal_transfer_id, position, registration_id, source_course_id, source_code, source_name,
      source_name_local, source_hours, source_grade, source_percent, source_points, source_by_marks, source_key, state)
    select ${transfer.id}, x.position, x.registration_id, x.course_id, x.code, x.name, x.name_local, x.hours / 100.0, x.grade,
      least(x.percent / 100.0, 100), x.points / 100.0, x.by_marks, x.key, 'none'
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as x (position int, registration_id int, course_id int, code text, name text,
      name_local text, hours numeric, grade text, percent numeric, points numeric, by_marks boolean, key text)
    order by x.position returning id`.execute(tx)
  await keep(
    tx,
    proposedLines(
      made.map((one) => one.id),
      counted,
      target,
    ),
  )
  return passed.length
}

/** Passed courses that the transfer does not have yet. */
export async function passedSince(db: Db | Tx, transfer: Transfer): Promise<number> {
  const { rows } = await sql<{ course_id: number }>`select source_course_id as course_id from equivalences
    where internal_transfer_id = ${transfer.id}`.execute(db)
  const known = new Set(rows.map((one) => one.course_id))
  return (await passedBy(db, transfer.student_id!)).filter((one) => !known.has(one.course_id!)).length
}

/** Proposes anew what the courses of a transfer count as; what somebody decided stays. */
export async function proposeAgain(tx: Tx, transfer: Transfer): Promise<void> {
  const { rows: there } = await sql<{ id: number; course_id: number | null; open: boolean }>`
    select e.id, e.course_id, m.state = 'proposed' or (m.state = 'none' and not m.decided) as open
    from equivalences e join equivalences m on m.id = coalesce(e.split_of, e.id) where ${own(transfer.kind)} = ${transfer.id}`.execute(
    tx,
  )
  const open = new Set(there.filter((one) => one.open).map((one) => one.id))
  if (!open.size) return
  const target = await targetOf(tx, transfer)
  const sources = await sourcesOf(tx, transfer, open)
  const taken = await hasAlready(tx, transfer)
  for (const one of there) if (!one.open && one.course_id !== null) taken.add(one.course_id)
  const counted = await proposal(tx, transfer, target, sources, taken)
  await keep(
    tx,
    proposedLines(
      sources.map((one) => one.id),
      counted,
      target,
    ),
  )
}

/** What would be proposed now for every course of a transfer, whatever was decided. */
export async function proposedFor(db: Db | Tx, transfer: Transfer): Promise<Equivalence[]> {
  const lines = await equivalencesOf(db, transfer)
  const target = await targetOf(db, transfer)
  const counted = await proposal(db, transfer, target, await sourcesOf(db, transfer), await hasAlready(db, transfer))
  const answered = (one: Counted) => {
    const { ours, ours_hours, ours_letter, ours_points, ours_mark, ours_maximum, counts_in_gpa } = counting(one, target)
    return {
      course: ours === null ? null : shortOf(target.courses.get(ours)!),
      credit_hours: ours_hours === null ? null : ours_hours / 100,
      letter: ours_letter,
      points: ours_points === null ? null : printHundredths(ours_points),
      mark: ours_mark === null ? null : printHundredths(ours_mark),
      maximum: ours_maximum === null ? null : ours_maximum / 100,
      counts_in_gpa,
    }
  }
  return lines.map((line, i) => {
    const one = counted[i]!
    return {
      ...line,
      ...answered(one),
      more: one.more.map((further) => answered(further) as Equivalence['more'][number]),
      joined_to: one.joined === null ? null : lines[one.joined]!.id,
      state: stateOf(one),
      origin: one.origin,
    }
  })
}

type Sent = DecisionsInput['courses'][number]
/** One of our courses as it was sent. */
const decidedCourse = (
  one: Omit<Sent, 'id' | 'more' | 'joined_to' | 'course_id'>,
  course_id: number,
): DecidedCourse => ({
  course_id,
  hours: one.credit_hours === null ? null : toHundredths(one.credit_hours),
  letter: one.letter,
  mark: one.mark === null ? null : parseHundredths(one.mark),
  counts_in_gpa: one.counts_in_gpa,
})
const sentCourses = (one: Sent): DecidedCourse[] =>
  one.course_id === null
    ? one.more.map((further) => decidedCourse(further, further.course_id))
    : [decidedCourse(one, one.course_id), ...one.more.map((further) => decidedCourse(further, further.course_id))]

/**
 * The courses of a transfer with decisions in place of what stands, where some are sent.
 * @param lines as they stand
 */
export const withDecisions = (
  lines: readonly Equivalence[],
  { courses }: Pick<DecisionsInput, 'courses'>,
): Decided[] => {
  const sent = new Map(courses.map((one, place) => [one.id, { one, place }]))
  const standing = (line: Equivalence): DecidedCourse[] =>
    [line, ...line.more].flatMap((one) =>
      one.course
        ? [
            {
              course_id: one.course.id,
              hours: one.credit_hours === null ? null : toHundredths(one.credit_hours),
              letter: one.letter,
              mark: one.mark === null ? null : parseHundredths(one.mark),
              counts_in_gpa: one.counts_in_gpa,
            },
          ]
        : [],
    )
  return lines
    .map((line): Decided => {
      const now = sent.get(line.id)
      return {
        id: line.id,
        source: { code: line.source.code, hours: toHundredths(line.source.credit_hours) },
        counts: now ? sentCourses(now.one) : standing(line),
        joined_to: now ? now.one.joined_to : line.joined_to,
        place: now?.place ?? null,
      }
    })
    .toSorted((a, b) => (a.place ?? -1) - (b.place ?? -1))
}

/** A decision as it is stored: the grade of a mark is its rating, the points are those of the letter. */
function storedCourse(one: DecidedCourse, { ours, bylaw }: Target): StoredCounted {
  const course = ours.get(one.course_id)!
  const letter = bylaw.marks ? (ratingOf(bylaw.marks.ratings, one.mark, course.maximum)?.code ?? null) : one.letter
  return {
    ours: course.id,
    ours_hours: one.hours ?? course.hours,
    ours_letter: letter,
    ours_points: bylaw.marks ? null : (bylaw.grade_ranges.find((range) => range.letter === letter)?.points ?? null),
    ours_mark: one.mark,
    ours_maximum: one.mark === null ? null : course.maximum,
    counts_in_gpa: one.counts_in_gpa,
  }
}
const NO_COURSE: StoredCounted = {
  ours: null,
  ours_hours: null,
  ours_letter: null,
  ours_points: null,
  ours_mark: null,
  ours_maximum: null,
  counts_in_gpa: false,
}

/**
 * Keeps decisions on courses of a transfer. Courses that are not sent stay as they are.
 * @throws {Refusal} 422 with every reason; a course that is none of the transfer's is one
 */
export async function decide(tx: Tx, transfer: Transfer, sent: DecisionsInput): Promise<void> {
  await followSources(tx, transfer)
  await sql`select from equivalences where ${column(transfer.kind)} = ${transfer.id} order by id for update`.execute(tx)
  const lines = await equivalencesOf(tx, transfer)
  const there = new Set(lines.map((one) => one.id))
  const target = await targetOf(tx, transfer)
  const all = withDecisions(lines, sent)
  const reasons = [
    ...sent.courses.flatMap((one, i) =>
      there.has(one.id) ? [] : [{ field: `courses.${i}.id`, code: 'reference_missing' as const }],
    ),
    ...checkEquivalences(all, target.ours, target.scale, { same_hours: transfer.kind === 'internal' }),
    ...checkSources(all, await failedSources(tx, transfer)),
    ...(await alreadyPassed(tx, transfer, all, target)),
  ]
  if (reasons.length) throw new Refusal(422, reasons)
  await keep(
    tx,
    all
      .filter((one) => one.place !== null)
      .map((one) => {
        const [first, ...more] = one.counts.map((course) => storedCourse(course, target))
        return {
          ...(first ?? NO_COURSE),
          id: one.id,
          more,
          joined_to: one.joined_to,
          state: first || one.joined_to !== null ? 'confirmed' : 'none',
          decided: true,
          origin: null,
        }
      }),
  )
  await standDecided(
    tx,
    transfer,
    all.flatMap((one) => (one.place === null ? [] : [one.id])),
  )
}

/**
 * Codes of courses that the transfer is to credit and that the program or its bylaw would not take so any more: since it was
 * decided hours, the maximum mark or the grade changed. null: all fit.
 */
export async function unfitOf(db: Db | Tx, transfer: Transfer): Promise<string | null> {
  const lines = await equivalencesOf(db, transfer)
  const counted = lines
    .flatMap((line) => (line.state === 'none' ? [] : [line, ...line.more]))
    .flatMap(({ course, credit_hours, letter, points, mark, maximum }) =>
      course
        ? [
            {
              course_id: course.id,
              hours: toHundredths(credit_hours ?? 0),
              letter,
              points: points === null ? null : parseHundredths(points),
              mark: mark === null ? null : parseHundredths(mark),
              maximum: maximum === null ? null : maximum * 100,
            },
          ]
        : [],
    )
  if (!counted.length) return null
  const target = await targetOf(db, transfer)
  return misfits(counted, target.ours, target.scale).toSorted().join(', ') || null
}

async function alreadyPassed(
  tx: Tx,
  transfer: Transfer,
  lines: readonly Decided[],
  target: Target,
): Promise<{ field: string; code: string; data: Record<string, unknown> }[]> {
  const passed = await hasAlready(tx, transfer)
  return lines.flatMap(({ counts, place }) =>
    counts.flatMap(({ course_id }, i) =>
      place !== null && passed.has(course_id)
        ? [
            {
              field: `courses.${place}.${i ? `more.${i - 1}.` : ''}course_id`,
              code: 'equivalence_passed_already',
              data: { course: target.ours.get(course_id)?.code ?? '' },
            },
          ]
        : [],
    ),
  )
}

/** Courses of the program that a course may count as; `taken`: one counts as it already. */
export async function programCoursesOf(db: Db | Tx, transfer: Transfer, search: string) {
  const target = await targetOf(db, transfer)
  const lines = await equivalencesOf(db, transfer)
  const taken = new Set(lines.flatMap((line) => [line, ...line.more].flatMap((one) => one.course?.id ?? [])))
  for (const id of await hasAlready(db, transfer)) taken.add(id)
  const placed = new Map(target.plan.courses.map((one) => [one.course_id, one]))
  const { rows } = await sql<{
    id: number
  }>`select c.id from courses c where c.id = any(${[...target.courses.keys()]}::int[])
    and (${search} = '' or c.search_text like ${patternOf(search)})`.execute(db)
  const found = new Set(rows.map((row) => row.id))
  return [...target.courses.values()]
    .filter((one) => found.has(one.id))
    .map((one) => ({
      ...shortOf(one),
      level: placed.get(one.id)?.level ?? null,
      semester: placed.get(one.id)?.semester ?? null,
      maximum: target.ours.get(one.id)!.maximum / 100,
      taken: taken.has(one.id),
    }))
}

/** Earlier decisions on a course, for whatever program of this university, the latest first. */
export async function earlierOf(db: Db | Tx, id: number) {
  const { rows } = await sql<{
    course: { id: number; name: string; name_local: string; code: string } | null
    counts_in_gpa: boolean
    letter: string | null
    at: string
  }>`
    select case when c.id is not null then ${ref('c')} end as course, g.counts_in_gpa, g.letter, coalesce(i.executed_at, x.executed_at) as at
    from equivalences me join equivalences e on e.source_key = me.source_key and coalesce(e.split_of, e.id) <> me.id
      join equivalences g on g.id = coalesce(e.joined_to, e.id)
      left join internal_transfers i on i.id = e.internal_transfer_id
      left join external_transfers x on x.id = e.external_transfer_id
      left join courses c on c.id = g.course_id
    where me.id = ${id} and coalesce(i.status, x.status) = 'executed'
      and coalesce(i.program_id, x.program_id) = (select coalesce(mi.program_id, mx.program_id) from equivalences m
        left join internal_transfers mi on mi.id = m.internal_transfer_id left join external_transfers mx on mx.id = m.external_transfer_id where m.id = me.id)
    order by 4 desc, e.id limit 20`.execute(db)
  return rows
}

/** Records the courses of a transfer as passed, from the term after this one on. */
export async function credit(
  tx: Tx,
  transfer: Transfer & { student_id: number },
  { term_id, after_term_id }: { term_id: number; after_term_id: number | null },
): Promise<number> {
  sealsRecords(tx)
  const { rows } = await sql<{
    id: number
  }>`insert into course_credits (student_id, equivalence_id, course_id, term_id, after_term_id, credit_hours, letter,
      points, mark, maximum, counts_in_gpa)
    select ${transfer.student_id}, e.id, e.course_id, ${term_id}, ${after_term_id}, e.credit_hours, e.letter, e.points, e.mark, e.maximum,
      e.counts_in_gpa
    from equivalences e where ${own(transfer.kind)} = ${transfer.id} and e.state = 'confirmed' and e.course_id is not null
    order by e.position, e.id returning id`.execute(tx)
  await standCredited(
    tx,
    transfer,
    rows.map((row) => row.id),
  )
  return rows.length
}
