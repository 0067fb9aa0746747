/** Plans that do not hold what was granted since, as they are shown with everything that is outdated. */
import { sql } from 'kysely'
import type { Reason } from '#kit/contract/issues.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { scheduleReach } from '../schedules/schedule.server.ts'
import { accommodationBasis } from './accommodation.contract.ts'
import { longerReasons, type LongerMeeting } from './accommodation.rules.ts'
import { holdHalls, longerMeetingsAt } from './hold.server.ts'

export const accommodationBases = serveBasis(accommodationBasis, {
  from: `exam_schedules t join exams e on e.id = t.exam_id and e.removed_at is null join offerings f on f.id = t.offering_id
    join courses c on c.id = f.course_id`,
  where: `t.removed_at is null and lower(t.during) > now() at time zone university_zone()`,
  named: `json_build_object('code', c.code || ' (' || f.code || ')', 'name', c.name || ' · ' || e.name, 'name_local', c.name_local || ' · ' || e.name_local)`,
  link: `'/exams/' || e.id`,
  scope: () => scheduleReach(),
  outdated: sql`select b.exam_schedule_id as decision_id, max(a.updated_at) as since
    from exams_against_accommodations(array(select x.id from exams x where x.removed_at is null
        and exists (select from exam_days d where d.exam_id = x.id and d.on_date >= university_today()))) b
      join exam_accommodations a on a.id = b.accommodation_id group by 1`,
  renew: async (ctx, tx, ids) => {
    await sql`select from exam_schedules where id = any(${[...ids]}::int[]) order by id for no key update`.execute(tx)
    const reasons: Reason[] = [...(await holdHalls(tx, ids)).values()].flat()
    const { rows } = await sql<{
      id: number
      offering_id: number
      on_date: string
      exam_slot_id: number
      duration: number | null
    }>`select id, offering_id, on_date::text, exam_slot_id, duration from exam_schedules
      where id = any(${[...ids]}::int[]) and during is not null order by id`.execute(tx)
    for (const { id, offering_id, ...at } of rows) {
      const meetings: LongerMeeting[] = await longerMeetingsAt(ctx, tx, offering_id, at, [id])
      reasons.push(...longerReasons(meetings))
    }
    if (reasons.length)
      throw new Refusal(
        409,
        reasons.map(({ field: _field, ...reason }) => reason),
      )
  },
})
