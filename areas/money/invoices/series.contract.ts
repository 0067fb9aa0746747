import { series } from '#kit/contract/index.ts'

export const invoiceNumbers = series('invoices', { per: 'year', format: 'INV-{period}-{n}' })
export const debitNotes = series('debit_notes', { per: 'year', format: 'DN-{period}-{n}' })
export const creditNotes = series('credit_notes', { per: 'year', format: 'CN-{period}-{n}' })
