/** How money that came is spread over what is owed. Integers of the minor unit. */

/** An invoice that is open, in the currency of the money: what of it is not settled, and by when the next of it is due. */
export interface OpenInvoice {
  readonly id: number
  readonly open: number
  readonly due_date: string
}
/** What somebody asks to be settled: an invoice, all that is open of it or a part. */
export interface Preference {
  readonly invoice_id: number
  readonly amount?: number | undefined
}
export interface Allocation {
  readonly invoice_id: number
  readonly amount: number
}

/**
 * What is asked for comes first, each at most what is open of it; then what is due earliest, equal days by id. `rest` is what
 * nothing is owed for: it goes into the wallet.
 *
 * @param only nothing but what is asked for is settled
 */
export function allocate(
  amount: number,
  open: readonly OpenInvoice[],
  { prefer = [], only = false }: { prefer?: readonly Preference[] | undefined; only?: boolean | undefined } = {},
): { allocations: Allocation[]; rest: number } {
  const left = new Map(open.map((one) => [one.id, one.open]))
  const taken = new Map<number, number>()
  let rest = amount
  const settle = (id: number, wanted: number): void => {
    const part = Math.min(rest, wanted, left.get(id) ?? 0)
    if (part <= 0) return
    rest -= part
    left.set(id, left.get(id)! - part)
    taken.set(id, (taken.get(id) ?? 0) + part)
  }
  for (const one of prefer) settle(one.invoice_id, one.amount ?? Number.MAX_SAFE_INTEGER)
  if (!only)
    for (const one of open.toSorted((a, b) =>
      a.due_date < b.due_date ? -1 : a.due_date > b.due_date ? 1 : a.id - b.id,
    ))
      settle(one.id, Number.MAX_SAFE_INTEGER)
  return { allocations: [...taken].map(([invoice_id, part]) => ({ invoice_id, amount: part })), rest }
}
