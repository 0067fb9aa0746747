/** Proving the ledger: when asked as a job, every night by itself, and what the last proof said. */
import type { Db } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { reachedStudent } from '../reach.server.ts'
import { proofCalls, type LedgerFound, type Proof } from './proof.contract.ts'
import { verifyLedger, type VerifyingLedger } from './verify.server.ts'

/** Proves the ledger and keeps what was said. */
async function prove(ctx: Ctx, progress?: VerifyingLedger['progress']): Promise<{ id: number; count: number }> {
  const { findings, totals, ...said } = await verifyLedger(ctx.services.db, progress && { progress })
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into ledger_proofs (proven_by, seconds, entries, postings, totals, count, findings)
      values (${ctx.actor?.user_id ?? null}, ${said.seconds}, ${said.entries}, ${said.postings}, ${JSON.stringify(totals)}::jsonb, ${said.count},
        ${JSON.stringify(findings)}::jsonb) returning id`.execute(tx)
    return { id: firstRow(rows).id, count: said.count }
  })
}

export const verifyLedgerJob = defineJob<object, { id: number; count: number }>({
  name: 'verify-ledger',
  retries: 1,
  run: (ctx, _payload, progress) => prove(ctx, progress),
})

/** Every night; whoever may prove it hears when something is found. */
export const nightlyProof = defineJob<object, { count: number }>({
  name: 'verify-ledger-nightly',
  cron: '40 1 * * *',
  run: async (ctx, _payload, progress) => {
    const { count } = await prove(ctx, progress)
    if (count)
      await ctx.write(async (tx) =>
        notify(tx, await provers(tx), { key: 'ledger.notice_findings', data: { count }, link: '/ledger' }),
      )
    return { count }
  },
})

/** Accounts that hold the right to prove the ledger. */
async function provers(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u where u.removed_at is null and (u.is_super_admin or u.id in (
      select a.user_id from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null
        join role_permissions p on p.role_id = r.id and p.permission = 'verify_ledger'
        where coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)
      union select user_id from user_permissions where permission = 'verify_ledger'
      union select user_id from access_entries where permission = 'verify_ledger'
        and coalesce(valid_from <= university_today(), true) and coalesce(valid_to >= university_today(), true)))`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** The last proof. Students are named to whom they are within reach. */
async function lastProof(ctx: Ctx): Promise<Proof | null> {
  const { rows } = await sql<
    Omit<Proof, 'findings'> & {
      findings: LedgerFound[]
      students: Record<string, Proof['findings'][number]['student']>
    }
  >`
    select p.id, p.proven_at, p.seconds::float8 as seconds, p.entries::float8 as entries, p.postings::float8 as postings, p.totals, p.count,
      p.findings, case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end as proven_by,
      (select coalesce(json_object_agg(x.key, ${ref('s')}), '{}') from (
        select distinct f ->> 'record' || ' ' || (f ->> 'id') as key, case f ->> 'record'
            when 'payer' then (f ->> 'id')::integer
            when 'invoice' then (select i.payer_id from invoices i where i.id = (f ->> 'id')::integer)
            when 'transaction' then (select t.payer_id from transactions t where t.id = (f ->> 'id')::integer)
            when 'entry' then (select min(y.payer_id) from ledger_postings y where y.entry_id = (f ->> 'id')::bigint) end as payer_id
        from jsonb_array_elements(p.findings) f) x
        join payers y on y.id = x.payer_id join students s on s.id = y.student_id where ${reachedStudent(ctx, proofCalls.last.permission)}) as students
    from ledger_proofs p left join users u on u.id = p.proven_by order by p.id desc limit 1`.execute(ctx.db)
  const [last] = rows
  if (!last) return null
  const { students, ...proof } = last
  return {
    ...proof,
    findings: last.findings.map((finding) => ({
      ...finding,
      student: students[`${finding.record} ${finding.id}`] ?? null,
    })),
  }
}

export const proofHandlers: readonly Handled[] = [
  handle(proofCalls.verify, async (ctx) => ({
    job_id: await ctx.write((tx) =>
      ctx.services.jobs.send(tx, verifyLedgerJob, {}, { actor: ctx.actor, lang: ctx.lang }),
    ),
  })),
  handle(proofCalls.last, async (ctx) => ({ data: await lastProof(ctx) })),
]
