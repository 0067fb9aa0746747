import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moneyWorld } from '#areas/money/invoices/testing.server.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { camtFile, mt940File } from '../files/samples.server.ts'
import { ENOUGH, fromLearned, payerKeys, type Learned } from './learn.rules.ts'
import { decideMatch, guesser, lineKey, nameWords, numberKeys } from './match.rules.ts'
import { isOfBank } from './preview.server.ts'

describe('what is learned', () => {
  const said = (key: string, payer_id: number, times: number, more: Partial<Learned> = {}): Learned => ({
    key,
    payer_id,
    times,
    last_on: '2026-03-01',
    owes: true,
    ...more,
  })
  it('is known by the account, and by two words of a name in whatever order', () => {
    expect(payerKeys({ iban: 'EG38', counterparty: 'Mr. FOUAD, Adel' })).toEqual(['account EG38', 'name adel fouad'])
    expect(payerKeys({ iban: null, counterparty: 'Adel' })).toEqual([])
    expect(payerKeys({ iban: null, counterparty: null })).toEqual([])
  })
  it('decides by an account of one payer, said often enough, who owes; else it proposes', () => {
    expect(fromLearned([])).toEqual({ decided: null, proposals: [] })
    expect(fromLearned([said('account X', 1, ENOUGH)]).decided).toMatchObject({ payer_id: 1, by: 'account' })
    for (const known of [
      [said('account X', 1, ENOUGH - 1)],
      [said('name a b', 1, 99)],
      [said('account X', 1, ENOUGH, { owes: false })],
      [said('account X', 1, ENOUGH), said('account X', 2, 1)],
      // The name speaks for somebody else.
      [said('account X', 1, ENOUGH), said('name a b', 2, 1)],
    ]) {
      const { decided, proposals } = fromLearned(known)
      expect([decided, proposals.length > 0]).toEqual([null, true])
    }
    // Of more than three payers it tells nothing, and stands against what else is known.
    const bank = [1, 2, 3, 4].map((payer) => said('account X', payer, 9))
    expect(fromLearned(bank)).toEqual({ decided: null, proposals: [] })
    const common = [1, 2, 3, 4].map((payer) => said('name a b', payer, 1))
    expect(fromLearned([said('account X', 1, ENOUGH), ...common])).toMatchObject({
      decided: null,
      proposals: [{ payer_id: 1, by: 'account' }],
    })
    expect(fromLearned([...bank, said('name a b', 1, 9)])).toMatchObject({ decided: null, proposals: [{ by: 'name' }] })
  })
})

