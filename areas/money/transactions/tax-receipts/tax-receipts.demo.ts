import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'
import { documentOf } from './issue.server.ts'

/** Who sells in the demo university, as its tax card would say it. */
const SELLER = {
  rin: '100200300',
  tradeName: 'جامعة كانوب',
  branch: '0',
  governate: 'Alexandria',
  city: 'Abu Qir',
  street: 'Corniche',
  building: '1',
  device: 'DEMO-POS-0',
  activity: '8530',
  itemType: 'EGS',
  itemCode: 'EG-100200300-1',
} as const
/** The last of them was rejected. */
const STATES = ['valid', 'valid', 'rejected'] as const

/** Receipts of another device than the one that is set: two that the tax authority has, and one that it rejected. */
export default demoPart(['tax_receipts', 'tax_devices'], ['transactions', 'invoices', 'students'], async (tx) => {
  const { rows } = await sql<{
    id: number
    way: string
    amount: number
    at: string
    name: string
    national_id: string | null
    invoice: string
  }>`
    select t.id, t.way, t.amount::float8 as amount, to_char(t.paid_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, s.name_local as name,
      s.national_id, i.number as invoice
    from transactions t join payers p on p.id = t.payer_id join students s on s.id = p.student_id
      join transaction_allocations a on a.transaction_id = t.id and a.amount = t.amount join invoices i on i.id = a.invoice_id
    where t.direction = 'in' and t.status = 'paid' and t.way = 'bank' and t.currency = 'EGP'
    order by t.paid_at desc, t.id desc limit ${STATES.length}`.execute(tx)
  if (!rows.length) return
  await sql`insert into tax_devices (serial) values (${SELLER.device})`.execute(tx)
  let previous = ''
  for (const [i, one] of rows.toReversed().entries()) {
    const number = `TR-${one.at.slice(0, 4)}-D${i + 1}`
    const lines = [{ code: one.invoice, description: `رسوم دراسية، فاتورة ${one.invoice}`, amount: one.amount }]
    const { uuid, text } = documentOf(
      {
        kind: 'S',
        number,
        issued_at: one.at,
        previous,
        reference: null,
        replaces: null,
        currency: 'EGP',
        rate: null,
        way: one.way,
        payer: { name: one.name, national_id: one.national_id },
        lines,
      },
      SELLER,
    )
    const state = STATES[i]!
    const reasons =
      state === 'rejected'
        ? [{ code: '4062', message: 'The code of the item is not active', path: 'itemData[0].itemCode' }]
        : null
    await sql`insert into tax_receipts (transaction_id, kind, device, number, uuid, previous_uuid, lines, document, issued_at, state, reasons, tries, sent_at)
      values (${one.id}, 'S', ${SELLER.device}, ${number}, ${uuid}, ${previous}, ${JSON.stringify(lines)}, ${text}, ${one.at}, ${state},
        ${reasons && JSON.stringify(reasons)}::jsonb, 1, ${one.at})`.execute(tx)
    previous = uuid
  }
  await sql`update tax_devices set head_uuid = ${previous} where serial = ${SELLER.device}`.execute(tx)
})
