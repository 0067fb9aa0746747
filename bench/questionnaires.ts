import { setTimeout as sleep } from 'node:timers/promises'
import { signedInStudents } from './registration.ts'
import { most, least } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

const STUDENTS = 800
const OFFERINGS = 60
const PER_SECOND = 50
const SECONDS = 40
const COUNTED = 1500

/** Times in ms of which so many of a hundred are below. */
const within = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

/**
 * 50 answers a second for 40 seconds, sent when it is their time and not when the one before is answered, at one process; and then the
 * results of 1,500 offerings.
 */
export async function questionnaires(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_questionnaires', 8)
  const { tokens, first } = await signedInStudents(bench, pool, db, STUDENTS)
  const { rows: terms } = await pool.query<{ id: number; today: string; later: string }>(
    `select term_id as id, university_today()::text as today, (university_today() + 5)::text as later from current_terms where key = 'current_term'`,
  )
  const { id: term, today, later } = terms[0]!
  await pool.query(
    `with made as (insert into courses (code, name, name_local, credit_hours)
       select 'BENCH' || n, 'Bench ' || n, 'قياس ' || n, 3 from generate_series(1, $1::int) n returning id, code)
     insert into offerings (term_id, course_id, code, faculty_id) select $2, id, code, (select min(id) from faculties) from made`,
    [OFFERINGS, term],
  )
  await pool.query(
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
     select s.id, o.id, o.term_id, o.course_id, 262144 | 1, 3 from students s
       join (select o.*, row_number() over (order by o.id) - 1 as at from offerings o where o.code like 'BENCH%') o
         on (o.at - s.id) % $2 in (0, 20, 40)
     where s.id >= $1`,
    [first, OFFERINGS],
  )
  await pool.query('analyze')
  const server = await bench.server(url, { SECRETS_KEY: 'of the bench: 7hQ2vX9mB4tR8kD1sW6yJ3nF5cL0zP' })
  const root = await bench.signIn(pool, 'root@canopus.example.edu')
  const made = JSON.parse(
    await server.send(root, 'PUT', '/questionnaires', {
      type_id: 1,
      term_id: term,
      opens_on: today,
      closes_on: later,
      obligatory: true,
      postponements: 2,
    }),
  ) as { data: { id: number } }
  const { id } = made.data
  await server.send(root, 'GET', `/questionnaires/survey/status/${id}`)
  const { rows: asked } = await pool.query<{ set_id: number; student: number }>(
    `select x.id as set_id, (s.id - $2)::int as student from questionnaire_sets x join registrations r on r.offering_id = x.offering_id
       join students s on s.id = r.student_id and s.id >= $2
     where x.questionnaire_id = $1 order by md5(x.id::text || s.id::text)`,
    [id, first],
  )
  const shown = JSON.parse(
    await server.send(
      tokens[0]!,
      'GET',
      `/questionnaires/get_questions/${asked.find(({ student }) => student === 0)!.set_id}`,
    ),
  ) as {
    data: { questions: { key: string; kind: string; rows: unknown[]; required: boolean }[] }
  }
  const answers = Object.fromEntries(
    shown.data.questions
      .filter(({ kind }) => kind !== 'text')
      .map(({ key, kind, rows }) => [key, kind === 'grid' ? rows.map(() => 4) : kind === 'several' ? [1, 2] : 4]),
  )
  const wave = asked.slice(0, Math.min(asked.length, PER_SECOND * SECONDS))
  const times: number[] = []
  let taken = 0
  const begun = performance.now()
  await Promise.all(
    wave.map(async ({ set_id, student }, i) => {
      const due = begun + (i * 1000) / PER_SECOND
      await sleep(Math.max(0, due - performance.now()))
      const { status } = await server.ask(tokens[student]!, 'PUT', `/questionnaires/submit/${set_id}`, { answers })
      times.push(performance.now() - due)
      if (status === 200) taken += 1
    }),
  )
  const tookSeconds = (performance.now() - begun) / 1000
  // Everybody sends the same once more, as two windows would.
  const again = await Promise.all(
    wave
      .slice(0, 200)
      .map(({ set_id, student }) =>
        server.ask(tokens[student]!, 'PUT', `/questionnaires/submit/${set_id}`, { answers }),
      ),
  )
  const { rows: kept } = await pool.query<{ ballots: number; people: number }>(
    `select (select count(*)::int from questionnaire_ballots b join questionnaire_sets x on x.id = b.set_id where x.questionnaire_id = $1) as ballots,
       (select count(*)::int from questionnaire_participations p join questionnaire_sets x on x.id = p.set_id where x.questionnaire_id = $1) as people`,
    [id],
  )

  // Results of many offerings: those of the demo's, with their figures, several times.
  const { rows: closed } = await pool.query<{ id: number }>(
    `insert into questionnaires (type_id, term_id, opens_on, closes_on, status, form, counted_on)
     select type_id, term_id, opens_on, closes_on, 'closed', form, counted_on from questionnaires where status = 'closed' order by id limit 1 returning id`,
  )
  const counted = closed[0]!.id
  await pool.query(
    `insert into questionnaire_sets (questionnaire_id, offering_id, asked, answered)
     select $1, id, 60, 40 from offerings where removed_at is null order by id desc limit $2`,
    [counted, COUNTED],
  )
  await pool.query(
    `insert into questionnaire_figures (set_id, question, part, n, counts)
     select x.id, f.question, f.part, f.n, f.counts from questionnaire_sets x
       cross join (select f.* from questionnaire_figures f where f.set_id = (select min(set_id) from questionnaire_figures)) f
     where x.questionnaire_id = $1`,
    [counted],
  )
  await pool.query('analyze questionnaire_sets, questionnaire_figures')
  const { rows: sets } = await pool.query<{ n: number; one: number }>(
    'select count(*)::int as n, min(id) as one from questionnaire_sets where questionnaire_id = $1',
    [counted],
  )
  const timed = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<number> => {
    const from = performance.now()
    const { status } = await server.ask(root, method, path, body)
    if (status !== 200) throw new Error(`${path}: ${status}`)
    return performance.now() - from
  }
  await timed('POST', `/questionnaires/stats/${counted}`, {})
  const all = await timed('POST', `/questionnaires/stats/${counted}`, {})
  const one = await timed('POST', `/questionnaires/stats/${counted}`, { set_id: sets[0]!.one })
  const list = await timed('GET', `/questionnaires/sets/${counted}?most=2000`)
  const open = await timed('GET', `/questionnaires/show/${id}`)
  const sheet = await timed('POST', `/questionnaires/stats/excel/${counted}`, { lang: 'ar' })
  await timed('POST', `/questionnaires/stats/report/${counted}`, { set_id: sets[0]!.one, lang: 'ar' })
  const report = await timed('POST', `/questionnaires/stats/report/${counted}`, { set_id: sets[0]!.one, lang: 'ar' })
  await server.stop()
  await db.destroy()
  await pool.end()
  const exact = kept[0]!.ballots === taken && kept[0]!.people === taken && again.every(({ status }) => status === 409)
  return {
    name: 'questionnaires',
    title: `${wave.length} answers at ${PER_SECOND} a second at one process; results of ${sets[0]!.n} offerings`,
    lines: [
      { what: 'taken', value: `${taken} of ${wave.length} in ${tookSeconds.toFixed(1)} s` },
      { what: 'answered within, half', value: `${within(times, 0.5).toFixed(0)} ms` },
      most('answered within, 95 of 100', within(times, 0.95), 150, 'ms'),
      { what: 'answered within, 99 of 100', value: `${within(times, 0.99).toFixed(0)} ms` },
      least('none lost, none twice', exact ? 1 : 0, 1),
      most('results of all together', all, 2000, 'ms'),
      most('results of one beside the others', one, 2000, 'ms'),
      most('list of the offerings', list, 2000, 'ms'),
      most('response so far', open, 2000, 'ms'),
      most('sheet of all', sheet, 2000, 'ms'),
      { what: 'one report on paper', value: `${report.toFixed(0)} ms` },
    ],
  }
}
