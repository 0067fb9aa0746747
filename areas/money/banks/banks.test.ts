import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { accountProblems, groupedIban, ibanProblem, writtenIban } from './banks/bank.rules.ts'

describe('how accounts are written', () => {
  it('an IBAN has its shape, the length of its country and right check digits', () => {
    const right = [
      'EG380019000500000000263180002',
      'DE89370400440532013000',
      'GB82WEST12345698765432',
      'NO9386011117947',
    ]
    for (const iban of right) expect(ibanProblem(iban)).toBeNull()
    expect(ibanProblem('EG38001900050000000026318000')).toMatchObject({ code: 'bank_iban_length' })
    // One digit wrong, two exchanged.
    expect(ibanProblem('EG380019000500000000263180003')).toMatchObject({ code: 'bank_iban_check' })
    expect(ibanProblem('EG380019000500000000623180002')).toMatchObject({ code: 'bank_iban_check' })
    expect(ibanProblem('38EG0019000500000000263180002')).toMatchObject({ code: 'bank_iban_shape' })
    // Of a country without a length in the registry the check digits decide.
    expect(ibanProblem('ZZ0300190005000000002631')).toMatchObject({ code: 'bank_iban_check' })
  })

  it('spaces, small letters and Arabic digits are written as machines do', () => {
    expect(writtenIban(' eg38 0019-0005 0000 0000 2631 8000 ٢ ')).toBe('EG380019000500000000263180002')
    expect(writtenIban('  ')).toBeNull()
    expect(groupedIban('EG380019000500000000263180002')).toBe('EG38 0019 0005 0000 0000 2631 8000 2')
  })

  it('every mistake is told at once', () => {
    const problems = accountProblems({ account_number: '??', iban: 'EG1', swift: 'NBE' })
    expect(problems.map(({ code }) => code)).toEqual(['bank_account_number', 'bank_iban_shape', 'bank_swift_shape'])
    const abroad = accountProblems({ account_number: '123', iban: 'DE89370400440532013000', swift: 'NBEGEGCX' })
    expect(abroad.map(({ code }) => code)).toEqual(['bank_swift_country'])
  })
})

