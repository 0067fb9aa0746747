import { sql } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import type { StudentStatus } from '#areas/common/academics/student-status.rules.ts'
import { opensTo, shownLevel } from '#areas/common/academics/window-reach.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { studentScope, type Bound } from '../capacity.server.ts'
import { flag, fromWire, mainOf, type MainFlag, type StageCode } from '#areas/common/academics/status.rules.ts'
import { byBlock } from '../block/by-block.server.ts'

/** A registration as it is locked for a change. */
export type Locked = {
  id: number
  student_id: number
  offering_id: number
  term_id: number
  status: string
  main: MainFlag
  course_code: string
  /** It came with the block of the level, under a regulation by marks. */
  by_block: boolean
  control_status: ControlStatus
  slot_ids: number[]
  user_id: number | null
  student: Bound
  student_status: StudentStatus
  /** Windows open to the student in the term. */
  stages: StageCode[]
  /** Marks stand against it. */
  graded: boolean
  /** What is given up once this request is accepted. */
  gives_up_id: number | null
  gives_up_code: string | null
  /** The decision stands by which it is in its state. */
  case_stands: boolean
  /** It is complete by an exemption; `before`: the state that this found, null: there was no registration. */
  exempted: { readonly before: string | null } | null
}

/**
 * Locks registrations within the reach of the keys, in the order in which everybody locks them: first the key of their
 * offerings, where a step of control meets them, then the registrations.
 * @throws {Refusal} 404 when one is not there or not within reach
 */
export async function lockRegistrations(
  ctx: Ctx,
  tx: Tx,
  ids: readonly number[],
  keys: readonly PermissionKey[],
): Promise<Locked[]> {
  return [...(await lockBoth(ctx, tx, ids, keys)).asked]
}

/** The same, with what would be given up for them. */
export async function lockBoth(
  ctx: Ctx,
  tx: Tx,
  asked: readonly number[],
  keys: readonly PermissionKey[],
): Promise<{ asked: Locked[]; given: ReadonlyMap<number, Locked> }> {
  const { rows: pairs } = await sql<{ id: number }>`select gives_up_id as id from registration_exchanges
    where registration_id = any(${[...new Set(asked)]}::int[])`.execute(tx)
  const ids = [...asked, ...pairs.map(({ id }) => id)]
  const { rows } = await sql<Omit<Locked, 'main' | 'student'> & Omit<Bound, 'id'>>`
    with offered as materialized (
      select o.id, o.control_status from offerings o
      where o.id in (select offering_id from registrations where id = any(${[...new Set(ids)]}::int[])) order by o.id for key share)
    select r.id, r.student_id, r.offering_id, r.term_id, r.status::text as status, c.code as course_code, o.control_status,
      registration_case_stands(r.id, decided_state(r.status)) as case_stands,
      case when r.status & ${flag.Complete.toString()}::bigint <> 0 then (select case when h.action = 'exempt' then
        json_build_object('before', h.from_status::text) end from registration_history h where h.registration_id = r.id
        order by h.id desc limit 1) end as exempted,
      ${byBlock('r')} as by_block, exists (select from registration_marks m where m.registration_id = r.id) as graded,
      x.gives_up_id, (select k.code from registrations y join courses k on k.id = y.course_id where y.id = x.gives_up_id) as gives_up_code,
      array(select offering_slot_id from registration_slots where registration_id = r.id order by 1) as slot_ids,
      s.user_id, s.status as student_status, s.faculty_id, p.department_id, s.bylaw_id, s.program_id, s.advisor_id,
      array(select distinct sc.code from stage_windows w join stage_codes sc on sc.id = w.stage_code_id
        left join stage_groups g on g.id = w.stage_group_id
        where w.term_id = r.term_id and w.removed_at is null and now() >= w.starts_at and now() < w.ends_at
          and ${opensTo({ student: 's', window: 'w', group: 'g', level: shownLevel('s') })}) as stages
    from registrations r join students s on s.id = r.student_id join programs p on p.id = s.program_id
    join courses c on c.id = r.course_id join offered o on o.id = r.offering_id
    left join registration_exchanges x on x.registration_id = r.id
    where r.id = any(${[...new Set(ids)]}::int[]) and ${scopeCondition(ctx, ['access_student', ...keys], studentScope(ctx))}
      and (select count(*) from offered) >= 0
    order by r.student_id, r.id for update of r`.execute(tx)
  const found = new Map(rows.map((row) => [row.id, row]))
  if (asked.some((id) => !found.has(id))) throw refuse(404, 'not_found')
  const locked = rows.map(({ faculty_id, department_id, bylaw_id, program_id, advisor_id, ...row }) => {
    const main = mainOf(fromWire(row.status))
    if (main === null) throw new Error(`Registration ${row.id} has no state: ${row.status}`)
    return {
      ...row,
      main,
      student: { id: row.student_id, faculty_id, department_id, bylaw_id, program_id, advisor_id },
    }
  })
  const all = new Map(locked.map((row) => [row.id, row]))
  return { asked: locked.filter(({ id }) => asked.includes(id)), given: all }
}
