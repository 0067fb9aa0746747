import { equalCourses } from '#areas/study/catalogue/courses/equals.server.ts'
import { printHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { markOf, propose } from './equivalence.rules.ts'
import type { Counted, EarlierDecision, PassedElsewhere, Proposed } from './equivalence.rules.ts'
import type { Equivalence } from './equivalence.contract.ts'
import { shortCourseOf, targetOf, type EquivalenceTarget, type Transfer } from './target.server.ts'

export const own = (kind: Transfer['kind'], alias = 'e') => sql.ref(`${alias}.${kind}_transfer_id`)

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
): Promise<ReadonlyMap<string, EarlierDecision>> {
  const { rows } = await sql<{ key: string } & EarlierDecision>`
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
  target: EquivalenceTarget,
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
export async function hasAlready(db: Db | Tx, { kind, student_id }: Transfer): Promise<Set<number>> {
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
export interface StoredCounted {
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
function counting(
  { course_id, hours, grade, counts_in_gpa }: Counted,
  { ours, bylaw }: EquivalenceTarget,
): StoredCounted {
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
export async function keepEquivalences(tx: Tx, lines: readonly Kept[]): Promise<void> {
  await sql`delete from equivalences where split_of = any(${lines.map((line) => line.id)}::int[])`.execute(tx)
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
const proposedLines = (ids: readonly number[], counted: readonly Proposed[], target: EquivalenceTarget): Kept[] =>
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
  await keepEquivalences(
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
export async function coursesPassedSince(db: Db | Tx, transfer: Transfer): Promise<number> {
  const { rows } = await sql<{ course_id: number }>`select source_course_id as course_id from equivalences
    where internal_transfer_id = ${transfer.id}`.execute(db)
  const known = new Set(rows.map((row) => row.course_id))
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
  await keepEquivalences(
    tx,
    proposedLines(
      sources.map((source) => source.id),
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
      course: ours === null ? null : shortCourseOf(target.courses.get(ours)!),
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
