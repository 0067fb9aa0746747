import fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { csvOf, journalRows, plainDecimal, type Journal, type JournalLine } from './journal.rules.ts'

const LINES: readonly JournalLine[] = [
  { day: '2026-01-05', account: '110-01', name: 'Receivable, students', debit: 150_050, credit: 20_000 },
  { day: '2026-01-05', account: '400-01', name: 'Tuition', debit: 0, credit: 130_050 },
  { day: '2026-01-06', account: '100-02', name: 'Bank', debit: 5, credit: 0 },
]
const OF: Journal = { currency: 'EGP', minor_digits: 2, from: '2026-01-01', until: '2026-01-31', lines: LINES }

it('an amount is written with all its digits, whatever the currency', () => {
  expect([0, 5, 50, 150_050, -5].map((minor) => plainDecimal(minor, 2))).toEqual([
    '0.00',
    '0.05',
    '0.50',
    '1500.50',
    '-0.05',
  ])
  expect([0, 5, 1234].map((minor) => plainDecimal(minor, 0))).toEqual(['0', '5', '1234'])
  expect(plainDecimal(1, 3)).toBe('0.001')
})

it('of each day an entry, whose head stands in its first row only', () => {
  expect(journalRows({ ...OF, company: 'Canopus University' }, 'erpnext')).toEqual([
    [
      'Entry Type',
      'Company',
      'Posting Date',
      'Reference Number',
      'Reference Date',
      'User Remark',
      'Account (Accounting Entries)',
      'Debit (Accounting Entries)',
      'Credit (Accounting Entries)',
      'User Remark (Accounting Entries)',
    ],
    [
      'Journal Entry',
      'Canopus University',
      '2026-01-05',
      'UEMS-20260105-EGP',
      '2026-01-05',
      'University EMS 2026-01-05',
      '110-01',
      '1500.50',
      '',
      'Receivable, students',
    ],
    ['', '', '', '', '', '', '110-01', '', '200.00', 'Receivable, students'],
    ['', '', '', '', '', '', '400-01', '', '1300.50', 'Tuition'],
    [
      'Journal Entry',
      'Canopus University',
      '2026-01-06',
      'UEMS-20260106-EGP',
      '2026-01-06',
      'University EMS 2026-01-06',
      '100-02',
      '0.05',
      '',
      'Bank',
    ],
  ])
  expect(journalRows({ ...OF, journal: 'MISC' }, 'odoo').slice(0, 3)).toEqual([
    ['ref', 'date', 'journal_id', 'line_ids/account_id', 'line_ids/name', 'line_ids/debit', 'line_ids/credit'],
    ['UEMS-20260105-EGP', '2026-01-05', 'MISC', '110-01', 'Receivable, students', '1500.50', '0'],
    ['', '', '', '110-01', 'Receivable, students', '0', '200.00'],
  ])
  // What is not told is no column: both take their own default then.
  expect(journalRows(OF, 'odoo')[0]).not.toContain('journal_id')
  expect(journalRows(OF, 'erpnext')[0]).not.toContain('Company')
})

it('both sides of every format come to what the lines say', () => {
  const line = fc.record({
    day: fc.constantFrom('2026-01-05', '2026-01-06'),
    account: fc.constantFrom('1', '2'),
    name: fc.string({ maxLength: 12 }),
    debit: fc.nat(10_000_000),
    credit: fc.nat(10_000_000),
  })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('csv', 'erpnext', 'odoo'), (lines, format) => {
      const [head, ...rows] = journalRows({ ...OF, lines }, format)
      const sum = (side: RegExp) =>
        rows.reduce(
          (all, row) => all + Math.round(Number(row[head!.findIndex((name) => side.test(name))] || 0) * 100),
          0,
        )
      expect([sum(/debit/i), sum(/credit/i)]).toEqual([
        lines.reduce((all, one) => all + one.debit, 0),
        lines.reduce((all, one) => all + one.credit, 0),
      ])
    }),
  )
})

it('is read back as it was, and nothing in it is a formula', () => {
  const rows = [
    ['a', 'b'],
    ['with "quotes", and commas', 'two\nlines'],
    ['حساب', '-12.50'],
  ]
  expect(parse(csvOf(rows))).toEqual(rows)
  expect(csvOf([['=HYPERLINK("x")', '@cmd', '-1+1']])).toBe(`"'=HYPERLINK(""x"")",'@cmd,'-1+1\r\n`)
})
