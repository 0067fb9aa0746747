import type { Tx } from '#db/connect.ts'
import { Refusal, type Reason } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { checkRequisite, coursesIn, cycleThrough, type Requisite } from '../requisites.rules.ts'

const field = (name: string, path: string | null) => (path === null ? name : `${name}.${path}`)

/** Codes of courses by id, removed ones left out. */
export async function requisiteCodesOf(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<{ id: number; code: string }>`
    select id, code from courses where id = any(${[...ids]}::int[]) and removed_at is null`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.code]))
}

/** The courses each course names in its prerequisites. */
async function graphOf(tx: Tx): Promise<Map<number, number[]>> {
  // Two changes that close a cycle only together must see one another: the second waits for the first.
  await sql`select pg_advisory_xact_lock(hashtext('course_prerequisites'))`.execute(tx)
  const { rows } = await sql<{ course_id: number; required: number[] }>`
    select course_id, array_agg(required_course_id) as required from course_prerequisites group by course_id`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.course_id, row.required]))
}

const path = (cycle: readonly number[], codes: ReadonlyMap<number, string>): string =>
  cycle.map((id) => codes.get(id) ?? id).join(' → ')

/** Everything wrong with expressions that are to hold, by course; `name` is the field they came in. */
export async function requisiteReasons(
  tx: Tx,
  expressions: readonly { course_id: number; requisite: Requisite | null; name: string }[],
  /** Expressions that hold beside them in place of the courses' own, as in a program. */
  instead: ReadonlyMap<number, Requisite> = new Map(),
): Promise<Reason[]> {
  const reasons: Reason[] = []
  const sound = expressions.filter(({ requisite, name }) => {
    if (requisite === null) return false
    const problems = checkRequisite(requisite)
    reasons.push(...problems.map((problem) => ({ ...problem, field: field(name, problem.field) })))
    return problems.length === 0
  })
  if (!sound.length) return reasons
  const codes = await requisiteCodesOf(tx, [...new Set(sound.flatMap((e) => [e.course_id, ...coursesIn(e.requisite)]))])
  const graph = await graphOf(tx)
  for (const [course, requisite] of instead) graph.set(course, coursesIn(requisite))
  for (const { course_id, requisite } of sound) graph.set(course_id, coursesIn(requisite))
  const told = new Set<string>()
  for (const { course_id, requisite, name } of sound) {
    const named = coursesIn(requisite)
    for (const course of named) {
      if (!codes.has(course)) reasons.push({ field: name, code: 'requisite_unknown', data: { course } })
    }
    if (named.includes(course_id)) {
      reasons.push({ field: name, code: 'requisite_self' })
      continue
    }
    const cycle = cycleThrough(course_id, requisite, graph)
    // A cycle of others was there before, and is theirs to mend.
    if (!cycle?.includes(course_id)) continue
    // One cycle through several expressions is one reason: it is told from its smallest course on.
    const turn = cycle.slice(0, -1)
    const start = turn.indexOf(Math.min(...turn))
    const ordered = [...turn.slice(start), ...turn.slice(0, start), turn[start]!]
    if (told.has(ordered.join())) continue
    told.add(ordered.join())
    for (const [id, code] of await requisiteCodesOf(
      tx,
      ordered.filter((id) => !codes.has(id)),
    ))
      codes.set(id, code)
    reasons.push({ field: name, code: 'requisite_cycle', data: { courses: path(ordered, codes), ids: ordered } })
  }
  return reasons
}

/** Makes `course_prerequisites` follow the expression of a course. @throws {Refusal} 422 with every reason */
export async function keepRequisites(tx: Tx, course_id: number, requisite: Requisite | null): Promise<void> {
  const reasons = await requisiteReasons(tx, [{ course_id, requisite, name: 'prerequisites' }])
  if (reasons.length) throw new Refusal(422, reasons)
  const named = coursesIn(requisite)
  await sql`delete from course_prerequisites where course_id = ${course_id} and required_course_id <> all(${named}::int[])`.execute(
    tx,
  )
  if (named.length) {
    await sql`insert into course_prerequisites (course_id, required_course_id) select ${course_id}::int, n from unnest(${named}::int[]) as n
      on conflict do nothing`.execute(tx)
  }
}
