import { expect, it } from 'vitest'
import type { AvailableOffering } from '../requests/request.contract.ts'
import { againstAll } from './against.rules.ts'

const reason = (code: string, en = code) => ({ field: null, code, en, ar: en })
const offering = (refusals: ReturnType<typeof reason>[], more: object = {}) =>
  ({ registration: null, wait_position: null, refusals, ...more }) as unknown as AvailableOffering
const told = (offerings: readonly AvailableOffering[]) => againstAll(offerings).map(({ code }) => code)

it('what stands against every course is told once: a hold, not what one course lacks', () => {
  const held = reason('unpaid_invoice', 'INV-1 is overdue')
  expect(told([offering([held, reason('prerequisites')]), offering([held])])).toEqual(['unpaid_invoice'])
  // One that can be had, or another invoice: then it is not against all.
  expect(told([offering([held]), offering([])])).toEqual([])
  expect(told([offering([held]), offering([reason('unpaid_invoice', 'INV-2 is overdue')])])).toEqual([])
})
it('courses that are had, waited for or passed already say nothing about the others, and one alone tells itself', () => {
  const held = reason('unpaid_invoice')
  const had = [
    offering([], { registration: { id: 1 } }),
    offering([], { wait_position: 2 }),
    offering([reason('already_passed')]),
  ]
  expect(told([...had, offering([held]), offering([held])])).toEqual(['unpaid_invoice'])
  expect(told([...had, offering([held])])).toEqual([])
  expect(told([offering([reason('stage_closed')]), offering([reason('stage_closed')])])).toEqual([])
})
