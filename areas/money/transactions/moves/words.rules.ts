/** What a movement is called. What an invoice charges no more goes into the wallet as a transaction that goes out of the invoice. */

/** Whether a transaction put into the wallet what is not charged any more, rather than paying out of it. */
export const isReleased = (of: { readonly purpose: string; readonly way: string }): boolean =>
  of.purpose === 'cash_back' && of.way === 'wallet'

/** The word of a movement of the wallet: entries between invoice and wallet go both ways. */
export const moveWord = (of: { readonly kind: string; readonly amount: number }): string =>
  of.kind === 'wallet' && of.amount > 0 ? 'released' : of.kind
