import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbedded } from '#db/embedded.ts'
import type { Embedded } from '#db/embedded.ts'
import { programUrl } from '#db/roles.ts'
import { temporaryFolder } from '#db/testing.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { prepareDatabase } from '../../apps/server/assemble.ts'
import { loadDemo } from '../../apps/demo/load.ts'
import { expectSound } from '../sound.ts'
import { freePort, send, startProgram } from './server.ts'
import type { Program, Reply } from './server.ts'

/**
 * A rush for courses on two processes of the program. Students ask, wait, take back and ask again, the registrar raises
 * quotas, clerks add and rename, and again and again something is killed: a process of the program, a connection, one
 * process of the database, the database as a whole, both. What was answered with success is stored, with its trail, and an
 * independent look finds nothing amiss. Writes are really synchronised here.
 */
const windows = process.platform === 'win32'
/** `KILLS=20` before a release; fewer in every run. */
const KILLS = Number(process.env.KILLS ?? 3)

let folder: string
let embedded: Embedded
const ports: number[] = []
const programs: Program[] = []

const start = (which: number) =>
  startProgram('main.ts', ports[which]!, {
    DATABASE_URL: programUrl(embedded.url),
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
  })

/** Asks the database past the program; again, when it is just being killed. */
async function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client({ connectionString: embedded.url, application_name: 'onlooker' })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text, values)).rows
    } catch (error) {
      if (tries >= 300) throw error
      await sleep(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

beforeAll(async () => {
  if (windows) return
  folder = temporaryFolder('rush')
  embedded = await startEmbedded({ folder })
  const databases = { program: programUrl(embedded.url), owner: embedded.url }
  await prepareDatabase(databases, createLog(readConfig({ LOG_LEVEL: 'silent' })), async (db) => {
    await loadDemo(db)
  })
  for (const which of [0, 1]) {
    ports.push(await freePort())
    programs.push(start(which))
  }
  await Promise.all(programs.map((program) => program.ready()))
}, 720_000)
afterAll(async () => {
  await Promise.all(programs.map((program) => program.kill()))
  await embedded?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

it.skipIf(windows)(
  'kills in a rush: nothing that was answered is lost, nothing is sold twice, queues keep their order',
  async () => {
    const pool = new pg.Pool({ connectionString: embedded.url, max: 2 })
    pool.on('error', () => {})
    const tokenOf = async (user_id: number) => (await createSession(pool, { user_id, ip: null })).token
    const [admin] = await ask<{ id: number }>('select id from users where is_super_admin limit 1')
    const staff = await tokenOf(admin!.id)
    const learners = await ask<{ id: number; user_id: number }>(
      `select s.id, s.user_id from students s where s.status = 'studying' and s.user_id is not null and not exists (
         select from registrations r join terms t on t.id = r.term_id where r.student_id = s.id and t.end_date >= university_today())
       order by s.id desc limit 60`,
    )
    const students: { id: number; user_id: number; token: string }[] = []
    for (const one of learners) students.push({ ...one, token: await tokenOf(one.user_id) })
    await pool.end()
    expect(students.length).toBeGreaterThan(30)
    // Few seats, so that most courses have queues.
    await ask(`update offering_slots set quota = taken + 3, over_quota = 0 where term_id =
      (select term_id from current_terms where key = 'current_term')`)

    let working = true
    let answered = 0
    let broken = 0
    let queued = 0
    const odd: string[] = []
    let turn = 0
    /** Sends to one of the two processes by turns. */
    const call = async (token: string, method: string, url: string, body?: unknown): Promise<Reply> => {
      const reply = await send(ports[turn++ % 2]!, token, method, url, body)
      if (reply === null) broken++
      else if (reply.status === 200) answered++
      else if (![404, 409, 422, 429, 503].includes(reply.status)) odd.push(JSON.stringify(reply).slice(0, 400))
      return reply
    }

    /** What each building must be called: the last name answered, or one that was sent and never answered. */
    const buildings = new Map<number, { code: string; names: Set<string> }>()
    const clerk = async (who: number) => {
      for (let n = 0; working; n++) {
        const code = `K${who}-${n}`
        const added = await call(staff, 'PUT', '/buildings', { code, name: 'First', name_local: 'مبنى' })
        if (added?.status !== 200) {
          await sleep(50)
          continue
        }
        const { id } = added.body.data as { id: number }
        buildings.set(id, { code, names: new Set(['First']) })
        for (let change = 0; change < 2 && working; change++) {
          const name = `Name ${who} ${n} ${change}`
          const changed = await call(staff, 'PUT', `/buildings/${id}`, { name })
          if (changed?.status === 200) buildings.get(id)!.names = new Set([name])
          else if (changed === null) buildings.get(id)!.names.add(name)
        }
      }
    }

    /**
     * Registrations whose making was answered; those whose end was asked for, with or without an answer; and those whose
     * end was answered.
     */
    const made = new Set<number>()
    const ended = new Set<number>()
    const gone = new Set<number>()
    const learner = async ({ id, token }: (typeof students)[number]) => {
      const mine: number[] = []
      let wanted: any[] = []
      for (let round = 0; working; round++) {
        if (round % 5 === 0) {
          const offered = await call(token, 'GET', '/registrations/students/available-offerings')
          if (offered?.status !== 200) {
            await sleep(100)
            round--
            continue
          }
          wanted = (offered.body.data.offerings as any[]).filter(
            (o) => o.slots.length && o.refusals.every((one: any) => one.code === 'slot_full'),
          )
        }
        for (const offering of wanted.slice(round % 3, (round % 3) + 4)) {
          if (!working) return
          const group = offering.slots[(id + round) % offering.slots.length].group_id as number
          const slots = offering.slots.filter((s: any) => s.group_id === group)
          const ids = [...new Set(slots.map((s: any) => s.type))].map(
            (type) => slots.find((s: any) => s.type === type).id as number,
          )
          const place = { offering_id: offering.id, offering_slot_ids: ids }
          const asked = await call(token, 'PUT', '/registrations/students/request-offering', { offerings: [place] })
          if (asked?.status === 200) {
            for (const { id: one } of asked.body.data as { id: number }[]) {
              made.add(one)
              mine.push(one)
            }
          } else if (asked?.status === 409 && JSON.stringify(asked.body).includes('slot_full')) {
            const waits = await call(token, 'PUT', '/registrations/students/wait-list', place)
            if (waits?.status === 200) queued++
          }
        }
        // Now and then a course is given back, so that queues move.
        const back = mine.splice(0, 1 + (round % 2))
        if (back.length) {
          for (const one of back) ended.add(one)
          const taken = await call(token, 'PUT', '/registrations/students/remove-offering', { registration_ids: back })
          if (taken?.status === 200) for (const one of back) gone.add(one)
        }
        await sleep(20)
      }
    }
    /** Adds places where people wait. */
    const registrar = async () => {
      while (working) {
        await sleep(300)
        await ask(`update offering_slots set quota = quota + 1 where id = (select s.id from offering_slots s join wait_list w
          on w.state = 'waiting' and s.id = any (w.offering_slot_ids) order by random() limit 1)`)
      }
    }

    const work = Promise.all([registrar(), clerk(0), clerk(1), ...students.map(learner)])
    const killers = [
      async (n: number) => {
        const which = n % 2
        await programs[which]!.kill()
        programs[which] = start(which)
        await programs[which].ready()
      },
      async () => {
        await ask(`select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'
          and application_name <> 'onlooker' and random() < 0.5`)
      },
      async () => {
        const [row] = await ask<{ pid: number }>(
          `select pid from pg_stat_activity where backend_type = 'client backend' and application_name <> 'onlooker' order by random() limit 1`,
        )
        if (row) process.kill(row.pid, 'SIGKILL')
        await ask('select 1')
      },
      async () => {
        process.kill(embedded.pid, 'SIGKILL')
        await ask('select 1')
      },
      async () => {
        process.kill(embedded.pid, 'SIGKILL')
        await programs[0]!.kill()
        await ask('select 1')
        programs[0] = start(0)
        await programs[0].ready()
      },
    ]
    for (let n = 0; n < KILLS; n++) {
      // Each kill meets people at work: they got something done since the last one.
      const before = answered
      for (let wait = 0; answered < before + 25 && wait < 100; wait++) await sleep(50)
      await killers[n % killers.length]!(Math.floor(n / killers.length))
    }
    // A busy machine may get no further than queues that grow: the rush goes on until one has moved.
    await expect
      .poll(() => ask(`select from wait_list where state = 'moved' limit 1`), { timeout: 360_000, interval: 500 })
      .toHaveLength(1)
    working = false
    await work

    for (const which of [0, 1]) {
      await expect
        .poll(async () => (await send(ports[which]!, staff, 'GET', '/users/live-data'))?.status, { timeout: 90_000 })
        .toBe(200)
    }
    // The queues have run: nobody is being moved any more.
    await expect
      .poll(() => ask(`select id, state from jobs where state in ('queued', 'running')`), { timeout: 180_000 })
      .toEqual([])
    expect(odd.slice(0, 3), programs.map((one) => one.said().slice(-1500)).join('\n')).toEqual([])
    expect(answered).toBeGreaterThan(KILLS * 15)
    expect(made.size).toBeGreaterThan(KILLS * 2)
    expect(queued).toBeGreaterThan(KILLS)
    expect(broken).toBeGreaterThan(0)

    const lost = await ask(
      'select made.id from unnest($1::int[]) as made (id) where not exists (select from registrations r where r.id = made.id)',
      [[...made].filter((one) => !ended.has(one))],
    )
    expect(lost).toEqual([])
    const seated = await ask('select registration_id from registration_slots where registration_id = any($1)', [
      [...gone],
    ])
    expect(seated).toEqual([])
    const untold = await ask(
      'select r.id from registrations r where r.id = any($1) and not exists (select from registration_history h where h.registration_id = r.id)',
      [[...made]],
    )
    expect(untold).toEqual([])

    const stored = await ask<{ id: number; code: string; name: string; audited: boolean }>(
      `select b.id, b.code, b.name, exists (select from audit_log a where a.table_name = 'buildings' and a.record_id = b.id and a.action = 'insert') as audited
       from buildings b where code like 'K%'`,
    )
    const byId = new Map(stored.map((row) => [row.id, row]))
    expect(buildings.size).toBeGreaterThan(KILLS)
    expect(
      [...buildings].filter(([id, { code, names }]) => byId.get(id)?.code !== code || !names.has(byId.get(id)!.name)),
    ).toEqual([])
    expect(stored.filter((row) => !row.audited)).toEqual([])
    await expectSound(embedded.url)
  },
  600_000,
)

it.skipIf(windows)(
  'a placement of exams whose process is killed goes on in another one, from the best plan that was kept',
  async () => {
    const pool = new pg.Pool({ connectionString: embedded.url, max: 1 })
    const [officer] = await ask<{ id: number }>(`select u.id from users u where u.email like 'exams@%'`)
    const { token } = await createSession(pool, { user_id: officer!.id, ip: null })
    await pool.end()
    const [exam] = await ask<{ id: number }>(`select id from exams where code = 'FIN-2'`)
    // One process is there, which takes it.
    await programs[1]!.kill()
    const begun = await send(ports[0]!, token, 'POST', '/exam-schedules/place', { exam_id: exam!.id, seconds: 120 })
    expect(begun?.status).toBe(200)
    const { id, job_id } = begun!.body.data as { id: number; job_id: string }
    const run = async () =>
      (
        await ask<{ state: string; progress: number; kept: boolean }>(
          'select state, progress, plan is not null as kept from exam_placements where id = $1',
          [id],
        )
      )[0]!
    await expect.poll(async () => (await run()).kept, { timeout: 90_000 }).toBe(true)
    await programs[0]!.kill()
    const kept = await run()
    expect(kept.state).toBe('running')
    // That it says nothing any more is noticed after a while: here, at once.
    await ask(`update pgboss.job set heartbeat_on = now() - interval '10 minutes' where id = $1`, [job_id])
    programs[1] = start(1)
    await programs[1].ready()
    await expect.poll(async () => (await run()).progress, { timeout: 180_000 }).toBeGreaterThan(kept.progress)
    expect((await send(ports[1]!, token, 'POST', `/exam-schedules/placements/stop/${id}`))?.status).toBe(200)
    await expect.poll(async () => (await run()).state, { timeout: 90_000 }).toBe('proposed')
    const proposed = await send(ports[1]!, token, 'GET', `/exam-schedules/placements/of/${exam!.id}`)
    expect(proposed?.body.data.cost).toMatchObject({ broken: 0 })
    programs[0] = start(0)
    await programs[0].ready()
  },
  180_000,
)
