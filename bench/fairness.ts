import { setTimeout as sleep } from 'node:timers/promises'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const MANY = 100
/** Calls that one student sends at once, and how often another asks meanwhile. */
const CALLS = 300
const ASKED = 40

/**
 * One student asks for a hundred papers at once, and another for one; one sends three hundred heavy calls at once, and
 * another opens screens: how long the other waits.
 */
export async function fairness(bench: Bench): Promise<Result> {
  const { url, pool } = await bench.database('bench_fairness', 4)
  const { rows } = await pool.query<{ email: string; courses: number }>(
    `select u.email, count(*)::int as courses from registrations r join students s on s.id = r.student_id join users u on u.id = s.user_id
       join offerings o on o.id = r.offering_id
     where r.letter is not null and o.control_status in ('Published', 'Frozen') group by 1 order by 2 desc, 1 limit 2`,
  )
  const server = await bench.server(url)
  const [greedy, other] = [await bench.signIn(pool, rows[0]!.email), await bench.signIn(pool, rows[1]!.email)]
  const ids = await pool.query<{ id: number }>(
    'select s.id from students s join users u on u.id = s.user_id where u.email = any($1) order by array_position($1, u.email)',
    [rows.map((row) => row.email)],
  )
  const print = async (token: string, id: number, lang: string, mark: number) => {
    const started = performance.now()
    // A word that tells the requests apart, so that they are not the same paper.
    const answer = await fetch(`${server.origin}/api/students/${id}/transcript/${lang}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-language': ['ar', 'en', 'de', 'fr', 'pt'][mark % 5]!,
      },
      body: JSON.stringify({}),
    })
    await answer.arrayBuffer()
    return { status: answer.status, ms: performance.now() - started }
  }
  // The threads are awake.
  for (const lang of ['ar', 'en', 'ar', 'en']) await print(other, ids.rows[1]!.id, lang, 0)
  const started = performance.now()
  const many = Promise.all(
    Array.from({ length: MANY }, (_, n) => print(greedy, ids.rows[0]!.id, n % 2 ? 'ar' : 'en', n)),
  )
  await sleep(50)
  const one = await print(other, ids.rows[1]!.id, 'ar', 0)
  const answers = await many
  const seconds = (performance.now() - started) / 1000

  const get = async (token: string, path: string) => {
    const at = performance.now()
    const answer = await fetch(`${server.origin}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    return { status: answer.status, again: answer.headers.get('retry-after'), ms: performance.now() - at }
  }
  const p95 = async (until: number): Promise<number> => {
    const times: number[] = []
    while (times.length < until) times.push((await get(other, '/students/terms_grades')).ms)
    return times.toSorted((a, b) => a - b)[Math.floor(until * 0.95)]!
  }
  await get(greedy, '/registrations/students/available-offerings')
  await p95(ASKED)
  const idle = await p95(ASKED)
  const begun = performance.now()
  const flood = Promise.all(
    Array.from({ length: CALLS }, () => get(greedy, '/registrations/students/available-offerings')),
  )
  await sleep(20)
  const meanwhile = await p95(ASKED)
  const flooded = await flood
  const lasted = (performance.now() - begun) / 1000
  await server.stop()
  const done = flooded.filter(({ status }) => status === 200).length
  const told = flooded.filter(({ status, again }) => status === 429 && Number(again) > 0).length
  const served = answers.filter((answer) => answer.status === 200).length
  return {
    name: 'fairness',
    title: `one student asks for ${MANY} transcripts at once, another for one`,
    lines: [
      { what: 'the other is answered', value: String(one.status), target: '200', met: one.status === 200 },
      most('the other waits', one.ms / 1000, 2, 's'),
      most(`another's screens, 95 of 100, while one sends ${CALLS} calls, beside idle`, meanwhile / idle, 3, '×'),
      { what: 'the same in time', value: `${meanwhile.toFixed(1)} ms, idle ${idle.toFixed(1)} ms` },
      {
        what: `the one who sends ${CALLS} calls`,
        value: `${done} served, ${told} told when to come again, in ${lasted.toFixed(1)} s`,
        target: 'no other answer',
        met: done + told === CALLS,
      },
      {
        what: 'the one who asks for many',
        value: `${served} served, ${MANY - served} refused in words, in ${seconds.toFixed(1)} s`,
      },
    ],
  }
}
