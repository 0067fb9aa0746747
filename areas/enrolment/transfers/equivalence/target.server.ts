/** The program that is joined, with all that equivalences are judged by. */
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import type { BylawSettings } from '#areas/study/catalogue/bylaws/settings.rules.ts'
import { printHundredths, toHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { programPlan } from '#areas/study/catalogue/programs/read-plan.server.ts'
import type { StudyPlan } from '#areas/study/catalogue/study-plan.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import type { EquivalenceGrades } from './equivalence.contract.ts'
import type { OurCourse, Scale } from './equivalence.rules.ts'

/** Whose courses they are. */
export type TransferKind = 'internal' | 'external'
/** A transfer as far as its courses are concerned. */
export interface Transfer {
  readonly id: number
  readonly kind: TransferKind
  /** null: of somebody who applies. */
  readonly student_id: number | null
  readonly program_id: number
}

/** The program that is joined. */
export interface EquivalenceTarget {
  readonly program: { readonly id: number; readonly code: string; readonly name: string; readonly name_local: string }
  readonly plan: StudyPlan
  readonly bylaw: BylawSettings
  /** The bylaw that an internal transfer leaves. */
  readonly left: BylawSettings | null
  readonly scale: Scale
  readonly ours: ReadonlyMap<number, OurCourse>
  readonly courses: ReadonlyMap<number, Course>
  readonly pools: readonly { id: number; name: string; name_local: string }[]
}
interface Course {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly credit_hours: number
}
/** A course as it is answered. */
export const shortCourseOf = ({ id, code, name, name_local, credit_hours }: Course) => ({
  id,
  code,
  name,
  name_local,
  credit_hours,
})

/** Reads the program. One without a plan takes every course of its faculty. */
export async function targetOf(
  db: Db | Tx,
  { program_id, student_id, kind }: Pick<Transfer, 'program_id' | 'student_id' | 'kind'>,
): Promise<EquivalenceTarget> {
  const stored = await programPlan(db, program_id)
  const bylaw = await bylawSettings(db, stored.program.bylaw.id)
  const left = kind === 'internal' && student_id !== null ? await bylawOfStudent(db, student_id) : null
  const planned = stored.plan.courses.map((course) => stored.courses.get(course.course_id)!)
  const all: readonly Course[] = planned.length
    ? planned
    : (
        await sql<Course>`select c.id, c.code, c.name, c.name_local, c.credit_hours::float8 as credit_hours from courses c
          join programs p on p.id = ${program_id} where c.removed_at is null and c.faculty_id = p.faculty_id order by c.code`.execute(
          db,
        )
      ).rows
  const { rows: maxima } = await sql<{ id: number; maximum: number }>`
    select c.id, coalesce(p.max_mark, c.max_mark) * 100 as maximum from courses c
      left join program_courses p on p.course_id = c.id and p.program_id = ${program_id}
    where c.id = any(${all.map((one) => one.id)}::int[])`.execute(db)
  const maximum = new Map(maxima.map((one) => [one.id, one.maximum]))
  return {
    program: stored.program,
    plan: stored.plan,
    bylaw,
    left,
    scale: {
      ranges: bylaw.grade_ranges,
      marks: bylaw.marks,
      conversions: bylaw.conversions.length ? bylaw.conversions : (left?.conversions ?? []),
    },
    ours: new Map(
      all.map((one) => [
        one.id,
        { id: one.id, code: one.code, hours: toHundredths(one.credit_hours), maximum: maximum.get(one.id) ?? 10_000 },
      ]),
    ),
    courses: new Map(all.map((one) => [one.id, one])),
    pools: stored.pools,
  }
}

async function bylawOfStudent(db: Db | Tx, student_id: number): Promise<BylawSettings | null> {
  const { rows } = await sql<{ id: number; version: number }>`
    select b.id, b.version from students s join bylaws b on b.id = s.bylaw_id where s.id = ${student_id}`.execute(db)
  return rows[0] ? bylawSettings(db, rows[0].id, rows[0].version) : null
}

/** With what a course may count: passing grades of the bylaw that is joined, the best first, or marks and their ratings. */
export const gradesOf = ({ bylaw }: EquivalenceTarget): EquivalenceGrades => ({
  by_marks: bylaw.marks !== null,
  scale: bylaw.marks
    ? bylaw.marks.ratings
        .filter((rating) => rating.from >= bylaw.marks!.pass_share)
        .map(({ code, name, name_local, from }) => ({
          letter: code,
          points: null,
          name,
          name_local,
          from_share: trimHundredths(from),
        }))
    : bylaw.grade_ranges
        .filter((gradeRange) => gradeRange.success)
        .toSorted((a, b) => b.from - a.from)
        .map((gradeRange) => ({
          letter: gradeRange.letter,
          points: printHundredths(gradeRange.points),
          name: gradeRange.letter,
          name_local: gradeRange.letter,
          from_share: null,
        })),
})
