import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../apps/demo/random.ts'
import { checkStored } from '../tests/checker/checker.ts'
import { cpu } from './measure.ts'
import { openTerm, signedInStudents } from './registration.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench, Server } from './setup.ts'

const STUDENTS = Number(process.env.BENCH_RUSH_STUDENTS ?? 24_900)
/** Requests for courses, places in queues included: 7.7 for each student. */
const REQUESTS = Math.round((STUDENTS * 192_000) / 24_900)
/** Courses that a student wants, each at another time of the week. */
const TIMES = 6
const OFFERINGS = 40
/** Seats at one time of the week, for each student. */
const SEATS = 1.15
/** Seconds in which everybody begins, most at the start; and between two requests of one person. */
const BEGIN = 120
const THINK = { least: 4, most: 18 }
/** How many times as fast as people; for trying the benchmark itself. */
const HASTE = Number(process.env.BENCH_RUSH_HASTE ?? 1)
/** One in so many takes a course back at the end, for which others wait. */
const TAKE_BACK = 40

/** Rules of the checker that concern registration; the others judge records, which the generated students do not have. */
const RULES = [
  'seats taken are the seats held',
  'no meeting above its seats',
  'who is in a course sits in its meetings, and nobody else does',
  'seats lie in the course that was registered, in one group',
  'nobody is in two places at once',
  'one course once in a term',
  'who waits is not in the course already',
  'a queue keeps its order',
  'every registration stands in the audit trail',
  'seats held for a queue are free ones, at most one for each who waits',
]

interface Place {
  offering: number
  slot: number
}

/**
 * The first hours of registration: every student asks for courses at two processes, thinks, asks again when the system is
 * busy, waits in the queues of full courses; some take courses back. Afterwards everything is counted.
 */
