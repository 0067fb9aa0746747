import type { Absent } from '#kit/server/base/sql.ts'
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { sql } from 'kysely'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { GradesVisibility } from '#areas/common/academics/control.rules.ts'
import { attemptOf, isAudit, mainOf } from '#areas/common/academics/status.rules.ts'
import type { Access, Ref } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { graceText, ratingText } from '#areas/common/academics/rating.server.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { students } from '../student/student.server.ts'
import type {
  CreditedCourse,
  StudentDashboard,
  Hold,
  StudentHead,
  RecordedCourse,
  TermFigures,
} from './record.contract.ts'
import { seen } from './record.rules.ts'
import type { Eyes } from './record.rules.ts'

/** Whose record is read, by which right. Staff see all of it, students what the bylaw shows. */
export interface Reader {
  readonly id: number
  readonly access: Access
  readonly staff: boolean
}
/** A student's record for staff and advisors. */
export const recordOf = (id: number): Reader => ({ id, access: 'show_student_record', staff: true })
/** No part of any result is seen: the bylaw shows none, or a debt holds them. */
export const nothingSeen = (eyes: Eyes): boolean =>
  eyes !== null && eyes.marks === null && eyes.letter === null && eyes.points === null && eyes.gpa === null
/** The reader's own record. @throws {Refusal} 404 when the reader is no student */
export function ownAcademicRecord(ctx: Ctx): Reader {
  const id = ctx.actor?.student_id
  if (!id) throw refuse(404, 'not_found')
  return { id, access: 'access_student', staff: false }
}

type Term = Ref & { term_type: string }

/** A registration as the record keeps it. */
export interface Taken extends RecordedCourse {
  readonly term: Term
  /** Credited by a transfer: nobody was registered here. */
  readonly credited?: true
}
/** A study that a transfer ended. */
interface FormerStudy {
  readonly program: Ref
  readonly last_term_id: number | null
}
/** A registration as it is read, in columns of its own beside those of the student. */
interface StoredTaken extends Omit<Taken, 'main' | 'attempt' | 'audit' | 'term' | 'course'> {
  readonly taken_term_id: number
  readonly taken_status: string
  readonly course_id: number
  readonly course_name: string
  readonly course_name_local: string
  readonly course_code: string
  readonly credit_hours: number
}
interface Stored extends Omit<StudentHead, 'gpa' | 'revised'> {
  year: StudentDashboard['year']
  gpa: string | null
  version: number
  removed: boolean
  entry_term: Ref | null
  email: string | null
  phone: string | null
  blocked_at: string | null
  blocked_reason: string | null
  notes: string | null
  tags: Ref[] | null
  training_weeks: number
  bylaw_version: number
  visibility: GradesVisibility
  required_hours: number
  current_term_id: number | null
  terms: Term[]
  results: (TermFigures & { term_id: number; out: boolean; published: boolean })[]
  shown: { level: number; passed_hours: number; warnings: number; gpa: string | null } | null
  revised: number[]
  held: string[]
  holds: Hold[]
  former_studies: FormerStudy[]
  figures_after: number | null
  credits: (CreditedCourse & { term_id: number })[]
}

/** The whole record of a student, as far as the reader sees it. */
export interface AcademicRecord {
  readonly student: Omit<
    Stored,
    | 'terms'
    | 'results'
    | 'shown'
    | 'revised'
    | 'holds'
    | 'held'
    | 'visibility'
    | 'former_studies'
    | 'figures_after'
    | 'credits'
  >
  readonly eyes: Eyes
  /** What counts in the study the student is in: every registration of it, in the order of time, after the courses credited. */
  readonly taken: readonly Taken[]
  /** Registrations of studies that transfers ended, each with the program of then. They count only as they were credited. */
  readonly former: readonly (Taken & { readonly program: Ref })[]
  /** Courses credited by transfers; those of ended studies are marked so. */
  readonly credits: readonly CreditedCourse[]
  /** Of the finished terms those by which the student stands: none before courses were credited, or a study began anew. */
  readonly standing: AcademicRecord['results']
  /** Finished terms whose figures are valid and may be seen, in the order of time. */
  readonly results: readonly (TermFigures & { term: Term; published: boolean })[]
  /** Finished terms whose figures are being revised, because a result they stand on has changed. */
  readonly revised: ReadonlySet<number>
  /** The terms that the figures on top stand on: up to the last one that is finished, and may be seen. */
  readonly counted: ReadonlySet<number>
  readonly current: Term | null
  readonly holds: readonly Hold[]
  /** Of the rights asked about, those that the reader has on the student. */
  readonly held: ReadonlySet<string>
}

