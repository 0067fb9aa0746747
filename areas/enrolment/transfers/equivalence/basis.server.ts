/** What equivalences and credited courses stand on, and what becomes of them when that changes. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { parseHundredths, printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { sealsRecords } from '#areas/records/grading/signing/sign.server.ts'
import { standCredits } from '#areas/records/grading/terms/record.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { holdFacts, keepBasis, serveBasis, serveFact } from '#kit/server/workflow/basis-registry.ts'
import type { ServedBasis, ServedFact, StoodOn } from '#kit/server/workflow/basis-registry.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { creditBasis, creditFact, equivalenceBasis } from './basis.contract.ts'
import { convertGrade, markOf, together } from './equivalence.rules.ts'
import type { PassedElsewhere } from './equivalence.rules.ts'
import { targetOf } from './target.server.ts'
import type { Transfer } from './target.server.ts'

/** SQL: on what line `l` of a transfer of student `s` stands: its registration, else the course credited before. */
const FACT = sql.raw(
  `case when l.registration_id is not null then 'result' when l.source_course_id is not null then 'credit' end`,
)
const FACT_ID = sql.raw(`coalesce(l.registration_id, (select k.id from course_credits k where k.student_id = s.id
  and k.course_id = l.source_course_id and k.equivalence_id <> l.id order by k.former_study_id is not null, k.id desc limit 1))`)

interface Line extends StoodOn {
  readonly id: number
}
/** On what the courses of a transfer stand. */
async function linesOf(tx: Tx, { id, kind }: Pick<Transfer, 'id' | 'kind'>): Promise<Line[]> {
  if (kind === 'external') return []
  const { rows } = await sql<Line>`select l.id, ${FACT} as fact, ${FACT_ID} as fact_id
    from equivalences l join internal_transfers t on t.id = l.internal_transfer_id join students s on s.id = t.student_id
    where t.id = ${id} and l.split_of is null and ${FACT_ID} is not null order by l.id`.execute(tx)
  return rows
}

/** Results of the courses of a transfer stay as they are until the transaction ends. */
export const holdSources = async (tx: Tx, transfer: Pick<Transfer, 'id' | 'kind'>): Promise<void> =>
  holdFacts(tx, await linesOf(tx, transfer))

/** The same, and they are noted with the transfer as they are now. */
export async function followSources(tx: Tx, transfer: Transfer): Promise<void> {
  const lines = await linesOf(tx, transfer)
  if (!lines.length) return
  await holdFacts(tx, lines)
  await sql`update equivalences l set source_grade = n.letter, source_points = n.points, source_hours = n.credit_hours,
      source_percent = least(n.percent, 100)
    from (${NOW(sql`l.internal_transfer_id = ${transfer.id}`)}) n
    where coalesce(l.split_of, l.id) = n.id and (l.source_grade, l.source_points, l.source_hours) is distinct from (n.letter, n.points, n.credit_hours)`.execute(
    tx,
  )
}