export async function rush(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_rush', 8)
  const { tokens, first } = await signedInStudents(bench, pool, db, STUDENTS)
  const term = await openTerm(pool)
  const quota = Math.ceil((STUDENTS * SEATS) / OFFERINGS)
  const { rows } = await pool.query<{ offering: number; slot: number; n: number }>(
    `with made as (
       insert into courses (code, name, name_local, credit_hours)
       select 'RUSH' || n, 'Rush ' || n, 'مقرر ' || n, 2 from generate_series(1, $1::int) n returning id, code),
     offered as (
       insert into offerings (term_id, course_id, code, is_open) select $2, id, code, true from made returning id, code, term_id),
     open as (insert into offering_programs (offering_id, program_id) select o.id, p.id from offered o cross join programs p),
     grouped as (insert into offering_groups (offering_id, number) select id, 1 from offered returning id, offering_id)
     insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, quota)
     select o.id, o.term_id, g.id, 'Lecture', (substr(o.code, 5)::int - 1) / $3::int, (select min(id) from slots), $4
     from offered o join grouped g on g.offering_id = o.id order by substr(o.code, 5)::int
     returning offering_id as offering, id as slot, day as n`,
    [TIMES * OFFERINGS, term, OFFERINGS, quota],
  )
  const times = Array.from({ length: TIMES }, (_, day): Place[] => rows.filter((row) => row.n === day))
  await pool.query('vacuum analyze')
  const servers = await Promise.all([bench.server(url), bench.server(url)])

  const took: number[] = []
  const registered: { student: number; offering: number; id: number }[] = []
  const queued: { student: number; offering: number }[] = []
  const taken = new Set<number>()
  let sent = 0
  let busy = 0
  let refused = 0
  const odd: string[] = []
  let turn = 0

  /** One request, sent again while the system is busy; the answer, or undefined where it was refused in words. */
  const send = async (token: string, path: string, body: unknown): Promise<{ data: any } | 'full' | undefined> => {
    for (let tries = 0; ; tries++) {
      const server: Server = servers[turn++ % servers.length]!
      const started = performance.now()
      const answer = await server.ask(token, 'PUT', path, body)
      took.push(performance.now() - started)
      if (answer.status === 200) return JSON.parse(answer.body.toString()) as { data: any }
      const text = answer.body.toString()
      if ((answer.status === 429 || answer.status === 503) && tries < 20) {
        busy++
        await sleep(1000 + Math.random() * 2000)
        continue
      }
      if (answer.status === 409) {
        refused++
        return text.includes('"slot_full"') ? 'full' : undefined
      }
      odd.push(`${answer.status} ${text.slice(0, 300)}`)
      return undefined
    }
  }

  const learner = async (n: number): Promise<void> => {
    const random = seededRandom(n + 1)
    const student = first + n
    const token = tokens[n]!
    const share = () => random.int(0, 999_999) / 1_000_000
    const think = () => sleep(((THINK.least + (THINK.most - THINK.least) * share()) * 1000) / HASTE)
    // Many want few courses.
    const wish = (): number => Math.floor(share() ** 1.35 * OFFERINGS)
    let left = Math.floor(((n + 1) * REQUESTS) / STUDENTS) - Math.floor((n * REQUESTS) / STUDENTS)
    const ask = async (place: Place, wait: boolean) => {
      left--
      sent++
      const asked = { offering_id: place.offering, offering_slot_ids: [place.slot] }
      const answer = wait
        ? await send(token, '/registrations/students/wait-list', asked)
        : await send(token, '/registrations/students/request-offering', { offerings: [asked] })
      if (answer && answer !== 'full') {
        if (wait) queued.push({ student, offering: place.offering })
        else {
          for (const { id } of answer.data as { id: number }[])
            registered.push({ student, offering: place.offering, id })
        }
      }
      return answer
    }
    await sleep((BEGIN * 1000 * share() ** 1.5) / HASTE)
    const mine: number[] = []
    for (let time = 0; time < TIMES && left > 0; time++) {
      const column = times[(time + n) % TIMES]!
      const wanted = wish()
      const answer = await ask(column[wanted]!, false)
      if (answer && answer !== 'full') mine.push((answer.data as { id: number }[])[0]!.id)
      await think()
      if (answer === 'full' && left > 0) {
        await ask(column[wanted]!, true)
        await think()
        if (left > 0) {
          const other = await ask(column[(wanted + 7 + random.int(0, OFFERINGS - 8)) % OFFERINGS]!, false)
          if (other && other !== 'full') mine.push((other.data as { id: number }[])[0]!.id)
          await think()
        }
      }
    }
    // What is left: they try for what everybody wants.
    while (left > 0) {
      await ask(times[random.int(0, TIMES - 1)]![random.int(0, 3)]!, random.chance(0.3))
      await think()
    }
    const back = mine[0]
    if (n % TAKE_BACK === 0 && back !== undefined) {
      const answer = await send(token, '/registrations/students/remove-offering', { registration_ids: [back] })
      if (answer && answer !== 'full') taken.add(back)
    }
  }

  const before = cpu(servers[0]!.pid, bench.postmaster)
  const beforeOther = cpu(servers[1]!.pid, bench.postmaster)
  const started = performance.now()
  await Promise.all(Array.from({ length: STUDENTS }, (_, n) => learner(n)))
  const seconds = (performance.now() - started) / 1000
  const after = cpu(servers[0]!.pid, bench.postmaster)
  const afterOther = cpu(servers[1]!.pid, bench.postmaster)
  // Queues go on for a moment after the last answer.
  for (let wait = 0; wait < 600; wait++) {
    const { rows: jobs } = await pool.query(`select from jobs where state in ('queued', 'running') limit 1`)
    if (!jobs.length) break
    await sleep(100)
  }

  const one = async (text: string, values: unknown[]): Promise<number> =>
    (await pool.query<{ n: number }>(text, values)).rows[0]!.n
  const kept = registered.filter(({ id }) => !taken.has(id))
  const lost = await one(
    `select count(*)::int as n from unnest($1::int[], $2::int[]) as a (student_id, offering_id) where not exists (
       select from registrations r join registration_slots s on s.registration_id = r.id
       where r.student_id = a.student_id and r.offering_id = a.offering_id)`,
    [kept.map((a) => a.student), kept.map((a) => a.offering)],
  )
  const lostPlaces = await one(
    `select count(*)::int as n from unnest($1::int[], $2::int[]) as a (student_id, offering_id) where not exists (
       select from wait_list w where w.student_id = a.student_id and w.offering_id = a.offering_id)`,
    [queued.map((a) => a.student), queued.map((a) => a.offering)],
  )
  const found: string[] = []
  const client = await pool.connect()
  try {
    for (const rule of RULES)
      for (const finding of await checkStored(client, { only: rule })) found.push(`${rule}: ${finding.where}`)
  } finally {
    client.release()
  }
  const inversions = found.filter((text) => text.startsWith('a queue keeps its order')).length
  const moved = await one(`select count(*)::int as n from wait_list where state = 'moved'`, [])
  await Promise.all(servers.map((server) => server.stop()))
  await db.destroy()
  for (const text of [...odd.slice(0, 3), ...found.slice(0, 5)]) console.log(`  ! ${text}`)

  took.sort((a, b) => a - b)
  const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  const none = (what: string, n: number): Line => ({ what, value: String(n), target: '0', met: n === 0 })
  const server = after.server - before.server + afterOther.server - beforeOther.server
  return {
    name: 'rush',
    title: `${STUDENTS.toLocaleString('en')} students and two processes, from the opening on`,
    lines: [
      {
        what: 'requests',
        value: `${sent.toLocaleString('en')}, ${took.length.toLocaleString('en')} sent`,
        target: `≥ ${REQUESTS}`,
        met: sent >= REQUESTS,
      },
      {
        what: 'given',
        value: `${registered.length} registrations, ${queued.length} places in queues, ${moved} moved up`,
      },
      { what: 'refused in words', value: `${refused}; asked again when busy: ${busy}` },
      most('done in', seconds, 300, 's'),
      most('half answered within', at(0.5), 1000, 'ms'),
      most('95 of 100 within', at(0.95), 1000, 'ms'),
      { what: 'the slowest', value: `${Math.round(took.at(-1) ?? 0)} ms` },
      none('answers that were odd', odd.length),
      none('registrations lost', lost),
      none('places in queues lost', lostPlaces),
      none('passed over in a queue', inversions),
      none('anything else wrong', found.length - inversions),
      {
        what: 'CPU of a request',
        value: `${(server / took.length).toFixed(2)} ms server, ${((after.database - before.database) / took.length).toFixed(2)} ms database`,
      },
    ],
  }
}
