/**
 * Courses taken together stay together: judged when a request is accepted, and when the other course leaves. That a
 * student withdraws from one, or is excused, after both were attended for weeks separates nothing.
 */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { reachOf, type Bound } from '../capacity.server.ts'
import { applyOverrides, type Override } from '../registration.rules.ts'
import { refusal, type Refusal } from '../registration-refusals.rules.ts'
import { reasonsOf } from '../requests/judge.server.ts'
import { comesBack, countsInLoad, fromWire, mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'

/** A change that is decided and not yet written. */
type Decided = {
  row: { id: number; student_id: number; offering_id: number; term_id: number; main: MainFlag; student: Bound }
  status: string | null
  overrides: { code: string; reason: string }[]
}

type Registered = {
  id: number
  student_id: number
  term_id: number
  course_id: number
  code: string
  status: string
  /** Courses it is taken together with and that are not passed. */
  needs: { id: number; code: string; equal_ids: number[] }[]
}

const is = (need: Registered['needs'][number], course_id: number): boolean =>
  need.id === course_id || need.equal_ids.includes(course_id)

const REQUESTS: ReadonlySet<MainFlag> = new Set(['RegisterRequest', 'AddRequest', 'DropRequest'])
const mainAfter = ({ status }: Pick<Decided, 'status'>): MainFlag | 'removed' | null =>
  status === null ? 'removed' : mainOf(fromWire(status))

/** Stands by itself from here on: accepted, kept after all, or come back. */
const joins = (one: Decided): boolean => {
  const after = mainAfter(one)
  return after === 'Registered' && (REQUESTS.has(one.row.main) || comesBack(one.row.main, after))
}
/** Leaves, or asks to. */
const leaves = (one: Decided): boolean => {
  const after = mainAfter(one)
  return after === 'Dropped' || after === 'DropRequest' || (after === 'removed' && countsInLoad(one.row.main))
}

/**
 * Judges co-requisites as they stand after all these changes together. What staff set aside is added to the decision.
 * @returns the refusals, each with its registration
 */
export async function judgeCorequisites(
  ctx: Ctx,
  tx: Tx,
  decided: readonly Decided[],
  overrides: readonly Override[],
  fieldOf: (id: number) => string | null,
): Promise<{ id: number; reasons: Reason[] }[]> {
  const concerned = decided.filter((one) => joins(one) || leaves(one))
  if (!concerned.length) return []
  const ids = concerned.map(({ row }) => row.id)
  const bound = await sql`select from registrations r where r.id = any(${ids}::int[])
    and exists (select from course_corequisites k where r.course_id in (k.course_id, k.required_course_id)
      or r.course_id in (select equal_course_id from course_equals where course_id = k.required_course_id)) limit 1`.execute(
    tx,
  )
  if (!bound.rows.length) return []
  const students = [...new Set(concerned.map(({ row }) => row.student_id))]
  // Nothing else of these students is judged or written meanwhile.
  await sql`update registration_turns set turn = turn + 1 where student_id in (
    select student_id from registration_turns where student_id = any(${students}::int[]) order by 1 for no key update)`.execute(
    tx,
  )
  const { rows } = await sql<Registered>`
    select r.id, r.student_id, r.term_id, r.course_id, c.code, r.status::text as status,
      (select coalesce(json_agg(json_build_object('id', n.id, 'code', n.code, 'equal_ids',
          array(select equal_course_id from course_equals where course_id = n.id))), '[]')
        from course_corequisites k join courses n on n.id = k.required_course_id
        where k.course_id = r.course_id
          and not exists (select from registrations p where p.student_id = r.student_id and p.passed
            and (p.course_id = n.id or p.course_id in (select equal_course_id from course_equals where course_id = n.id)))
          and not exists (select from course_credits p where p.student_id = r.student_id and p.former_study_id is null
            and (p.course_id = n.id or p.course_id in (select equal_course_id from course_equals where course_id = n.id)))
          -- Set aside when the course was given: it may stand alone.
          and not exists (select from registration_history h where h.registration_id = r.id and h.overrides @> '[{"code": "corequisites"}]')
      ) as needs
    from registrations r join courses c on c.id = r.course_id
    where r.student_id = any(${students}::int[])
      and r.term_id in (select term_id from registrations where id = any(${ids}::int[]))
    order by r.id`.execute(tx)
  const changes = new Map(decided.map((one) => [one.row.id, one]))
  const after = (row: Registered) => {
    const change = changes.get(row.id)
    return change ? mainAfter(change) : mainOf(fromWire(row.status))
  }
  const standing = rows.filter((row) => {
    const main = after(row)
    return main !== 'removed' && countsInLoad(main)
  })
  const found: { id: number; reasons: Reason[] }[] = []
  for (const one of concerned) {
    const row = rows.find(({ id }) => id === one.row.id)
    if (!row) continue
    const beside = standing.filter((other) => other.student_id === row.student_id && other.term_id === row.term_id)
    const refused: Refusal[] = []
    if (joins(one)) {
      const missing = row.needs.filter((need) => !beside.some(({ course_id }) => is(need, course_id)))
      if (missing.length) {
        const data = {
          course: row.code,
          missing: missing.map(({ code }) => code).join(', '),
          ids: missing.map(({ id }) => id),
        }
        refused.push(refusal('corequisites', data))
      }
    } else {
      const staying = beside.filter((other) => other.id !== row.id && after(other) !== 'DropRequest')
      const alone = staying.filter((other) =>
        other.needs.some((need) => is(need, row.course_id) && !staying.some(({ course_id }) => is(need, course_id))),
      )
      if (alone.length) {
        const data = {
          course: row.code,
          courses: alone.map(({ code }) => code).join(', '),
          ids: alone.map(({ course_id }) => course_id),
        }
        refused.push(refusal('corequisite_needed', data))
      }
    }
    const may = reachOf(ctx, ['override_registration_rule'], one.row.student) !== null
    const { remaining, overridden } = applyOverrides(refused, may ? overrides : [])
    one.overrides.push(...overridden.map(({ code, reason }) => ({ code, reason })))
    if (remaining.length) {
      const reasons = reasonsOf([{ offering_id: one.row.offering_id, refusals: remaining }], () => fieldOf(one.row.id))
      found.push({ id: one.row.id, reasons })
    }
  }
  return found
}
