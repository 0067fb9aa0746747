import { sql } from 'kysely'
import { postEntries } from '#areas/money/ledger/post.server.ts'
import type { Db } from '#db/connect.ts'

/** Invoices and money of a small university, written straight into the database, for tests of what follows. */
export function moneyWorld(db: Db) {
  let n = 0
  const payerOf = async (student: number): Promise<number> => {
    const { rows } = await sql<{ id: number }>`select id from payers where student_id = ${student} and main`.execute(db)
    return rows[0]!.id
  }
  return {
    payerOf,
    /** An invoice of a student with these instalments, each [amount, days from today by which it is due]. */
    invoice: async (student: number, parts: readonly (readonly [amount: number, days: number])[], currency = 'EGP') => {
      const payer_id = await payerOf(student)
      const total = parts.reduce((sum, [amount]) => sum + amount, 0)
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ id: number }>`
          insert into invoices (number, payer_id, type, currency, issued_on, faculty_id, program_id, level)
          select ${`TEST-${++n}`}, ${payer_id}, 'extra', ${currency}, university_today(), s.faculty_id, s.program_id, s.level
          from students s where s.id = ${student} returning id`.execute(tx)
        const { id } = rows[0]!
        await sql`insert into invoice_lines (invoice_id, position, account, item, name, name_local, unit_amount, amount)
          values (${id}, 1, 'tuition', 'test', 'Test', 'اختبار', ${total}, ${total})`.execute(tx)
        for (const [i, [amount, days]] of parts.entries())
          await sql`insert into installments (invoice_id, position, amount, due_date) values (${id}, ${i + 1}, ${amount}, university_today() + ${days}::int)`.execute(
            tx,
          )
        await postEntries(tx, [
          {
            kind: 'invoice',
            source: `invoice:${id}`,
            currency,
            settles: false,
            postings: [
              { role: 'receivable', payer_id, invoice_id: id, amount: total },
              { role: 'tuition', amount: -total },
            ],
          },
        ])
        return id
      })
    },
    /** What of an invoice is settled and charged. */
    stands: async (invoice: number) => {
      const { rows } = await sql<{
        settled: number
        charged: number
      }>`select settled::int as settled, charged::int as charged
        from invoice_balances where invoice_id = ${invoice}`.execute(db)
      return [rows[0]?.settled, rows[0]?.charged]
    },
    wallet: async (student: number, currency = 'EGP'): Promise<number> => {
      const { rows } = await sql<{
        wallet: number
      }>`select wallet::int as wallet from payer_balances b join payers p on p.id = b.payer_id
        where p.student_id = ${student} and currency = ${currency}`.execute(db)
      return rows[0]?.wallet ?? 0
    },
    /** Money that is on its way. */
    transaction: async (
      student: number,
      amount: number,
      more: { way?: string; invoice?: number | null; currency?: string; status?: string; purpose?: string } = {},
    ): Promise<number> => {
      const { rows } = await sql<{ id: number }>`
        insert into transactions (payer_id, way, purpose, currency, amount, status, invoice_id)
        values (${await payerOf(student)}, ${more.way ?? 'bank'}, ${more.purpose ?? 'payment'}, ${more.currency ?? 'EGP'}, ${amount},
          ${more.status ?? 'pending'}, ${more.invoice ?? null}) returning id`.execute(db)
      return rows[0]!.id
    },
    /** Open holds of a student, by number of the invoice. */
    holds: async (student: number): Promise<string[]> => {
      const { rows } = await sql<{
        note: string
      }>`select note from student_holds where student_id = ${student} and lifted_at is null order by note`.execute(db)
      return rows.map((row) => row.note)
    },
  }
}

