import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openConnection } from './connection.ts'
import { compare, cpu, memoryOf } from './measure.ts'
import { least, most } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench, Server } from './setup.ts'

const PAPERS = Number(process.env.BENCH_PAPERS ?? 5000)
/** Connections by which people verify. */
const STRANGERS = 16
/** Records of one call for many. */
const AT_ONCE = 2000

interface Job {
  data: { state: string; progress: number; result: { done: number[]; failed: unknown[] } | null; error: unknown }
}

/** Types without signers, each asked for once by every student who studies; answers the ids of the requests. */
async function fill(bench: Awaited<ReturnType<Bench['database']>>): Promise<number[]> {
  return bench.db.transaction().execute(async (tx) => {
    await sql`set local ems.authority = 'load'`.execute(tx)
    const { rows: columns } = await sql<{
      name: string
    }>`select quote_ident(column_name) as name from information_schema.columns
      where table_name = 'certificate_settings' and is_generated = 'NEVER' and column_name not in ('id', 'code')`.execute(
      tx,
    )
    const names = sql.raw(columns.map(({ name }) => name).join(', '))
    const { rows } = await sql<{ ids: number[] }>`with made as (
        insert into certificate_settings (code, ${names}) select 'BENCH' || n, ${names}
        from certificate_settings cross join generate_series(1, 20) n where code = 'CONDUCT' returning id),
      chosen as (select s.id as student_id, m.id as type_id from made m cross join students s
        where s.status = 'studying' and s.removed_at is null and not certificates_held(s.id) order by m.id, s.id limit ${PAPERS}),
      asked as (insert into certificates (student_id, type_id, lang, copies, speed, delivery, why, promised_on)
        select student_id, type_id, case when student_id % 2 = 0 then 'ar' else 'en' end, 1, 'normal', 'by_hand', 'For an embassy', university_today() from chosen
        returning id)
      select array_agg(id order by id) as ids from asked`.execute(tx)
    return rows[0]!.ids
  })
}

/** Certificates for a whole university: prepared, reviewed and issued by jobs, one of which is killed on the way; then verified by strangers. */
export async function papers(bench: Bench): Promise<Result> {
  const database = await bench.database('bench_papers', 4)
  const { url, pool } = database
  const ids = await fill(database)
  await sql`vacuum analyze`.execute(database.db)
  let server = await bench.server(url)
  const officer = await bench.signIn(pool, 'registrar@canopus.example.edu')
  const other = await bench.signIn(pool, 'affairs@canopus.example.edu')
  const follow = async (
    job: string,
    watch: (progress: number) => Promise<Server | undefined> = async () => undefined,
  ) => {
    for (let memory = 0; ;) {
      memory = Math.max(memory, memoryOf(server.pid))
      const { data } = JSON.parse(await server.send(officer, 'GET', `/jobs/${job}`)) as Job
      if (data.state === 'done') return { memory, ...data.result! }
      if (data.state === 'failed' || data.state === 'cancelled') throw new Error(JSON.stringify(data.error))
      await watch(data.progress)
      await sleep(200)
    }
  }
  const lines: Line[] = []
  /** Takes a step with all of them. @param kill the process is killed once, in the middle of the second part */
  const all = async (what: string, who: string, action: string, target: number | null, kill = false) => {
    let [used, memory, done] = [0, 0, 0]
    const held: number[] = []
    const began = performance.now()
    let from = cpu(server.pid, bench.postmaster)
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const part = ids.slice(i, i + AT_ONCE)
      const answer = JSON.parse(await server.send(who, 'POST', `/certificates/bulk/${action}`, { ids: part })) as {
        done: number[]
        failed: { errors: { code: string }[] }[]
        job_id?: string
      }
      let killed = !kill || i === 0
      const ended = answer.job_id
        ? await follow(answer.job_id, async (progress) => {
            if (killed || progress < 30) return undefined
            killed = true
            const now = cpu(server.pid, bench.postmaster)
            used += now.server - from.server + now.database - from.database
            await server.kill()
            server = await bench.server(url)
            from = cpu(server.pid, bench.postmaster)
            return server
          })
        : { memory: memoryOf(server.pid), ...answer }
      if (ended.failed.length) throw new Error(JSON.stringify(ended.failed[0]))
      done += ended.done.length
      memory = Math.max(memory, ended.memory)
      held.push(memoryOf(server.pid))
    }
    const to = cpu(server.pid, bench.postmaster)
    used += to.server - from.server + to.database - from.database
    if (done !== ids.length) throw new Error(`${what}: ${done} of ${ids.length}`)
    const seconds = (performance.now() - began) / 1000
    const each = used / ids.length
    lines.push(
      target === null
        ? { what, value: `${seconds.toFixed(1)} s, ${each.toFixed(1)} ms CPU each` }
        : most(`${what}, CPU each`, each, target, 'ms'),
      ...(target === null
        ? []
        : [
            {
              what: `  all of them, most memory`,
              value: `${seconds.toFixed(1)} s, ${memory.toFixed(0)} MB; after each part ${held.map((mb) => mb.toFixed(0)).join(', ')} MB`,
            },
          ]),
    )
  }
  const idle = memoryOf(server.pid)
  await all('prepared', officer, 'prepare', null)
  await all('sent to review', officer, 'send_to_review', null)
  await all('reviewed', other, 'review', null)
  await all('issued: numbered, made, signed and sealed', officer, 'issue', 80, true)
  const { rows } = await sql<{ papers: number; twice: number; codes: string[] }>`select count(*)::int as papers,
      (count(*) - count(distinct c.certificate_id))::int as twice, (array_agg(p.code order by hashint4(p.id)))[1:500] as codes
    from certificate_papers c join papers p on p.id = c.paper_id where c.certificate_id = any(${ids}::int[])`.execute(
    database.db,
  )
  const { papers: made, twice, codes } = rows[0]!
  if (made !== ids.length || twice) throw new Error(`${made} papers for ${ids.length}, ${twice} twice`)
  lines.push(
    { what: 'papers, and of them twice', value: `${made}, ${twice}` },
    { what: 'memory before', value: `${idle.toFixed(0)} MB` },
  )

  const codeOf = (loop: number, n: number) => codes[(loop * 97 + n) % codes.length]!
  const strangers = await Promise.all(Array.from({ length: STRANGERS }, () => openConnection(server.origin)))
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => {
      const { status, text } = await strangers[loop]!.get(`/api/papers/${codeOf(loop, n)}`)
      if (status !== 200 || !text.includes('"valid"')) throw new Error(`${status} ${text.slice(0, 200)}`)
    },
    async (loop, n) => {
      await pool.query({ name: 'paper', text: 'select * from papers where code = $1', values: [codeOf(loop, n)] })
    },
    { loops: STRANGERS, seconds: 3, rounds: 5 },
  )
  for (const one of strangers) one.close()
  lines.push(least('verified by strangers, of a bare select', found.ratio, 0.35), {
    what: '  a second',
    value: `${found.ours.perSecond.toFixed(0)}, ${found.ours.p50.toFixed(1)} ms half, ${found.ours.p99.toFixed(1)} ms 99 of 100; bare ${found.bare.perSecond.toFixed(0)}`,
  })
  await server.stop()
  return { name: 'papers', title: `${ids.length.toLocaleString('en')} certificates`, lines }
}
