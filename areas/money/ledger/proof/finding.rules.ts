import type { LedgerFound } from './proof.contract.ts'

/** A finding as a line for a terminal: what, of which record, what should be and what is. */
export const ledgerFindingText = ({ kind, record, id, name, currency, expected, found }: LedgerFound): string =>
  [
    `${kind}: ${record}${id === null ? '' : ` ${id}`}${name === null ? '' : ` (${name})`}`,
    currency,
    expected === null ? null : `should be ${expected}`,
    found === null ? null : `is ${found}`,
  ]
    .filter((part) => part !== null)
    .join(', ')
