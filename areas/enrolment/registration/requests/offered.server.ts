/**
 * What a term offers to the students of a program: the same for all of them, and the most of an answer about it. In a
 * rush they share one reading of it; what is the student's own is read for each, and the rules are asked in code.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Requisite } from '#areas/study/catalogue/requisites.rules.ts'
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import type { GatheredOffering } from './gather.server.ts'
import { inQueueOf } from './queue.server.ts'
import type { AvailableOffering } from './request.contract.ts'

/** A meeting as answered: `os` the slot of the offering, `g` its group, `p` the period, `l` the place, `ram` which time applies. */
export const slotJson = (
  over: boolean,
): RawBuilder<unknown> => sql`json_build_object('id', os.id, 'group_id', os.group_id, 'group', g.number,
  'group_name', g.name, 'type', os.type, 'section', os.section, 'day', os.day, 'slot', ${refOrNull('p')},
  'from', to_char(case when ram.is_ramadan then p.ramadan_start_time else p.start_time end, 'HH24:MI'),
  'to', to_char(case when ram.is_ramadan then p.ramadan_end_time else p.end_time end, 'HH24:MI'),
  'location', ${refOrNull('l')},
  'instructors', coalesce((select json_agg(${refOrNull('i')} order by i.name) from offering_slot_instructors si join instructors i on i.id = si.instructor_id
    where si.offering_slot_id = os.id), '[]'),
  'quota', os.quota, 'free', greatest(os.quota - os.taken - os.held, 0),
  'over_free', ${over ? sql`greatest(os.quota + os.over_quota - greatest(os.taken + os.held, os.quota), 0)` : sql`null::int`})`

export const slotJoins = sql`offering_slots os join offering_groups g on g.id = os.group_id left join slots p on p.id = os.slot_id
  left join locations l on l.id = os.location_id cross join (select is_ramadan from ramadan_status where kind = 'slots') ram`

/** The order of an offering's slots. */
export const slotOrder = sql`g.number, array_position(array['Lecture', 'Tutorial', 'Lab', 'Clinic'], os.type), os.section, os.day, p.start_time, os.id`

/** An offering as everybody of the program sees it, and as the rules do; open or not. */
type Offered = {
  readonly row: Omit<AvailableOffering, 'refusals' | 'registration' | 'wait_position'>
  readonly rules: GatheredOffering
}

type Sql = Offered['row'] & {
  rules: [boolean, ControlStatus, number | null, number, number, Requisite | null, number[] | null]
}

/** More than any program has in a term. */
const MOST_OFFERINGS = 2000

