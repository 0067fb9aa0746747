import { sql } from 'kysely'
import { readRoomUse } from '#areas/office/reports/rooms/rooms.server.ts'
import type { Db } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { most, type Result } from './report.ts'
import type { Bench } from './setup.ts'

const MEETINGS = Number(process.env.BENCH_ROOM_MEETINGS ?? 29_203)
const TIMES = 5

/** Use of the rooms of a large university in a term: all of it, Tuesdays at ten, of one faculty. */
export async function roomUse(bench: Bench): Promise<Result> {
  const { db } = await bench.database('bench_room_use', 4)
  await fill(db)
  await sql`vacuum analyze`.execute(db)
  const ctx = {
    db,
    write: (work: (tx: Db) => Promise<unknown>) => db.transaction().execute(work),
  } as unknown as Ctx
  const lines = []
  for (const [what, asked] of [
    ['all of it', {}],
    ['Tuesdays at ten', { day: 3, hour: 10 }],
    ['of one faculty', { faculty_id: 1 }],
  ] as const) {
    const taken: number[] = []
    for (let n = 0; n < TIMES; n++) {
      const begun = performance.now()
      await readRoomUse(ctx, asked)
      taken.push(performance.now() - begun)
    }
    lines.push(most(what, taken.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]!, 1000, 'ms'))
  }
  return { name: 'room-use', title: `use of rooms with ${MEETINGS.toLocaleString('en')} weekly meetings`, lines }
}

/** Straight into the tables: rooms, offerings of both faculties and of each level, two meetings in each. */
async function fill(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const step of [
      sql`insert into locations (building_id, code, name, name_local, capacity, location_type)
        select (select min(id) from buildings), 'BR' || n, 'Room ' || n, 'قاعة ' || n, 20 + n % 200, 'hall' from generate_series(1, 1200) n`,
      sql`with o as (insert into offerings (term_id, course_id, code, faculty_id, level)
          select (select term_id from current_terms where key = 'current_term'), (select min(id) from courses), 'ROOMS' || n,
            1 + n % (select count(*)::int from faculties), n % 5 from generate_series(1, ${Math.ceil(MEETINGS / 2)}::int) n returning id)
        insert into offering_groups (offering_id, number) select id, 1 from o`,
      sql`insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, location_id, quota, taken)
        select g.offering_id, o.term_id, g.id, 'Lecture', x.n / 6 % 6, s.ids[1 + x.n % 6], r.ids[1 + x.n / 36], 60, x.n % 50
        from (select g.*, 2 * (row_number() over (order by g.id) - 1)::int + k as n from offering_groups g
            join offerings b on b.id = g.offering_id and b.code like 'ROOMS%' cross join generate_series(0, 1) k) x
          join offering_groups g on g.id = x.id join offerings o on o.id = g.offering_id
          cross join (select array_agg(id order by id) as ids from slots where removed_at is null) s
          cross join (select array_agg(id order by id) as ids from locations where code like 'BR%') r
        where x.n < ${MEETINGS}::int and s.ids[1 + x.n % 6] is not null`,
    ])
      await step.execute(tx)
  })
}