const takenColumns =
  sql.raw(`r.id as registration_id, r.offering_id, o.code as offering_code, r.term_id as taken_term_id,
  r.status as taken_status, o.control_status, r.counts_in_gpa, r.total, r.maximum, ${graceText('r')} as grace, r.letter, ${ratingText('r')} as rating, r.points, r.passed, c.id as course_id,
  c.name as course_name, c.name_local as course_name_local, c.code as course_code, r.credit_hours::float8`)

/** SQL: whether the figures of a term `w` are out, where `alias` is the first term held back, as `figures_held_back` says it. */
export const before = (alias: string): string =>
  `${alias}.term_id is null or (w.start_date, w.id) < (${alias}.term_start, ${alias}.term_id)`

const figuresJson = sql.raw(
  `json_build_object('term_id', x.term_id, 'out', ${before('hidden')}, 'published', ${before('unpublished')}, ${[
    'registered_hours',
    'attempted_hours',
    'passed_hours',
    'cumulative_hours',
    'cumulative_passed_hours',
    'level',
    'warned',
    'warnings',
    'standing',
  ]
    .map((name) => `'${name}', x.${name}`)
    .join(
      ', ',
    )}, ${['term_points', 'gpa', 'cumulative_points', 'cumulative_gpa'].map((name) => `'${name}', x.${name}::text`).join(', ')})`,
)

/** Rights asked about with a record: name → the right. */
type Rights = Readonly<Record<string, Access>>

/**
 * Reads a record in one round trip, and which of some rights the reader has on the student.
 *
 * @throws {Refusal} 404 outside what the reader reaches
 */
