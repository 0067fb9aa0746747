import { defineAreaServer } from '#kit/server/area.ts'
import { Refusal } from '#kit/server/errors.ts'
import { serveResource } from '#kit/server/resource.ts'
import { feesArea } from './fees.contract.ts'
import { scholarship } from './scholarships/scholarship.contract.ts'
import { checkTerms, type Basis } from './scholarships/scholarship.rules.ts'

const numberOf = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value))

export const scholarships = serveResource(scholarship, {
  beforeWrite: (_ctx, _tx, merged) => {
    merged.priority ??= 100
    const reasons = checkTerms({
      basis: merged.basis as Basis,
      from_value: numberOf(merged.from_value),
      to_value: numberOf(merged.to_value),
      percent: numberOf(merged.percent),
      amount: numberOf(merged.amount),
      currency: (merged.currency as string | null | undefined) ?? null,
    })
    if (reasons.length) throw new Refusal(422, reasons)
  },
})

export const feesServer = defineAreaServer({ area: feesArea, handlers: [scholarships] })
