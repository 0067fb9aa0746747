import { zipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { dateOrderOf, dayFrom, decimalMarkOf, minorOfBank } from './amount.rules.ts'
import { proposeColumns, readTable } from './columns.rules.ts'
import { decoded, encodingOf } from './decode.server.ts'
import { readBankFile } from './file.server.ts'
import { toldBy } from './mt940.rules.ts'
import { readFile } from './read.server.ts'
import type { FileTask } from './read.server.ts'
import { isFormula } from './statement.rules.ts'
import { camtFile, largeCamt, mt940File } from './samples.server.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string, ways: Partial<FileTask> = {}): any =>
  readFile({ bytes: bytes(text), currency: 'EGP', ...ways })
const failure = (text: string): { code: string; data: Record<string, unknown> } => {
  try {
    read(text)
  } catch (error) {
    return error as never
  }
  throw new Error('it was read')
}

describe('amounts and days', () => {
  it('amounts are whole minor units, however they are written', () => {
    const cases: [text: string, digits: number, mark: '.' | ',', minor: number | null][] = [
      ['1,250.50', 2, '.', 125_050],
      ['1.250,50', 2, ',', 125_050],
      ["1'250.5", 2, '.', 125_050],
      ['1 250,50 €', 2, ',', 125_050],
      ['EGP 12', 2, '.', 1200],
      ['١٬٢٥٠٫٥٠', 2, '.', 125_050],
      ['(12.00)', 2, '.', -1200],
      ['12.00-', 2, '.', -1200],
      ['−0.01', 2, '.', -1],
      ['1.234', 3, '.', 1234],
      ['500', 0, '.', 500],
      ['0.00', 2, '.', 0],
      ['1.2500', 2, '.', 125],
      // Not amounts.
      ['1.255', 2, '.', null],
      ['1,25', 2, '.', null],
      ['12e3', 2, '.', null],
      ['twelve', 2, '.', null],
      ['99999999999999999', 2, '.', null],
      ['', 2, '.', null],
    ]
    for (const [text, digits, mark, minor] of cases)
      expect([text, minorOfBank(text, digits, mark)]).toEqual([text, minor])
    expect(decimalMarkOf(['1,250', '1.250,50'])).toBe(',')
    expect(decimalMarkOf(['1,250', '12.5'])).toBe('.')
    expect(decimalMarkOf(['1,250', '900'])).toBeNull()
  })

  it('days are told by the whole column, and those that are none are refused', () => {
    expect(dateOrderOf(['05/04/2026', '17/04/2026'])).toEqual({ order: 'dmy', doubtful: false })
    expect(dateOrderOf(['04/05/2026', '04/17/2026'])).toEqual({ order: 'mdy', doubtful: false })
    expect(dateOrderOf(['04/05/2026'])).toEqual({ order: 'dmy', doubtful: true })
    const days: [string, 'dmy' | 'mdy' | 'ymd', string | null][] = [
      ['17/04/2026', 'dmy', '2026-04-17'],
      ['04/17/26', 'mdy', '2026-04-17'],
      ['17.4.2026', 'dmy', '2026-04-17'],
      ['20260417', 'dmy', '2026-04-17'],
      ['2026-04-17 10:33:01', 'dmy', '2026-04-17'],
      ['17 Apr 2026', 'dmy', '2026-04-17'],
      ['Apr 17, 2026', 'dmy', '2026-04-17'],
      ['١٧/٤/٢٠٢٦', 'dmy', '2026-04-17'],
      ['17 أبريل 2026', 'dmy', '2026-04-17'],
      ['31/02/2026', 'dmy', null],
      ['2025-13-40', 'ymd', null],
      ['17/04', 'dmy', null],
    ]
    for (const [text, order, day] of days) expect([text, dayFrom(text, order)]).toEqual([text, day])
  })

  it('the encoding is told by what stands together', () => {
    const arabic = Uint8Array.from(
      [...'التاريخ المبلغ'].map((c) =>
        c === ' '
          ? 32
          : (
              { ا: 0xc7, ل: 0xe1, ت: 0xca, ر: 0xd1, ي: 0xed, خ: 0xce, م: 0xe3, ب: 0xc8, غ: 0xdb } as Record<
                string,
                number
              >
            )[c]!,
      ),
    )
    expect([encodingOf(arabic), decoded(arabic)]).toEqual(['windows-1256', 'التاريخ المبلغ'])
    const german = Uint8Array.from([...'Währung;Empfänger'].map((c) => c.charCodeAt(0)))
    expect([encodingOf(german), decoded(german)]).toEqual(['windows-1252', 'Währung;Empfänger'])
    expect(encodingOf(bytes('المبلغ'))).toBe('utf-8')
    expect(encodingOf(Uint8Array.from([0xff, 0xfe, 65, 0]))).toBe('utf-16le')
  })
})

describe('tables', () => {
  it('columns are known by their headings in five languages', () => {
    const names = (headings: string) => Object.keys(proposeColumns(headings.split('|'))).toSorted()
    const all = ['amount', 'booked_on', 'counterparty', 'description', 'reference'].toSorted()
    expect(names('Date|Amount|Payer name|Description|Reference')).toEqual(all)
    expect(names('التاريخ|المبلغ|اسم المودع|البيان|رقم المرجع')).toEqual(all)
    expect(names('Buchungstag|Betrag|Auftraggeber|Verwendungszweck|Kundenreferenz')).toEqual(all)
    expect(names('Date opération|Montant|Nom du tiers|Libellé|Référence')).toEqual(all)
    expect(names('Data|Valor|Ordenante|Descrição|Referência')).toEqual(all)
    expect(names('Post Date|Value Date|Debit|Credit|Balance|Narrative')).toEqual(
      ['balance', 'booked_on', 'credit', 'debit', 'description', 'value_on'].toSorted(),
    )
  })

  it('what stands above and below the table is left, lines are read, and the running balance is followed', () => {
    const file = read(
      [
        'National Bank;;;;',
        'Account;0005263180;;;',
        '',
        'Date;Credit;Debit;Balance;Narrative;Reference',
        'Opening balance;;;1.000,00;;',
        '05.04.2026;250,50;;1.250,50;Fees of 2310008;F-1',
        '06.04.2026;;50,00;1.200,50;"Charges; of the bank";',
        '17.04.2026;100,00;;1.300,50;سداد مصروفات;F-2',
        'Total;350,50;50,00;;;',
      ].join('\r\n'),
    )
    expect(file.lines.map((l: any) => [l.line, l.booked_on, l.amount, l.direction, l.reference, l.wrong])).toEqual([
      [6, '2026-04-05', 25_050, 'in', 'F-1', null],
      [7, '2026-04-06', 5000, 'out', null, null],
      [8, '2026-04-17', 10_000, 'in', 'F-2', null],
    ])
    expect(file.lines[1].description).toBe('Charges; of the bank')
    expect(file.statements[0]).toMatchObject({ opening: { amount: 100_000 }, closing: { amount: 130_050 } })
    expect(file.notes).toEqual([{ line: 9, code: 'file_line_skipped' }])
    expect(file.table.format).toMatchObject({ decimal: ',', dates: 'dmy', columns: { credit: 'Credit' } })
    // Money does not come in and go out in one line.
    const both = read(['Date;Credit;Debit', '05.04.2026;250,50;10,00', '06.04.2026;1,00;'].join('\n'))
    expect(both.lines.map((l: any) => l.wrong?.code ?? null)).toEqual(['file_both_sides', null])
  })

  it('a line that never ends is no table', () => {
    expect(failure(`Date,Amount\n2026-04-05,"${'x'.repeat(100_001)}"\n`)).toMatchObject({ code: 'file_csv_broken' })
  })

  it('a balance that does not follow is told with its line; the newest may stand first', () => {
    const rows = ['Date,Amount,Balance', '2026-04-07,30,160', '2026-04-06,20,130', '2026-04-05,10,110']
    const newest = read(rows.join('\n'))
    expect([newest.notes, newest.statements[0].opening.amount, newest.statements[0].closing.amount]).toEqual([
      [],
      10_000,
      16_000,
    ])
    const broken = read(rows.with(2, '2026-04-06,20,131').join('\n'))
    expect(broken.notes.map((note: any) => note.code)).toContain('file_balance_line')
  })

  it('every line that cannot be read is told with its place, and the others are read', () => {
    const file = read(
      [
        'Date,Amount,Currency,Description',
        '2026-04-05,10.00,EGP,fine',
        '2026-02-31,10,EGP,a',
        '2026-04-05,ten,EGP,b',
        '2026-04-05,5,USD,c',
        '2026-04-05,5,EGP,"=HYPERLINK(""x"")"',
        '2026-04-05,1.255,EGP,d',
      ].join('\n'),
    )
    expect(file.lines.map((l: any) => [l.line, l.currency, l.wrong?.code ?? null])).toEqual([
      [2, 'EGP', null],
      [3, 'EGP', 'file_day'],
      [4, 'EGP', 'file_amount'],
      [5, 'USD', null],
      [6, 'EGP', 'file_formula'],
      [7, 'EGP', 'file_amount'],
    ])
  })

  it('columns that nobody knows are asked for; what a person says is remembered by the headings', () => {
    const text = ['A,B,C', '05/04/2026,10,x', '06/04/2026,20,y'].join('\n')
    const unread = read(text)
    expect(unread.unread).toMatchObject({ lacking: ['booked_on', 'amount'], headings: ['A', 'B', 'C'] })
    expect(unread.unread.first[1]).toEqual(['05/04/2026', '10', 'x'])
    const said = read(text, { said: { columns: { booked_on: 'A', amount: 'B' }, dates: 'mdy' } })
    expect(said.lines[0].booked_on).toBe('2026-05-04')
    const again = read(['C,B,A', 'z,30,07/08/2026'].join('\n'), { remembered: said.table.format })
    expect(again.lines[0]).toMatchObject({ booked_on: '2026-07-08', amount: 3000 })
    expect(again.notes).toEqual([])
    // Days that fit two orders are told when nobody has said which.
    const doubtful = readTable(
      [
        ['Date', 'Amount'],
        ['04/05/2026', '1'],
      ].map((row) => row.map((cell) => ({ text: cell }))),
      { currency: 'EGP' },
    )
    expect((doubtful as any).notes).toEqual([{ line: null, code: 'file_dates_doubtful', data: { order: 'dmy' } }])
  })

  it('a side of its own goes before the sign', () => {
    const file = read(['Date,Amount,D/C', '2026-04-05,-12.50,C', '2026-04-05,3.00,D', '2026-04-05,-4.00,'].join('\n'))
    expect(file.lines.map((l: any) => [l.amount, l.direction])).toEqual([
      [1250, 'in'],
      [300, 'out'],
      [400, 'out'],
    ])
  })

  it('of a sheet formulas are refused by line, never computed', async () => {
    const columns = ['Date', 'Amount', 'Reference'].map((header) => ({ header, key: header, type: 'text' as const }))
    const sheet = await writeSheet({
      sheets: [
        { name: 'S', direction: 'ltr', columns, rows: [{ Date: '2026-04-05', Amount: '12.50', Reference: 'F-1' }] },
      ],
    })
    const file: any = await readBankFile(sheet, { currency: 'EGP' })
    expect([file.format, file.lines[0].amount, file.lines[0].reference]).toEqual(['xlsx', 1250, 'F-1'])
    const cell = (text: string, formula?: true) => ({ text, formula })
    const formula: any = readTable(
      [
        [cell('Date'), cell('Amount')],
        [cell('2026-04-05'), cell('12.50', true)],
        [cell('2026-04-05'), cell('1')],
      ],
      { currency: 'EGP' },
    )
    expect(formula.lines.map((l: any) => l.wrong?.code ?? null)).toEqual(['file_formula', null])
  })
})

describe('camt.053', () => {
  it('reads balances, entries, parts of entries and references in each version', () => {
    for (const version of ['02', '04', '08']) {
      const file = read(camtFile(version), { currency: 'EUR' })
      expect([version, file.notes]).toEqual([version, []])
      expect(file.statements).toEqual([
        {
          account: 'EG380019000500000000263180002',
          currency: 'EGP',
          number: 'S-1',
          opening: { amount: 100_000, on: '2026-04-05' },
          closing: { amount: 117_500, on: '2026-04-06' },
        },
      ])
      expect(
        file.lines.map((l: any) => [
          l.line,
          l.part,
          l.amount,
          l.direction,
          l.pending,
          l.reversal,
          l.reference,
          l.counterparty,
        ]),
      ).toEqual([
        [1, 0, 12_000, 'in', false, false, 'RF18539007547034', 'Mona Ali'],
        [2, 1, 5000, 'in', false, false, 'E2E-1', 'Ahmed Hassan'],
        [2, 2, 3000, 'in', false, false, 'E2E-2', 'سارة محمود'],
        [3, 0, 2500, 'out', false, true, null, null],
        [4, 0, 9900, 'in', true, false, 'LATER', null],
      ])
      expect(file.lines[0]).toMatchObject({
        booked_on: '2026-04-05',
        value_on: '2026-04-06',
        iban: 'DE89370400440532013000',
        bank_reference: 'B-1',
        description: 'Fees 2310008 spring & summer',
      })
    }
  })

  it('tells parts that are not worth what was booked, and balances that do not follow', () => {
    const file = read(camtFile('04').replace('<Amt Ccy="EGP">30.00</Amt>', '<Amt Ccy="EGP">31.00</Amt>'))
    expect(file.notes).toEqual([{ line: 2, code: 'file_parts_differ', data: { parts: 2 } }])
    expect(file.lines.filter((l: any) => l.line === 2)).toMatchObject([{ part: 0, amount: 8000 }])
    const closing = read(camtFile('02').replace('1175.00', '1176.00'))
    expect(closing.notes).toMatchObject([
      { code: 'file_balance', data: { expected: '1175.00 EGP', found: '1176.00 EGP' } },
    ])
    const wrong = read(camtFile('02').replace('<Amt Ccy="EGP">120.00</Amt>', '<Amt Ccy="EGP">12O.00</Amt>'))
    expect(wrong.lines[0].wrong).toEqual({ code: 'file_amount', data: { text: '12O.00' } })
    const amount = '<Amt Ccy="EGP">120.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>'
    expect(camtFile('02')).toContain(amount)
    const aside = read(camtFile('02').replace(amount, amount.replace('CRDT', 'BOTH')))
    expect(aside.lines[0].wrong).toEqual({ code: 'file_side' })
    const dayless = camtFile('02')
      .replace(/<BookgDt>.*?<\/BookgDt>/s, '')
      .replace(/<ValDt>.*?<\/ValDt>/s, '')
    expect(read(dayless).lines[0].wrong).toEqual({ code: 'file_day', data: { text: '' } })
  })

  it('refuses what is hostile, broken or another message, with words', () => {
    const xml = camtFile('02')
    const head = '<?xml version="1.0" encoding="UTF-8"?>'
    const laughs = `${head}<!DOCTYPE Document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>${xml.replace(head, '').replace('Mona Ali', '&b;')}`
    expect(failure(laughs).code).toBe('file_xml_doctype')
    expect(failure(`${head}<!DOCTYPE Document SYSTEM "file:///etc/passwd">${xml.replace(head, '')}`).code).toBe(
      'file_xml_doctype',
    )
    // A document type that never ends is not waited for.
    expect(failure(`${head}<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(10_000)}`).code).toBe('file_xml_doctype')
    expect(failure(xml.replace('Mona Ali', '&unknown;')).code).toBe('file_xml_broken')
    expect(failure(xml.replace('<Nm>Mona Ali</Nm>', '<a>'.repeat(100_000))).code).toBe('file_xml_deep')
    expect(failure(xml.replace('Mona Ali', 'x'.repeat(30_000))).code).toBe('file_xml_long')
    expect(failure(xml.slice(0, -20)).code).toBe('file_xml_broken')
    expect(failure(xml.replace('</Ntry>', '</Entry>'))).toMatchObject({
      code: 'file_xml_broken',
      data: { line: expect.any(Number) },
    })
    const order = `${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn></CstmrCdtTrfInitn></Document>`
    expect(failure(order)).toMatchObject({ code: 'file_other_message', data: { found: 'pain.001' } })
    for (const [from, found] of [
      ['camt.053.001.02', 'camt.053.001.01'],
      ['camt.053.001.02', 'camt.060.001.02'],
    ] as const)
      expect(failure(xml.replace(from, found))).toMatchObject({ code: 'file_other_message', data: { found } })
    expect(failure('<html><body>no</body></html>').code).toBe('file_no_statement')
    expect(
      failure(
        `${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt></BkToCstmrStmt></Document>`,
      ).code,
    ).toBe('file_no_statement')
    // The five entities of XML itself, and characters by number, are text.
    expect(read(xml.replace('Mona Ali', 'A &amp; B &#1587;')).lines[0].counterparty).toBe('A & B س')
  })
})

describe('what stands beside an amount', () => {
  const table = (...rows: string[]) => read(['Date;Amount;Description', ...rows].join('\n'))
  const told = (text: string, ways: Partial<FileTask> = {}) => {
    const [line] = read(`Date;Amount;Description\n2026-04-05;${text};fees`, ways).lines
    return [line.amount, line.currency, line.direction, line.wrong?.code ?? null]
  }
  it('a currency is that of the money, by code, sign or word, and is never taken for that of the account', () => {
    expect(told('579.68 USD')).toEqual([57_968, 'USD', 'in', null])
    expect(told('€ 10,00')).toEqual([1000, 'EUR', 'in', null])
    expect(told('USD 10.00')).toEqual([1000, 'USD', 'in', null])
    expect(told('$12.50')).toEqual([1250, 'USD', 'in', null])
    expect(told('١٠٫٠٠ ر.س')).toEqual([1000, 'SAR', 'in', null])
    expect(told('KWD 1.250')).toEqual([1250, 'KWD', 'in', null])
    // Signs that stand for several are the account's own where they may be.
    expect(told('$12.50', { currency: 'CAD' })).toEqual([1250, 'CAD', 'in', null])
    for (const own of ['EGP 10.00', '10.00 ج.م.', '10.00 ج.م', '£ 10.00', 'LE 10.00', 'L.E. 10.00', '10.00 جنيه'])
      expect([own, ...told(own)]).toEqual([own, 1000, 'EGP', 'in', null])
  })
  it('a side stands there as well, and what is neither makes it no amount', () => {
    expect(told('10.00 CR')).toEqual([1000, 'EGP', 'in', null])
    expect(told('EGP 10.00 DR')).toEqual([1000, 'EGP', 'out', null])
    for (const text of ['10.00 XXY', 'about 10.00', '10.00 EGP USD', '10.00 kg'])
      expect([text, told(text)[3]]).toEqual([text, 'file_amount'])
  })
  it('a column of currencies is read in words, refused where it says nothing, and goes with the amount', () => {
    const file = read(
      [
        'Date;Amount;Currency',
        '2026-04-05;1.00;جنيه مصري',
        '2026-04-05;1.00;US Dollar',
        '2026-04-05;1.00;pieces',
        '2026-04-05;USD 1.00;EUR',
        '2026-04-05;$ 1.00;USD',
      ].join('\n'),
    )
    expect(file.lines.map((l: any) => [l.currency, l.wrong?.code ?? null])).toEqual([
      ['EGP', null],
      ['USD', null],
      ['EGP', 'file_currency'],
      ['EUR', 'file_currencies'],
      ['USD', null],
    ])
  })
  it('the balance of an account says nothing of money in another currency', () => {
    const file = table(
      'Opening balance;100.00;',
      '2026-04-05;10.00;a',
      '2026-04-05;USD 5.00;b',
      'Closing balance;110.00;',
    )
    expect(file.notes).toEqual([])
  })
})

describe('what stands above and below a table', () => {
  const statement = (...head: string[]) =>
    read([...head, '', 'Date;Amount;Description', '05.04.2026;250,50;fees', '17.04.2026;100,00;fees'].join('\n'))
  it('names the account and its currency', () => {
    expect(statement('Account Number;0005263180', 'Currency;USD').statements[0]).toMatchObject({
      account: '0005263180',
      currency: 'USD',
    })
    expect(statement('Account Number;0005263180', 'Currency;USD').lines[0].currency).toBe('USD')
    expect(statement('رقم الحساب : ٠٠٠٥٢٦٣١٨٠', 'العملة: جنيه مصري').statements[0]).toMatchObject({
      account: '0005263180',
      currency: 'EGP',
    })
    expect(statement('IBAN: EG38 0019 0005 0000 0000 2631 8000 2 EGP', 'Konto;12345678').statements[0].account).toBe(
      'EG380019000500000000263180002',
    )
    // What is hidden, or no number, names none.
    for (const head of ['Account;****3180', 'Account name;Canopus', 'Conta;XXXX3180', 'Account;12'])
      expect([head, statement(head).statements[0].account]).toEqual([head, null])
  })
  it('says what was there before and after, and what does not follow is told to the piastre', () => {
    const right = statement('Opening balance;;1.000,00', 'Closing balance: 1.350,50')
    expect([right.notes, right.statements[0].opening.amount, right.statements[0].closing.amount]).toEqual([
      [],
      100_000,
      135_050,
    ])
    const wrong = statement('Opening balance;;1.000,00', 'Closing balance: 1.350,52')
    expect(wrong.notes).toEqual([
      { line: null, code: 'file_balance', data: { number: '1', expected: '1350.50 EGP', found: '1350.52 EGP' } },
    ])
    const below = read(['Datum;Betrag;Text', 'Anfangssaldo;10,00;', '25.04.2026;5,00;x', 'Endsaldo;16,00;'].join('\n'))
    expect(below.notes).toMatchObject([{ code: 'file_balance', data: { expected: '15.00 EGP', found: '16.00 EGP' } }])
    const owed = read(
      ['Date,Amount,Text', 'Opening balance,100.00 DR,', '2026-04-05,150.00,x', 'Closing balance,50.00 CR,'].join('\n'),
    )
    expect([owed.notes, owed.statements[0].opening.amount]).toEqual([[], -10_000])
  })
})

describe('a table without headings', () => {
  const text = ['05/04/2026,2310008,"1,250.00",fees', '17/04/2026,2310009,50.00,fees'].join('\n')
  it('loses no row: a person says what its columns are, and that is remembered', () => {
    const asked = read(text)
    expect(asked.unread).toMatchObject({
      headings: ['#1', '#2', '#3', '#4'],
      lacking: ['booked_on', 'amount'],
      proposed: { booked_on: '#1', amount: '#3' },
    })
    const columns = { booked_on: '#1', amount: '#3', reference: '#2' }
    const file = read(text, { said: { columns } })
    expect(file.lines.map((l: any) => [l.line, l.booked_on, l.amount, l.reference])).toEqual([
      [1, '2026-04-05', 125_000, '2310008'],
      [2, '2026-04-17', 5000, '2310009'],
    ])
    const again = read(text.replaceAll('04/2026', '05/2026'), { remembered: file.table.format })
    expect(again.lines.map((l: any) => l.booked_on)).toEqual(['2026-05-05', '2026-05-17'])
    // One with headings is read by them, whatever is remembered.
    expect(read('Date,Amount\n2026-04-05,1.00', { remembered: file.table.format }).lines).toHaveLength(1)
  })
})

describe('OFX', () => {
  const movement = (id: string, day: string, amount: string, more = '') =>
    `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}${more}</STMTTRN>`
  const sgml = (...movements: string[]) =>
    `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nCHARSET:1252\n\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS></SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>EGP<BANKACCTFROM><BANKID>1<ACCTID>0005263180<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260401<DTEND>20260430${movements.join('\n')}</BANKTRANLIST><LEDGERBAL><BALAMT>1175.00<DTASOF>20260430</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
  it('of both versions: the account, its currency, what came and went', () => {
    const text = sgml(
      movement('F-1', '20260405120000[+2:EET]', '120.00', '<NAME>Mona Ali<MEMO>Fees &amp; more 2310008'),
      movement(
        'F-2',
        '20260406',
        '-25.50',
        '<CHECKNUM>77<BANKACCTTO><BANKID>2<ACCTID>DE89 3704<ACCTTYPE>CHECKING</BANKACCTTO>',
      ),
      movement('F-3', '20260406', '10.00', '<CURRENCY><CURRATE>48.5<CURSYM>USD</CURRENCY>'),
    )
    const file = read(text)
    expect(file.format).toBe('ofx')
    expect(file.statements).toEqual([
      {
        account: '0005263180',
        currency: 'EGP',
        number: null,
        opening: null,
        closing: { amount: 117_500, on: '2026-04-30' },
      },
    ])
    expect(
      file.lines.map((l: any) => [
        l.booked_on,
        l.amount,
        l.currency,
        l.direction,
        l.bank_reference,
        l.counterparty,
        l.reference,
        l.iban,
      ]),
    ).toEqual([
      ['2026-04-05', 12_000, 'EGP', 'in', 'F-1', 'Mona Ali', null, null],
      ['2026-04-06', 2550, 'EGP', 'out', 'F-2', null, '77', 'DE893704'],
      ['2026-04-06', 1000, 'USD', 'in', 'F-3', null, null, null],
    ])
    expect(file.lines[0].description).toBe('Fees & more 2310008')
    // As XML every element is closed.
    const xml = `<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="220"?>${text
      .slice(text.indexOf('<OFX>'))
      .replace(/<([A-Z0-9]+)>([^<\n]+)/g, '<$1>$2</$1>')}`
    expect(read(xml)).toEqual(file)
  })
  it('what cannot be read is told, and a file that was cut is refused', () => {
    const file = read(sgml(movement('F-1', '20261350', '1.00'), movement('F-2', '20260405', '1O.00')))
    expect(file.lines.map((l: any) => l.wrong?.code)).toEqual(['file_day', 'file_amount'])
    const text = sgml(movement('F-1', '20260405', '1.00'))
    expect(failure(text.slice(0, text.indexOf('</STMTTRN>')))).toMatchObject({
      code: 'file_ofx_broken',
      data: { line: 1 },
    })
    expect(
      failure(
        'OFXHEADER:100\n\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500</STATUS></SONRS></SIGNONMSGSRSV1></OFX>',
      ),
    ).toMatchObject({
      code: 'file_no_statement',
      data: { found: '15500' },
    })
    expect(failure(sgml('<A>'.repeat(60))).code).toBe('file_ofx_broken')
    // A movement that does not end before the next one begins, or the statement ends.
    const open = movement('F-1', '20260405', '1.00').replace('</STMTTRN>', '')
    for (const cut of [sgml(open, movement('F-2', '20260405', '2.00')), sgml(open)])
      expect(failure(cut)).toMatchObject({ code: 'file_ofx_broken', data: { line: 1 } })
    const unread = read(text.replace('1175.00', '11O5'))
    expect(unread.notes).toMatchObject([{ line: null, code: 'file_balance_unread' }])
    expect(unread.statements[0].closing).toBeNull()
  })
})

describe('QIF', () => {
  const text = "!Type:Bank\nD05/04'26\nT1,250.50\nN2310008\nPMona Ali\nMFees\n^\nD17/04'26\nU-20.00\nT-20.00\n^\n"
  it('is read as a table, so that a person can say how its days are written', () => {
    const file = read(text)
    expect(file.format).toBe('qif')
    expect(
      file.lines.map((l: any) => [
        l.line,
        l.booked_on,
        l.amount,
        l.direction,
        l.reference,
        l.counterparty,
        l.description,
      ]),
    ).toEqual([
      [2, '2026-04-05', 125_050, 'in', '2310008', 'Mona Ali', 'Fees'],
      [8, '2026-04-17', 2000, 'out', null, null, null],
    ])
    const doubtful = text.replace('17/04', '06/04')
    expect(read(doubtful).notes).toEqual([{ line: null, code: 'file_dates_doubtful', data: { order: 'dmy' } }])
    expect(read(doubtful, { said: { dates: 'mdy' } }).lines[0].booked_on).toBe('2026-05-04')
  })
  it('the last record may end with the file, with its amount in either place', () => {
    const { lines } = read(`${text}D18/04'26\nU3.00`)
    expect(lines.map((l: any) => l.amount)).toEqual([125_050, 2000, 300])
  })
  it('lists of other things are left, shares are refused', () => {
    expect(read(`!Type:Cat\nNSalary\n^\n!Account\nNMain\n^\n${text}`).lines).toHaveLength(2)
    expect(failure('!Type:Invst\nD1/1/26\nNBuy\n^\n')).toMatchObject({
      code: 'file_other_message',
      data: { found: 'QIF Invst' },
    })
    expect(failure('!Type:Cat\nNSalary\n^\n').code).toBe('file_no_statement')
  })
})

