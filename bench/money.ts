/** Invoices of a university, a student's account, and a large file of a bank. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { query } from '#db/connect.ts'
import { compare, memoryOf } from './measure.ts'
import { figures, most } from './report.ts'
import type { Line, Result } from './report.ts'
import type { Bench, Server } from './setup.ts'
import { generateStudents } from './students.ts'

const STUDENTS = Number(process.env.BENCH_INVOICES ?? 20_000)
const LINES = Number(process.env.BENCH_BANK_LINES ?? 50_000)

/** Follows a job to its end; answers what it came to. */
async function ended(server: Server, token: string, job_id: string): Promise<{ result: any; states: number }> {
  const seen = new Set<number>()
  for (;;) {
    const { data } = JSON.parse(await server.send(token, 'GET', `/jobs/${job_id}`)) as {
      data: { state: string; progress: number; result?: unknown }
    }
    seen.add(data.progress)
    if (data.state === 'failed' || data.state === 'cancelled') throw new Error(`the job ended ${JSON.stringify(data)}`)
    if (data.state === 'done') return { result: data.result, states: seen.size }
    await sleep(100)
  }
}
const financeOf = (bench: Bench): string => bench.demo.accounts.find((one) => one.role === 'finance_officer')!.email

/** Students who study and have no invoice of the current term yet, with six courses each; answers the first id and the term. */
async function studentsToCharge(bench: Bench, db: Db, count: number): Promise<{ ids: number[]; term_id: number }> {
  const { rows: last } = await sql<{ id: number; term_id: number }>`
    select max(s.id) as id, (select term_id from current_terms where key = 'current_term') as term_id from students s`.execute(
    db,
  )
  const [{ id: before, term_id }] = rows1(last)
  await generateStudents(db, bench.demo, before + count, { byHours: true })
  await sql`insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
    select s.id, o.id, o.term_id, o.course_id, 262160, c.credit_hours from students s
      cross join lateral (select * from offerings o where o.term_id = ${term_id} order by (o.id * 31 + s.id) % 97, o.id limit 6) o
      join courses c on c.id = o.course_id where s.id > ${before} on conflict do nothing`.execute(db)
  await sql`delete from outdated_invoices`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`select id from students where id > ${before} and status = 'studying' order by id`.execute(db)
  return { ids: rows.map((row) => row.id), term_id }
}
const rows1 = <T>(rows: readonly T[]): [T] => {
  if (!rows[0]) throw new Error('nothing was found')
  return [rows[0]]
}

/** The next invoices of 20,000 students, looked at and issued, as a job; a quarter of them first, to see that it grows in step. */
export async function nextInvoices(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_invoices', 4)
  const { ids, term_id } = await studentsToCharge(bench, db, STUDENTS + STUDENTS / 4)
  const server = await bench.server(url)
  const token = await bench.signIn(pool, financeOf(bench))
  const run = async (of: readonly number[], preview: boolean) => {
    const started = performance.now()
    const { job_id } = JSON.parse(
      await server.send(token, 'POST', '/payments/next-invoices', { term_id, student_ids: of, preview }),
    ) as { job_id: string }
    const { result, states } = await ended(server, token, job_id)
    return { seconds: (performance.now() - started) / 1000, result, states }
  }
  const quarter = await run(ids.slice(0, STUDENTS / 4), false)
  const all = ids.slice(STUDENTS / 4, STUDENTS / 4 + STUDENTS)
  const looked = await run(all, true)
  const memory = memoryOf(server.pid)
  const issued = await run(all, false)
  if (issued.result.issued < all.length * 0.8) throw new Error(JSON.stringify(issued.result).slice(0, 600))
  const { rows } = await sql<{ lines: number; postings: number }>`
    select (select count(*)::int from invoice_lines) as lines, (select count(*)::int from ledger_postings) as postings`.execute(
    db,
  )
  // Bare: what is written, copied once more by plain statements without rules, prices or the ledger's guards.
  const began = performance.now()
  await db.transaction().execute(async (tx) => {
    await sql`create temp table bare_invoices on commit drop as select * from invoices where payer_id in
      (select id from payers where student_id = any(${all}::int[]))`.execute(tx)
    await sql`create temp table bare_lines (like invoice_lines) on commit drop`.execute(tx)
    await sql`insert into bare_lines select l.* from invoice_lines l join bare_invoices i on i.id = l.invoice_id`.execute(
      tx,
    )
    await sql`create temp table bare_postings (like ledger_postings) on commit drop`.execute(tx)
    await sql`insert into bare_postings select p.* from ledger_postings p join bare_invoices i on i.id = p.invoice_id`.execute(
      tx,
    )
  })
  const bare = (performance.now() - began) / 1000
  const after = memoryOf(server.pid)
  await server.stop()
  await db.destroy()
  return {
    name: 'next-invoices',
    title: `the next invoices of ${all.length.toLocaleString('en')} students, as a job`,
    lines: [
      most('issued', issued.seconds, 30, 's'),
      { what: 'looked at first, nothing issued', value: `${looked.seconds.toFixed(1)} s` },
      most(
        'a student of these against one of a quarter as many',
        issued.seconds / all.length / (quarter.seconds / (STUDENTS / 4)),
        1.3,
        'times',
      ),
      { what: 'against copying the same rows by bare SQL', value: `${(issued.seconds / bare).toFixed(0)} times` },
      { what: 'issued, lines, postings', value: `${issued.result.issued}, ${rows[0]!.lines}, ${rows[0]!.postings}` },
      { what: 'states of progress', value: String(issued.states) },
      { what: 'memory of the server', value: `${memory.toFixed(0)} MB before, ${after.toFixed(0)} after` },
    ],
  }
}

