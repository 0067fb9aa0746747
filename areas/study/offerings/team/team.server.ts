import type { AnswerOf } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { seatMask } from '#areas/common/academics/status.rules.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import { frozenData, lockOffering, lockOfferings, refuseFrozen } from '../lock.server.ts'
import type { TeamRole } from '#areas/common/academics/offering-words.contract.ts'
import { teamCalls } from './team.contract.ts'

/** Makes these people the team; who leaves it leaves its meetings as well. @throws {Refusal} 422 for two leaders, somebody twice or unknown */
export async function setTeam(
  tx: Tx,
  offering_id: number,
  team: readonly { instructor_id: number; role: TeamRole }[],
): Promise<void> {
  const ids = team.map((m) => m.instructor_id)
  const reasons: Reason[] = []
  team.forEach((m, i) => {
    if (ids.indexOf(m.instructor_id) !== i)
      reasons.push({ field: `instructors.${i}.instructor_id`, code: 'team_twice' })
    if (m.role === 'leader' && team.findIndex((x) => x.role === 'leader') !== i)
      reasons.push({ field: `instructors.${i}.role`, code: 'team_two_leaders' })
  })
  const { rows } = await sql<{
    id: number
  }>`select id from instructors where id = any(${ids}::int[]) and removed_at is null`.execute(tx)
  const known = new Set(rows.map((r) => r.id))
  ids.forEach((id, i) => {
    if (!known.has(id)) reasons.push({ field: `instructors.${i}.instructor_id`, code: 'reference_missing' })
  })
  if (reasons.length) throw new Refusal(422, reasons)
  await leave(tx, offering_id, sql`instructor_id <> all(${ids}::int[])`)
  await sql`insert into offering_instructors (offering_id, instructor_id, role)
    select ${offering_id}, instructor_id, role from jsonb_to_recordset(${JSON.stringify(team)}::jsonb) as n (instructor_id int, role text)
    on conflict (offering_id, instructor_id) do update set role = excluded.role where offering_instructors.role <> excluded.role`.execute(
    tx,
  )
}
async function leave(tx: Tx, offering_id: number, who: ReturnType<typeof sql>): Promise<void> {
  await sql`delete from offering_slot_instructors where ${who} and offering_slot_id in (select id from offering_slots where offering_id = ${offering_id})`.execute(
    tx,
  )
  await sql`delete from offering_instructors where ${who} and offering_id = ${offering_id}`.execute(tx)
}

/** Makes these the programs to which an offering is open; none: every program whose plan has the course. */
export async function setPrograms(
  tx: Tx,
  offering_id: number,
  programs: readonly { program_id: number; level?: number | null | undefined }[],
): Promise<void> {
  const ids = programs.map((p) => p.program_id)
  const twice = ids.findIndex((id, i) => ids.indexOf(id) !== i)
  if (twice >= 0) throw refuse(422, 'program_twice', undefined, `programs.${twice}.program_id`)
  await sql`delete from offering_programs where offering_id = ${offering_id} and program_id <> all(${ids}::int[])`.execute(
    tx,
  )
  await sql`insert into offering_programs (offering_id, program_id, level)
    select ${offering_id}, program_id, level from jsonb_to_recordset(${JSON.stringify(programs)}::jsonb) as n (program_id int, level int)
    on conflict (offering_id, program_id) do update set level = excluded.level where offering_programs.level is distinct from excluded.level`.execute(
    tx,
  )
}

/** Students of programs that would be shut out keep their seats, but that must not happen unseen. */
async function refuseShutOut(tx: Tx, offering_id: number): Promise<void> {
  const { rows } = await sql<{ program: string; count: number }>`
    select p.code as program, count(*)::int as count from registrations r join students s on s.id = r.student_id join programs p on p.id = s.program_id
    where r.offering_id = ${offering_id} and r.status & ${String(seatMask)}::bigint <> 0
      and exists (select from offering_programs op where op.offering_id = r.offering_id)
      and not exists (select from offering_programs op where op.offering_id = r.offering_id and op.program_id = s.program_id)
    group by p.code order by p.code`.execute(tx)
  if (rows.length)
    throw new Refusal(
      409,
      rows.map((data) => ({ field: 'programs', code: 'program_students_hold_seats', data: { ...data } })),
    )
}

