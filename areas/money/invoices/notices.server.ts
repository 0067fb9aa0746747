/**
 * What students are told of their invoices. It is written in the transaction of what it tells: so it comes once, and what was
 * not done, as when a job is killed, is not told.
 */
import type { Tx } from '#db/connect.ts'
import { moneyText } from '#kit/contract/money.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { sql } from 'kysely'

type InvoiceNotice =
  | 'notice_invoice'
  | 'notice_debit'
  | 'notice_credit'
  | 'notice_scholarship'
  | 'notice_fine'
  | 'notice_sponsor'
  | 'notice_sponsor_back'
  | 'notice_reversed'
export interface InvoiceTold {
  readonly key: InvoiceNotice
  readonly payer_id: number
  readonly invoice_id: number
  readonly amount: number
  readonly currency: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Tells the students of payers, and who works here; one round trip for any number. */
export async function tellStudents(tx: Tx, told: readonly InvoiceTold[]): Promise<void> {
  if (!told.length) return
  const { rows } = await sql<{ id: number; student_id: number | null; user_id: number }>`
    select p.id, s.id as student_id, coalesce(s.user_id, p.user_id) as user_id from payers p left join students s on s.id = p.student_id
    where p.id = any(${[...new Set(told.map((one) => one.payer_id))]}::int[]) and coalesce(s.user_id, p.user_id) is not null`.execute(
    tx,
  )
  const by = new Map(rows.map((row) => [row.id, row]))
  await notifyEach(
    tx,
    told.flatMap(({ key, payer_id, invoice_id, amount, currency, data }) => {
      const one = by.get(payer_id)
      return one
        ? [
            {
              user_id: one.user_id,
              key: `invoices.${key}`,
              data: { ...data, amount: moneyText(Math.abs(amount), currency) },
              // Who works here sees the own account, and no invoices of others.
              link: one.student_id === null ? '/my_money' : `/payments/${invoice_id}`,
              ...(one.student_id !== null && { records: [one.student_id] }),
            },
          ]
        : []
    }),
  )
}
