import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool } from '#db/connect.ts'
import { startEmbedded } from '#db/embedded.ts'
import type { Embedded } from '#db/embedded.ts'
import { programUrl } from '#db/roles.ts'
import { temporaryFolder } from '#db/testing.ts'
import { readConfig } from '#kit/server/config.ts'
import { createLog } from '#kit/server/log.ts'
import { createSession } from '#kit/server/sessions.ts'
import { prepareDatabase } from '../../apps/server/assemble.ts'
import { loadDemo } from '../../apps/demo/load.ts'
import { expectSound } from '../sound.ts'
import { freePort, send, startProgram } from './server.ts'
import type { Program } from './server.ts'

/**
 * Server and database are killed at random moments while people work. Whatever was answered with success must be there
 * afterwards, and the seats must add up. Writes are really synchronised here.
 */
const windows = process.platform === 'win32'
let folder: string
let embedded: Embedded
let pool: pg.Pool
let port: number
let program: Program

beforeAll(async () => {
  if (windows) return
  folder = temporaryFolder('crash')
  embedded = await startEmbedded({ folder })
  const log = createLog(readConfig({ LOG_LEVEL: 'silent' }))
  await prepareDatabase(
    { program: programUrl(embedded.url), owner: embedded.url },
    log,
    async (db) => void (await loadDemo(db)),
  )
  pool = createPool(embedded.url, { max: 4 })
  port = await freePort()
  program = startProgram('main.ts', port, { DATABASE_URL: programUrl(embedded.url), DATA_DIR: folder })
  await program.ready()
}, 120_000)
afterAll(async () => {
  await program?.kill()
  await pool?.end()
  await embedded?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

it.skipIf(windows)(
  'nothing that was answered with success is lost, and seats equal registrations',
  async () => {
    const tokenOf = async (user_id: number) => (await createSession(pool, { user_id, ip: null })).token
    const { rows: admins } = await pool.query<{ id: number }>('select id from users where is_super_admin limit 1')
    const { rows: learners } = await pool.query<{ id: number; user_id: number }>(
      `select s.id, s.user_id from students s where s.status = 'studying' and s.user_id is not null and not exists (
         select from registrations r join terms t on t.id = r.term_id where r.student_id = s.id and t.end_date >= current_date)
       order by s.id desc limit 24`,
    )
    const staff = await tokenOf(admins[0]!.id)
    const students = await Promise.all(learners.map(async (one) => ({ ...one, token: await tokenOf(one.user_id) })))

    let working = true
    let answered = 0
    let broken = 0
    /** What each building must be called: the last name answered, or one that was sent and never answered. */
    const buildings = new Map<number, { code: string; names: Set<string> }>()
    const clerk = async (who: number) => {
      for (let n = 0; working; n++) {
        const code = `K${who}-${n}`
        const made = await send(port, staff, 'PUT', '/buildings', { code, name: 'First', name_local: 'مبنى' })
        if (made?.status !== 200) {
          if (made === null) broken++
          else expect([200, 503], JSON.stringify(made)).toContain(made.status)
          await sleep(50)
          continue
        }
        answered++
        const { id } = made.body.data as { id: number }
        buildings.set(id, { code, names: new Set(['First']) })
        for (let change = 0; change < 2 && working; change++) {
          const name = `Name ${who} ${n} ${change}`
          const changed = await send(port, staff, 'PUT', `/buildings/${id}`, { name })
          if (changed?.status === 200) {
            answered++
            buildings.get(id)!.names = new Set([name])
          } else if (changed === null) {
            broken++
            buildings.get(id)!.names.add(name)
          }
        }
      }
    }

    /** Registrations answered, and those whose removal was answered, or asked for without an answer. */
    const held = new Map<number, { slots: number[] }>()
    const gone = new Set<number>()
    const unsure = new Set<number>()
    const learner = async ({ id, token }: (typeof students)[number]) => {
      while (working) {
        const offered = await send(port, token, 'GET', '/registrations/students/available-offerings')
        if (offered?.status !== 200) {
          await sleep(100)
          continue
        }
        const open = (offered.body.data.offerings as any[]).filter((o) => !o.refusals.length && !o.registration)
        if (!open.length) return
        for (const offering of open.slice(id % 3, (id % 3) + 4)) {
          if (!working) return
          const first = (offering.slots as any[]).find((s) => s.free > 0)
          if (!first) continue
          const mine = offering.slots.filter((s: any) => s.group_id === first.group_id)
          const types = [...new Set(mine.map((s: any) => s.type))]
          const slots = types.map((type) => mine.find((s: any) => s.type === type).id as number)
          const asked = await send(port, token, 'PUT', '/registrations/students/request-offering', {
            offerings: [{ offering_id: offering.id, offering_slot_ids: slots }],
          })
          if (asked === null) broken++
          if (asked?.status !== 200) continue
          answered++
          const registration = asked.body.data[0].id as number
          held.set(registration, { slots })
          if (registration % 3) continue
          const removed = await send(port, token, 'PUT', '/registrations/students/remove-offering', {
            registration_ids: [registration],
          })
          if (removed?.status === 200) {
            answered++
            gone.add(registration)
          } else if (removed === null) unsure.add(registration)
        }
      }
    }

    const work = Promise.all([...Array.from({ length: 5 }, (_, i) => clerk(i)), ...students.map(learner)])
    const killServer = async () => {
      await program.kill()
      program = startProgram('main.ts', port, { DATABASE_URL: programUrl(embedded.url), DATA_DIR: folder })
      await program.ready()
    }
    const killDatabase = () => void process.kill(embedded.pid, 'SIGKILL')
    for (const kill of [killServer, killDatabase, killServer, killDatabase, killServer]) {
      // Each kill meets people at work: they got something done since the last one.
      const before = answered
      for (let wait = 0; answered < before + 25 && wait < 200; wait++) await sleep(50)
      await sleep(Math.random() * 600)
      await kill()
    }
    killDatabase()
    await Promise.all([sleep(300), killServer().catch(() => killServer())])
    await sleep(800)
    working = false
    await work

    // The program recovers by itself.
    await expect
      .poll(async () => (await send(port, staff, 'GET', '/users/live-data'))?.status, { timeout: 20_000 })
      .toBe(200)
    expect(answered).toBeGreaterThan(100)
    expect(broken).toBeGreaterThan(0)
    expect(held.size).toBeGreaterThan(5)

    const { rows: stored } = await pool.query<{ id: number; code: string; name: string; audited: boolean }>(
      `select b.id, b.code, b.name, exists (select from audit_log a where a.table_name = 'buildings' and a.record_id = b.id and a.action = 'insert') as audited
       from buildings b where code like 'K%'`,
    )
    const byId = new Map(stored.map((row) => [row.id, row]))
    const lost = [...buildings].filter(
      ([id, { code, names }]) => byId.get(id)?.code !== code || !names.has(byId.get(id)!.name),
    )
    expect(lost).toEqual([])
    expect(stored.filter((row) => !row.audited)).toEqual([])

    const { rows: registered } = await pool.query<{ id: number; slots: number[]; history: boolean }>(
      `select r.id, array(select offering_slot_id from registration_slots s where s.registration_id = r.id order by 1) as slots,
         exists (select from registration_history h where h.registration_id = r.id) as history
       from registrations r where r.id = any($1)`,
      [[...held.keys()]],
    )
    const there = new Map(registered.map((row) => [row.id, row]))
    for (const [id, { slots }] of held) {
      if (gone.has(id)) expect(there.get(id)?.slots ?? [], `${id} was taken back`).toEqual([])
      else if (!unsure.has(id)) {
        // Meetings of a section come along, so there may be more.
        expect(there.get(id)?.slots, `${id} was answered`).toEqual(expect.arrayContaining(slots))
        expect(there.get(id)?.history).toBe(true)
      }
    }
    const { rows: wrong } = await pool.query(
      `select s.id, s.taken, count(r.*)::int as held, s.quota from offering_slots s
       left join registration_slots r on r.offering_slot_id = s.id
       group by s.id having s.taken <> count(r.*) or count(r.*) filter (where not r.over) > s.quota`,
    )
    expect(wrong).toEqual([])
    await expectSound(embedded.url)
  },
  90_000,
)