const teamOf = async (tx: Tx, id: number) => ({
  data: (
    await sql<
      AnswerOf<typeof teamCalls.syncInstructors>['data'][number]
    >`select x.id, x.name, x.name_local, x.code, oi.role from offering_instructors oi join instructors x on x.id = oi.instructor_id
      where oi.offering_id = ${id} order by array_position(array['leader', 'instructor', 'assistant'], oi.role), x.name`.execute(
      tx,
    )
  ).rows,
})
const programsOf = async (tx: Tx, id: number) => ({
  data: (
    await sql<
      AnswerOf<typeof teamCalls.syncPrograms>['data'][number]
    >`select x.id, x.name, x.name_local, x.code, op.level::int from offering_programs op join programs x on x.id = op.program_id
      where op.offering_id = ${id} order by x.code`.execute(tx)
  ).rows,
})
const linkedOf = async (tx: Tx, id: number) => ({
  data: (
    await sql<
      AnswerOf<typeof teamCalls.addLinked>['data'][number]
    >`select o.id, c.name, c.name_local, c.code, o.code as offering_code,
      (select count(*)::int from registrations r where r.offering_id = o.id and r.status & ${String(seatMask)}::bigint <> 0) as registered,
      (select ${ref('x')} from faculties x where x.id = o.faculty_id) as faculty
      from offerings o join courses c on c.id = o.course_id where o.linked_offering_id = ${id} and o.removed_at is null order by c.code, o.code`.execute(
      tx,
    )
  ).rows,
})

const teamLock = async (ctx: Ctx, tx: Tx, id: number) => {
  const offering = await lockOffering(ctx, tx, id, 'edit_offering_team')
  if (offering.control_status === 'Frozen') refuseFrozen(offering)
}

/**
 * Links offerings to a root: their students sit in its groups and take its seats. Their own meetings go. Refused, with
 * every reason: another term, marks submitted, seats already taken, the linked one is itself a root or linked elsewhere.
 */
const addLinked = (ctx: Ctx, root_id: number, offering_ids: readonly number[]) =>
  ctx.write(async (tx) => {
    const ids = [...new Set(offering_ids)]
    const found = await lockOfferings(ctx, tx, [root_id, ...ids], 'link_offerings')
    const root = found.get(root_id)
    if (!root) throw refuse(404, 'not_found')
    if (root.removed) throw refuse(409, 'removed_record')
    refuseFrozen(root)
    const { rows } = await sql<{ id: number; taken: number; waiting: number; children: number }>`select o.id,
        (select count(*)::int from wait_list w where w.offering_id = o.id and w.state = 'waiting') as waiting,
        (select coalesce(sum(taken), 0)::int from offering_slots s where s.offering_id = o.id) as taken,
        (select count(*)::int from offerings c where c.linked_offering_id = o.id and c.removed_at is null) as children
      from offerings o where o.id = any(${ids}::int[])`.execute(tx)
    const figures = new Map(rows.map((r) => [r.id, r]))
    const reasons: Reason[] = []
    if (root.linked_offering_id !== null) reasons.push({ code: 'offering_is_linked', data: { root: root.root_name } })
    for (const [i, id] of ids.entries()) {
      const one = found.get(id)
      const field = `offering_ids.${i}`
      if (!one || one.removed) {
        reasons.push({ field, code: 'reference_missing' })
        continue
      }
      const data = { offering: one.name }
      const { taken = 0, waiting = 0, children = 0 } = figures.get(id) ?? {}
      if (id === root_id) reasons.push({ field, code: 'linked_to_itself', data })
      if (one.term_id !== root.term_id) reasons.push({ field, code: 'linked_other_term', data })
      if (one.control_status !== 'Draft')
        reasons.push({ field, code: 'offering_structure_frozen', data: frozenData(one) })
      if (one.linked_offering_id !== null && one.linked_offering_id !== root_id)
        reasons.push({ field, code: 'linked_elsewhere', data: { ...data, root: one.root_name } })
      if (children && id !== root_id) reasons.push({ field, code: 'linked_is_root', data })
      if (waiting && id !== root_id) reasons.push({ field, code: 'offering_has_waiting', data: { count: waiting } })
      if (taken && id !== root_id) reasons.push({ field, code: 'linked_has_seats', data: { ...data, taken } })
    }
    if (reasons.length) throw new Refusal(409, reasons)
    await sql`delete from offering_slots where offering_id = any(${ids}::int[])`.execute(tx)
    await sql`delete from offering_groups where offering_id = any(${ids}::int[])`.execute(tx)
    await sql`update offerings set linked_offering_id = ${root_id} where id = any(${ids}::int[]) and linked_offering_id is distinct from ${root_id}`.execute(
      tx,
    )
    return linkedOf(tx, root_id)
  })

