/** A wallet as it is read: what each payer that somebody is holds, and postings into it and out of it. */
import type { WalletOf } from './transaction.contract.ts'

type Balance = WalletOf['balances'][number]
type Move = WalletOf['moves'][number]
export interface WalletRead {
  readonly student: WalletOf['student']
  /** Of each payer: two records that became one have two of a currency. */
  readonly balances: readonly Balance[]
  /** Postings, in any order; `id` is the entry's. */
  readonly moves: readonly (Omit<Move, 'after'> & { readonly id: number })[]
}

/** The wallet as it is shown: sums by currency, entries with what was in the wallet after each, the latest first. */
export function shownWallet({ student, balances, moves }: WalletRead): WalletOf {
  const sums = new Map<string, Balance>()
  for (const { currency, wallet, owed, deposit } of balances) {
    const before = sums.get(currency)
    sums.set(currency, {
      currency,
      wallet: wallet + (before?.wallet ?? 0),
      owed: owed + (before?.owed ?? 0),
      deposit: deposit + (before?.deposit ?? 0),
    })
  }
  const entries = new Map<number, Move>()
  const after = new Map<string, number>()
  for (const { id, amount, ...one } of moves.toSorted((a, b) => a.id - b.id)) {
    const now = (after.get(one.currency) ?? 0) + amount
    after.set(one.currency, now)
    entries.set(id, { ...one, amount: amount + (entries.get(id)?.amount ?? 0), after: now })
  }
  return {
    student,
    balances: [...sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
    moves: [...entries.values()].toReversed(),
  }
}
