import { cpu, median } from './measure.ts'
import { most, type Line, type Result } from './report.ts'
import type { Bench } from './setup.ts'

/** Deposits, and words of an abstract in each script. */
const DEPOSITS = Number(process.env.BENCH_DEPOSITS ?? 200_000)
const WORDS = 110
const ROUNDS = 20

/**
 * The words of both scripts, as often as words of a language are: of 40,000 the first are in every abstract. What Arabic
 * joins to a word is joined to half of its words.
 */
const MAKE = `
create temporary table vocabulary as
  with letters as (select regexp_split_to_array('bcdfghjklmnprstvz', '') as b, regexp_split_to_array('aeiou', '') as a,
    regexp_split_to_array('بتثجحخدذرزسشصضطغفقكلمن', '') as c, regexp_split_to_array('اوي', '') as v)
  select n, (select string_agg(b[1 + (h >> 8) % 17] || a[1 + (h >> 16) % 5], '') from (select abs(hashint4(n * 7 + k)) as h from generate_series(1, 2 + n % 3) k) x) as en,
    (select string_agg(c[1 + (h >> 8) % 22] || case when h % 5 < 3 then v[1 + (h >> 16) % 3] else '' end, '')
      from (select abs(hashint4(n * 11 + k)) as h from generate_series(1, 2 + n % 2) k) x) as ar
  from generate_series(1, 40000) n, letters;
create index on vocabulary (n) include (en, ar);
analyze vocabulary`
const word = (seed: string) => `1 + floor(40000 * power(((abs(hashint4(${seed}))) % 1000003) / 1000003.0, 4))::int`
const FILL = `
insert into thesis_deposits (thesis_id, handle, file_id, title, title_local, creator, creator_local, contributors, abstract, abstract_local,
  language, degree, faculty_id, granted_on)
select 1000000 + d, 'bench-' || d, (select min(id) from files), 'Thesis ' || left(en, 60), 'رسالة ' || left(ar, 60), 'Author ' || d, 'باحث ' || d, '[]',
  en, ar, 'ar', 'master', (select min(id) from faculties), date '1990-01-01' + d % 13000
from generate_series($1::int, $2::int) d, lateral (
  select string_agg(v.en, ' ') as en,
    string_agg((array['', '', '', '', 'ال', 'ال', 'لل', 'و', 'ب', 'وال'])[1 + abs(hashint4(d * 7 + k)) % 10] || v.ar, ' ') as ar
  from generate_series(1, ${WORDS}) k join vocabulary v on v.n = ${word(`d * 131 + k * 7919`)}) a`

/** A search over 200,000 theses with abstracts in both scripts. */
export async function repository(bench: Bench): Promise<Result> {
  const { url, pool } = await bench.database('bench_repository', 3)
  const began = performance.now()
  const fill = async (from: number) => {
    const client = await pool.connect()
    try {
      await client.query('set session_replication_role = replica')
      await client.query(MAKE)
      for (let d = from; d <= DEPOSITS; d += 4000) await client.query(FILL, [d, Math.min(d + 1999, DEPOSITS)])
    } finally {
      client.release(true)
    }
  }
  await pool.query('drop index thesis_deposits_words')
  await Promise.all([fill(1), fill(2001)])
  await pool.query('create index thesis_deposits_words on thesis_deposits using gin (words)')
  await pool.query('vacuum analyze thesis_deposits')
  const { rows: size } =
    await pool.query(`select count(*)::int as n, pg_size_pretty(pg_total_relation_size('thesis_deposits')) as size,
    pg_size_pretty(pg_relation_size('thesis_deposits_words')) as words from thesis_deposits`)
  const lines: Line[] = [
    {
      what: 'deposits',
      value: `${size[0].n.toLocaleString('en')}, ${size[0].size}, ${size[0].words} of it words, made in ${Math.round((performance.now() - began) / 1000)} s`,
    },
  ]
  const client = await pool.connect()
  await client.query(MAKE)
  const { rows: v } = await client.query(
    `select n, en, ar from vocabulary where n in (1, 2, 20, 30, 400, 500, 5000, 39000)`,
  )
  client.release(true)
  const of = (n: number, script: 'en' | 'ar') => v.find((one) => one.n === n)[script] as string
  const cases: readonly (readonly [string, string, number?])[] = [
    ['nothing sought', ''],
    ['nothing sought, the last page', '', 200],
    ['a word in most', of(1, 'en')],
    ['the same in Arabic', of(1, 'ar')],
    ['the same with the article', `ال${of(1, 'ar')}`],
    ['the same, the last page', of(1, 'ar'), 200],
    ['a word in some', of(400, 'en')],
    ['a word in some, Arabic, joined', `لل${of(400, 'ar')}`],
    ['a rare word', of(39_000, 'ar')],
    ['a word in no thesis', 'xylophonist'],
    ['three letters', of(5000, 'en').slice(0, 3)],
    ['two letters', of(1, 'en').slice(0, 2)],
    ['one letter', 'ب'],
    ['the article', 'ال'],
    ['two words in some, of both scripts', `${of(30, 'en')} ${of(20, 'ar')}`],
    ['two words, the last page', `${of(2, 'en')} ${of(2, 'ar')}`, 200],
    ['twelve words', [1, 2, 20, 30, 400, 500].flatMap((n) => [of(n, 'en'), of(n, 'ar')]).join(' ')],
    ['a word in most and one in none', `${of(1, 'en')} xylophonist`],
    [
      'twelve beginnings of three letters',
      [1, 2, 20, 30, 400, 500].flatMap((n) => [of(n, 'en').slice(0, 3), of(n, 'ar').slice(0, 3)]).join(' '),
    ],
  ]
  const server = await bench.server(url)
  let worst = 0
  for (const [what, q, page = 1] of cases) {
    const path = `/repository?q=${encodeURIComponent(q)}&page=${page}`
    const found = JSON.parse(await server.send('', 'GET', path)).data.length
    const times: number[] = []
    const before = cpu(server.pid, bench.postmaster)
    for (let i = 0; i < ROUNDS; i++) {
      const at = performance.now()
      await server.send('', 'GET', path)
      times.push(performance.now() - at)
    }
    const after = cpu(server.pid, bench.postmaster)
    const used = (after.server - before.server + after.database - before.database) / ROUNDS
    worst = Math.max(worst, used)
    lines.push({ what, value: `${used.toFixed(1)} ms CPU, ${median(times).toFixed(1)} ms, ${found} on the page` })
  }
  await server.stop()
  return {
    name: 'repository',
    title: `search over ${DEPOSITS.toLocaleString('en')} theses with abstracts in both scripts`,
    lines: [...lines, most('the dearest of these, CPU', worst, 50, 'ms')],
  }
}