const removeLinked = (ctx: Ctx, root_id: number, offering_id: number) =>
  ctx.write(async (tx) => {
    const found = await lockOfferings(ctx, tx, [root_id, offering_id], 'link_offerings')
    const one = found.get(offering_id)
    if (!found.has(root_id)) throw refuse(404, 'not_found')
    if (!one || one.linked_offering_id !== root_id) throw refuse(409, 'not_linked_here', undefined, 'offering_id')
    refuseFrozen(one)
    const { rows } = await sql<{ count: number }>`select count(distinct r.id)::int as count from registrations r
      join registration_slots s on s.registration_id = r.id where r.offering_id = ${offering_id}`.execute(tx)
    if (rows[0]?.count)
      throw refuse(409, 'linked_has_students', { offering: one.name, count: rows[0].count }, 'offering_id')
    await sql`update offerings set linked_offering_id = null where id = ${offering_id}`.execute(tx)
    return linkedOf(tx, root_id)
  })

export const teamHandlers: readonly Handled[] = [
  handle(teamCalls.syncInstructors, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      await teamLock(ctx, tx, params.id)
      await setTeam(tx, params.id, body.instructors)
      return teamOf(tx, params.id)
    }),
  ),
  handle(teamCalls.detachInstructors, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      await teamLock(ctx, tx, params.id)
      await leave(tx, params.id, sql`instructor_id = any(${body.instructor_ids}::int[])`)
      return teamOf(tx, params.id)
    }),
  ),
  handle(teamCalls.syncPrograms, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      refuseFrozen(await lockOffering(ctx, tx, params.id, 'edit_offering'))
      await setPrograms(tx, params.id, body.programs)
      await refuseShutOut(tx, params.id)
      return programsOf(tx, params.id)
    }),
  ),
  handle(teamCalls.detachProgram, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      refuseFrozen(await lockOffering(ctx, tx, params.id, 'edit_offering'))
      const { rows } = await sql<{
        left: number
      }>`with gone as (delete from offering_programs where offering_id = ${params.id} and program_id = ${body.program_id} returning 1)
        select (select count(*)::int from offering_programs where offering_id = ${params.id}) - (select count(*)::int from gone) as left`.execute(
        tx,
      )
      // Without any program it would be open to all: that is to be said, not to happen.
      if (rows[0]?.left === 0) throw refuse(409, 'program_last', undefined, 'program_id')
      await refuseShutOut(tx, params.id)
      return programsOf(tx, params.id)
    }),
  ),
  handle(teamCalls.addLinked, (ctx, { params, body }) => addLinked(ctx, params.id, body.offering_ids)),
  handle(teamCalls.removeLinked, (ctx, { params, body }) => removeLinked(ctx, params.id, body.offering_id)),
]
