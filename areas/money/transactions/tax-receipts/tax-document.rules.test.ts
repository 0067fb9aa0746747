import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  canonicalText,
  checkTaxSale,
  retryAfter,
  taxDocument,
  taxLink,
  type TaxSale,
  type TaxSeller,
} from './tax-document.rules.ts'

const seller: TaxSeller = {
  rin: '674859545',
  tradeName: 'University',
  branch: '0',
  governate: 'Cairo',
  city: 'Nasr City',
  street: 'Abbas',
  building: '1',
  device: 'POS-1',
  activity: '8530',
  itemType: 'EGS',
  itemCode: 'EG-674859545-1',
}
const sale: TaxSale = {
  kind: 'S',
  number: 'TR-2026-1',
  issued_at: '2026-11-29T08:00:00Z',
  previous: '',
  reference: null,
  replaces: null,
  currency: 'EGP',
  rate: null,
  way: 'cash',
  payer: { name: 'منى', national_id: '30102031200015' },
  lines: [{ code: 'I-1', description: 'رسوم', amount: 150_050 }],
}
const uuid = 'a'.repeat(64)

test('names in capitals and values in quotes; a list is named before it and before each of its elements; numbers as written', () => {
  expect(canonicalText({ a: 'x', b: { c: 1.5, d: '' }, list: [{ e: 0 }, { e: 2 }], words: ['p', 'q'], none: [] })).toBe(
    '"A""x""B""C""1.5""D""""LIST""LIST""E""0""LIST""E""2""WORDS""WORDS""p""WORDS""q""NONE"',
  )
})

test('a receipt with all that is asked for, and its UUID is empty where it is hashed', () => {
  const document = taxDocument(sale, seller)
  expect(document).toMatchObject({
    header: {
      dateTimeIssued: '2026-11-29T08:00:00Z',
      receiptNumber: 'TR-2026-1',
      uuid: '',
      previousUUID: '',
      currency: 'EGP',
    },
    documentType: { receiptType: 'S', typeVersion: '1.2' },
    seller: { rin: '674859545', deviceSerialNumber: 'POS-1', activityCode: '8530', branchAddress: { country: 'EG' } },
    buyer: { type: 'P' },
    itemData: [
      {
        internalCode: 'I-1',
        itemType: 'EGS',
        unitPrice: 1500.5,
        total: 1500.5,
        taxableItems: [{ taxType: 'T1', subType: 'V003', amount: 0 }],
      },
    ],
    totalSales: 1500.5,
    netAmount: 1500.5,
    totalAmount: 1500.5,
    taxTotals: [{ taxType: 'T1', amount: 0 }],
    paymentMethod: 'C',
  })
  expect(document.header).not.toHaveProperty('exchangeRate')
  expect(document.buyer).toEqual({ type: 'P' })
  const text = canonicalText(document)
  expect(
    text.startsWith(
      '"HEADER""DATETIMEISSUED""2026-11-29T08:00:00Z""RECEIPTNUMBER""TR-2026-1""UUID""""PREVIOUSUUID""""CURRENCY""EGP"',
    ),
  ).toBe(true)
  expect(text.endsWith('"TAXTOTALS""TAXTOTALS""TAXTYPE""T1""AMOUNT""0""PAYMENTMETHOD""C"')).toBe(true)
  expect(createHash('sha256').update(text, 'utf8').digest('hex')).toMatch(/^[0-9a-f]{64}$/)
})

test('one that is taken back names its receipt, one that was rejected the name it had, one in dollars the rate, a large one the payer', () => {
  expect(
    taxDocument({ ...sale, kind: 'R', reference: uuid, replaces: 'b'.repeat(64), previous: 'c'.repeat(64) }, seller)
      .header,
  ).toMatchObject({
    referenceUUID: uuid,
    referenceOldUUID: 'b'.repeat(64),
    previousUUID: 'c'.repeat(64),
  })
  expect(taxDocument({ ...sale, currency: 'USD', rate: 48.5 }, seller).header).toMatchObject({ exchangeRate: 48.5 })
  const large = { ...sale, lines: [{ ...sale.lines[0]!, amount: 15_000_000 }] }
  expect(taxDocument(large, seller).buyer).toEqual({ type: 'P', id: '30102031200015', name: 'منى' })
})

test.each<[string, string]>([
  ['cash', 'C'],
  ['card', 'V'],
  ['mobile', 'O'],
  ['bank', 'O'],
  ['slip', 'O'],
])('paid by %s is %s', (way, code) => expect(taxDocument({ ...sale, way }, seller).paymentMethod).toBe(code))

test.each<[Partial<TaxSale>, string[]]>([
  [{}, []],
  [{ lines: [] }, ['tax_receipt_nothing']],
  [{ lines: [{ code: 'x', description: 'x', amount: 0 }] }, ['tax_receipt_nothing']],
  [
    { lines: Array.from({ length: 301 }, (_, i) => ({ code: `${i}`, description: 'x', amount: 1 })) },
    ['tax_receipt_lines'],
  ],
  [{ currency: 'USD' }, ['tax_receipt_rate']],
  [{ currency: 'USD', rate: 0 }, ['tax_receipt_rate']],
  [{ currency: 'USD', rate: 50 }, []],
  [{ kind: 'R' }, ['tax_receipt_no_reference']],
  [{ kind: 'R', reference: uuid }, []],
  [
    { lines: [{ code: 'x', description: 'x', amount: 15_000_000 }], payer: { name: 'A', national_id: null } },
    ['tax_receipt_payer'],
  ],
  [{ lines: [{ code: 'x', description: 'x', amount: 14_999_999 }], payer: { name: 'A', national_id: null } }, []],
  [
    {
      currency: 'USD',
      rate: 50,
      lines: [{ code: 'x', description: 'x', amount: 300_000 }],
      payer: { name: 'A', national_id: null },
    },
    ['tax_receipt_payer'],
  ],
])('%o', (more, expected) => expect(checkTaxSale({ ...sale, ...more }).map((one) => one.code)).toEqual(expected))

test('it is looked up by its name, its time and its total', () =>
  expect(
    taxLink('https://invoicing.eta.gov.eg', {
      uuid,
      issued_at: '2022-02-19T02:00:00Z',
      total: 100_000,
      rin: '674859545',
    }),
  ).toBe(
    `https://invoicing.eta.gov.eg/receipts/search/${uuid}/share/2022-02-19T02:00:00Z#Total:1000.000,IssuerRIN:674859545`,
  ))

test('tries come later and later, to three hours', () =>
  expect([1, 2, 3, 4, 5, 6, 7, 8, 50].map(retryAfter)).toEqual([60, 120, 300, 600, 1800, 3600, 10_800, 10_800, 10_800]))