/** Prices of the year of a term: 10,000.00 a year, 500.00 an hour, one day to pay by, 100.00 for being late. */
export async function priceWorld(db: Db, term: number) {
  const base = { tuition: 1_000_000, hour: 50_000, fine: 10_000 }
  await sql`insert into countries (id, code, name, name_local) overriding system value values (64, 'EG', 'Egypt', 'مصر') on conflict do nothing`.execute(
    db,
  )
  await sql`insert into nationality_group_countries (nationality_group_id, country_id) select id, 64 from nationality_groups where currency = 'EGP' and not is_default
    on conflict do nothing`.execute(db)
  let grants = 0
  /** `late`: what is charged for being late instead, each so many per mille from so many days on. `requests`: prices of items by their codes. */
  type Prices = typeof base & {
    cap: number
    late: readonly { from_days: number; per_mille: number }[]
    requests: Readonly<Record<string, number>>
    /** Further prices of items by their codes. */
    rows: readonly {
      code: string
      amount: number
      per: string
      program_id?: number
      level?: number
      entry_year_id?: number
      course_id?: number
      repeats?: boolean
      flat?: { from: number; to: number; amount: number }
    }[]
  }
  const version = (prices: Partial<Prices> = {}) =>
    db.transaction().execute(async (tx) => {
      const {
        tuition,
        hour,
        fine,
        cap,
        late,
        requests,
        rows: further,
      } = { ...base, cap: 10_000, late: null, requests: {}, rows: [], ...prices }
      const { rows } = await sql<{ id: number }>`insert into fee_versions (year_id, number, what, stacking, grant_cap)
        select year_id, coalesce((select max(number) from fee_versions v where v.year_id = t.year_id), 0) + 1, 'prices', 'rest', ${cap} from terms t where t.id = ${term}
        returning id`.execute(tx)
      const { id } = rows[0]!
      await sql`insert into fee_prices (version_id, item_id, currency, amount, per) select ${id}, i.id, 'EGP', x.amount, x.per
        from fee_items i join (values ('TUITION', ${tuition}::bigint, 'year'), ('HOURS', ${hour}::bigint, 'hour')) x (code, amount, per) on x.code = i.code`.execute(
        tx,
      )
      await sql`insert into fee_prices (version_id, item_id, currency, amount, per) select ${id}, i.id, 'EGP', x.value::bigint, 'request'
        from jsonb_each_text(${JSON.stringify(requests)}::jsonb) x join fee_items i on i.code = x.key`.execute(tx)
      await sql`insert into fee_prices (version_id, item_id, currency, amount, per, program_id, level, entry_year_id, course_id, repeats, flat_from, flat_to, flat_amount)
        select ${id}, i.id, 'EGP', x.amount, x.per, x.program_id, x.level, x.entry_year_id, x.course_id, x.repeats, (x.flat ->> 'from')::int,
          (x.flat ->> 'to')::int, (x.flat ->> 'amount')::bigint
        from jsonb_to_recordset(${JSON.stringify(further)}::jsonb) x (code text, amount bigint, per text, program_id int, level int,
          entry_year_id int, course_id int, repeats boolean, flat jsonb)
          join fee_items i on i.code = x.code`.execute(tx)
      await sql`insert into fee_due_dates (version_id, type, instalment, due_on, share)
        select ${id}, t, 1, university_today() + 60, 1000 from unnest(array['tuition', 'hours', 'summer']) t`.execute(
        tx,
      )
      for (const type of ['tuition', 'hours']) {
        const { rows: fines } = await sql<{
          id: number
        }>`insert into fee_fines (version_id, type, currency) values (${id}, ${type}, 'EGP') returning id`.execute(tx)
        const steps: readonly { from_days: number; amount?: number; per_mille?: number }[] = late ?? [
          { from_days: 5, amount: fine },
        ]
        for (const { from_days, amount = null, per_mille = null } of steps)
          await sql`insert into fee_fine_steps (version_id, fine_id, from_days, amount, per_mille)
            values (${id}, ${fines[0]!.id}, ${from_days}, ${amount}, ${per_mille})`.execute(tx)
      }
      return id
    })
  await version()
  return {
    ...base,
    version,
    grant: async (student: number, { percent, types }: { percent: number; types: string[] }) => {
      const { rows } = await sql<{
        id: number
      }>`insert into scholarships (code, name, name_local, basis, percent, types, priority)
        values (${`S${++grants}`}, 'Merit', 'تفوق', 'manual', ${percent}, ${types}::text[], 1) returning id`.execute(db)
      await sql`insert into scholarship_grants (student_id, scholarship_id, year_id, until_year_id, percent, types, priority)
        select ${student}, ${rows[0]!.id}, year_id, year_id, ${percent}, ${types}::text[], 1 from terms where id = ${term}`.execute(
        db,
      )
    },
  }
}
