import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { most } from './report.ts'
import type { Result } from './report.ts'
import type { Bench, Server } from './setup.ts'
import { generateStudents } from './students.ts'

const PARTS = Number(process.env.BENCH_REMINDERS ?? 40_000)

/** A university in which so many parts of invoices are late, each of somebody who has an account and an address. */
async function fill(bench: Bench, db: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`select max(id) as id from students`.execute(db)
  const first = await generateStudents(db, bench.demo, rows[0]!.id + PARTS)
  await sql`with made as (insert into users (type, name, name_local, email)
      select 3, name, name_local, 'late' || id || '@bench.test' from students where id >= ${first} returning id, email)
    update students s set user_id = m.id from made m where m.email = 'late' || s.id || '@bench.test'`.execute(db)
  // What is late of the demo university itself is not counted.
  await sql`update installments n set due_date = university_today() + 300 + n.position from invoices i
    where i.id = n.invoice_id and n.due_date < university_today() + 60`.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`create temp table late on commit drop as
      with made as (insert into invoices (number, payer_id, type, currency, issued_on, faculty_id, program_id, level)
        select 'LATE-' || s.id, p.id, 'extra', 'EGP', university_today() - 20, s.faculty_id, s.program_id, s.level
        from students s join payers p on p.student_id = s.id and p.main where s.id >= ${first} returning id)
      select id from made`.execute(tx)
    await sql`insert into installments (invoice_id, position, amount, due_date) select id, 1, 50000, university_today() - 5 from late`.execute(
      tx,
    )
    await sql`insert into invoice_balances (invoice_id, currency, charged) select id, 'EGP', 50000 from late`.execute(
      tx,
    )
  })
  await sql`update reminder_steps set is_active = faculty_id is null`.execute(db)
  await sql`analyze`.execute(db)
}

const sentOf = async (db: Db) =>
  (
    await sql<{ rows: number; parts: number; told: number; mails: number }>`select count(*)::int as rows,
      count(distinct installment_id)::int as parts,
      (select count(*)::int from notifications where key = 'collecting.notice_overdue') as told,
      (select count(*)::int from notice_mails where key = 'collecting.notice_overdue') as mails
    from reminders where sent_on = university_today()`.execute(db)
  ).rows[0]!

const begin = (server: Server, token: string) => server.send(token, 'POST', '/reminders/send', {})
/** Waits until no such job waits or runs. */
async function ended(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from jobs where name = 'reminders' and state in ('queued', 'running')`.execute(db)
    if (!rows.length) return
    await sleep(200)
  }
}

/** Reminders of very many late parts as a job; then the same with two processes, one of which is killed in the middle. */
export async function reminders(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_reminders', 4)
  await fill(bench, db)
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  const began = performance.now()
  await begin(server, token)
  await ended(db)
  const seconds = (performance.now() - began) / 1000
  const first = await sentOf(db)
  const again = performance.now()
  await begin(server, token)
  await ended(db)
  const nothing = (performance.now() - again) / 1000
  await server.stop()
  const right = (of: typeof first) => of.rows === PARTS && of.parts === PARTS && of.told === PARTS && of.mails === PARTS
  if (!right(first) || !right(await sentOf(db))) throw new Error(`wrong: ${JSON.stringify(first)}`)
  await db.destroy()

  const other = await bench.database('bench_reminders_killed', 4)
  await fill(bench, other.db)
  const [dies, lives] = [await bench.server(other.url), await bench.server(other.url)]
  const session = await bench.signIn(other.pool, 'root@canopus.example.edu')
  await begin(dies, session)
  await begin(lives, session)
  while ((await sentOf(other.db)).rows < PARTS / 3) await sleep(20)
  await dies.kill()
  const at = (await sentOf(other.db)).rows
  const killed = performance.now()
  await ended(other.db)
  const took = (performance.now() - killed) / 1000
  const all = await sentOf(other.db)
  await lives.stop()
  await other.db.destroy()
  if (!right(all)) throw new Error(`wrong after it was killed: ${JSON.stringify(all)}`)
  return {
    name: 'reminders',
    title: `reminders of ${PARTS.toLocaleString('en')} late parts, as a job`,
    lines: [
      most('sent, with a notice and a mail that waits each', seconds, 60, 's'),
      { what: 'once more, when all is told', value: `${nothing.toFixed(1)} s` },
      {
        what: `two processes, one killed at ${at.toLocaleString('en')}: told by the other and the next`,
        value: `${took.toFixed(1)} s`,
      },
      { what: 'rows, parts, notices and mails after it', value: [all.rows, all.parts, all.told, all.mails].join(', ') },
    ],
  }
}
