import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import type { BylawSettings } from '#areas/study/catalogue/bylaws/settings.rules.ts'
import type { TermType } from '#areas/study/catalogue/bylaw.rules.ts'
import { printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import { degreeBasis } from '#areas/records/degree-audit/audits/basis.server.ts'
import {
  excusedJson,
  exceptionsJson,
  requiredBy,
  type GrantedFor,
  type Required,
} from '#areas/records/degree-audit/audits/required.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { listedMains, markedMains, maskOf } from '../grades/grades.rules.ts'
import { termBylaw, type TermBylaw } from '../terms.rules.ts'

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
export interface StoredRow extends TermRow {
  revised: boolean
  /** What its eligibility for graduation stood on; null: not known. */
  graduation_basis: string | null
}

/** Bits of one registration as the query packs them. */
export const bit = {
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
export type Credit = [number, number, number | null, boolean, number | null, number | null]
/** A study that a transfer ended: its own bylaw and program, up to its last term. */
interface FormerStudy {
  id: number
  bylaw_id: number
  bylaw_version: number
  program_id: number
  last_term_id: number | null
}

export interface Source {
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

/** Terms by their place in time, kept for one run. */
export interface TermOrder {
  readonly order: ReadonlyMap<number, number>
  readonly type: ReadonlyMap<number, TermType>
}
/** All terms in the order of time. */
export async function calendarOf(tx: Db | Tx): Promise<TermOrder> {
  const { rows } = await sql<{
    id: number
    term_type: TermType
  }>`select id, term_type from terms order by start_date, id`.execute(tx)
  return { order: new Map(rows.map(({ id }, i) => [id, i])), type: new Map(rows.map((t) => [t.id, t.term_type])) }
}

export const requiredKey = (student: Pick<Source, 'program_id' | 'bylaw_id' | 'bylaw_version'>): string =>
  `${student.program_id} ${student.bylaw_id} ${student.bylaw_version}`

/** What a bylaw said before the term `until`. */
interface EarlierRules {
  readonly until: number
  readonly rules: TermBylaw
}
/** What does not change during one run: bylaws as the rules want them, study plans, terms. */
export class GradingReference {
  readonly calendar: TermOrder
  readonly bylaws = new Map<number, { settings: BylawSettings; rules: TermBylaw; earlier: readonly EarlierRules[] }>()
  /** What programs require, by program, bylaw and its version: of one revision for the whole run. */
  readonly required = new Map<string, Required & { basis: string }>()
  /** Courses that count as a course. */
  equals: ReadonlyMap<number, readonly number[]> | undefined
  constructor(calendar: TermOrder) {
    this.calendar = calendar
  }
  async load(tx: Db | Tx, students: readonly Source[]): Promise<void> {
    this.equals ??= await equalCourses(tx)
    const studies = students.flatMap((student) => [student, ...(student.former ?? [])])
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
export async function gatherRecord(tx: Db | Tx, student_ids: readonly number[], lock: boolean): Promise<Source[]> {
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

export const text = (hundredths: number | null): string | null =>
  hundredths === null ? null : printHundredths(hundredths)