/** All that the account of a student shows, by somebody who knows what will be asked: a statement, prepared once. */
const BARE_ACCOUNT = `
  select s.id, s.code, s.name, s.name_local,
    (select json_agg(x) from (select i.id, i.number, i.type, i.currency, i.issued_on, b.charged, b.settled, y.name as year, w.name as term,
        (select json_agg(l order by l.position) from (select id, position, name, name_local, amount, rule -> 'words' as words
          from invoice_lines where invoice_id = i.id) l) as lines,
        (select json_agg(n order by n.position) from (select id, position, amount, due_date from installments where invoice_id = i.id) n) as installments
      from invoices i join invoice_balances b on b.invoice_id = i.id left join years y on y.id = i.year_id left join terms w on w.id = i.term_id
      where i.payer_id = p.id and i.reversed_at is null and b.settled < b.charged) x) as open,
    (select json_agg(x) from (select i.id, i.number, i.type, i.currency, i.issued_on, b.charged, b.settled, y.name as year, w.name as term
      from invoices i left join invoice_balances b on b.invoice_id = i.id left join years y on y.id = i.year_id left join terms w on w.id = i.term_id
      where i.payer_id = p.id order by i.issued_on desc limit 100) x) as issued,
    (select json_agg(x) from (select id, number, receipt, direction, way, purpose, currency, amount, status, booked_on, created_at from transactions
      where payer_id = p.id order by id desc limit 100) x) as transactions,
    (select json_agg(x) from (select currency, wallet, owed from payer_balances where payer_id = p.id) x) as balances,
    (select json_agg(x) from (select e.created_at, e.kind, e.currency, -q.amount as amount, sum(-q.amount) over (partition by e.currency order by e.id) as after
      from ledger_postings q join ledger_accounts a on a.id = q.account_id and a.role = 'wallet' join ledger_entries e on e.id = q.entry_id
      where q.payer_id = p.id) x) as moves
  from students s join payers p on p.student_id = s.id where s.id = $1`

/** A student's own account: what is open and how it was computed, what was charged and paid, and the wallet. */
export async function studentAccount(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_account')
  await pool.query('vacuum analyze')
  const { rows: people } = await pool.query<{ id: number; email: string }>(
    `select s.id, u.email from students s join users u on u.id = s.user_id join payers p on p.student_id = s.id
     where (select count(*) from invoices i where i.payer_id = p.id) >= 2 and s.removed_at is null and u.blocked_at is null order by s.id limit 200`,
  )
  if (people.length < 50) throw new Error(`only ${people.length} students have invoices`)
  const tokens: string[] = []
  for (const { email } of people) tokens.push(await bench.signIn(pool, email))
  const server = await bench.server(url)
  const pick = (loop: number, n: number) => (loop * 31 + n) % people.length
  const found = await compare(
    { server: server.pid, postmaster: bench.postmaster },
    async (loop, n) => {
      const i = pick(loop, n)
      await server.send(tokens[i]!, 'GET', `/student-payments/${people[i]!.id}`)
    },
    async (loop, n) => {
      const rows = await query(pool, 'bare_account', BARE_ACCOUNT, [people[pick(loop, n)]!.id])
      if (rows.length !== 1) throw new Error('no such student')
    },
  )
  await server.stop()
  await db.destroy()
  return figures('account', "A student's own account", found, { ratio: 0.4, server: 1.5 })
}

