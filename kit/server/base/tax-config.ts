import { z } from 'zod'
import { webAddress } from './web-address.ts'

/** How receipts reach the tax authority. */
export interface TaxReceiptsConfig {
  readonly url: string
  /** Where the device signs in. */
  readonly idUrl: string
  /** Where anybody looks up a receipt. */
  readonly site: string
  readonly clientId: string
  /** Never leave the server. */
  readonly clientSecret: string
  readonly presharedKey: string
  readonly deviceVersion: string
  readonly seller: {
    readonly rin: string
    readonly tradeName: string
    readonly branch: string
    readonly governate: string
    readonly city: string
    readonly street: string
    readonly building: string
    readonly device: string
    readonly activity: string
    readonly itemType: 'EGS' | 'GS1'
    readonly itemCode: string
  }
}

/** Its variables in the environment. */
export const TAX_VARIABLES = {
  ETA_URL: webAddress.optional(),
  ETA_ID_URL: webAddress.optional(),
  ETA_SITE: webAddress.optional(),
  ETA_CLIENT_ID: z.string().max(100).optional(),
  ETA_CLIENT_SECRET: z.string().max(200).optional(),
  ETA_PRESHARED_KEY: z.string().max(200).optional(),
  ETA_POS_SERIAL: z.string().max(100).optional(),
  ETA_POS_VERSION: z.string().max(50).optional(),
  ETA_RIN: z
    .string()
    .regex(/^\d{9}$/, 'nine digits')
    .optional(),
  ETA_TRADE_NAME: z.string().max(200).optional(),
  ETA_BRANCH: z.string().max(50).optional(),
  ETA_ACTIVITY_CODE: z
    .string()
    .regex(/^\d{4,6}$/, 'the code of an activity')
    .optional(),
  ETA_GOVERNATE: z.string().max(100).optional(),
  ETA_CITY: z.string().max(100).optional(),
  ETA_STREET: z.string().max(200).optional(),
  ETA_BUILDING: z.string().max(100).optional(),
  ETA_ITEM_TYPE: z.enum(['EGS', 'GS1']).optional(),
  ETA_ITEM_CODE: z.string().max(100).optional(),
}
const shape = z.object(TAX_VARIABLES)

/** What receipts to the tax authority need, all together. */
const TAX_RECEIPTS = [
  'ETA_CLIENT_ID',
  'ETA_CLIENT_SECRET',
  'ETA_PRESHARED_KEY',
  'ETA_POS_SERIAL',
  'ETA_RIN',
  'ETA_TRADE_NAME',
  'ETA_ACTIVITY_CODE',
  'ETA_GOVERNATE',
  'ETA_CITY',
  'ETA_STREET',
  'ETA_BUILDING',
  'ETA_ITEM_CODE',
] as const
/** What is missing, once one of them is given. */
export function taxReceiptMistakes(given: Readonly<Record<string, string | undefined>>): string[] {
  const missing = TAX_RECEIPTS.filter((name) => !given[name])
  const begun = Object.keys(given).some((name) => name.startsWith('ETA_') && given[name])
  return begun && missing.length ? [`${missing.join(' and ')}: needed for receipts to the tax authority`] : []
}
export function taxReceiptsOf(v: Readonly<Partial<z.output<typeof shape>>>): TaxReceiptsConfig | null {
  const need = (name: (typeof TAX_RECEIPTS)[number]): string => v[name] ?? ''
  if (TAX_RECEIPTS.some((name) => !need(name))) return null
  const address = (given: string | undefined, usual: string): string => (given ?? usual).replace(/\/+$/, '')
  return {
    url: address(v.ETA_URL, 'https://api.invoicing.eta.gov.eg'),
    idUrl: address(v.ETA_ID_URL, 'https://id.eta.gov.eg'),
    site: address(v.ETA_SITE, 'https://invoicing.eta.gov.eg'),
    clientId: need('ETA_CLIENT_ID'),
    clientSecret: need('ETA_CLIENT_SECRET'),
    presharedKey: need('ETA_PRESHARED_KEY'),
    deviceVersion: v.ETA_POS_VERSION ?? 'os',
    seller: {
      rin: need('ETA_RIN'),
      tradeName: need('ETA_TRADE_NAME'),
      branch: v.ETA_BRANCH ?? '0',
      governate: need('ETA_GOVERNATE'),
      city: need('ETA_CITY'),
      street: need('ETA_STREET'),
      building: need('ETA_BUILDING'),
      device: need('ETA_POS_SERIAL'),
      activity: need('ETA_ACTIVITY_CODE'),
      itemType: v.ETA_ITEM_TYPE ?? 'EGS',
      itemCode: need('ETA_ITEM_CODE'),
    },
  }
}