describe('whose a line is', () => {
  const invoice = (payer_id: number, invoice_id = 7, currency = 'EGP') => ({
    kind: 'invoice' as const,
    payer_id,
    invoice_id,
    currency,
    open: 100,
  })
  const slip = (status: string, amount = 100) => ({
    kind: 'slip' as const,
    payer_id: 1,
    transaction_id: 9,
    currency: 'EGP',
    amount,
    status,
  })

  it('numbers are found however they are written in the texts', () => {
    const keys = (text: string) =>
      numberKeys({ reference: text, description: null, bank_reference: null, counterparty: null })
    expect(keys('INV-2026-000123')).toContain('inv2026000123')
    expect(keys('fees inv 2026 000123 spring')).toContain('inv2026000123')
    expect(keys('سداد مصروفات ٢٣١٠٠٠٨')).toContain('2310008')
    expect(keys('words only, nothing else')).toEqual([])
    expect(keys('1 '.repeat(500)).length).toBeLessThanOrEqual(40)
  })

  it('what a line names decides where it is all of one payer; the rest is for a person', () => {
    expect(decideMatch(100, 'EGP', [invoice(1)])).toMatchObject({
      state: 'matched',
      by: 'invoice',
      payer_id: 1,
      invoice_id: 7,
    })
    expect(decideMatch(100, 'EGP', [invoice(1, 7), invoice(1, 8)])).toMatchObject({
      state: 'matched',
      invoice_id: null,
    })
    expect(decideMatch(100, 'EGP', [{ kind: 'student', payer_id: 1 }])).toMatchObject({
      state: 'matched',
      by: 'student',
    })
    expect(decideMatch(100, 'EGP', [invoice(1), { kind: 'student', payer_id: 2 }])).toMatchObject({ state: 'proposed' })
    expect(decideMatch(100, 'EGP', [invoice(1, 7, 'USD')])).toEqual({ state: 'unmatched', proposals: [] })
    expect(decideMatch(100, 'EGP', [slip('pending')])).toMatchObject({
      state: 'matched',
      by: 'slip',
      transaction_id: 9,
    })
    expect(decideMatch(100, 'EGP', [slip('paid')])).toMatchObject({
      state: 'not_booked',
      why: { code: 'batch_paid_already' },
      transaction_id: 9,
    })
    expect(decideMatch(99, 'EGP', [slip('pending')])).toMatchObject({ state: 'proposed' })
    expect(decideMatch(100, 'EGP', [slip('cancelled')])).toMatchObject({ state: 'proposed' })
    expect(decideMatch(100, 'EGP', [])).toEqual({ state: 'unmatched', proposals: [] })
    // What somebody says alone that it is called is believed by a person, or beside what is known.
    const claimed = { ...slip('pending'), claimed_at: 1 }
    expect(decideMatch(100, 'EGP', [claimed])).toMatchObject({
      state: 'proposed',
      proposals: [{ payer_id: 1, why: 'slip' }],
    })
    expect(decideMatch(100, 'EGP', [claimed, { kind: 'student', payer_id: 1 }])).toMatchObject({
      state: 'matched',
      transaction_id: 9,
    })
  })

  it('a guess needs the amount and two words of the name', () => {
    const guess = guesser([
      { payer_id: 1, invoice_id: 1, amounts: [500, 1000], words: nameWords('Mona Ali Hassan منى علي حسن') },
      { payer_id: 2, invoice_id: 2, amounts: [1000], words: nameWords('Mona Samir Fathy') },
    ])
    expect(guess(1000, nameWords('Mr. ALI, Mona'))).toEqual([{ payer_id: 1, invoice_id: 1, why: 'name' }])
    expect(guess(1000, nameWords('منى علي'))).toMatchObject([{ payer_id: 1 }])
    expect(guess(1000, nameWords('Mona'))).toEqual([])
    expect(guess(999, nameWords('Mona Ali'))).toEqual([])
  })

  it('a line is known again by day, amount and how it is named; an account by IBAN or number', () => {
    const line = {
      booked_on: '2026-04-05',
      amount: 100,
      currency: 'EGP',
      direction: 'in' as const,
      reference: 'A-1',
      bank_reference: null,
      counterparty: 'X',
      description: 'one',
    }
    expect(lineKey({ ...line, counterparty: 'other', description: 'two' })).toBe(lineKey(line))
    for (const change of [
      { booked_on: '2026-04-06' },
      { amount: 101 },
      { direction: 'out' as const },
      { reference: 'A-2' },
    ])
      expect(lineKey({ ...line, ...change })).not.toBe(lineKey(line))
    expect(lineKey({ ...line, reference: null })).not.toBe(lineKey({ ...line, reference: null, description: 'two' }))
    const bank = { iban: 'EG380019000500000000263180002', account_number: '0005-263180002' }
    expect(
      ['EG380019000500000000263180002', '0005263180002', '5263180002', null].map((one) => isOfBank(one, bank)),
    ).toEqual([true, true, true, true])
    expect(['EG380019000500000000263180003', '12', '0002'].map((one) => isOfBank(one, bank))).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('bank files', () => {
  let u: TestUniversity
  let m: ReturnType<typeof moneyWorld>
  let finance: Caller
  let students: { id: number; code: string; name: string; user_id: number }[]
  const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await u.database.pool.query(text, values)).rows as Row[]
  const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
  beforeAll(async () => {
    u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
    m = moneyWorld(u.database.db)
    finance = await u.as('finance_officer')
    // Who owes nothing yet, so that amounts are what the tests say.
    students =
      await q(`select s.id, s.code, s.name, s.user_id from students s join payers p on p.student_id = s.id and p.main
      where s.user_id is not null and s.removed_at is null and not exists (select from invoices i where i.payer_id = p.id) order by s.id limit 12`)
  }, 540_000)
  afterAll(() => u?.close())

  /** Sends a file as a browser does. */
  async function send(who: Caller, content: string | Uint8Array, name = 'statement.csv', bank_id = 1): Promise<Answer> {
    const form = new FormData()
    form.set('bank_id', String(bank_id))
    form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
    const encoded = new Response(form)
    const answer = await u.app.inject({
      method: 'POST',
      url: '/api/payments/batches/import_preview',
      headers: { authorization: `Bearer ${who.token}`, 'content-type': encoded.headers.get('content-type')! },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json(), bytes: answer.rawPayload, headers: answer.headers }
  }
  const HEAD = 'Date,Amount,Reference,Payer name,Description'
  let day = 0
  /** A day that no other test has. */
  const newDay = () => `2026-03-${String(++day).padStart(2, '0')}`
  const csv = (...lines: string[]) => [HEAD, ...lines].join('\n')
  const preview = async (content: string | Uint8Array, name?: string, bank?: number): Promise<any> =>
    ok(await send(finance, content, name, bank)).paymentsData
  const save = (id: number, who = finance) => who('POST', `/payments/batches/import_save/${id}`, {})
  const remove = (id: number, reason = 'The wrong file') =>
    finance('POST', `/payments/batches/delete/${id}`, { reason })
  const show = async (id: number, query: object = {}): Promise<any> =>
    (await finance('POST', `/payments/batches/${id}`, { perPage: 500, ...query })).body
  const numberOf = async (invoice: number) =>
    (await one<{ number: string }>('select number from invoices where id = $1', [invoice])).number
  /** Nothing in the ledger is what it should not be. */
  const sound = async () =>
    expect(
      await q(
        `select e.id from ledger_entries e join ledger_postings p on p.entry_id = e.id group by e.id having sum(p.amount) <> 0`,
      ),
    ).toEqual([])

  it('known payers are booked on the day of the bank, unknown money stands as unexplained, and deleting reverses all of it', async () => {
    const [a, b, c] = students as [any, any, any]
    const on = newDay()
    const invoice = await m.invoice(a.id, [[50_000, -30]])
    const other = await m.invoice(b.id, [[30_000, 30]])
    const guessed = await m.invoice(c.id, [[12_345, 30]])
    const held = () =>
      q(`select a.id, coalesce(sum(p.amount), 0)::int as sum from ledger_accounts a left join ledger_postings p on p.account_id = a.id
        where a.role = 'suspense' or a.id = (select ledger_account_id from banks where id = 1) group by a.id order by a.id`)
    const atFirst = await held()
    const sent = ok(
      await send(
        finance,
        csv(
          `${on},500.00,${await numberOf(invoice)},Somebody,`,
          `${on},400.00,,,Fees of ${b.code}`,
          `${on},123.45,,"${c.name}",`,
          `${on},77.00,X-1,Unknown Person,no idea`,
          `${on},-15.00,,,Charges of the bank`,
        ),
      ),
    )
    expect([sent.success, sent.archive_id > 0, sent.paymentsData.job_id]).toEqual([true, true, null])
    const { batch, lines } = sent.paymentsData
    // By what the preview answers the file is saved.
    expect(sent.archive_id).toBe(batch.id)
    expect(lines.map((l: any) => [l.state, l.match_by, l.payer?.code ?? null, l.why?.code ?? null])).toEqual([
      ['matched', 'invoice', a.code, null],
      ['matched', 'student', b.code, null],
      ['proposed', null, null, null],
      ['unmatched', null, null, null],
      ['not_booked', null, null, 'batch_outgoing'],
    ])
    expect(lines[2].proposals).toMatchObject([{ payer: { code: c.code }, invoice: { id: guessed }, why: 'name' }])
    expect([batch.from, batch.to, batch.abilities]).toEqual([on, on, ['save', 'delete']])

    // Nothing is booked by looking.
    expect(await m.stands(invoice)).toEqual([0, 50_000])
    ok(await save(batch.id))
    expect([await m.stands(invoice), await m.stands(other), await m.wallet(b.id)]).toEqual([
      [50_000, 50_000],
      [30_000, 30_000],
      10_000,
    ])
    expect(await m.stands(guessed)).toEqual([0, 12_345])
    const booked = await q<{ way: string; status: string; on: string; bank_id: number }>(
      `select n.way, n.status, n.booked_on::text as on, n.bank_id from batch_lines t join transactions n on n.id = t.transaction_id where t.batch_id = $1`,
      [batch.id],
    )
    expect(booked).toEqual([1, 2].map(() => ({ way: 'bank', status: 'paid', on, bank_id: 1 })))
    const detail = await show(batch.id)
    expect(detail.data.booked).toEqual({
      payments: { lines: 2, amount: 90_000 },
      unexplained: { lines: 2, amount: 20_045 },
    })
    // The bank's own account of the ledger has all that came in.
    const account = async () =>
      (
        await one<{ sum: number }>(
          `select coalesce(sum(p.amount), 0)::int as sum from ledger_postings p join banks k on k.ledger_account_id = p.account_id
        join ledger_entries e on e.id = p.entry_id where k.id = 1 and e.booked_on = $1`,
          [on],
        )
      ).sum
    expect(await account()).toBe(110_045)

    // Whose the unknown money is, is said later: the payer has it from the day on which it came.
    const unknown = detail.lines.find((l: any) => l.state === 'proposed')
    expect(unknown.abilities).toEqual(['match'])
    const explained = ok(
      await finance('PUT', `/payments/batches/lines/${unknown.id}`, {
        do: 'match',
        payer_id: unknown.proposals[0].payer.id,
        invoice_id: guessed,
        version: unknown.version,
      }),
    )
    expect([explained.state, explained.match_by, explained.unexplained, explained.abilities]).toEqual([
      'matched',
      'person',
      false,
      [],
    ])
    expect([await m.stands(guessed), await account()]).toEqual([[12_345, 12_345], 110_045])

    expect(reasons(await finance('POST', `/payments/batches/delete/${batch.id}`, {}))).toEqual([
      'reason_required@reason',
    ])
    ok(await remove(batch.id))
    expect([await m.stands(invoice), await m.stands(other), await m.stands(guessed), await m.wallet(b.id)]).toEqual([
      [0, 50_000],
      [0, 30_000],
      [0, 12_345],
      0,
    ])
    expect(await held()).toEqual(atFirst)
    expect((await remove(batch.id)).status).toBe(409)
    await sound()
    // What was deleted may come again.
    const again = await preview(csv(`${on},500.00,${await numberOf(invoice)},Somebody,`))
    expect(again.lines[0].state).toBe('matched')
    ok(await remove(again.batch.id))
  })

  it('nothing is booked twice: the same file, under another name, one that overlaps half of it, lines that are alike', async () => {
    const on = newDay()
    const line = (n: number, amount = 100 + n) => `${on},${amount}.00,DUP-${n},Payer,`
    const twin = `${on},55.00,TWIN,Payer,`
    const file = csv(line(1), line(2), twin, twin)
    const first = (await preview(file)).batch
    // Not saved yet: the same file is told, and not refused.
    const waiting = await preview(file, 'another name.csv')
    expect(waiting.batch.notes.map((note: any) => note.code)).toEqual(['batch_same_file_waits'])
    ok(await save(first.id))
    // What was previewed before the first was saved finds its lines saved.
    expect(reasons(await save(waiting.batch.id))).toEqual(['batch_nothing_new'])
    const same = await preview(file, 'once more.csv')
    expect([same.batch.notes[0].code, same.lines.map((l: any) => l.state)]).toEqual([
      'batch_same_file',
      ['duplicate', 'duplicate', 'duplicate', 'duplicate'],
    ])
    expect(same.lines[0].duplicate_of).toMatchObject({ batch_id: first.id, line: 2 })
    // Of another account of the university it is other money.
    const { bank } = await one<{ bank: number }>(
      `insert into banks (code, name, name_local, account_number, currency_id, is_active, ledger_account_id)
       select 'SECOND', 'Second', 'ثان', '700700', currency_id, true, (select id from ledger_accounts where role = 'bank') from banks where id = 1
       returning id as bank`,
    )
    const elsewhere = await preview(file, 'other.csv', bank)
    expect(elsewhere.lines.map((l: any) => l.state)).toEqual(Array.from({ length: 4 }, () => 'unmatched'))
    ok(await remove(elsewhere.batch.id))
    expect(reasons(await save(same.batch.id))).toEqual(['batch_nothing_new'])
    // Half old, half new; of lines that are alike the third is new.
    const half = await preview(csv(line(2), line(3), twin, twin, twin, line(4)))
    expect(half.lines.map((l: any) => l.state)).toEqual([
      'duplicate',
      'unmatched',
      'duplicate',
      'duplicate',
      'unmatched',
      'unmatched',
    ])
    ok(await save(half.batch.id))
    const sum = async () =>
      await one<{ n: number; sum: number }>(
        `select count(*)::int as n, sum(amount)::int as sum from batch_lines where live and booked_on = $1`,
        [on],
      )
    expect(await sum()).toEqual({ n: 7, sum: 10_100 + 10_200 + 10_300 + 10_400 + 3 * 5500 })
    // Another format that names lines alike.
    const sheet = await writeSheet({
      sheets: [
        {
          name: 'S',
          direction: 'ltr',
          columns: ['Date', 'Amount', 'Reference'].map((header) => ({ header, key: header, type: 'text' as const })),
          rows: [
            { Date: on, Amount: '101.00', Reference: 'DUP-1' },
            { Date: on, Amount: '105.00', Reference: 'DUP-5' },
          ],
        },
      ],
    })
    const excel = await preview(sheet, 'sheet.xlsx')
    expect([excel.batch.format, ...excel.lines.map((l: any) => l.state)]).toEqual(['xlsx', 'duplicate', 'unmatched'])
    // A person knows better: it was paid twice.
    const counted = ok(await finance('PUT', `/payments/batches/lines/${excel.lines[0].id}`, { do: 'again' }))
    expect(counted.state).toBe('unmatched')
    ok(await save(excel.batch.id))
    expect((await sum()).n).toBe(9)
    // Once deleted, its lines are new again.
    ok(await remove(first.id))
    expect((await preview(file)).lines.map((l: any) => l.state)).toEqual(
      ['unmatched', 'duplicate', 'unmatched', 'unmatched'].map((s, i) => (i === 1 ? 'unmatched' : s)),
    )
    await sound()
  })

  it('of two people who save at once one does, and of two files with the same lines each line is booked once', async () => {
    const on = newDay()
    const { batch } = await preview(csv(`${on},1.00,AT-1,,`, `${on},2.00,AT-2,,`))
    const colleague = await u.as('finance_officer')
    const both = await Promise.all([save(batch.id), save(batch.id, colleague)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    const [x, y] = [
      await preview(csv(`${on},3.00,AT-3,,`, `${on},4.00,AT-4,,`)),
      await preview(csv(`${on},4.00,AT-4,,`, `${on},5.00,AT-5,,`)),
    ]
    const saved = await Promise.all([save(x.batch.id), save(y.batch.id, colleague)])
    expect(saved.map((answer) => answer.status)).toEqual([200, 200])
    const rows = await q<{ reference: string; n: number }>(
      `select reference, count(*)::int as n from batch_lines where live and booked_on = $1 group by 1 order by 1`,
      [on],
    )
    expect(rows).toEqual([1, 2, 3, 4, 5].map((n) => ({ reference: `AT-${n}`, n: 1 })))
    // The database keeps it, whoever writes.
    await expect(
      u.database.pool
        .query(`insert into batch_lines (batch_id, bank_id, line, booked_on, amount, direction, state, fingerprint, live)
        select batch_id, bank_id, 99, booked_on, amount, 'out', 'not_booked', fingerprint, true from batch_lines where live and reference = 'AT-3'`),
    ).rejects.toMatchObject({ constraint: 'batch_line_twice' })
    await expect(
      u.database.pool
        .query(`insert into batch_lines (batch_id, bank_id, line, booked_on, amount, direction, state, fingerprint, live)
        select batch_id, bank_id, 99, booked_on, amount, 'in', 'unmatched', 'new', true from batch_lines where live and reference = 'AT-3'`),
    ).rejects.toMatchObject({ constraint: 'batch_line_not_booked' })
  })

  it('lines that cannot be read stop saving until they are left out; other currencies and other accounts are left', async () => {
    const on = newDay()
    const { batch, lines } = await preview(
      [
        'Date,Amount,Currency,Reference',
        `${on},10.00,EGP,OK-1`,
        `${on},ten,EGP,OK-2`,
        `${on},5.00,USD,OK-3`,
        `31/31/2026,5.00,EGP,OK-4`,
        `${on},7.00,EGP,=1+1`,
      ].join('\n'),
    )
    expect(lines.map((l: any) => [l.state, l.why?.code ?? null])).toEqual([
      ['unmatched', null],
      ['wrong', 'file_amount'],
      ['not_booked', 'batch_currency'],
      ['wrong', 'file_day'],
      ['wrong', 'file_formula'],
    ])
    expect(lines[4].why.en).toContain('formulas are not computed')
    const refused = await save(batch.id)
    expect([refused.status, ...reasons(refused), refused.body.errors[0].data.count]).toEqual([
      409,
      'batch_wrong_lines',
      3,
    ])
    for (const line of lines.filter((l: any) => l.state === 'wrong')) {
      expect(line.abilities).toEqual(['leave'])
      ok(await finance('PUT', `/payments/batches/lines/${line.id}`, { do: 'leave', reason: 'Mistyped by the bank' }))
      expect(reasons(await finance('PUT', `/payments/batches/lines/${line.id}`, { do: 'again' }))).toEqual([
        'batch_line_stays',
      ])
    }
    ok(await save(batch.id))
    expect(await q(`select reference from batch_lines where batch_id = $1 and live order by 1`, [batch.id])).toEqual([
      { reference: 'OK-1' },
    ])
    // A statement of somebody else's account.
    const other = await send(finance, mt940File(), 'statement.sta')
    expect([other.status, ...reasons(other)]).toEqual([422, 'batch_file_of_other@file'])
    const { id } = await one<{ id: number }>(`select max(id) as id from batches`)
    const failed = await show(id)
    expect([failed.data.status, failed.data.problem.code]).toEqual(['failed', 'batch_file_of_other'])
    ok(await remove(id))
  })

  it('hostile and foreign files are refused with words, and nothing of them is kept', async () => {
    const before = await one<{ n: number }>('select count(*)::int as n from batch_lines')
    const xml = camtFile('02')
    const laughs = xml.replace('<Document', '<!DOCTYPE Document [<!ENTITY a "ha">]><Document')
    for (const [content, name, code] of [
      [laughs, 'a.xml', 'file_xml_doctype@file'],
      [xml.replace('Mona Ali', '&boom;'), 'a.xml', 'file_xml_broken@file'],
      ['<a>'.repeat(5000), 'a.xml', 'file_no_statement@file'],
      ['<html><body>x</body></html>', 'a.xml', 'file_type_error@file'],
      ['MZ\u0000\u0001\u0002', 'a.txt', 'file_type_error@file'],
      ['Date,Amount\n', 'a.csv', 'batch_no_lines@file'],
    ] as const) {
      const answer = await send(finance, content, name)
      expect([name, content.slice(0, 20), answer.status, ...reasons(answer)]).toEqual([
        name,
        content.slice(0, 20),
        422,
        code,
      ])
      expect(answer.body.errors[0].en.length).toBeGreaterThan(10)
    }
    const batches = await one('select count(*)::int as n from batches')
    const unknown = await send(finance, csv('2026-03-01,1.00,X,,'), 'a.csv', 999_999)
    expect([unknown.status, reasons(unknown)]).toEqual([422, ['lookup_not_found@bank_id']])
    expect(await one('select count(*)::int as n from batches')).toEqual(batches)
    expect(await one('select count(*)::int as n from batch_lines')).toEqual(before)
  })

  it('camt.053 and MT940 come in as CSV does', async () => {
    await u.database.pool.query(
      `update banks set iban = 'EG380019000500000000263180002', account_number = '0005263180' where id = 1`,
    )
    const camt = await preview(camtFile('08'), 'statement.xml')
    expect([
      camt.batch.format,
      camt.batch.notes,
      camt.lines.map((l: any) => [l.line, l.part, l.state, l.why?.code ?? null]),
    ]).toEqual([
      'camt',
      [],
      [
        // The text names the code of a student of the demo university.
        [1, 0, 'matched', null],
        [2, 1, 'unmatched', null],
        [2, 2, 'unmatched', null],
        [3, 0, 'not_booked', 'batch_reversal'],
        [4, 0, 'not_booked', 'batch_pending'],
      ],
    ])
    expect(camt.batch.statements).toEqual([
      { account: 'EG380019000500000000263180002', number: 'S-1', currency: 'EGP', opening: 100_000, closing: 117_500 },
    ])
    // A statement of somebody else's account in the same file is left.
    const [own] = /<Stmt>.*<\/Stmt>/s.exec(camtFile('08'))!
    const both = await preview(
      camtFile('08').replace(
        '</Stmt>',
        () => `</Stmt>${own.replaceAll('EG380019000500000000263180002', 'EG380019000500000000263180003')}`,
      ),
      'both.xml',
    )
    expect(both.lines.slice(5).map((l: any) => l.why?.code)).toEqual(
      Array.from({ length: 5 }, () => 'batch_other_account'),
    )
    ok(await remove(both.batch.id))
    ok(await save(camt.batch.id))
    const mt = await preview(mt940File(), 'statement.sta')
    expect([mt.batch.format, mt.lines.map((l: any) => l.why?.code ?? l.state)]).toEqual([
      'mt940',
      ['matched', 'batch_outgoing', 'batch_reversal'],
    ])
    ok(await remove(mt.batch.id))
  })

  it('what a statement tells as one entry and a notification in parts is booked once, whichever comes first', async () => {
    const file = (on: string, name: string, inner: string, message = ['053', 'BkToCstmrStmt', 'Stmt']) =>
      `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message[0]}.001.08"><${message[1]}><${message[2]}><Id>${name}</Id><Acct><Id><IBAN>EG380019000500000000263180002</IBAN></Id><Ccy>EGP</Ccy></Acct><Ntry><Amt Ccy="EGP">80.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${on}</Dt></BookgDt><AcctSvcrRef>${name}</AcctSvcrRef>${inner}</Ntry></${message[2]}></${message[1]}></Document>`
    const part = (id: string, amount: string) =>
      `<TxDtls><Refs><EndToEndId>${id}</EndToEndId><AcctSvcrRef>OWN-${id}</AcctSvcrRef></Refs><Amt Ccy="EGP">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`
    const parts = (second = '30.00') => `<NtryDtls>${part('P-1', '50.00')}${part('P-2', second)}</NtryDtls>`
    const notification = ['054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn']
    const states = ({ lines }: { lines: { state: string }[] }) => lines.map((line) => line.state)
    for (const wholeFirst of [true, false]) {
      const [on, name] = [newDay(), `ENTRY-${wholeFirst}`]
      const whole = file(on, name, '')
      const split = file(on, name, parts(), notification)
      const first = await preview(wholeFirst ? whole : split, 'first.xml')
      // Both are read before one is saved: saving looks again.
      const second = await preview(wholeFirst ? split : whole, 'second.xml')
      expect([...states(first), ...states(second)]).not.toContain('duplicate')
      ok(await save(first.batch.id))
      expect(reasons(await save(second.batch.id))).toEqual(['batch_nothing_new'])
      ok(await remove(second.batch.id))
      const again = await preview(wholeFirst ? split : whole, 'again.xml')
      expect(states(again)).toEqual(again.lines.map(() => 'duplicate'))
      ok(await remove(again.batch.id))
      // Another amount is another movement, whatever the bank calls it.
      const other = await preview(
        wholeFirst
          ? file(on, name, parts('31.00').replace('50.00', '49.50'), notification).replace('>80.00<', '>80.50<')
          : whole.replace('80.00', '81.00'),
        'other.xml',
      )
      expect(states(other)).not.toContain('duplicate')
      ok(await remove(other.batch.id))
    }
  })

  it('money of another currency is not booked where only its amount says so, nor a table of another account', async () => {
    const on = newDay()
    const { batch, lines } = await preview(
      `Date,Amount,Reference\n${on},"579.68 USD",X-1\n${on},"EGP 5.00",X-2\n`,
      'mixed.csv',
    )
    expect(lines.map((l: any) => [l.currency, l.why?.code ?? l.state])).toEqual([
      ['USD', 'batch_currency'],
      ['EGP', 'unmatched'],
    ])
    ok(await remove(batch.id))
    const other = await send(
      finance,
      `Account number,9998887776\nCurrency,EGP\n\nDate,Amount\n${on},5.00\n`,
      'other.csv',
    )
    expect([other.status, ...reasons(other)]).toEqual([422, 'batch_file_of_other@file'])
    const foreign = await preview(`Account number,0005263180\nCurrency,USD\n\nDate,Amount\n${on},5.00\n`, 'foreign.csv')
    expect(foreign.lines.map((l: any) => l.why?.code)).toEqual(['batch_currency'])
    ok(await remove(foreign.batch.id))
    // What is taken is told by the names that people know.
    const page = await send(finance, '<html><body>x</body></html>', 'a.html')
    expect(page.body.errors[0].en).toContain('MT940, OFX, QIF')
  })

  it('columns that nobody knows are asked for, and remembered with the bank', async () => {
    const on = newDay()
    const text = (n: number) => `Wann;Wieviel;Was\n${on};${n},50;M-${n}\n`
    const asked = await preview(text(1), 'm.csv', 2)
    expect([asked.batch.status, asked.batch.asks.headings, asked.lines]).toEqual([
      'columns',
      ['Wann', 'Wieviel', 'Was'],
      [],
    ])
    expect(reasons(await save(asked.batch.id))).toEqual(['step_state'])
    const said = ok(
      await finance('POST', `/payments/batches/columns/${asked.batch.id}`, {
        columns: { booked_on: 'Wann', amount: 'Wieviel', reference: 'Was' },
      }),
    ).paymentsData
    expect([said.batch.status, said.lines[0].amount, said.lines[0].reference]).toEqual(['previewed', 150, 'M-1'])
    const next = await preview(text(2), 'm2.csv', 2)
    expect([next.batch.status, next.lines[0].amount]).toEqual(['previewed', 250])
    // What is read without being asked is not what is remembered: what a person said stays.
    expect((await preview(`Date,Amount\n${on},8.50\n`, 'plain.csv', 2)).batch.status).toBe('previewed')
    expect((await preview(text(4), 'm4.csv', 2)).batch.status).toBe('previewed')
    // Of another bank nothing is known.
    expect((await preview(text(3), 'm3.csv', 1)).batch.status).toBe('columns')
    // A table that was read in part is said otherwise, while nothing is saved.
    const part = await preview(`Datum;Betrag;Zweck;Wer\n${on};7,25;Fees;Mona Ali\n`, 'part.csv', 1)
    expect([part.batch.status, part.batch.asks, part.lines[0].counterparty]).toMatchObject([
      'previewed',
      { lacking: [], headings: ['Datum', 'Betrag', 'Zweck', 'Wer'] },
      null,
    ])
    const whole = ok(
      await finance('POST', `/payments/batches/columns/${part.batch.id}`, {
        columns: { booked_on: 'Datum', amount: 'Betrag', description: 'Zweck', counterparty: 'Wer' },
      }),
    ).paymentsData
    expect(whole.lines[0]).toMatchObject({ description: 'Fees', counterparty: 'Mona Ali' })
    ok(await save(part.batch.id))
    const again = { columns: { booked_on: 'Datum', amount: 'Betrag' } }
    const late = await finance('POST', `/payments/batches/columns/${part.batch.id}`, again)
    expect([late.status, reasons(late)]).toEqual([409, ['batch_over']])
    // Nor while it is being read.
    const stands = (status: string) => q('update batches set status = $2 where id = $1', [next.batch.id, status])
    await stands('reading')
    const columns = { booked_on: 'Wann', amount: 'Wieviel', reference: 'Was' }
    expect(reasons(await finance('POST', `/payments/batches/columns/${next.batch.id}`, { columns }))).toEqual([
      'batch_over',
    ])
    await stands('previewed')
    ok(await remove(part.batch.id))
  })

  it('a slip that waits is booked by the line, one that was taken is not booked again, one that was cancelled meanwhile is', async () => {
    const on = newDay()
    const [, , , d] = students as any[]
    const invoice = await m.invoice(d.id, [[9000, 30]])
    const slip = (status = 'pending') => m.transaction(d.id, 3000, { way: 'slip', invoice, status })
    const number = async (id: number) =>
      (await one<{ number: string }>('select number from transactions where id = $1', [id])).number
    const [waits, taken, cancelled] = [await slip(), await slip(), await slip()]
    const { batch, lines } = await preview(
      csv(
        `${on},30.00,${await number(waits)},,`,
        `${on},30.00,,,transfer ${(await number(taken)).replace('-', ' ')}`,
        `${on},30.00,${await number(cancelled)},,`,
      ),
    )
    expect(lines.map((l: any) => [l.state, l.match_by, l.transaction?.id])).toEqual(
      [waits, taken, cancelled].map((id) => ['matched', 'slip', id]),
    )
    const { bookTransactions } = await import('#areas/money/transactions/book.server.ts')
    const { asSystem } = await import('#kit/server/unit/request.ts')
    const ctx = asSystem(u.services, 'test')
    await ctx.write((tx) => bookTransactions(ctx, tx, [taken]))
    await u.database.pool.query(`update transactions set status = 'cancelled' where id = $1`, [cancelled])
    ok(await save(batch.id))
    expect(await m.stands(invoice)).toEqual([9000, 9000])
    const after = (await show(batch.id)).lines
    expect(
      after.map((l: any) => [
        l.state,
        l.why?.code ?? null,
        l.transaction?.id === [waits, taken, cancelled][after.indexOf(l)],
      ]),
    ).toEqual([
      ['matched', null, true],
      ['not_booked', 'batch_paid_already', true],
      ['matched', null, false],
    ])
    // Deleting takes back what came by the file alone.
    ok(await remove(batch.id))
    expect(await m.stands(invoice)).toEqual([3000, 9000])
  })

  it('money that is decided at the moment in which a file books it stops the file, and nothing of it is booked', async () => {
    const on = newDay()
    const [, , , d] = students as any[]
    const slip = await m.transaction(d.id, 3100, { way: 'slip', status: 'pending' })
    await q('update transactions set bank_id = 1 where id = $1', [slip])
    const number = (await one<{ number: string }>('select number from transactions where id = $1', [slip])).number
    const { batch, lines } = await preview(csv(`${on},31.00,${number},,`, `${on},1.00,CM-1,,`))
    expect(lines.map((l: any) => [l.state, l.transaction?.id ?? null])).toEqual([
      ['matched', slip],
      ['unmatched', null],
    ])
    const other = await u.database.pool.connect()
    try {
      await other.query('begin')
      await other.query(`update transactions set status = 'cancelled' where id = $1`, [slip])
      const saving = save(batch.id)
      // The file has seen the slip wait, and waits for it itself.
      await expect
        .poll(
          async () =>
            (
              await q(
                `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%transactions%'`,
              )
            ).length,
          { timeout: 20_000 },
        )
        .toBeGreaterThan(0)
      await other.query('commit')
      const answer = await saving
      expect([answer.status, reasons(answer)]).toEqual([409, ['batch_changed_meanwhile']])
    } finally {
      await other.query('rollback')
      other.release()
    }
    expect(
      await q('select from batch_lines where batch_id = $1 and (live or entry_id is not null)', [batch.id]),
    ).toEqual([])
    // Looked at again, the slip is over, and the money is the payer's by itself.
    ok(await save(batch.id))
    expect(await q('select from batch_lines where batch_id = $1 and live', [batch.id])).toHaveLength(2)
    ok(await remove(batch.id))
    await sound()
  })

  it('a slip that was paid twice is one payment and another one; what is called so at another bank is nothing of it', async () => {
    const on = newDay()
    const [, , , d, , , , h] = students as any[]
    const invoice = await m.invoice(h.id, [[4000, 30]])
    const slip = await m.transaction(h.id, 4000, { way: 'slip', invoice })
    const { number } = await one<{ number: string }>('select number from transactions where id = $1', [slip])
    const { batch, lines } = await preview(csv(`${on},40.00,${number},,`, `${on},40.00,,,again ${number}`))
    expect(lines.map((l: any) => [l.state, l.payer?.code])).toEqual([
      ['matched', h.code],
      ['matched', h.code],
    ])
    ok(await save(batch.id))
    expect([await m.stands(invoice), await m.wallet(h.id)]).toEqual([[4000, 4000], 4000])
    // Once more, in a later file; and what was accepted by hand is told by the first line of it only.
    const later = await preview(csv(`${newDay()},40.00,${number},,`))
    expect(later.lines.map((l: any) => [l.state, l.payer?.code, l.transaction])).toEqual([['matched', h.code, null]])
    ok(await save(later.batch.id))
    expect([await m.stands(invoice), await m.wallet(h.id)]).toEqual([[4000, 4000], 8000])
    const accepted = await m.transaction(h.id, 500, { way: 'slip' })
    const { bookTransactions } = await import('#areas/money/transactions/book.server.ts')
    const { asSystem } = await import('#kit/server/unit/request.ts')
    const ctx = asSystem(u.services, 'test')
    await ctx.write((tx) => bookTransactions(ctx, tx, [accepted]))
    const called = (await one<{ number: string }>('select number from transactions where id = $1', [accepted])).number
    const twice = await preview(csv(`${newDay()},5.00,${called},,`, `${newDay()},5.00,,,${called} again`))
    expect(twice.lines.map((l: any) => [l.state, l.transaction?.id ?? null])).toEqual([
      ['not_booked', accepted],
      ['matched', null],
    ])
    ok(await save(twice.batch.id))
    expect(await m.wallet(h.id)).toBe(9000)
    await sound()

    const elsewhere = await m.transaction(d.id, 1111, { way: 'slip' })
    await u.database.pool.query(`update transactions set bank_id = 2, bank_reference = 'FT-ELSE-1' where id = $1`, [
      elsewhere,
    ])
    const other = await preview(csv(`${on},11.11,FT-ELSE-1,,`))
    expect(other.lines[0].state).toBe('unmatched')
    ok(await remove(other.batch.id))
  })

  it('what people said of an account three times decides the next line; a name, two payers or no debt only propose', async () => {
    const [, , , , , , , , a, b] = students as any[]
    await m.invoice(a.id, [[900_000, 30]])
    const IBAN = 'EG380019000500000000263180777'
    const OTHER = 'EG380019000500000000263180778'
    const sheet = (...lines: [amount: string, iban: string, who: string][]) => {
      const on = newDay()
      return [
        'Date,Amount,IBAN,Payer name',
        ...lines.map(([amount, iban, who]) => `${on},${amount},${iban},${who}`),
      ].join('\n')
    }
    const match = async (line: any, payer: any) => {
      const [found] = ok(await finance('POST', `/payments/batches/candidates/${line.id}`, { search: payer.code }))
      return ok(await finance('PUT', `/payments/batches/lines/${line.id}`, { do: 'match', payer_id: found.payer.id }))
    }
    const told = (line: any) => [
      line.state,
      line.match_by,
      line.payer?.code ?? null,
      line.proposals.map((one: any) => [one.payer.code, one.why, one.by, one.times]),
    ]
    // Twice: proposed. Each time somebody says it, before the file is saved or after.
    for (const [i, amount] of ['101.00', '102.00', '103.00'].entries()) {
      const { batch, lines } = await preview(sheet([amount, IBAN, 'Adel Fouad Trading']))
      expect(told(lines[0])).toEqual(
        i === 0 ? ['unmatched', null, null, []] : ['proposed', null, null, [[a.code, 'learned', 'account', i]]],
      )
      if (i === 1) {
        ok(await save(batch.id))
        await match((await show(batch.id)).lines[0], a)
      } else {
        await match(lines[0], a)
        ok(await save(batch.id))
      }
    }
    // From the fourth on it is known, and says why; a name alone, in another account, is proposed.
    const next = await preview(
      sheet(['104.00', IBAN, 'Adel Fouad Trading'], ['105.00', OTHER, 'TRADING Fouad Adel'], ['106.00', OTHER, 'Adel']),
    )
    expect(next.lines.map(told)).toEqual([
      ['matched', 'learned', a.code, [[a.code, 'learned', 'account', 3]]],
      ['proposed', null, null, [[a.code, 'learned', 'name', 3]]],
      ['unmatched', null, null, []],
    ])
    ok(await save(next.batch.id))
    expect((await show(next.batch.id)).lines[0]).toMatchObject({
      state: 'matched',
      match_by: 'learned',
      transaction: { number: expect.any(String) },
    })
    await sound()
    const list = async (search = IBAN) => ok(await finance('POST', '/payments/batches/learned', { search }))
    // What the program said by itself is no witness.
    expect(await list()).toMatchObject([
      {
        id: `account ${IBAN}`,
        by: 'account',
        times: 3,
        effect: 'decides',
        payers: [{ code: a.code }],
        payers_count: 1,
      },
    ])
    // Said otherwise once: of two payers none is taken.
    const other = await preview(sheet(['107.00', IBAN, '']))
    expect(told(other.lines[0])[1]).toBe('learned')
    await match(other.lines[0], b)
    ok(await save(other.batch.id))
    expect(await list()).toMatchObject([{ times: 4, effect: 'proposes', payers_count: 2 }])
    const doubt = await preview(sheet(['108.00', IBAN, '']))
    expect(told(doubt.lines[0])).toEqual([
      'proposed',
      null,
      null,
      [
        [a.code, 'learned', 'account', 3],
        [b.code, 'learned', 'account', 1],
      ],
    ])
    ok(await remove(doubt.batch.id))
    // A payment that is taken back is no witness either; then nothing is owed, and it is only proposed.
    ok(await remove(other.batch.id))
    await u.database.pool.query(
      `update invoices set reversed_at = now(), reversed_reason = 'Test' where payer_id in (select id from payers where student_id = $1) and reversed_at is null`,
      [a.id],
    )
    const paid = await preview(sheet(['109.00', IBAN, '']))
    expect(told(paid.lines[0])).toEqual(['proposed', null, null, [[a.code, 'learned', 'account', 3]]])
    ok(await remove(paid.batch.id))
    await u.database.pool.query(
      `update invoices set reversed_at = null, reversed_reason = null where reversed_reason = 'Test' and payer_id in (select id from payers where student_id = $1)`,
      [a.id],
    )
    // Forgotten by who may save files, with a reason; said again, it counts again.
    const forget = (key: string, who: Caller = finance) =>
      who('PUT', '/payments/batches/learned/forget', { key, reason: 'The account was sold' })
    expect((await forget(`account ${IBAN}`, await u.as('cashier'))).status).toBe(403)
    ok(await forget('account EG00'))
    ok(await forget(`account ${IBAN}`))
    expect(await list()).toEqual([])
    // Twice is once, and of what nobody said nothing is noted.
    ok(await forget(`account ${IBAN}`))
    expect(await q('select key from forgotten_matches')).toEqual([{ key: `account ${IBAN}` }])
    const anew = await preview(sheet(['110.00', IBAN, '']))
    expect(told(anew.lines[0]).slice(0, 3)).toEqual(['proposed', null, null])
    expect(anew.lines[0].proposals[0].why).toBe('iban')
    await match(anew.lines[0], a)
    ok(await save(anew.batch.id))
    expect(await list()).toMatchObject([{ times: 1, effect: 'proposes' }])
  })

  it('what went out, or was turned round, is not taken for money that came in because it stands in two files', async () => {
    await u.database.pool.query(
      `update banks set iban = 'EG380019000500000000263180002', account_number = '0005263180' where id = 1`,
    )
    const first = await preview(mt940File(), 'first.sta')
    ok(await save(first.batch.id))
    const again = await preview(mt940File(), 'again.sta')
    expect(again.lines.map((l: any) => l.state)).toEqual(['duplicate', 'duplicate', 'duplicate'])
    for (const [i, code] of [
      [1, 'batch_outgoing'],
      [2, 'batch_reversal'],
    ] as const) {
      const line = ok(await finance('PUT', `/payments/batches/lines/${again.lines[i].id}`, { do: 'again' }))
      expect([line.state, line.why?.code]).toEqual(['not_booked', code])
    }
    await expect(
      u.database.pool.query(`update batch_lines set state = 'unmatched' where id = $1`, [again.lines[1].id]),
    ).rejects.toThrow('batch_line_came_in')
    ok(await save(again.batch.id))
    expect(
      await q(`select from batch_lines where batch_id = $1 and (entry_id is not null or state = 'matched')`, [
        again.batch.id,
      ]),
    ).toEqual([])
    ok(await remove(again.batch.id))
    ok(await remove(first.batch.id))
  })

  it('a file whose last line cannot be booked is not booked at all', async () => {
    const on = newDay()
    const { batch } = await preview(csv(`${on},10.00,WHOLE-1,,`, `${on},20.00,WHOLE-2,,`))
    const [trigger, count] = [
      'refuse_here',
      () => one<{ n: number }>(`select count(*)::int as n from ledger_entries`),
    ] as const
    await u.database.pool.query(`create function ${trigger}() returns trigger language plpgsql as $$
      begin raise exception 'Not now'; end $$`)
    await u.database.pool.query(
      `create trigger ${trigger} before update on batches for each row when (new.status = 'saved') execute function ${trigger}()`,
    )
    const before = await count()
    expect((await save(batch.id)).status).toBe(500)
    expect(await count()).toEqual(before)
    expect(await q('select from batch_lines where batch_id = $1 and live', [batch.id])).toEqual([])
    await u.database.pool.query(`drop function ${trigger} cascade`)
    ok(await save(batch.id))
    expect((await count()).n).toBe(before.n + 2)
  })

  it('what was paid back cannot be deleted under it, and a wallet that was spent is not overdrawn', async () => {
    const on = newDay()
    const [, , , , e] = students as any[]
    const { batch } = await preview(csv(`${on},80.00,,,${e.code}`))
    ok(await save(batch.id))
    expect(await m.wallet(e.id)).toBe(8000)
    const { transaction } = (await show(batch.id)).lines[0]
    const refund = await one<{ id: number }>(
      `insert into transactions (payer_id, direction, way, purpose, currency, amount, status, refund_of)
       select payer_id, 'out', 'bank', 'refund', currency, 100, 'pending', id from transactions where id = $1 returning id`,
      [transaction.id],
    )
    expect(reasons(await remove(batch.id))).toEqual(['transaction_refunded'])
    await u.database.pool.query(`update transactions set status = 'failed' where id = $1`, [refund.id])
    const invoice = await m.invoice(e.id, [[5000, 30]])
    const { bookTransactions } = await import('#areas/money/transactions/book.server.ts')
    const { asSystem } = await import('#kit/server/unit/request.ts')
    const ctx = asSystem(u.services, 'test')
    const spent = await m.transaction(e.id, 5000, { way: 'wallet', invoice })
    await ctx.write((tx) => bookTransactions(ctx, tx, [spent]))
    const refused = await remove(batch.id)
    expect([refused.status >= 400, reasons(refused)[0]?.split('@')[0]]).toEqual([true, 'wallet_negative'])
    expect((await show(batch.id)).data.status).toBe('saved')
  })

  it('a person says whose a line is, for an invoice of that payer alone, and of two who say it one is told', async () => {
    const on = newDay()
    const [a, b, , , , f] = students as any[]
    const mine = await m.invoice(f.id, [[700, 30]])
    const theirs = await m.invoice(a.id, [[700, 30]])
    const { batch, lines } = await preview(csv(`${on},7.00,WHO-1,,`))
    const [line] = lines
    const found = ok(await finance('POST', `/payments/batches/candidates/${line.id}`, { search: f.code }))
    expect(found.find((one: any) => one.invoice?.id === mine)).toMatchObject({ payer: { code: f.code }, why: 'search' })
    const { payer } = found[0]
    const put = (body: object) => finance('PUT', `/payments/batches/lines/${line.id}`, body)
    expect(reasons(await put({ do: 'match', payer_id: payer.id, invoice_id: theirs }))).toEqual([
      'batch_invoice_of_other@invoice_id',
    ])
    expect(reasons(await put({ do: 'match', payer_id: 2_000_000 }))).toEqual(['batch_payer_unknown@payer_id'])
    const [dollars, over] = [await m.invoice(f.id, [[700, 30]], 'USD'), await m.invoice(f.id, [[700, 30]])]
    ok(await finance('POST', `/payments/reverse-invoice/${over}`, { reason: 'By mistake' }))
    for (const invoice_id of [dollars, over])
      expect(reasons(await put({ do: 'match', payer_id: payer.id, invoice_id }))).toEqual([
        'batch_invoice_of_other@invoice_id',
      ])
    // Nor does a line that names it.
    const named = await preview(csv(`${on},7.01,${await numberOf(over)},,`))
    expect(named.lines[0].state).toBe('unmatched')
    ok(await remove(named.batch.id))
    // Nobody says of money that it is the own.
    const [was] = await q<{ user_id: number }>('select user_id from students where id = $1', [f.id])
    await q('update students set user_id = $2 where id = $1', [f.id, finance.user_id])
    expect(reasons(await put({ do: 'match', payer_id: payer.id, invoice_id: mine }))).toEqual(['own_money'])
    await q('update students set user_id = $2 where id = $1', [f.id, was!.user_id])
    ok(await put({ do: 'match', payer_id: payer.id, invoice_id: mine, version: line.version }))
    expect(reasons(await put({ do: 'match', payer_id: await m.payerOf(b.id), version: line.version }))).toEqual([
      'batch_line_changed',
    ])
    expect(ok(await put({ do: 'again' })).state).toBe('unmatched')
    expect(ok(await put({ do: 'leave', reason: 'A donation' }))).toMatchObject({
      state: 'not_booked',
      why: { code: 'batch_left_by_hand' },
    })
    expect(ok(await put({ do: 'again' })).state).toBe('unmatched')
    ok(await put({ do: 'match', payer_id: payer.id, invoice_id: mine }))
    ok(await save(batch.id))
    expect(await m.stands(mine)).toEqual([700, 700])
    expect(reasons(await put({ do: 'leave', reason: 'No' }))).toEqual(['batch_line_booked'])
    const trail = await q<{ new: any }>(
      `select new from audit_log where table_name = 'batch_lines' and record_id = $1 and new ? 'payer_id'`,
      [batch.id],
    )
    expect(trail.length).toBeGreaterThan(0)
  })

  it('reconciliation tells by day and account what the ledger has, what the bank says, and what is not explained', async () => {
    const on = newDay()
    const [, , , , , , g] = students as any[]
    const { batch } = await preview(csv(`${on},10.00,,,${g.code}`, `${on},20.00,REC-1,,`, `${on},-3.00,,,charges`))
    const day = async () => ok(await finance('POST', '/payments/reconciliation', { from: on, to: on, bank_id: 1 }))
    expect(await day()).toEqual([])
    ok(await save(batch.id))
    expect(await day()).toMatchObject([
      {
        day: on,
        currency: 'EGP',
        ledger: { in: 3000, out: 0 },
        statement: { in: 3000, out: 300 },
        difference: -300,
        unexplained: { lines: 1, amount: 2000 },
      },
    ])
    const found = ok(await finance('POST', '/payments/reconciliation/1', { day: on }))
    expect([found.statement.map((l: any) => [l.amount, l.unexplained]), found.ledger]).toEqual([
      [
        [2000, true],
        [300, false],
      ],
      [],
    ])
    // Money that the ledger has and the bank does not say: a slip that somebody took.
    const slip = await m.transaction(g.id, 4000, { way: 'slip' })
    await u.database.pool.query('update transactions set bank_id = 1 where id = $1', [slip])
    const { bookTransactions } = await import('#areas/money/transactions/book.server.ts')
    const { asSystem } = await import('#kit/server/unit/request.ts')
    const ctx = asSystem(u.services, 'test')
    await ctx.write((tx) => bookTransactions(ctx, tx, [slip], { booked_on: on }))
    expect((await day())[0].difference).toBe(-4300)
    expect(ok(await finance('POST', '/payments/reconciliation/1', { day: on })).ledger).toMatchObject([
      { amount: 4000, payer: { code: g.code }, transaction: { id: slip } },
    ])
    // Once it is known whose the rest is, nothing of it is unexplained.
    const [line] = found.statement
    ok(await finance('PUT', `/payments/batches/lines/${line.id}`, { do: 'match', payer_id: await m.payerOf(g.id) }))
    expect((await day())[0]).toMatchObject({ ledger: { in: 7000, out: 0 }, unexplained: { lines: 0, amount: 0 } })
    expect(
      reasons(await finance('POST', '/payments/reconciliation', { from: '2020-01-01', to: '2026-01-01' })),
    ).toEqual(['reconciliation_days@to'])
    const open = ok(
      await finance('POST', '/payments/reconciliation', { from: '2026-03-01', to: '2026-03-31', open: true }),
    )
    expect(open.every((row: any) => row.difference !== 0 || row.unexplained.lines > 0)).toBe(true)
  })

  it('and what lies with providers, with the fees that they told of these days', async () => {
    const [on, next] = [newDay(), newDay()]
    const [, , , , , , g] = students as any[]
    const { bookTransactions } = await import('#areas/money/transactions/book.server.ts')
    const { asSystem } = await import('#kit/server/unit/request.ts')
    const ctx = asSystem(u.services, 'test')
    const pay = async (day: string, amount: number, fee: number) => {
      const id = await m.transaction(g.id, amount, { way: 'mobile' })
      await ctx.write((tx) => bookTransactions(ctx, tx, [id], { booked_on: day }))
      await u.database.pool.query(
        `insert into provider_events (provider, verdict, judged_at, status, amount, currency, fee, transaction_id)
         values ('fawry', 'booked', now(), 'paid', $2, 'EGP', $3, $1)`,
        [id, amount, fee],
      )
      return id
    }
    const of = async (body: object) =>
      (await finance('POST', '/payments/reconciliation', { from: on, to: on, ...body })).body.providers.find(
        (row: any) => row.way === 'mobile',
      )
    // What came before these days lies there too.
    const before = (await of({}))?.balance ?? 0
    await pay(on, 5000, 200)
    await pay(on, 3000, 100)
    await pay(next, 1000, 50)
    expect(await of({})).toEqual({
      way: 'mobile',
      currency: 'EGP',
      ledger: { in: 8000, out: 0 },
      fees: 300,
      balance: before + 8000,
    })
    expect(await of({ to: next })).toMatchObject({ ledger: { in: 9000, out: 0 }, fees: 350, balance: before + 9000 })
    expect(await of({ from: next, to: next })).toMatchObject({ ledger: { in: 1000 }, fees: 50, balance: before + 9000 })
    expect(await of({ bank_id: 1 })).toBeUndefined()
  })

  it('a large file is read and saved by jobs, which tell how far they are', async () => {
    const on = newDay()
    const many = csv(...Array.from({ length: 9000 }, (_, i) => `${on},${i + 1}.00,BIG-${i},Payer ${i},Fees`))
    const sent = ok(await send(finance, many, 'large.csv'))
    const { batch, job_id } = sent.paymentsData
    expect([sent.success, batch.status, typeof job_id]).toEqual([false, 'reading', 'string'])
    const done = async (job: string) => {
      for (let i = 0; i < 900; i++) {
        const { state, error } = (await finance('GET', `/jobs/${job}`)).body.data
        if (state === 'done') return
        if (state === 'failed') throw new Error(JSON.stringify(error))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error('never done')
    }
    await done(job_id)
    const read = await show(batch.id, { perPage: 10 })
    expect([read.data.status, read.data.sums.unmatched.lines, read.lines.length, read.meta.count]).toEqual([
      'previewed',
      9000,
      10,
      9000,
    ])
    const saving = await save(batch.id)
    expect(saving.body.data.status).toBe('previewed')
    await done(saving.body.job_id)
    expect((await show(batch.id, { perPage: 1 })).data).toMatchObject({
      status: 'saved',
      booked: { unexplained: { lines: 9000 } },
    })
  }, 360_000)

  it('who keeps no money of the whole university sees nothing of it, and changes nothing', async () => {
    const on = newDay()
    const { batch, lines } = await preview(csv(`${on},1.00,SECRET-1,Somebody,`))
    const { faculty_id } = await one<{ faculty_id: number }>('select faculty_id from students limit 1')
    const others = [
      await u.as('finance_officer', ['faculty', faculty_id]),
      await u.as('registrar'),
      await u.as('cashier'),
      await u.signIn(students[0]!.user_id),
    ]
    for (const who of others) {
      expect((await send(who, csv(`${on},1.00,X,,`))).status).toBe(403)
      for (const [method, path, body] of [
        ['POST', '/payments/batches', {}],
        ['POST', `/payments/batches/${batch.id}`, {}],
        ['POST', '/payments/imported_payments', {}],
        ['POST', '/payments/reconciliation', {}],
        ['POST', '/payments/reconciliation/1', { day: on }],
        ['POST', `/payments/batches/candidates/${lines[0].id}`, { search: 'a' }],
        ['PUT', `/payments/batches/lines/${lines[0].id}`, { do: 'leave', reason: 'Mine' }],
      ] as const)
        expect([path, (await who(method, path, body)).status]).toEqual([path, 403])
      for (const path of [`/payments/batches/import_save/${batch.id}`, `/payments/batches/delete/${batch.id}`])
        expect([403, 404]).toContain((await who('POST', path, { reason: 'Mine' })).status)
    }
    expect((await u.nobody('POST', '/payments/batches', {})).status).toBe(401)
    expect((await show(batch.id)).data.status).toBe('previewed')
  })
})
