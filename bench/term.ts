/** Days of a term: a meeting in the hand, calendars that are asked again and again, papers that strangers verify. */
import { createHash } from 'node:crypto'
import { Pool } from 'undici'
import { query } from '#db/connect.ts'
import { MovedBoard } from '#areas/study/scheduling/board/move.rules.ts'
import type { MeetingBoard } from '#areas/study/scheduling/board/move.rules.ts'
import { seededRandom } from '../apps/demo/random.ts'
import { compare, median } from './measure.ts'
import { figures, most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const MEETINGS = 400
const DAYS = 6
const PERIODS = 6

/** A week as the board has it: rooms and instructors that are rarely free, and students who attend five meetings each. */
function fullWeek(): MeetingBoard {
  const random = seededRandom(11)
  const below = (n: number) => Math.floor(random.next() * n)
  const periods = Array.from({ length: PERIODS }, (_, i) => ({
    id: i + 1,
    from: 510 + i * 105,
    to: 600 + i * 105,
    ramadan_from: 540 + i * 75,
    ramadan_to: 600 + i * 75,
  }))
  return {
    periods,
    rooms: Array.from({ length: 40 }, (_, i) => ({
      id: i + 1,
      name: `R${i}`,
      name_local: `R${i}`,
      capacity: 60 + (i % 5) * 20,
      online: false,
    })),
    instructors: Array.from({ length: 90 }, (_, i) => ({ id: i + 1, name: `I${i}`, name_local: `I${i}` })),
    meetings: Array.from({ length: MEETINGS }, (_, i) => ({
      id: i + 1,
      offering_id: i >> 1,
      name: `C${i >> 1} (1)`,
      group: 1,
      type: i % 2 ? 'Section' : 'Lecture',
      section: null,
      day: i % DAYS,
      slot_id: 1 + (Math.floor(i / DAYS) % PERIODS),
      location_id: 1 + below(40),
      instructors: [1 + below(90)],
      seats: 40 + below(60),
      students: Array.from({ length: 60 }, () => below(5000)),
    })) as unknown as MeetingBoard['meetings'],
  }
}

/** A meeting is taken up on a week of 400: what stands against it at every place of the week is known at once. */
export function drag(): Promise<Result> {
  const board = fullWeek()
  const times: number[] = []
  let found = 0
  const before = process.cpuUsage()
  for (const meeting of board.meetings) {
    const begun = performance.now()
    const moved = new MovedBoard(board, [])
    for (let day = 0; day < DAYS; day++)
      for (const { id: slot_id } of board.periods)
        found += moved.at({ id: meeting.id, day, slot_id, location_id: meeting.location_id }).length
    times.push(performance.now() - begun)
  }
  const used = process.cpuUsage(before)
  const worst = times.toSorted((a, b) => a - b)
  if (!found) throw new Error('a week in which nothing clashes')
  return Promise.resolve({
    name: 'drag',
    title: `a meeting in the hand on a week of ${MEETINGS}: every place of the week judged`,
    lines: [
      most('95 of 100 meetings', worst[Math.floor(worst.length * 0.95)]!, 100, 'ms'),
      { what: 'the middle one', value: `${median(times).toFixed(2)} ms` },
      { what: 'CPU of one', value: `${((used.user + used.system) / 1000 / times.length).toFixed(2)} ms` },
    ],
  })
}

/** So many times a minute one address may be asked: there are enough of them. */
const FEEDS = 1200

/** Calendars of other programs ask again for what has not changed. */
export async function feed(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_feed')
  const { rows: people } = await pool.query<{ user_id: number }>(
    `select u.id as user_id from users u join students s on s.user_id = u.id where exists (select from registrations r
       join registration_slots x on x.registration_id = r.id where r.student_id = s.id
         and r.term_id = (select term_id from current_terms where key = 'current_term')) order by u.id limit $1`,
    [FEEDS],
  )
  const tokens = people.map((_, i) => createHash('sha256').update(`feed ${i}`).digest('base64url'))
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  await pool.query(`insert into calendar_feeds (user_id, token_hash) select * from unnest($1::int[], $2::bytea[])`, [
    people.map((person) => person.user_id),
    hashes,
  ])
  await pool.query('vacuum analyze')
  const server = await bench.server(url)
  const client = new Pool(server.origin, { connections: 32, pipelining: 1 })
  const ask = async (i: number, etag?: string) => {
    const answer = await client.request({
      method: 'GET',
      path: `/api/calendars/${tokens[i]!}/timetable.ics`,
      headers: etag ? { 'if-none-match': etag } : {},
    })
    const body = await answer.body.arrayBuffer()
    return { status: answer.statusCode, etag: String(answer.headers.etag), bytes: body.byteLength }
  }
  const etags: string[] = []
  let bytes = 0
  const begun = performance.now()
  for (let i = 0; i < tokens.length; i++) {
    const first = await ask(i)
    if (first.status !== 200) throw new Error(`a calendar: ${first.status}`)
    etags.push(first.etag)
    bytes += first.bytes
  }
  const whole = (performance.now() - begun) / tokens.length
  let other = 0
  let waited = 0
  const pick = (loop: number, n: number) => (loop + n * 32) % tokens.length
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => {
      const i = pick(loop, n)
      const { status } = await ask(i, etags[i]!)
      // More than thirty a minute of one address: it is told to wait.
      if (status === 429) waited += 1
      else if (status !== 304) other += 1
    },
    async (loop, n) => {
      const rows = await query(
        pool,
        'bare_feed',
        `select f.id, count(m.version), max(m.version) from calendar_feeds f join students s on s.user_id = f.user_id
           left join registrations r on r.student_id = s.id and r.term_id = (select term_id from current_terms where key = 'current_term')
           left join registration_slots x on x.registration_id = r.id left join offering_slots m on m.id = x.offering_slot_id
         where f.token_hash = $1 and f.revoked_at is null group by f.id`,
        [hashes[pick(loop, n)]!],
      )
      if (rows.length !== 1) throw new Error('no such address')
    },
    { rounds: 2, seconds: 1, loops: 8 },
  )
  await client.close()
  await server.stop()
  await db.destroy()
  return figures('feed', `${tokens.length} calendars asked for again`, found, {}, [
    most('CPU of an answer, server and database', found.cpu.server + found.cpu.database, 1, 'ms'),
    most('answered otherwise than 304', other, 0, ''),
    { what: 'told to wait', value: String(waited) },
    { what: 'a whole calendar', value: `${whole.toFixed(1)} ms, ${Math.round(bytes / tokens.length / 1024)} kB` },
  ])
}