/** SQL that selects what the courses of internal transfers are now: `id` of the line, `passed`, hours and result. */
const NOW = (where: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select l.id, coalesce(o.control_status in ('Published', 'Frozen') and r.passed, false) as passed, r.credit_hours, r.letter, r.points,
    r.maximum is not null as by_marks,
    case when r.maximum is null then r.total when r.passed then greatest(round(r.total * 100 / r.maximum, 2), b.pass_share)
      else round(r.total * 100 / r.maximum, 2) end as percent
  from equivalences l join internal_transfers w on w.id = l.internal_transfer_id join registrations r on r.id = l.registration_id
    join offerings o on o.id = r.offering_id join programs p on p.id = w.from_program_id join bylaws b on b.id = p.bylaw_id
  where l.split_of is null and ${where}
  union all
  select l.id, true, k.credit_hours, k.letter, k.points, k.mark is not null, round(k.mark * 100 / k.maximum, 2)
  from equivalences l join internal_transfers t on t.id = l.internal_transfer_id join students s on s.id = t.student_id
    join course_credits k on k.id = ${FACT_ID}
  where l.split_of is null and l.registration_id is null and ${where}`

/** Codes of the courses of a transfer that are not passed any more, by line. */
export async function failedSources(tx: Tx, { id, kind }: Transfer): Promise<ReadonlyMap<number, string>> {
  if (kind === 'external') return new Map()
  const { rows } = await sql<{ id: number; code: string }>`select n.id, e.source_code as code
    from (${NOW(sql`l.internal_transfer_id = ${id}`)}) n join equivalences e on e.id = n.id where not n.passed`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.id, row.code]))
}

/** Keeps on what lines of a transfer were decided. */
export async function standDecided(tx: Tx, transfer: Transfer, ids: readonly number[]): Promise<void> {
  const lines = new Map((await linesOf(tx, transfer)).map((one) => [one.id, one]))
  await keepBasis(
    tx,
    equivalenceBasis,
    ids.map((id) => ({ id, facts: lines.has(id) ? [lines.get(id)!] : [] })),
  )
}

/** Credited courses stand on what their equivalences were decided upon; a change since then is one of theirs. */
export async function standCredited(tx: Tx, transfer: Transfer, credit_ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ credit_id: number; line_id: number; kept: StoodOn[] | null }>`
    select k.id as credit_id, l.id as line_id, (select json_agg(json_build_object('fact', d.fact, 'fact_id', d.fact_id, 'stood', d.stood))
        from decision_facts d where d.kind = ${equivalenceBasis.kind} and d.decision_id = l.id) as kept
    from course_credits k join equivalences e on e.id = k.equivalence_id
      join equivalences l on l.split_of is null and (l.id = coalesce(e.split_of, e.id) or l.joined_to = coalesce(e.split_of, e.id))
    where k.id = any(${[...credit_ids]}::int[]) order by k.id, l.id`.execute(tx)
  const lines = new Map((await linesOf(tx, transfer)).map((one) => [one.id, one]))
  await keepBasis(
    tx,
    creditBasis,
    [...Map.groupBy(rows, (row) => row.credit_id)].map(([id, some]) => ({
      id,
      facts: some.flatMap(({ line_id, kept }) => kept ?? lines.get(line_id) ?? []),
    })),
  )
}

interface Credited {
  id: number
  student_id: number
  program_id: number
  equivalence_id: number
  split: boolean
  head_id: number
  course_id: number
  graded: boolean
  in_gpa: boolean
  sources:
    | {
        passed: boolean
        hours: number
        letter: string | null
        points: number | null
        percent: number | null
        by_marks: boolean
      }[]
    | null
}

/** Credited courses get what the results they stand on are worth here now; what is not passed any more is credited no longer. */
async function renewCredits(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<Credited>`
    select k.id, k.student_id, t.program_id, k.equivalence_id, e.split_of is not null as split, coalesce(e.split_of, e.id) as head_id, k.course_id,
      k.letter is not null as graded, k.counts_in_gpa as in_gpa,
      (select json_agg(json_build_object('passed', n.passed, 'hours', (n.credit_hours * 100)::int, 'letter', n.letter,
          'points', (n.points * 100)::int, 'percent', (n.percent * 100)::int, 'by_marks', n.by_marks) order by n.id)
        from (${NOW(sql`coalesce(l.joined_to, l.id) = coalesce(e.split_of, e.id)`)}) n) as sources
    from course_credits k join equivalences e on e.id = k.equivalence_id join internal_transfers t on t.id = e.internal_transfer_id
    where k.id = any(${[...ids]}::int[]) order by k.id for update of k`.execute(tx)
  const { rows: owed } = await sql<{ id: number }>`select e.id from equivalences e
    where coalesce(e.split_of, e.id) = any(${rows.map((row) => row.head_id)}::int[]) order by e.id for update`.execute(
    tx,
  )
  if (!owed.length) return
  sealsRecords(tx)
  for (const one of rows) {
    const sources = one.sources ?? []
    if (!sources.length || sources.some((source) => !source.passed)) {
      await endCredit(tx, one)
      continue
    }
    const target = await targetOf(tx, { kind: 'internal', student_id: one.student_id, program_id: one.program_id })
    const passed = sources.map((source): PassedElsewhere => ({ key: '', course_id: one.course_id, ...source }))
    const grade = one.graded ? convertGrade(together(passed), target.scale) : null
    const maximum = target.ours.get(one.course_id)?.maximum ?? 10_000
    const mark = !grade || grade.share === null ? null : markOf(grade.share, maximum, target.bylaw.total_places)
    const value = sql`letter = ${grade?.letter ?? null}, points = ${grade?.points === null || !grade ? null : printHundredths(grade.points)}::numeric,
      mark = ${mark === null ? null : printHundredths(mark)}::numeric, maximum = ${mark === null ? null : maximum / 100}::int,
      counts_in_gpa = ${one.in_gpa && grade !== null && grade.points !== null}`
    await sql`update course_credits set ${value} where id = ${one.id}`.execute(tx)
    await sql`update equivalences set ${value} where id = ${one.equivalence_id}`.execute(tx)
  }
  for (const transfer_id of new Set(rows.map((row) => row.head_id)))
    await sql`update equivalences e set source_grade = n.letter, source_points = n.points from (${NOW(sql`coalesce(l.joined_to, l.id) = ${transfer_id}`)}) n
      where coalesce(e.split_of, e.id) = n.id`.execute(tx)
  await standCredits(ctx, tx, [...new Set(rows.map((row) => row.student_id))])
}

/** A course is credited no longer; its equivalence says that it counts as nothing. */
async function endCredit(tx: Tx, { id, equivalence_id, split, head_id }: Credited): Promise<void> {
  await sql`delete from course_credits where id = ${id}`.execute(tx)
  if (split) await sql`delete from equivalences where id = ${equivalence_id}`.execute(tx)
  else {
    await sql`update equivalences set joined_to = null, state = 'none' where joined_to = ${head_id}`.execute(tx)
    await sql`update equivalences set course_id = null, credit_hours = null, letter = null, points = null, mark = null, maximum = null,
      counts_in_gpa = false, state = 'none' where id = ${equivalence_id}`.execute(tx)
  }
}

const courseOf = (alias: string) =>
  `json_build_object('code', ${alias}.code, 'name', ${alias}.name, 'name_local', ${alias}.name_local)`
const short = ({ letter, points, total, maximum }: Readonly<Record<string, unknown>>): string =>
  typeof maximum === 'number'
    ? `${String(letter ?? '–')} · ${String(total)} / ${maximum}`
    : [letter ?? '✓', ...(typeof points === 'number' ? [printHundredths(parseHundredths(String(points))!)] : [])].join(
        ' · ',
      )

/** Of whom one sees, and decides: as transfers within the university are reached. */
export const transferBases = (sees: (ctx: Ctx) => ScopeParts, decides: (ctx: Ctx) => ScopeParts): ServedBasis[] => [
  serveBasis(equivalenceBasis, {
    from: `equivalences e join internal_transfers t on t.id = e.internal_transfer_id`,
    id: 'e.id',
    where: `t.status in ('added', 'agreed')`,
    student: 't.student_id',
    named: `json_build_object('code', e.source_code, 'name', e.source_name, 'name_local', coalesce(e.source_name_local, e.source_name))`,
    link: `'/students/edit/' || t.student_id || '/transfer/' || t.id`,
    scope: sees,
    bound: decides,
  }),
  serveBasis(creditBasis, {
    from: `course_credits k join courses c on c.id = k.course_id join equivalences e on e.id = k.equivalence_id
      join internal_transfers t on t.id = e.internal_transfer_id`,
    id: 'k.id',
    student: 'k.student_id',
    named: courseOf('c'),
    link: `'/students/' || t.student_id || '/transfer/' || t.id`,
    scope: sees,
    bound: decides,
    renew: renewCredits,
    tells: {
      users: `array(select u from students s left join instructors i on i.id = s.advisor_id
        cross join unnest(array[s.user_id, i.user_id]) u where s.id = k.student_id and u is not null)`,
      data: `json_build_object('course', c.code, 'name', c.name, 'name_local', c.name_local)`,
      link: `'/outdated-decisions'`,
    },
  }),
]

export const transferFacts: readonly ServedFact[] = [
  serveFact(creditFact, {
    named: (ids) =>
      sql`select k.id, c.code, c.name, c.name_local from course_credits k join courses c on c.id = k.course_id where k.id = any(${ids})`,
    tell: short,
  }),
]
