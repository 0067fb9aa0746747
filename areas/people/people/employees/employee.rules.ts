import { daysBetween } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** Kinds of contract. */
export const CONTRACT_KINDS = [
  { value: 'permanent', label: ['Permanent', 'تعيين دائم'] },
  { value: 'fixed_term', label: ['Fixed term', 'عقد محدد المدة'] },
  { value: 'part_time', label: ['Part time', 'دوام جزئي'] },
  { value: 'secondment', label: ['Secondment', 'ندب'] },
  { value: 'temporary', label: ['Temporary', 'عمالة مؤقتة'] },
] as const
export type ContractKind = (typeof CONTRACT_KINDS)[number]['value']
/** Kinds that are for a time: they say until when. */
export const FOR_A_TIME: ReadonlySet<string> = new Set<ContractKind>(['fixed_term', 'secondment', 'temporary'])

/** Days before its end at which a contract is told of and listed. */
export const CONTRACT_TOLD_DAYS = 30

/** A contract as it is written: days of the calendar, the last one among them. */
export interface Contract {
  readonly kind: string
  readonly from_date: string
  readonly to_date: string | null
}

/** Why contracts of one person cannot stand so: each ends, where it has to, not before it begins, and no two are at once. */
export function contractReasons(contracts: readonly Contract[]): Reason[] {
  const reasons: Reason[] = []
  for (const [i, { kind, from_date, to_date }] of contracts.entries()) {
    if (to_date === null) {
      if (FOR_A_TIME.has(kind)) reasons.push({ field: `contracts.${i}.to_date`, code: 'contract_end_needed' })
    } else if (to_date < from_date)
      reasons.push({ field: `contracts.${i}.to_date`, code: 'contract_ends_before_begin', data: { from: from_date } })
  }
  const ordered = contracts
    .map((contract, i) => ({ ...contract, i }))
    .toSorted((a, b) => a.from_date.localeCompare(b.from_date))
  for (const [place, next] of ordered.entries()) {
    const before = ordered.slice(0, place).find(({ to_date }) => to_date === null || to_date >= next.from_date)
    if (before)
      reasons.push({
        field: `contracts.${next.i}.from_date`,
        code: 'contracts_overlap',
        data: { from: before.from_date, until: before.to_date ?? '–' },
      })
  }
  return reasons
}

/** Who is to manage an employee, as the rules see it. */
export interface Managing {
  /** The employee; null: a new one, whom nobody has yet as manager. */
  readonly id: number | null
  readonly manager_id: number
  /** Whether the manager is an employee who is there and whom the writer may see. */
  readonly known: boolean
  /** The managers of the manager, from below. */
  readonly above: readonly { readonly id: number; readonly name: string; readonly name_local: string }[]
}

/** Why somebody cannot be the manager: nobody leads himself or herself, neither at once nor over others. */
export function managerReasons({ id, manager_id, known, above }: Managing): Reason[] {
  if (id === manager_id) return [{ field: 'manager_id', code: 'own_manager' }]
  if (!known) return [{ field: 'manager_id', code: 'manager_no_employee' }]
  const place = above.findIndex((one) => one.id === id)
  if (place < 0) return []
  // The last one below the employee, by whom the circle closes; the manager himself or herself, where nobody is between.
  const by = above[place - 1]
  return [
    { field: 'manager_id', code: 'manager_circle', ...(by && { data: { who: by.name, who_local: by.name_local } }) },
  ]
}

/** Where a contract stands on a day. */
export function contractState(ends_on: string | null, today: string): 'open' | 'ends_soon' | 'ended' {
  if (ends_on === null) return 'open'
  if (ends_on < today) return 'ended'
  return daysBetween(today, ends_on) <= CONTRACT_TOLD_DAYS ? 'ends_soon' : 'open'
}
