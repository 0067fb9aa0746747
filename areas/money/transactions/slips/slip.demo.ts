import { firstRow } from '#db/rows.ts'
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { sql } from 'kysely'
import { demoPart, usersByEmail } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { bookTransactions } from '../book.server.ts'
import { slipNumbers, type SlipState } from './slip.contract.ts'
import { SLIP_DAYS } from './slip.rules.ts'

/** Nobody listens while the demo university is loaded. */
const SILENT = { actor: null, services: { events: { publish: async () => {} } } } as unknown as Ctx

const [WIDTH, HEIGHT] = [480, 640]
/** A picture of a slip: lines of print on paper, and the round stamp of a bank; `n` turns the stamp's place. */
function picture(n: number): Buffer {
  const rows = Buffer.alloc(HEIGHT * (WIDTH * 3 + 1), 0xff)
  const put = (x: number, y: number, colour: number) => rows.writeUIntBE(colour, y * (WIDTH * 3 + 1) + 1 + x * 3, 3)
  const [cx, cy] = [320 - (n % 4) * 30, 500 - (n % 3) * 20]
  for (let y = 0; y < HEIGHT; y++) {
    rows[y * (WIDTH * 3 + 1)] = 0
    for (let x = 0; x < WIDTH; x++) {
      const far = Math.hypot(x - cx, y - cy)
      const line = y > 60 && y < 420 && y % 30 < 7 && x > 40 && x < 250 + ((y * 7 + n * 13) % 180)
      const head = y > 25 && y < 45 && x > 40 && x < 300
      if ((far > 58 && far < 64) || (far > 44 && far < 47) || (far < 40 && y % 14 < 5)) put(x, y, 0x2f5fb3)
      else if (head) put(x, y, 0x1f2933)
      else if (line) put(x, y, 0x8a94a0)
      else put(x, y, 0xfbfaf6)
    }
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(WIDTH, 0)
  head.writeUInt32BE(HEIGHT, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** What stands where: one at least in each state, and work for who decides. */
const STATES: readonly SlipState[] = [
  ...Array<SlipState>(6).fill('uploaded'),
  ...Array<SlipState>(3).fill('rejected'),
  ...Array<SlipState>(3).fill('expired'),
  ...Array<SlipState>(3).fill('issued'),
  'accepted',
  'accepted',
  'cancelled',
  'cancelled',
]

/** Slips of a bank in every state: out, handed in, taken, rejected, over, cancelled. */
export default demoPart(['payment_slips'], ['invoices', 'transactions', 'banks', 'users'], async (tx, demo) => {
  const users = await usersByEmail(tx)
  const clerk = users.get(`finance@${demo.university.domain}`) ?? null
  const { rows: owed } = await sql<{
    id: number
    payer_id: number
    open: number
    currency: string
    user_id: number | null
    bank_id: number
  }>`select i.id, i.payer_id, (b.charged - b.settled)::float8 as open, i.currency, s.user_id,
      (select k.id from banks k join currencies c on c.id = k.currency_id where c.code = i.currency and k.is_active order by k.id limit 1) as bank_id
    from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged join payers p on p.id = i.payer_id
      join students s on s.id = p.student_id
    where i.currency = 'EGP' and i.reversed_at is null order by i.id desc offset 6 limit ${STATES.length}`.execute(tx)
  const today = dayOf()
  const contents = new Map<string, Buffer>()
  const steps = (
    id: number,
    ...moves: readonly (readonly [action: string, from: string | null, to: string, why?: string])[]
  ) =>
    sql`insert into step_history (workflow, record_id, action, from_state, to_state, reason)
      select 'slip', ${id}, x.a, x.f, x.t, x.r from jsonb_to_recordset(${JSON.stringify(
        moves.map(([a, f, t, r = null]) => ({ a, f, t, r })),
      )}::jsonb) x (a text, f text, t text, r text)`.execute(tx)
  for (const [i, one] of owed.entries()) {
    const state = STATES[i]!
    const handed = ['uploaded', 'rejected', 'accepted'].includes(state)
    const issued_on = addDays(today, state === 'expired' ? -SLIP_DAYS - 5 : -6)
    const paid_on = addDays(today, -1 - (i % 4))
    const { text: number } = await takeSerial(tx, slipNumbers)
    let file: number | null = null
    if (handed) {
      const content = picture(i)
      const hash = createHash('sha256').update(content).digest('hex')
      contents.set(hash, content)
      const { rows } = await sql<{ id: number }>`insert into files (hash, name, ext, mime, size, created_by)
        values (${hash}, ${`slip-${i + 1}.png`}, 'png', 'image/png', ${content.byteLength}, ${one.user_id}) returning id`.execute(
        tx,
      )
      file = firstRow(rows).id
    }
    const { rows: made } = await sql<{ id: number; transaction_id: number }>`
      with money as (insert into transactions (payer_id, way, currency, amount, status, reference, invoice_id, bank_id, bank_reference, expires_at, created_by)
        values (${one.payer_id}, 'slip', ${one.currency}, ${one.open}, ${handed ? 'pending' : 'new'}, ${number}, ${one.id}, ${one.bank_id},
          ${handed ? `FT${today.replaceAll('-', '')}${100 + i}` : null}, ${addDays(issued_on, SLIP_DAYS + 1)}::date, ${one.user_id}) returning id)
      insert into payment_slips (number, transaction_id, invoice_id, amount, status, issued_on, expires_on, paid_on, file_id, uploaded_at, uploaded_by, rejected_reason)
      select ${number}, id, ${one.id}, ${one.open}, ${handed ? 'uploaded' : 'issued'}, ${issued_on}, ${addDays(issued_on, SLIP_DAYS)}, ${handed ? paid_on : null},
        ${file}, ${handed ? sql`now() - make_interval(hours => ${3 + i})` : null}, ${handed ? one.user_id : null}, null from money
      returning id, transaction_id`.execute(tx)
    const { id, transaction_id } = made[0]!
    await steps(id, ['issue', null, 'issued'], ...(handed ? [['upload', 'issued', 'uploaded'] as const] : []))
    if (state === 'accepted') {
      await bookTransactions(SILENT, tx, [transaction_id], { booked_on: paid_on })
      await sql`update transactions set decided_by = ${clerk} where id = ${transaction_id}`.execute(tx)
    }
    if (state === 'cancelled')
      await sql`update transactions set status = 'cancelled', reason = 'slip' where id = ${transaction_id}`.execute(tx)
    if (state === 'rejected') {
      await sql`update payment_slips set status = 'rejected', rejected_reason = 'The stamp cannot be read. Take the picture in daylight.' where id = ${id}`.execute(
        tx,
      )
      await sql`update transactions set status = 'new' where id = ${transaction_id}`.execute(tx)
      await steps(id, ['reject', 'uploaded', 'rejected', 'The stamp cannot be read. Take the picture in daylight.'])
    }
  }
  return async (_db, storage) => {
    for (const content of contents.values()) await storage.put(content)
  }
})
