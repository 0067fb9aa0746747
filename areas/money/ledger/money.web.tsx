import { Code } from '#kit/web/feedback/index.ts'
import { formatMoney } from '#kit/web/i18n/index.ts'

/** An amount with its currency; nothing where there is none. */
export const MoneyText = ({ minor, currency }: { minor: number | null; currency: string }) =>
  minor === null ? null : <Code>{formatMoney(minor, currency)}</Code>

/** Where entries of the ledger are listed, narrowed. */
export const entriesHref = (filters: Readonly<Record<string, unknown>>): string =>
  `/ledger/entries?filters=${encodeURIComponent(JSON.stringify(filters))}`
