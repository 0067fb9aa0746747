/**
 * What the program learns from what people said of lines that named nothing of ours: an account, or a name that the bank tells,
 * of which people said more than once whose it is.
 */
import { nameWords } from './match.rules.ts'
import type { Proposal } from './match.rules.ts'

/** By what a payer is known again. */
export const LEARNED_BY = ['account', 'name'] as const
export type LearnedBy = (typeof LEARNED_BY)[number]

/** So often people said the same of an account before the program says it by itself. */
export const ENOUGH = 3
/** What is of more payers than that tells nothing of anybody: a bank's own account, or a common name. */
export const TOO_MANY = 3

/** By what a line may be known again: the account that it came from, and who the bank says paid, in at least two words. */
export function payerKeys({
  iban,
  counterparty,
}: {
  readonly iban: string | null
  readonly counterparty: string | null
}): string[] {
  const words = nameWords(counterparty).toSorted()
  return [...(iban ? [`account ${iban}`] : []), ...(words.length >= 2 ? [`name ${words.join(' ')}`.slice(0, 200)] : [])]
}

/** What people said of lines with one key: how often they were a payer's. */
export interface Learned {
  readonly key: string
  readonly payer_id: number
  readonly times: number
  /** The day of the last of them. */
  readonly last_on: string
  /** The payer owes something in the currency of the line. */
  readonly owes: boolean
}
export interface LearnedProposal extends Omit<Proposal, 'why'> {
  readonly why: 'learned'
  readonly by: LearnedBy
  readonly times: number
  readonly last_on: string
}

const proposalOf = ({ key, payer_id, times, last_on }: Learned): LearnedProposal => ({
  payer_id,
  invoice_id: null,
  why: 'learned',
  by: key.startsWith('account ') ? 'account' : 'name',
  times,
  last_on,
})

/**
 * What is learned of a line. It is decided where its account was the same payer's each time, three times at least, nothing that
 * people said of the name speaks for another payer, and the payer owes something; else payers are proposed, who paid most often
 * first. A name alone never decides: two people may have it.
 */
export function fromLearned(known: readonly Learned[]): {
  readonly decided: LearnedProposal | null
  readonly proposals: readonly LearnedProposal[]
} {
  const telling = [...Map.groupBy(known, (one) => one.key).values()].filter((list) => list.length <= TOO_MANY).flat()
  const best = telling.toSorted(
    (a, b) =>
      Number(b.key.startsWith('account ')) - Number(a.key.startsWith('account ')) ||
      b.times - a.times ||
      b.last_on.localeCompare(a.last_on) ||
      a.payer_id - b.payer_id,
  )
  const proposals = [...Map.groupBy(best, (one) => one.payer_id).values()].map((list) => proposalOf(list[0]!))
  const [first, another] = proposals
  const sure =
    first !== undefined &&
    another === undefined &&
    // One that is told of too many payers speaks for all of them.
    telling.length === known.length &&
    first.by === 'account' &&
    first.times >= ENOUGH &&
    best[0]!.owes
  return { decided: sure ? first : null, proposals: proposals.slice(0, TOO_MANY) }
}