/** Strangers verify papers by the code printed on them. */
export async function paper(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_paper')
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'registrar@canopus.example.edu')
  const { rows: students } = await pool.query<{ id: number }>(
    `select id from students where status = 'studying' and removed_at is null order by id limit 20`,
  )
  for (const { id } of students)
    await server.send(token, 'POST', `/students/${id}/papers`, { kind: 'enrollment_certificate', lang: 'ar' })
  const { rows } = await pool.query<{ code: string }>('select code from papers order by id')
  await pool.query('vacuum analyze papers')
  const pick = (loop: number, n: number) => rows[(loop * 7 + n) % rows.length]!.code
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => {
      const answer = await server.send('', 'GET', `/papers/${pick(loop, n)}`)
      if (!answer.includes('"valid"')) throw new Error(answer)
    },
    async (loop, n) => {
      const all = await query(
        pool,
        'bare_paper',
        'select kind, title, serial, issued_at, revoked_at, disclosure, holder, facts from papers where code = $1',
        [pick(loop, n)],
      )
      if (all.length !== 1) throw new Error('no such paper')
    },
    { rounds: 3, seconds: 2, loops: 8 },
  )
  await server.stop()
  await db.destroy()
  return figures('paper', 'a paper verified on the public page', found, {}, [
    most('CPU of an answer, server and database', found.cpu.server + found.cpu.database, 5, 'ms'),
  ])
}
