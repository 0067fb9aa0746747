import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { load, memoryOf } from './measure.ts'
import { least, most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench, Server } from './setup.ts'

const APPLICANTS = Number(process.env.BENCH_APPLICANTS ?? 1_000_000)
const PROGRAMS = Math.max(20, Math.round(APPLICANTS / 500))
const PREFERENCES = 15
/** Seats for each applicant. */
const SEATS = 0.9
/** People who ask for their own result, and connections by which they come. */
const ASKERS = 5000
const CONNECTIONS = 64

const keyOf = (id: number): string => createHash('sha256').update(`bench key ${id}`).digest('base64url')

/** An admission that is over, its programs with quotas, and its applicants with their wishes; answers its id. */
async function fill(db: Db): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // What triggers write of a million rows is not what is measured.
    await sql`set local session_replication_role = replica`.execute(tx)
    const { rows } = await sql<{
      id: number
    }>`insert into admissions (code, name, name_local, applicant_type, term_id, opens_at, closes_at, results_at,
        max_preferences, weight_percentage, weight_exam)
      select 'BENCH', 'Bench', 'قياس', 1, term_id, now() - interval '30 days', now() - interval '1 day', now() + interval '1 day', 15, 100, 0
      from admissions where id = 1 returning id`.execute(tx)
    const admission = rows[0]!.id
    await sql`insert into programs (code, name, name_local, faculty_id, bylaw_id, program_type)
      select 'BENCH' || n, 'Program ' || n, 'برنامج ' || n, p.faculty_id, p.bylaw_id, p.program_type
      from generate_series(1, ${PROGRAMS}::int) n cross join (select * from programs order by id limit 1) p`.execute(tx)
    await sql`insert into admission_programs (code, admission_id, program_id, capacity, is_open)
      select p.code, ${admission}, p.id, ${Math.ceil((APPLICANTS * SEATS) / PROGRAMS)}, true from programs p where p.code like 'BENCH%' order by p.id`.execute(
      tx,
    )
    await sql`insert into admission_quotas (admission_program_id, position, quota_group, reserved, maximum)
      select x.id, 0, case when x.id % 2 = 0 then 'foreign' else 'azhar' end, x.capacity / 20, x.capacity / 5
      from admission_programs x where x.admission_id = ${admission}`.execute(tx)
    await sql`insert into applicants (code, admission_id, status, email, key_hash, name, name_local, nationality_id, gender, birth_date, certificate_type_id,
        percentage, submitted_at)
      select 'BENCH-' || n, ${admission}, 'DISTRIBUATION_REQUIRED', 'bench' || n || '@bench.test', sha256(n::text::bytea), 'Applicant ' || n, 'متقدم ' || n,
        case when n % 20 = 0 then 1 else 64 end, 1 + n % 2, date '2008-01-01' + n % 700, 1 + n % 2,
        60 + (hashint4(n) & 65535) % 4000 / 100.0, now() - interval '10 days' + n * interval '1 millisecond'
      from generate_series(1, ${APPLICANTS}::int) n`.execute(tx)
    // Fifteen different ones each: popular programs stand first in most lists.
    await sql`insert into applicant_preferences (applicant_id, position, program_id)
      select t.id, k, p.ids[1 + ((power(((hashint4(t.id) & 65535) + 0.5) / 65536, 1.8) * ${PROGRAMS}::int)::int + k * (7 + 10 * (t.id % 3))) % ${PROGRAMS}::int]
      from applicants t cross join generate_series(0, ${PREFERENCES - 1}) k
        cross join (select array_agg(program_id order by program_id) as ids from admission_programs where admission_id = ${admission}) p
      where t.admission_id = ${admission}`.execute(tx)
    return admission
  })
}

interface Job {
  data: { state: string; result: { id: number } | null; error: unknown }
}
/** Waits for a job; answers what it gave, and the most memory that the server held meanwhile, in MB. */
async function ended(
  server: Server,
  token: string,
  job_id: string,
): Promise<{ id: number | undefined; memory: number }> {
  for (let memory = 0; ;) {
    memory = Math.max(memory, memoryOf(server.pid))
    const { data } = JSON.parse(await server.send(token, 'GET', `/jobs/${job_id}`)) as Job
    if (data.state === 'done') return { id: data.result?.id, memory }
    if (data.state === 'failed') throw new Error(JSON.stringify(data.error))
    await sleep(250)
  }
}