/** A file of a bank with 50,000 lines, most of them of invoices by their number or of students by their code: read, and saved. */
export async function bankFile(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_bank', 4)
  const { ids, term_id } = await studentsToCharge(bench, db, LINES / 2)
  const server = await bench.server(url)
  const token = await bench.signIn(pool, financeOf(bench))
  for (let at = 0; at < ids.length; at += 20_000) {
    const { job_id } = JSON.parse(
      await server.send(token, 'POST', '/payments/next-invoices', {
        term_id,
        student_ids: ids.slice(at, at + 20_000),
        preview: false,
      }),
    ) as { job_id: string }
    await ended(server, token, job_id)
  }
  const { rows } = await sql<{ number: string; code: string; name: string; open: number }>`
    select i.number, s.code, s.name, (b.charged - b.settled)::float8 as open from invoices i join invoice_balances b on b.invoice_id = i.id
      join payers p on p.id = i.payer_id join students s on s.id = p.student_id
    where i.currency = 'EGP' and b.settled < b.charged order by i.id desc limit ${Math.floor(LINES * 0.45)}`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const half = (minor: number) => Math.floor(minor / 200).toFixed(2)
  // Each invoice is paid twice, a part each; every tenth line is of nobody known.
  const text = ['Date,Amount,Reference,Payer name,Description']
  for (const [i, one] of rows.entries()) {
    text.push(`${day},${half(one.open)},${one.number},${one.name},Fees ${i}`)
    text.push(`${day},${half(one.open)},,${one.name},Fees of ${one.code} part two ${i}`)
  }
  for (let i = text.length; i <= LINES; i++) text.push(`${day},${(i % 900) + 1}.50,X-${i},Somebody ${i},Transfer ${i}`)
  const form = new FormData()
  form.set('bank_id', '1')
  form.set('file', new Blob([text.join('\n')]), 'statement.csv')
  let started = performance.now()
  const answer = await fetch(`${server.origin}/api/payments/batches/import_preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { paymentsData } = (await answer.json()) as { paymentsData: { batch: { id: number }; job_id: string | null } }
  if (paymentsData.job_id) await ended(server, token, paymentsData.job_id)
  const read = (performance.now() - started) / 1000
  const { rows: lines } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from batch_lines where batch_id = ${paymentsData.batch.id} group by 1 order by 2 desc`.execute(
    db,
  )
  started = performance.now()
  const saved = JSON.parse(
    await server.send(token, 'POST', `/payments/batches/import_save/${paymentsData.batch.id}`, {}),
  ) as {
    job_id?: string | null
    data?: { job_id?: string | null }
  }
  const job = saved.job_id ?? saved.data?.job_id
  if (job) await ended(server, token, job)
  const save = (performance.now() - started) / 1000
  const { rows: booked } = await sql<{ count: number }>`
    select count(*)::int as count from batch_lines where batch_id = ${paymentsData.batch.id} and transaction_id is not null`.execute(
    db,
  )
  const told: Line[] = [
    { what: 'lines by what they are', value: lines.map((one) => `${one.count} ${one.state}`).join(', ') },
    { what: 'booked', value: booked[0]!.count.toLocaleString('en') },
    { what: 'memory of the server', value: `${memoryOf(server.pid).toFixed(0)} MB` },
  ]
  await server.stop()
  await db.destroy()
  return {
    name: 'bank-file',
    title: `a file of a bank with ${(text.length - 1).toLocaleString('en')} lines`,
    lines: [most('read and matched', read, 10, 's'), most('saved', save, 20, 's'), ...told],
  }
}
