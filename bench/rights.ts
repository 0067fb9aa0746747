import { setTimeout as sleep } from 'node:timers/promises'
import { rightsOf } from '#access/rights.server.ts'
import { createAuth } from '#kit/server/identity/auth.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createEvents } from '#kit/server/base/events.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { cpu, median } from './measure.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench } from './setup.ts'

/** Milliseconds of a change of rights until the other process answers by it. */
async function untilTold(ask: () => Promise<{ status: number }>, wanted: number): Promise<number> {
  const from = performance.now()
  while ((await ask()).status !== wanted) {
    if (performance.now() - from > 20_000) throw new Error(`not answered ${wanted} in 20 s`)
    await sleep(5)
  }
  return performance.now() - from
}

const KEYS =
  'access_course show_course edit_course access_program show_program access_offering show_offering access_instructor show_instructor access_student'.split(
    ' ',
  )

/** Rights of somebody with five roles, each in a faculty, and fifty access entries. */
export async function rights(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_rights')
  const { rows: made } = await pool.query<{ id: number }>(
    `insert into users (type, name, name_local, email) values (2, 'Many Roles', 'صاحب الأدوار', 'many.roles@example.edu') returning id`,
  )
  const user = made[0]!.id
  await pool.query(
    `insert into role_assignments (user_id, role_id, scope_type, scope_id)
     select $1, r.id, 'faculty', f.id from (select id, row_number() over (order by id) as n from roles
         where key in ('dean', 'instructor', 'program_coordinator', 'exam_officer', 'quality_staff')) r
       join (select id, row_number() over (order by id) as n, count(*) over () as many from faculties where removed_at is null) f
         on f.n = (r.n - 1) % f.many + 1`,
    [user],
  )
  const { rowCount: entries } = await pool.query(
    `insert into access_entries (user_id, permission, scope_type, scope_id, valid_from, valid_to)
     select $1, key, 'department', d.id, university_today() - 1, university_today() + 30
     from unnest($2::text[]) key cross join (select id from departments where removed_at is null order by id limit 5) d`,
    [user, KEYS],
  )
  const log = createLog(readConfig({ LOG_LEVEL: 'error' }))
  const events = createEvents({ pool, log })
  await events.start()
  const auth = createAuth({ pool, events, log })
  const { token } = await createSession(pool, { user_id: user, ip: null })
  const asking = { headers: { authorization: `Bearer ${token}` } }
  const actor = await auth.authenticate(asking)
  const roles = new Set(actor?.rights.values()).size

  const kept: number[] = []
  for (let round = 0; round < 5; round++) {
    const count = 100_000
    const before = process.cpuUsage()
    for (let n = 0; n < count; n++) await auth.authenticate(asking)
    const { user: u, system } = process.cpuUsage(before)
    kept.push((u + system) / 1000 / count)
  }
  const asked: { server: number; database: number }[] = []
  for (let round = 0; round < 5; round++) {
    const count = 400
    const [before, base] = [process.cpuUsage(), cpu(undefined, bench.postmaster)]
    for (let n = 0; n < count; n++) {
      auth.forget()
      await auth.authenticate(asking)
    }
    const { user: u, system } = process.cpuUsage(before)
    const now = cpu(undefined, bench.postmaster)
    asked.push({ server: (u + system) / 1000 / count, database: (now.database - base.database) / count })
  }
  const effective = await db.transaction().execute((tx) => rightsOf(tx, user))
  await auth.stop()
  await events.stop()

  // What one process is told to change, the other answers by.
  const [one, other] = [await bench.server(url), await bench.server(url)]
  const root = await bench.signIn(pool, bench.demo.accounts.find((a) => a.role === 'root')!.email)
  const told: number[] = []
  for (let n = 0; n < 20; n++) {
    for (const [permissions, status] of [
      [['access_tag'], 200],
      [[], 403],
    ] as const) {
      await one.send(root, 'PUT', `/users/set/access/${user}`, { permissions, reason: 'bench' })
      told.push(await untilTold(() => other.ask(token, 'POST', '/tags', {}), status))
    }
  }
  await Promise.all([one.stop(), other.stop()])
  await db.destroy()
  return {
    name: 'rights',
    title: `Effective rights of somebody with 5 roles and ${entries} access entries (${effective.size} keys, ${roles} reaches)`,
    lines: [
      most('CPU, kept', median(kept) * 1000, 100, 'µs'),
      {
        what: 'CPU, asked anew',
        value: `${median(asked.map((a) => a.server)).toFixed(2)} ms, database ${median(asked.map((a) => a.database)).toFixed(2)} ms`,
      },
      most('other process, half', median(told), 1000, 'ms'),
      most('other process, worst', Math.max(...told), 1000, 'ms'),
    ],
  }
}