describe('the family of camt.053, and files that come packed', () => {
  const other = (number: string, of: string, message: string) =>
    camtFile('08')
      .replaceAll('camt.053', `camt.${number}`)
      .replaceAll('BkToCstmrStmt', message)
      .replaceAll(/<(\/?)Stmt>/g, `<$1${of}>`)
  it('a report of a day and a notification tell the same movements', () => {
    const known = read(camtFile('08')).lines
    expect(read(other('052', 'Rpt', 'BkToCstmrAcctRpt')).lines).toEqual(known)
    expect(read(other('054', 'Ntfctn', 'BkToCstmrDbtCdtNtfctn')).lines).toEqual(known)
    // Each has the element of its own.
    expect(failure(other('054', 'Stmt', 'BkToCstmrDbtCdtNtfctn')).code).toBe('file_no_statement')
  })
  it('statements in a ZIP are one file, entry after entry', async () => {
    const zip = (files: Record<string, string>) =>
      readBankFile(
        zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, bytes(content)]))),
        {
          currency: 'EGP',
        },
      ) as Promise<any>
    const both = await zip({ 'b.xml': camtFile('08'), 'a.xml': camtFile('02'), '__MACOSX/a.xml': 'x' })
    const one = read(camtFile('02'))
    expect([both.statements.length, both.lines.length]).toEqual([2, 2 * one.lines.length])
    expect(both.lines.at(-1)).toMatchObject({ line: 2 * one.lines.at(-1).line, statement: 1 })
    expect((await zip({ 'one.csv': 'Date,Amount\n2026-04-05,1.00' })).lines).toHaveLength(1)
    const refused = async (files: Record<string, string>) =>
      ((await zip(files).catch((error: unknown) => error)) as { reasons: { code: string }[] }).reasons[0]!.code
    expect(await refused({ 'a.csv': 'Date,Amount\n2026-04-05,1.00', 'b.xml': camtFile('02') })).toBe('file_zip_tables')
    expect(await refused({ 'a.zip': 'PK\u0003\u0004' })).toBe('file_zip_nested')
    expect(await refused(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}.xml`, 'x'])))).toBe(
      'file_zip_many',
    )
    expect(await refused({ '.hidden': 'x' })).toBe('file_no_statement')
  })
})

it('numbers of a sheet have a point, however the texts beside them are written', () => {
  const cells = (...row: (string | number)[]) =>
    row.map((one) => (typeof one === 'number' ? { text: String(one), numeric: true } : { text: one }))
  const table = readTable(
    [
      cells('Date', 'Amount'),
      cells('2026-04-05', '1.250,50'),
      cells('2026-04-06', 1250.5),
      cells('2026-04-07', 12_505),
    ],
    { currency: 'EGP' },
  )
  expect((table as any).lines.map((l: any) => [l.amount, l.wrong])).toEqual([
    [125_050, null],
    [125_050, null],
    [1_250_500, null],
  ])
})

it('two bytes a letter without a mark are known, and what would run in a sheet is a formula', () => {
  const wide = (text: string, big = false) =>
    Uint8Array.from([...text].flatMap((c) => (big ? [0, c.charCodeAt(0)] : [c.charCodeAt(0), 0])))
  expect(encodingOf(wide('Date,Amount'))).toBe('utf-16le')
  expect(encodingOf(wide('Date,Amount', true))).toBe('utf-16be')
  expect(['=1+1', '@SUM(A1)', '+cmd|x', "-2+3+cmd|' /C calc'!A0", '-SUM(A1)'].filter((one) => !isFormula(one))).toEqual(
    [],
  )
  expect(['+20 (2) 123', '-', '- Ahmed', '+201001234567', '-12.50', 'a=b'].filter(isFormula)).toEqual([])
})

describe('MT940', () => {
  it('reads balances, movements with their marks, and what the bank tells', () => {
    const file = read(mt940File())
    expect(file.notes).toEqual([])
    expect(file.statements).toEqual([
      {
        account: '0005263180',
        currency: 'EGP',
        number: '7/1',
        opening: { amount: 100_000, on: '2026-12-30' },
        closing: { amount: 108_050, on: '2026-12-31' },
      },
    ])
    expect(
      file.lines.map((l: any) => [
        l.booked_on,
        l.value_on,
        l.amount,
        l.direction,
        l.reversal,
        l.reference,
        l.counterparty,
      ]),
    ).toEqual([
      ['2026-12-31', '2026-12-31', 12_550, 'in', false, 'E2E-77', 'MONA ALI HASSAN'],
      ['2026-12-31', '2027-01-02', 2500, 'out', false, 'CHQ123', null],
      ['2026-12-31', '2026-12-31', 2000, 'out', true, null, 'Ahmed'],
    ])
    expect(file.lines[0]).toMatchObject({
      description: 'Fees 2310008 of spring',
      iban: 'DE89370400440532013000',
      bank_reference: 'BANK-1',
    })
    expect(file.lines[1].description).toBe('Charges of December second line')
  })

  it('pages of one statement are one, several statements are several, and what is wrong is told by line', () => {
    const [head, ...rest] = mt940File().split(':62F:')
    const pages = `${head}:62M:C261231EGP1080,50\r\n-\r\n:20:PAGE2\r\n:25:0005263180\r\n:28C:7/2\r\n:60M:C261231EGP1080,50\r\n:61:261231C1,00NTRFX\r\n:62F:C261231EGP1081,50\r\n-`
    const paged = read(pages)
    expect([paged.statements.length, paged.lines.length, paged.notes]).toEqual([1, 4, []])
    expect(paged.statements[0].closing.amount).toBe(108_150)
    expect(rest).toHaveLength(1)
    const two = read(mt940File() + mt940File().replaceAll('0005263180', '999'))
    expect([two.statements.length, two.lines.length, two.lines[5].statement]).toEqual([2, 6, 1])
    const wrong = read(mt940File().replace('C125,50', 'C12.5,50'))
    expect(wrong.lines[0].wrong).toMatchObject({ code: 'file_movement' })
    const unbalanced = read(mt940File().replace('C125,50', 'C125,51'))
    expect(unbalanced.notes).toMatchObject([{ code: 'file_balance' }])
    const opening = read(mt940File().replace(':60F:C261230EGP1000,00', ':60F:C26123XEGP1000,00'))
    expect(opening.notes[0]).toMatchObject({ code: 'file_balance_unread' })
    const closing = read(mt940File().replace(':62F:C', ':62F:X'))
    expect(closing.notes.map((one: any) => one.code)).toEqual(['file_balance_unread'])
  })

  it('three ways in which banks tell', () => {
    expect(toldBy(['166?00SEPA?20EREF+X-1?21SVWZ+Fees of?22 spring?32Mona?33 Ali'])).toEqual({
      reference: 'X-1',
      counterparty: 'Mona Ali',
      iban: null,
      description: 'Fees of spring',
    })
    expect(toldBy(['/TRTP/SEPA/IBAN/NL46ABNA0499998748/NAME/Mona Ali/REMI/Fees 12', '34/EREF/X-1'])).toEqual({
      reference: 'X-1',
      counterparty: 'Mona Ali',
      iban: 'NL46ABNA0499998748',
      description: 'Fees 1234',
    })
    expect(toldBy(['Fees of', 'spring'])).toEqual({
      reference: null,
      counterparty: null,
      iban: null,
      description: 'Fees of spring',
    })
  })
})

describe('large and hostile files', () => {
  it('50,000 lines of each format are read in seconds, and one too many is refused', async () => {
    const n = 50_000
    const csv = [
      'Date,Amount,Reference,Payer,Description',
      ...Array.from({ length: n }, (_, i) => `2026-04-05,${i + 1}.50,INV-${i},Payer ${i},Fees of ${2_310_000 + i}`),
    ].join('\n')
    const started = performance.now()
    const file: any = await readBankFile(bytes(csv), { currency: 'EGP' })
    expect(file.lines).toHaveLength(n)
    expect(performance.now() - started).toBeLessThan(24_000)
    const paid = Array.from({ length: n }, (_, i) => ({
      amount: 10_000 + i,
      reference: `INV-${i}`,
      payer: `Payer ${i}`,
      text: `Fees of ${i}`,
    }))
    const camt: any = await readBankFile(bytes(largeCamt('EG380019000500000000263180002', '2026-04-05', paid)), {
      currency: 'EGP',
    })
    expect([camt.lines.length, camt.notes]).toEqual([n, []])
    const long = `Date,Amount\n${'2026-04-05,1.00\n'.repeat(100_001)}`
    await expect(readBankFile(bytes(long), { currency: 'EGP' })).rejects.toMatchObject({
      status: 422,
      reasons: [{ code: 'file_too_long' }],
    })
    // As many as may be are read, and not one more.
    const mt940 = (lines: number) =>
      `:20:LONG\n:25:EG380019000500000000263180002\n:28C:1/1\n:60F:C260405EGP0,00\n${':61:2604050405C1,00NTRFNONREF\n'.repeat(lines)}:62F:C260405EGP${lines},00\n-`
    expect(((await readBankFile(bytes(mt940(100_000)), { currency: 'EGP' })) as any).lines).toHaveLength(100_000)
    await expect(readBankFile(bytes(mt940(100_001)), { currency: 'EGP' })).rejects.toMatchObject({
      status: 422,
      reasons: [{ code: 'file_too_long', data: { most: 100_000 } }],
    })
    await expect(readBankFile(Uint8Array.from([1, 2, 3, 0, 5]), { currency: 'EGP' })).rejects.toMatchObject({
      reasons: [{ code: 'file_unknown' }],
    })
  }, 180_000)

  it.each([
    ['OFX', `<OFX><STMTRS><CURDEF>EGP${'<STMTTRN><TRNAMT>1.00</STMTTRN>'.repeat(100_001)}</STMTRS></OFX>`],
    ['QIF', `!Type:Bank\n${'D2026-04-05\nT1.00\n^\n'.repeat(100_001)}`],
    [
      'camt.053',
      camtFile('02').replace(
        '<Ntry>',
        `${'<Ntry><Amt Ccy="EGP">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Ntry>'.repeat(100_001)}<Ntry>`,
      ),
    ],
  ])('%s of one line too many is refused', (_, text) => {
    expect(failure(text)).toMatchObject({ code: 'file_too_long', data: { most: 100_000 } })
  })

  it('nor do packed files have more together; a workbook that is none is refused', async () => {
    const half = bytes(`<OFX><STMTRS><CURDEF>EGP${'<STMTTRN><TRNAMT>1.00</STMTTRN>'.repeat(50_001)}</STMTRS></OFX>`)
    const packed = zipSync({ 'a.ofx': half, 'b.ofx': half }, { level: 0 })
    await expect(readBankFile(packed, { currency: 'EGP' })).rejects.toMatchObject({
      status: 422,
      reasons: [{ code: 'file_too_long', field: 'file' }],
    })
    const broken = zipSync({ '[Content_Types].xml': bytes('<Types/>'), 'xl/workbook.xml': bytes('<workbook') })
    await expect(readBankFile(broken, { currency: 'EGP' })).rejects.toMatchObject({
      status: 422,
      reasons: [{ field: 'file' }],
    })
  })

  it('one that takes longer than there is time is refused, and the next one is read', async () => {
    const csv = bytes('Date,Amount,Reference\n2026-04-05,1.50,INV-1\n')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const late = readBankFile(csv, { currency: 'EGP' }).catch((error: unknown) => error)
      vi.advanceTimersByTime(60_000)
      expect(await late).toMatchObject({ status: 422, reasons: [{ code: 'file_too_much', field: 'file' }] })
    } finally {
      vi.useRealTimers()
    }
    expect(((await readBankFile(csv, { currency: 'EGP' })) as any).lines).toHaveLength(1)
  })
})

it('what a person said of columns goes before what is remembered, and what is named is proposed for nothing else', () => {
  const cells = (...texts: string[]) => texts.map((text) => ({ text }))
  const rows = [
    cells('Date', 'Value date', 'Amount', 'Fee', 'Reference', 'Description'),
    cells('2026-04-05', '2026-04-06', '100.00', '2.50', 'R-1', 'Fees of a term'),
  ] as unknown as Parameters<typeof readTable>[0]
  const first = (ways: Partial<Parameters<typeof readTable>[1]>) => {
    const table = readTable(rows, { currency: 'EGP', ...ways })
    if (!('lines' in table)) throw new Error('it was not read')
    const [{ booked_on, amount, reference, description }] = table.lines as any
    return [booked_on, amount, reference, description, table.format.columns.amount]
  }
  const remembered = {
    columns: { booked_on: 'Value date', amount: 'Fee' },
    decimal: '.',
    dates: 'ymd',
  } as unknown as NonNullable<Parameters<typeof readTable>[1]['remembered']>
  expect(first({})).toEqual(['2026-04-05', 10_000, 'R-1', 'Fees of a term', 'Amount'])
  expect(first({ remembered })[1]).toBe(250)
  const said = { columns: { booked_on: 'Date', amount: 'Amount', description: 'Reference' } }
  expect(first({ remembered, said })).toEqual(['2026-04-05', 10_000, null, 'R-1', 'Amount'])
})
