import { signedInStudents } from './registration.ts'
import { least, most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const BEDS = 2000
const DAYS = 120
const CROWD = 500
const LAST = 50

/**
 * The board of 2,000 beds over 120 days, all of them taken several times; then 500 students who ask at once for the last 50
 * beds, and two clerks who give them at two processes.
 */
export async function beds(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_beds', 8)
  const { tokens, first } = await signedInStudents(bench, pool, db, CROWD)
  await pool.query('update students set gender = 1 where id >= $1', [first])
  const hostel = async (code: string, rooms: number): Promise<number> => {
    const { rows } = await pool.query<{ id: number }>(
      `with b as (insert into buildings (code, name, name_local) values ($1, $1, $1) returning id)
       insert into hostels (building_id, code, name, name_local, gender) select id, $1, $1, $1, 'men' from b returning id`,
      [code],
    )
    const { id } = rows[0]!
    await pool.query(
      `with r as (insert into hostel_rooms (hostel_id, code, floor, kind_id, gender)
         select $1, 'R' || n, n % 9, (select min(id) from room_kinds), 'men' from generate_series(1, $2::int) n returning id)
       insert into hostel_beds (room_id, code) select id, c from r cross join unnest(array['A', 'B']) c`,
      [id, rooms],
    )
    return id
  }
  const [full, last] = [await hostel('BENCH-FULL', BEDS / 2), await hostel('BENCH-LAST', LAST / 2)]
  // Stays of a month each, one after the other.
  await pool.query(
    `insert into hotel_reservations (guest_name, gender, audience, hostel_id, from_day, until_day, status, bed_id, confirmed_at)
     select 'Guest ' || b.id || ' ' || n, 1, 'guests', $1, university_today() + n * 25 - 20, university_today() + n * 25 + 3, 'confirmed', b.id, now()
     from hostel_beds b join hostel_rooms r on r.id = b.room_id cross join generate_series(0, 4) n where r.hostel_id = $1`,
    [full],
  )
  await pool.query('analyze')
  const servers = [await bench.server(url), await bench.server(url)] as const
  const root = await bench.signIn(pool, 'root@canopus.example.edu')
  const board = { days: DAYS, hostel_id: full }
  const took: number[] = []
  let size = 0
  let shown = 0
  // A process that has answered something before, as it has when somebody opens the board.
  await servers[0].send(root, 'POST', '/hotels/lookups', {})
  for (let i = 0; i < 12; i++) {
    const begun = performance.now()
    const text = await servers[0].send(root, 'POST', '/hotels/board', board)
    took.push(performance.now() - begun)
    size = text.length
    shown = (JSON.parse(text) as { data: { stays: unknown[] } }).data.stays.length
  }
  const firstView = took[0]!
  const usual = took.slice(2).toSorted((a, b) => a - b)[5]!

  const { rows: days } = await pool.query<{ from_day: string; until_day: string }>(
    'select (university_today() + 5)::text as from_day, (university_today() + 9)::text as until_day',
  )
  const begun = performance.now()
  const asked = await Promise.all(
    tokens.map((token, i) =>
      servers[i % 2]!.ask(token, 'POST', '/hotels/own/ask', {
        ...days[0],
        hostel_id: last,
        distance_km: (i * 37) % CROWD,
      }),
    ),
  )
  const askedIn = (performance.now() - begun) / 1000
  const giving = performance.now()
  await Promise.all(servers.map((server) => server.ask(root, 'POST', '/hotels/waiting/give', {})))
  const givenIn = (performance.now() - giving) / 1000
  const { rows } = await pool.query<{ stays: number; beds: number; people: number; kept: boolean }>(
    `select count(*)::int as stays, count(distinct bed_id)::int as beds, count(distinct student_id)::int as people,
       coalesce(min(distance_km) >= (select coalesce(max(x.distance_km), 0) from hotel_reservations x where x.hostel_id = $1 and x.status = 'requested'), false) as kept
     from hotel_reservations where hostel_id = $1 and status = 'confirmed'`,
    [last],
  )
  const found = rows[0]!
  await Promise.all(servers.map((server) => server.stop()))
  await db.destroy()
  await pool.end()
  const exact = found.stays === LAST && found.beds === LAST && found.people === LAST && found.kept
  return {
    name: 'beds',
    title: `${BEDS} beds over ${DAYS} days with ${shown} stays; ${CROWD} students for the last ${LAST} beds`,
    lines: [
      most('board, the first time', firstView, 300, 'ms'),
      most('board, half of all', usual, 300, 'ms'),
      { what: 'board, size before compression', value: `${Math.round(size / 1024)} KB` },
      {
        what: 'requests answered',
        value: `${asked.filter((one) => one.status === 200).length} in ${askedIn.toFixed(2)} s`,
      },
      { what: 'beds given by two processes at once', value: `${givenIn.toFixed(2)} s` },
      {
        what: 'stays, beds, people',
        value: `${found.stays}, ${found.beds}, ${found.people}${found.kept ? ', in the order' : ', NOT in the order'}`,
      },
      least('exactly the last beds, in the order', exact ? 1 : 0, 1),
    ],
  }
}