describe('banks, currencies and notes', () => {
  let u: TestUniversity
  let finance: Caller
  let student: Caller
  let registrar: Caller
  const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> =>
    (await u.database.pool.query(text, values)).rows[0] as Row
  beforeAll(async () => {
    u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
    finance = await u.as('finance_officer')
    registrar = await u.as('registrar')
    student = await u.signIn(
      (await one<{ user_id: number }>('select user_id from students where user_id is not null limit 1')).user_id,
    )
  }, 540_000)
  afterAll(() => u?.close())
  const egp = () => one<{ id: number }>(`select id from currencies where code = 'EGP'`)
  const account = async (more: object = {}) => ({
    code: 'T-BANK',
    name: 'Bank of a test',
    name_local: 'بنك للتجربة',
    account_number: '0005-263180',
    currency_id: (await egp()).id,
    ...more,
  })

  it('an account is kept as machines write it, refused with every reason, and no IBAN is there twice', async () => {
    const bad = await finance(
      'PUT',
      '/banks',
      await account({ iban: 'EG38 0019 0005 0000 0000 2631 8000 3', swift: 'nbe' }),
    )
    expect([bad.status, ...reasons(bad)]).toEqual([422, 'bank_iban_check@iban', 'bank_swift_shape@swift'])
    const iban = 'eg38 0019 0005 0000 0000 2631 8000 2'
    const bank = ok(await finance('PUT', '/banks', await account({ iban, swift: 'nbegegcx' })))
    expect([bank.iban, bank.swift, bank.is_active]).toEqual(['EG380019000500000000263180002', 'NBEGEGCX', false])
    const again = await finance('PUT', '/banks', await account({ code: 'T-2', iban }))
    expect(reasons(again)[0]).toMatch(/^bank_iban_taken/)
    await expect(
      u.database.pool.query(`update banks set iban = 'nothing' where id = ${bank.id}`),
    ).rejects.toMatchObject({ constraint: 'bank_iban_shape' })
    // Removed, it leaves its IBAN to another.
    expect((await finance('DELETE', `/banks/${bank.id}`)).status).toBe(200)
    expect((await finance('PUT', '/banks', await account({ code: 'T-3', iban }))).status).toBe(200)
    expect(reasons(await finance('POST', `/banks/restore/${bank.id}`))[0]).toMatch(/^bank_iban_taken/)
    // Each has an account of the ledger of its own.
    const { n } = await one<{ n: number }>(
      `select count(distinct a.id)::int as n from banks b join ledger_accounts a on a.id = b.ledger_account_id
       where a.kind = 'asset' and a.role is null and b.code in ('T-BANK', 'T-3')`,
    )
    expect(n).toBe(2)
  })

  it('a currency is one of ISO 4217, its digits follow from it, and one that is used stays', async () => {
    const put = (code: string) => finance('PUT', '/banks/currency', { code, name: 'A currency', name_local: 'عملة' })
    expect(reasons(await put('eur'))).toEqual(['currency_code_shape@code'])
    expect(reasons(await put('QQQ'))).toEqual(['currency_unknown@code'])
    expect(ok(await put('KWD')).minor_digits).toBe(3)
    const yen = ok(await put('JPY'))
    expect(yen.minor_digits).toBe(0)
    const renamed = await finance('PUT', `/banks/currency/${yen.id}`, { code: 'EUR' })
    expect(renamed.status).toBe(422)
    expect((await finance('DELETE', `/banks/currency/${yen.id}`)).status).toBe(200)
    const used = await finance('DELETE', `/banks/currency/${(await egp()).id}`)
    expect([used.status, reasons(used)[0]]).toEqual([409, 'in_use'])
    const listed = await finance('POST', '/banks/currency', { search: 'EGP' })
    expect(listed.body.data.map((row: any) => row.code)).toEqual(['EGP'])
  })

  it('payers read the active banks with the notes of each and those of all', async () => {
    const banks = ok(await student('GET', '/bank-info/notes'))
    expect(banks.map((row: any) => [row.currency, row.notes.length])).toEqual([
      ['USD', 2],
      ['EGP', 1],
    ])
    const general = banks[1].notes[0]
    ok(await finance('PUT', `/bank-info/notes/${general.id}`, { is_active: false }))
    expect(ok(await student('GET', '/bank-info/notes'))[1].notes).toEqual([])
    ok(await finance('PUT', `/bank-info/notes/${general.id}`, { is_active: true }))
    ok(await finance('PUT', '/banks/2', { is_active: false }))
    expect(ok(await student('GET', '/bank-info/notes')).map((row: any) => row.currency)).toEqual(['EGP'])
    ok(await finance('PUT', '/banks/2', { is_active: true }))
  })

  it('who does not keep the accounts gets nothing of them', async () => {
    const cashier = await u.as('cashier')
    expect((await cashier('POST', '/banks', {})).status).toBe(200)
    expect((await u.nobody('GET', '/bank-info/notes')).status).toBe(401)
    for (const who of [student, registrar])
      for (const [method, path, body] of [
        ['POST', '/banks', {}],
        ['GET', '/banks/1', undefined],
        ['POST', '/banks/export', {}],
        ['POST', '/bank-info/notes', {}],
      ] as const)
        expect([path, (await who(method, path, body)).status]).toEqual([path, 403])
    for (const who of [student, registrar, cashier])
      for (const [method, path, body] of [
        ['PUT', '/banks', await account()],
        ['PUT', '/banks/1', { branch: 'Elsewhere' }],
        ['DELETE', '/banks/1', undefined],
        ['PUT', '/banks/currency', { code: 'EUR', name: 'Euro', name_local: 'يورو' }],
        ['PUT', '/bank-info/notes', { name: 'A', name_local: 'أ', notes: 'A', notes_local: 'أ' }],
      ] as const)
        expect([path, (await who(method, path, body)).status]).toEqual([path, 403])
  })
})
