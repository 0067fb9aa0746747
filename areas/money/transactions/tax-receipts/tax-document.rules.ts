/**
 * Receipts as Egypt's tax authority publishes them (e-receipt, version 1.2), and the text of which their UUID is the hash. What was
 * read, and what could not be tried here: docs/decisions/0038.
 */
import type { Reason } from '#kit/contract/issues.ts'

/** Who sells, and on which device. */
export interface TaxSeller {
  /** Registration number at the authority. */
  readonly rin: string
  readonly tradeName: string
  readonly branch: string
  readonly governate: string
  readonly city: string
  readonly street: string
  readonly building: string
  readonly device: string
  readonly activity: string
  /** What is sold, as the authority codes it. */
  readonly itemType: 'EGS' | 'GS1'
  readonly itemCode: string
}
export interface TaxLine {
  /** Our own code: an invoice, or the wallet. */
  readonly code: string
  readonly description: string
  /** Minor units. */
  readonly amount: number
}
export interface TaxSale {
  readonly kind: 'S' | 'R'
  readonly number: string
  /** UTC, to the second: `2026-11-29T08:00:00Z`. */
  readonly issued_at: string
  /** UUID of the receipt before it on the device; empty: it is the first. */
  readonly previous: string
  /** Of what is taken back: UUID of its receipt. */
  readonly reference: string | null
  /** UUID under which it was rejected. */
  readonly replaces: string | null
  readonly currency: string
  /** Pounds for one of the currency; null: not known. */
  readonly rate: number | null
  readonly way: string
  readonly payer: { readonly name: string; readonly national_id: string | null }
  readonly lines: readonly TaxLine[]
}

/** From this many pounds on the authority wants to know who paid. */
const NAMED_FROM = 150_000_00
/** The most lines of one receipt. */
const MOST_LINES = 300
/** What the authority calls ways to pay: cash, card, and others. */
const METHODS: Readonly<Record<string, string>> = { cash: 'C', card: 'V' }

/** Why a receipt cannot be made: all of it. */
export function checkTaxSale(sale: TaxSale): Reason[] {
  const sum = sale.lines.reduce((all, line) => all + line.amount, 0)
  const pounds = sale.currency === 'EGP' ? sum : sum * (sale.rate ?? 0)
  return [
    ...(sale.lines.length && sum > 0 && sale.lines.every((line) => line.amount > 0)
      ? []
      : [{ code: 'tax_receipt_nothing' }]),
    ...(sale.lines.length > MOST_LINES ? [{ code: 'tax_receipt_lines', data: { most: MOST_LINES } }] : []),
    ...(sale.currency !== 'EGP' && !(sale.rate !== null && sale.rate > 0)
      ? [{ code: 'tax_receipt_rate', data: { currency: sale.currency } }]
      : []),
    ...(sale.kind === 'R' && !sale.reference ? [{ code: 'tax_receipt_no_reference' }] : []),
    ...(pounds >= NAMED_FROM && !sale.payer.national_id ? [{ code: 'tax_receipt_payer' }] : []),
  ]
}

export type TaxValue = string | number | { readonly [key: string]: TaxValue } | readonly TaxValue[]
export interface TaxDocument {
  readonly header: { readonly uuid: string } & Readonly<Record<string, TaxValue>>
  readonly [key: string]: TaxValue
}

const major = (minor: number): number => minor / 100

/** A receipt without its UUID, which is the hash of it. */
export function taxDocument(sale: TaxSale, seller: TaxSeller): TaxDocument {
  const sum = sale.lines.reduce((all, line) => all + line.amount, 0)
  const named = (sale.currency === 'EGP' ? sum : sum * (sale.rate ?? 0)) >= NAMED_FROM
  return {
    header: {
      dateTimeIssued: sale.issued_at,
      receiptNumber: sale.number,
      uuid: '',
      previousUUID: sale.previous,
      ...(sale.replaces && { referenceOldUUID: sale.replaces }),
      ...(sale.kind === 'R' && { referenceUUID: sale.reference ?? '' }),
      currency: sale.currency,
      ...(sale.currency !== 'EGP' && sale.rate !== null && { exchangeRate: sale.rate }),
    },
    documentType: { receiptType: sale.kind, typeVersion: '1.2' },
    seller: {
      rin: seller.rin,
      companyTradeName: seller.tradeName,
      branchCode: seller.branch,
      branchAddress: {
        country: 'EG',
        governate: seller.governate,
        regionCity: seller.city,
        street: seller.street,
        buildingNumber: seller.building,
      },
      deviceSerialNumber: seller.device,
      activityCode: seller.activity,
    },
    buyer: {
      type: 'P',
      ...(named && sale.payer.national_id && { id: sale.payer.national_id, name: sale.payer.name }),
    },
    itemData: sale.lines.map((line) => ({
      internalCode: line.code,
      description: line.description,
      itemType: seller.itemType,
      itemCode: seller.itemCode,
      unitType: 'EA',
      quantity: 1,
      unitPrice: major(line.amount),
      netSale: major(line.amount),
      totalSale: major(line.amount),
      total: major(line.amount),
      // Education is exempt from the value added tax.
      taxableItems: [{ taxType: 'T1', amount: 0, subType: 'V003', rate: 0 }],
    })),
    totalSales: major(sum),
    netAmount: major(sum),
    totalAmount: major(sum),
    taxTotals: [{ taxType: 'T1', amount: 0 }],
    paymentMethod: METHODS[sale.way] ?? 'O',
  }
}

/**
 * The text that is hashed: names in capitals and values, each in quotes, one after the other; the name of a list before the list and before
 * each of its elements. Values stand as they stand in the document.
 */
export function canonicalText(value: TaxValue): string {
  if (typeof value !== 'object') return `"${String(value)}"`
  if (isList(value)) return value.map(canonicalText).join('')
  return Object.entries(value)
    .map(([name, inner]) => {
      const said = `"${name.toUpperCase()}"`
      return isList(inner) ? said + inner.map((one) => said + canonicalText(one)).join('') : said + canonicalText(inner)
    })
    .join('')
}
const isList = (value: TaxValue): value is readonly TaxValue[] => Array.isArray(value)

/** Where anybody sees a receipt at the authority: the address in its QR code. `total` in minor units. */
export const taxLink = (
  site: string,
  of: { readonly uuid: string; readonly issued_at: string; readonly total: number; readonly rin: string },
): string =>
  `${site}/receipts/search/${of.uuid}/share/${of.issued_at}#Total:${major(of.total).toFixed(3)},IssuerRIN:${of.rin}`

/** Seconds until it is tried again, the later the more often it was. */
export const retryAfter = (tries: number): number =>
  [60, 120, 300, 600, 1800, 3600, 10_800][Math.min(tries, 7) - 1] ?? 60