/** Offerings of a term that are open to a program; whoever may use the over-quota is told of it. */
async function read(db: Ctx['db'], termId: number, programId: number, over: boolean): Promise<Offered[]> {
  const { rows } = await sql<{ offerings: Sql[] }>`with open_to as (
      select o.*, plan.id as plan_id, plan.level as plan_level, plan.semester, plan.kind, plan.pool_id,
        plan.prerequisites as plan_prerequisites, coalesce(op.level, o.level) as for_level
      from offerings o
      left join program_courses plan on plan.program_id = ${programId}::int and plan.course_id = o.course_id
      left join lateral (select count(*) > 0 as listed, coalesce(bool_or(op.program_id = ${programId}::int), false) as own,
          max(op.level) filter (where op.program_id = ${programId}::int) as level
        from offering_programs op where op.offering_id = o.id) op on true
      where o.term_id = ${termId}::int and o.removed_at is null and case when op.listed then op.own
          else plan.id is not null or not exists (select from program_courses where program_id = ${programId}::int) end
      order by o.is_open desc, plan.level nulls last, plan.semester nulls last, o.id limit ${sql.lit(MOST_OFFERINGS)}
    )
    select coalesce(json_agg(json_build_object('id', o.id, 'code', o.code,
        'course', json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local, 'credit_hours', c.credit_hours,
          'lecture_hours', c.lecture_hours, 'tutorial_hours', c.tutorial_hours, 'laboratory_hours', c.laboratory_hours, 'clinical_hours', c.clinical_hours),
        'plan', case when o.plan_id is not null then json_build_object('level', o.plan_level, 'semester', o.semester, 'kind', o.kind,
          'pool', (select json_build_object('id', x.id, 'name', x.name, 'name_local', x.name_local) from program_pools x where x.id = o.pool_id)) end,
        'instructors', coalesce((select json_agg(${refOrNull('i')} order by oi.role = 'leader' desc, i.name) from offering_instructors oi
          join instructors i on i.id = oi.instructor_id where oi.offering_id = o.id and oi.role <> 'assistant'), '[]'),
        'slots', coalesce((select json_agg(${slotJson(over)} order by ${slotOrder}) from ${slotJoins}
          where os.offering_id = coalesce(o.linked_offering_id, o.id)), '[]'),
        'waiting', (select count(*) from wait_list w where w.state = 'waiting' and ${inQueueOf('w', 'o')}),
        'rules', json_build_array(o.is_open, o.control_status, o.for_level, c.min_passed_hours, c.min_level,
          coalesce(o.plan_prerequisites, c.prerequisites),
          (select json_agg(required_course_id) from course_corequisites where course_id = c.id)))
      order by o.plan_level nulls last, o.semester nulls last, c.code, o.code), '[]') as offerings
    from open_to o join courses c on c.id = o.course_id`.execute(db)
  return (rows[0]?.offerings ?? []).map(({ rules, ...row }) => {
    const [is_open, control_status, level, min_passed_hours, min_level, prerequisites, corequisites] = rules
    return {
      row,
      rules: {
        id: row.id,
        term_id: termId,
        course_id: row.course.id,
        is_open,
        control_status,
        open_program: true,
        level,
        course_code: row.course.code ?? '',
        credit_hours: row.course.credit_hours,
        min_passed_hours,
        min_level,
        prerequisites,
        corequisite_ids: corequisites ?? [],
        plan_kind: row.plan?.kind ?? null,
        // Which slots there are is asked when some are chosen; here only whether there are any.
        slots: row.slots.slice(0, 1).map((slot) => ({
          id: slot.id,
          group_id: slot.group_id,
          group: slot.group,
          group_name: slot.group_name,
          type: slot.type,
          section: slot.section,
          meetings: [],
          quota: 0,
          over_quota: 0,
          taken: 0,
          held: 0,
        })),
      },
    }
  })
}

/** How old a reading may be when a request joins it, in milliseconds: with the reading itself, seats are at most a second old. */
const AGE = 700
/** From so many requests under way on there is a rush. Below, everybody reads for himself. */
const RUSH = 4

type Reading = { since: number; offered: Promise<readonly Offered[]> }
type Shared = { under_way: number; readings: Map<string, Reading> }
const sharing = new WeakMap<pg.Pool, Shared>()

/** Counts a request for what is offered while it is worked on. */
export async function whileAsked<Out>(ctx: Ctx, work: () => Promise<Out>): Promise<Out> {
  let shared = sharing.get(ctx.services.pool)
  if (!shared) sharing.set(ctx.services.pool, (shared = { under_way: 0, readings: new Map() }))
  shared.under_way++
  try {
    return await work()
  } finally {
    shared.under_way--
  }
}

/**
 * Offerings of a term for a program, open or not, in the order in which they are shown. Alone, read now; in a rush, read
 * at most a moment ago. The answer is shared: it is not to be changed.
 */
export function offeredTo(ctx: Ctx, termId: number, programId: number, over: boolean): Promise<readonly Offered[]> {
  const shared = sharing.get(ctx.services.pool)
  if (!shared || ctx.inUnit || shared.under_way < RUSH) return read(ctx.db, termId, programId, over)
  const { readings } = shared
  const key = `${termId}/${programId}/${over}`
  const kept = readings.get(key)
  const now = performance.now()
  if (kept && now - kept.since < AGE) return kept.offered
  const offered = read(ctx.db, termId, programId, over)
  const reading = { since: now, offered }
  readings.set(key, reading)
  const forget = () => {
    if (readings.get(key) === reading) readings.delete(key)
  }
  offered.then(() => setTimeout(forget, AGE).unref(), forget)
  return offered
}
