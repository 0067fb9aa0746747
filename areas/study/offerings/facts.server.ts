import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Row } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll, requireReach } from '#kit/server/base/scope.ts'
import type { LockedOffering } from './lock.server.ts'
import { offering } from './offering.contract.ts'
import type { PlannedMeeting } from './slots/slots.rules.ts'
import type { MeetingType } from '#kit/contract/week.ts'

// --- Writing --------------------------------------------------------------------------------------------------------

type Facts = Partial<
  Pick<
    Row<typeof offering>,
    | 'code'
    | 'faculty_id'
    | 'department_id'
    | 'level'
    | 'is_open'
    | 'min_students'
    | 'max_students'
    | 'mark_id'
    | 'notes'
  >
>

/** Writes facts that are given. The mark scheme follows `mark_id` while no mark stands in it. */
export async function writeFacts(tx: Tx, id: number, given: Facts): Promise<void> {
  const { min_students, ...rest } = given
  const values = Object.entries({
    ...rest,
    ...(min_students !== undefined && { min_students: min_students ?? 0 }),
  }).filter(([, value]) => value !== undefined)
  if (values.length) {
    await sql`update offerings set ${sql.join(values.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))} where id = ${id}`.execute(
      tx,
    )
  }
  if (given.mark_id == null) return
  const { rows } = await sql<{
    marked: boolean
  }>`select exists (select from registration_marks m join offering_marks o on o.id = m.offering_mark_id
    where o.offering_id = ${id}) as marked`.execute(tx)
  if (rows[0]?.marked) throw refuse(409, 'scheme_has_marks', undefined, 'mark_id')
  await sql`delete from offering_marks where offering_id = ${id}`.execute(tx)
  await sql`insert into offering_marks (offering_id, mark_category_id, max, position)
    select ${id}, mark_category_id, max, position from scaled_scheme(${given.mark_id}, offering_maximum(${id}))`.execute(
    tx,
  )
}

/** What must hold between facts. */
export function checkFacts(facts: Facts): void {
  const { min_students, max_students } = facts
  if (max_students != null && (min_students ?? 0) > max_students)
    throw refuse(422, 'students_min_above_max', { min: min_students, max: max_students }, 'min_students')
}

/** What the callers of `insertOffering` send, without meetings. */
interface NewOffering extends Facts {
  readonly course_id: number
  readonly term_id: number
}

/** Adds the row of an offering; faculty and department are the course's unless told, the code is the next free number. */
export async function insertOffering(
  ctx: Ctx,
  tx: Tx,
  { course_id, term_id, ...facts }: NewOffering,
): Promise<LockedOffering> {
  checkFacts(facts)
  // Two who offer one course at one moment get two codes.
  await sql`select pg_advisory_xact_lock(hashtext('offering code'), ${course_id}::int)`.execute(tx)
  const { rows } = await sql<{ faculty_id: number | null; department_id: number | null; next: number }>`
    select faculty_id, department_id, (select coalesce(max(o.code::int), 0) + 1 from offerings o where o.course_id = c.id and o.term_id = ${term_id}
      and o.code ~ '^[0-9]{1,6}$') as next
    from courses c where c.id = ${course_id} and removed_at is null`.execute(tx)
  const [course] = rows
  if (!course) throw refuse(422, 'reference_missing', undefined, 'course_id')
  const faculty_id = facts.faculty_id === undefined ? course.faculty_id : facts.faculty_id
  const department_id =
    facts.department_id !== undefined
      ? facts.department_id
      : faculty_id === course.faculty_id
        ? course.department_id
        : null
  if (!reachesAll(ctx, 'add_offering'))
    requireReach(ctx, 'add_offering', { faculty: faculty_id, department: department_id })
  const { rows: made } = await sql<{
    id: number
  }>`insert into offerings (term_id, course_id, faculty_id, department_id, code, is_open)
    values (${term_id}, ${course_id}, ${faculty_id}, ${department_id}, ${facts.code ?? String(course.next)}, ${facts.is_open ?? true}) returning id`.execute(
    tx,
  )
  const { id } = made[0] as { id: number }
  const { code: _code, is_open: _open, faculty_id: _faculty, department_id: _department, ...rest } = facts
  await writeFacts(tx, id, rest)
  return lockOne(tx, id)
}
const lockOne = async (tx: Tx, id: number): Promise<LockedOffering> => {
  const { rows } =
    await sql<LockedOffering>`select t.id, t.term_id, t.course_id, t.faculty_id, t.department_id, t.code, t.version, t.control_status,
    false as removed, t.linked_offering_id, c.code || ' (' || t.code || ')' as name, null as root_name
    from offerings t join courses c on c.id = t.course_id where t.id = ${id}`.execute(tx)
  return rows[0] as LockedOffering
}

interface SentMeeting {
  readonly id?: number | undefined
  readonly group: number
  readonly type: MeetingType
  readonly section?: string | null | undefined
  readonly day?: number | null | undefined
  readonly slot_id?: number | null | undefined
  readonly location_id?: number | null | undefined
  readonly quota: number
  readonly over_quota: number
  readonly instructor_ids: number[]
}
export const planned = (s: SentMeeting): PlannedMeeting => ({
  id: s.id,
  group: s.group,
  type: s.type,
  section: s.section ?? null,
  day: s.day ?? null,
  slot_id: s.slot_id ?? null,
  location_id: s.location_id ?? null,
  instructor_ids: s.instructor_ids,
  quota: s.quota,
  over_quota: s.over_quota,
})

export const offeringFactsOf = async (tx: Tx, id: number): Promise<Facts> =>
  (await sql<Facts>`select min_students, max_students from offerings where id = ${id}`.execute(tx)).rows[0] ?? {}