export async function readRecord(ctx: Ctx, reader: Reader, rights: Rights = {}): Promise<AcademicRecord> {
  const asked = Object.entries(rights)
  // Staff see all figures, and those of the row: what is out is asked for students only. First comes the student, then
  // each registration: as rows they cost a third of what they cost as JSON.
  const { rows } = await sql<(Stored & Absent<StoredTaken>) | (Absent<Stored> & StoredTaken)>`
    with taken as materialized (
      select ${takenColumns} from registrations r join offerings o on o.id = r.offering_id ${sql.raw(joinCourse('r.course_id', 'r.offering_id'))}
      where r.student_id = ${reader.id} order by r.id
    ), head as materialized (
    select t.id, t.version, t.code, t.name, t.name_local, t.level, t.status,
      ${students.column(ctx, 'gpa')}::text as gpa, ${students.column(ctx, 'passed_hours')} as passed_hours, ${students.column(ctx, 'warnings')} as warnings,
      t.removed_at is not null as removed, t.email,
      ${sql.join((['phone', 'blocked_at', 'blocked_reason', 'notes', 'tags'] as const).map((name) => sql`${students.column(ctx, name)} as ${sql.ref(name)}`))},
      coalesce((t.data ->> 'training_weeks')::int, 0) as training_weeks,
      coalesce(b.program_type in ('term', 'annual'), false) as by_marks,
      (select json_build_object('year', ${ref('v')}, 'level', y.level, 'enrolment', y.enrolment) from student_years y
        join years v on v.id = y.year_id where y.student_id = t.id order by v.start_date desc, v.id desc limit 1) as year,
      b.version as bylaw_version, ${reader.staff ? sql`b.grades_visibility` : sql`own_visibility(t.id, b.grades_visibility)`} as visibility,
      coalesce(nullif(p.min_credit_hours, 0), b.graduation_hours)::float8 as required_hours,
      ${ref('f')} as faculty, ${ref('p')} as program, ${ref('b')} as bylaw, ${refOrNull('i')} as advisor,
      ${refOrNull('e')} as entry_term,
      ${currentTermId()} as current_term_id,
      coalesce((select json_agg(${figuresJson}) from student_terms x join terms w on w.id = x.term_id
        left join figures_held_back(t.id, 'Published') unpublished on true
        left join ${reader.staff ? sql`figures_held_back(null, null)` : sql`figures_held_back(t.id, b.grades_visibility ->> 'gpa')`} hidden on true
        where x.student_id = t.id and x.revised_since is null), '[]') as results,
      ${
        reader.staff
          ? sql`null`
          : sql`(select row_to_json(sh) from (select level, passed_hours, warnings, gpa::text from shown_standing where student_id = t.id) sh)`
      } as shown,
      coalesce((select json_agg(json_build_object('program', ${ref('fp')}, 'last_term_id', m.last_term_id) order by m.id)
        from former_studies m join programs fp on fp.id = m.program_id where m.student_id = t.id), '[]') as former_studies,
      (t.entry_standing ->> 'after_term_id')::int as figures_after,
      coalesce((select json_agg(json_build_object('id', k.id, 'term_id', k.term_id, 'former', k.former_study_id is not null,
          'course', json_build_object('id', k.course_id, 'name', k.name, 'name_local', k.name_local, 'code', k.code,
            'credit_hours', k.credit_hours), 'letter', k.letter, 'points', k.points::text, 'counts_in_gpa', k.counts_in_gpa,
          'mark', trim_scale(k.mark)::text, 'maximum', k.maximum, 'rating', (select json_build_object('code', g.code, 'name', g.name, 'name_local', g.name_local)
            from bylaw_ratings g where g.bylaw_id = coalesce(m.bylaw_id, t.bylaw_id) and g.code = k.letter and k.mark is not null),
          'source', q.source) order by k.code, k.id)
        from course_credits k left join former_studies m on m.id = k.former_study_id
          -- What counted together is told together.
          cross join lateral (select json_build_object('code', string_agg(q.source_code, ' + ' order by q.id), 'name', string_agg(q.source_name, ' + ' order by q.id),
              'name_local', string_agg(coalesce(q.source_name_local, q.source_name), ' + ' order by q.id), 'credit_hours', sum(q.source_hours),
              'grade', string_agg(q.source_grade, ' + ' order by q.id), 'institution', (select json_build_object('name', u.name, 'name_local', u.name_local)
                from universities_list u where u.id = max(x.university_id))) as source
            from equivalences e join equivalences q on q.id = coalesce(e.split_of, e.id) or q.joined_to = coalesce(e.split_of, e.id)
              left join external_transfers x on x.id = q.external_transfer_id where e.id = k.equivalence_id) q
        where k.student_id = t.id), '[]') as credits,
      array_remove(array[${
        asked.length
          ? sql.join(asked.map(([name, key]) => sql`case when ${students.scope(ctx, key)} then ${sql.lit(name)} end`))
          : sql``
      }]::text[], null) as held,
      array(select x.term_id from student_terms x where x.student_id = t.id and x.revised_since is not null) as revised,
      coalesce((select json_agg(json_build_object('id', w.id, 'name', w.name, 'name_local', w.name_local, 'code', w.code,
          'term_type', w.term_type) order by w.start_date, w.id)
        from terms w where w.id in (select r.term_id from registrations r where r.student_id = t.id
          union select term_id from student_terms where student_id = t.id
          union select term_id from course_credits where student_id = t.id
          union select last_term_id from former_studies where student_id = t.id
          union select (t.entry_standing ->> 'after_term_id')::int
          union select term_id from current_terms where key = 'current_term')), '[]') as terms,
      coalesce((select json_agg(json_build_object('kind', h.kind, 'note', h.note, 'note_local', h.note_local, 'since', h.since) order by h.since, h.id)
        from standing_holds h where h.student_id = t.id and ${students.readable(ctx, 'blocked_reason')}), '[]') as holds
    from students t join faculties f on f.id = t.faculty_id join programs p on p.id = t.program_id
      join bylaws b on b.id = t.bylaw_id left join instructors i on i.id = t.advisor_id left join terms e on e.id = t.entry_term_id
    where t.id = ${reader.id} and ${students.scope(ctx, reader.access)})
    select head.*, taken.* from head left join taken on false
    union all select head.*, taken.* from taken left join head on false`.execute(ctx.db)
  const [row, ...registrations] = rows
  if (!row?.id) throw refuse(404, 'not_found')
  const {
    terms,
    results,
    shown,
    revised,
    holds,
    held,
    visibility,
    former_studies,
    figures_after,
    credits,
    ...student
  } = row
  const eyes: Eyes = reader.staff ? null : visibility
  const hidden = nothingSeen(eyes)
  const place = new Map(terms.map((term, i) => [term.id, i]))
  const at = (term_id: number | null): number => (term_id === null ? -1 : (place.get(term_id) ?? -1))
  /** The ended study to which a term belongs; undefined: the one the student is in. */
  const studyOf = (term_id: number) =>
    former_studies.find(
      (formerStudy) => formerStudy.last_term_id !== null && at(term_id) <= at(formerStudy.last_term_id),
    )
  const all = registrations
    .flatMap((one) => (one.id === null ? [one] : []))
    .map((r): Taken => {
      const bits = BigInt(r.taken_status)
      const one = {
        registration_id: r.registration_id,
        offering_id: r.offering_id,
        offering_code: r.offering_code,
        control_status: r.control_status,
        counts_in_gpa: r.counts_in_gpa,
        total: r.total,
        maximum: r.maximum,
        grace: r.grace,
        letter: r.letter,
        rating: r.rating,
        points: r.points,
        passed: r.passed,
        course: {
          id: r.course_id,
          name: r.course_name,
          name_local: r.course_name_local,
          code: r.course_code,
          credit_hours: r.credit_hours,
        },
      }
      return {
        ...seen(one, eyes),
        term: terms[place.get(r.taken_term_id)!]!,
        main: mainOf(bits) ?? 'Registered',
        attempt: attemptOf(bits),
        audit: isAudit(bits),
      }
    })
    .sort((a, b) => place.get(a.term.id)! - place.get(b.term.id)!)
  const credited = credits
    .filter((credit) => !credit.former)
    .map((credit): Taken => ({
      registration_id: 0,
      offering_id: 0,
      offering_code: '',
      control_status: 'Frozen',
      course: credit.course,
      main: 'Complete',
      attempt: null,
      audit: false,
      total: credit.mark,
      maximum: credit.maximum,
      grace: null,
      rating: credit.rating,
      letter: credit.letter,
      points: credit.points,
      passed: true,
      counts_in_gpa: credit.counts_in_gpa,
      term: terms[at(credit.term_id)]!,
      credited: true,
    }))
  const visible = results
    .filter((result) => eyes === null || (eyes.gpa !== null && result.out))
    .sort((a, b) => (place.get(a.term_id) ?? 0) - (place.get(b.term_id) ?? 0))
    .map(({ term_id, out: _out, ...figures }) => ({ ...figures, term: terms[place.get(term_id)!]! }))
  const last = [
    ...results.filter((result) => result.out).map((result) => result.term_id),
    ...(eyes === null ? revised : []),
  ]
    .map((term_id) => place.get(term_id)!)
    .reduce((latest, at) => Math.max(latest, at), -1)
  if (eyes !== null && shown) {
    // What the student's row says is the last finished term, which may not be out yet.
    const { gpa, ...figures } = shown
    Object.assign(student, figures, { gpa: eyes.gpa === null ? null : gpa })
  }
  return {
    student,
    eyes,
    taken: [...credited, ...all.filter((one) => !studyOf(one.term.id))],
    former: all.flatMap((one) => {
      const study = studyOf(one.term.id)
      return study ? [{ ...one, program: study.program }] : []
    }),
    credits: hidden ? [] : credits.map(({ term_id: _term, ...one }) => one),
    standing: visible.filter((one) => at(one.term.id) > at(figures_after)),
    results: visible,
    revised: new Set(revised),
    counted: new Set(terms.slice(0, last + 1).map((term) => term.id)),
    held: new Set(held),
    current: terms.find((term) => term.id === row.current_term_id) ?? null,
    holds: [
      ...(row.blocked_at
        ? [
            {
              kind: 'blocked' as const,
              note: row.blocked_reason,
              note_local: row.blocked_reason,
              since: row.blocked_at,
            },
          ]
        : []),
      ...holds,
    ],
  }
}