/** An admission day: everybody is distributed by a job, the result is confirmed, and people ask for their own. */
export async function admissionDay(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_admission', 4)
  const admission = await fill(db)
  await sql`vacuum analyze`.execute(db)
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'admission@canopus.example.edu')
  const idle = memoryOf(server.pid)

  let began = performance.now()
  const asked = JSON.parse(
    await server.send(token, 'POST', '/applicants/bulk/distribution', { admission_id: admission }),
  ) as { data: { job_id: string } }
  const preview = await ended(server, token, asked.data.job_id)
  const distributed = (performance.now() - began) / 1000
  const run = preview.id!

  began = performance.now()
  const confirming = JSON.parse(await server.send(token, 'PUT', `/distribution-runs/confirm/${run}`, {})) as {
    data: { job_id?: string }
    job_id?: string
  }
  const waits = confirming.job_id ?? confirming.data.job_id
  if (waits) await ended(server, token, waits)
  const confirmed = (performance.now() - began) / 1000
  const { rows } = await sql<{
    given: number
    assigned: number
  }>`select (select count(*)::int from applicants where admission_id = ${admission}
      and program_id is not null) as given, assigned from distribution_runs where id = ${run}`.execute(db)
  if (rows[0]!.given !== rows[0]!.assigned) throw new Error(`given ${rows[0]!.given} of ${rows[0]!.assigned}`)

  // The day of results: nobody's seat is offered meanwhile, for that is another job.
  await sql`update admissions set results_at = now(), closes_at = now() - interval '1 day' where id = ${admission}`.execute(
    db,
  )
  const { rows: people } = await sql<{ id: number }>`select id from applicants where admission_id = ${admission}
    order by hashint4(id) limit ${ASKERS}`.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update applicants t set key_hash = sha256(x.key::bytea)
      from jsonb_to_recordset(${JSON.stringify(people.map(({ id }) => ({ id, key: keyOf(id) })))}::jsonb) as x (id int, key text) where t.id = x.id`.execute(
      tx,
    )
  })
  const keys = people.map(({ id }) => keyOf(id))
  const bare = await load(
    async (loop, n) => {
      const id = people[(loop * 997 + n * 61) % people.length]!.id
      await pool.query({
        name: 'own result',
        text: `select t.id, t.status, t.program_id, k.wishes, k.slots, k.ranks from applicants t join distribution_places k on k.applicant_id = t.id
          where t.id = $1`,
        values: [id],
      })
    },
    { loops: CONNECTIONS, seconds: 5 },
  )
  const { Pool } = await import('undici')
  const client = new Pool(server.origin, { connections: CONNECTIONS, pipelining: 1 })
  const ask = async (at: number): Promise<void> => {
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: `/api/admission/${people[at]!.id}/${keys[at]!}/result`,
    })
    const text = await body.text()
    if (statusCode !== 200 || !text.includes('"out":true')) throw new Error(`${statusCode} ${text.slice(0, 300)}`)
  }
  await ask(0)
  // Everybody once, then as fast as they are answered.
  const times: number[] = []
  let next = 0
  began = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < people.length) {
        const at = next++
        const start = performance.now()
        await ask(at)
        times.push(performance.now() - start)
      }
    }),
  )
  const once = people.length / ((performance.now() - began) / 1000)
  times.sort((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)]!
  const again = await load((loop, n) => ask((loop * 997 + n * 61) % people.length), {
    loops: CONNECTIONS,
    seconds: 8,
  })
  await client.close()
  await server.stop()
  return {
    name: 'admission-day',
    title: `${APPLICANTS.toLocaleString('en')} applicants × ${PREFERENCES} preferences, ${PROGRAMS.toLocaleString('en')} programs with quotas, in the database`,
    lines: [
      most('distributed by a job', distributed, 90, 's'),
      { what: 'memory of the server', value: `${preview.memory.toFixed(0)} MB, ${idle.toFixed(0)} before` },
      { what: 'confirmed', value: `${confirmed.toFixed(1)} s` },
      least('own results, everybody once', once, 2000),
      most('95 of 100 answered within', p95, 100, 'ms'),
      {
        what: 'own results, repeatedly',
        value: `${again.perSecond.toFixed(0)} a second, ${again.p50.toFixed(1)} ms half, ${again.p99.toFixed(1)} ms 99 of 100`,
      },
      { what: 'of bare SQL', value: (again.perSecond / bare.perSecond).toFixed(2) },
    ],
  }
}
