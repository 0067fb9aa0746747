/** Equivalence of courses: what is proposed, what was decided, and what an executed transfer credits. */
import { sealsRecords } from '#areas/records/grading/signing/sign.server.ts'
import { parseHundredths, toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { regulationRatingOf } from '#areas/study/catalogue/mark-regulation.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { patternOf, ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { failedSources, followSources, standCredited, standDecided } from './basis.server.ts'
import { checkEquivalences, checkSources, misfits } from './equivalence.rules.ts'
import type { EquivalenceDecided, DecidedCourse } from './equivalence.rules.ts'
import type { DecisionsInput, Equivalence } from './equivalence.contract.ts'
import { shortCourseOf, targetOf, type EquivalenceTarget, type Transfer } from './target.server.ts'
import { own, equivalencesOf, hasAlready, type StoredCounted, keepEquivalences } from './proposal.server.ts'
const column = (kind: Transfer['kind']) => sql.ref(`${kind}_transfer_id`)

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
): EquivalenceDecided[] => {
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
    .map((line): EquivalenceDecided => {
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
function storedCourse(one: DecidedCourse, { ours, bylaw }: EquivalenceTarget): StoredCounted {
  const course = ours.get(one.course_id)!
  const letter = bylaw.marks
    ? (regulationRatingOf(bylaw.marks.ratings, one.mark, course.maximum)?.code ?? null)
    : one.letter
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
export async function decideEquivalence(tx: Tx, transfer: Transfer, sent: DecisionsInput): Promise<void> {
  await followSources(tx, transfer)
  await sql`select from equivalences where ${column(transfer.kind)} = ${transfer.id} order by id for update`.execute(tx)
  const lines = await equivalencesOf(tx, transfer)
  const there = new Set(lines.map((line) => line.id))
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
  await keepEquivalences(
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
  lines: readonly EquivalenceDecided[],
  target: EquivalenceTarget,
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
      ...shortCourseOf(one),
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
