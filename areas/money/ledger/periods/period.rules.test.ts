import { describe, expect, it } from 'vitest'
import { checkClosing, checkReopeningBooks, type ClosingFacts } from './period.rules.ts'

const FINE: ClosingFacts = { today: '2026-03-04', closed_through: '2026-01-31', drawers: [], findings: 0 }
const codes = (through: string, facts: Partial<ClosingFacts> = {}) =>
  checkClosing(through, { ...FINE, ...facts }).map((reason) => reason.code)

describe('closing', () => {
  it('is for days that are over, after what is closed', () => {
    expect(codes('2026-02-28')).toEqual([])
    expect(codes('2026-03-03')).toEqual([])
    expect(codes('2026-03-04')).toEqual(['ledger_closing_day'])
    expect(codes('2026-01-31')).toEqual(['ledger_closed_already'])
    expect(codes('2025-12-31', { closed_through: null })).toEqual([])
  })
  it('waits for drawers and a proof that finds nothing', () => {
    expect(codes('2026-02-28', { drawers: ['D-7'] })).toEqual(['ledger_drawer_open'])
    expect(codes('2026-02-28', { findings: null })).toEqual(['ledger_not_proven'])
    expect(codes('2026-02-28', { findings: 2 })).toEqual(['ledger_with_findings'])
  })
  it('names every reason at once', () => {
    expect(codes('2026-03-05', { closed_through: '2026-03-05', drawers: ['D-7', 'D-8'], findings: null })).toEqual([
      'ledger_closing_day',
      'ledger_closed_already',
      'ledger_drawer_open',
      'ledger_not_proven',
    ])
  })
})

it('only the last closing is taken back, and once', () => {
  const of = { closed_through: '2026-01-31', reopened: false, last: '2026-01-31' }
  expect(checkReopeningBooks(of)).toEqual([])
  expect(checkReopeningBooks({ ...of, last: '2026-02-28' })).toMatchObject([
    { code: 'ledger_closed_later', data: { day: '2026-02-28' } },
  ])
  expect(checkReopeningBooks({ ...of, reopened: true })).toMatchObject([{ code: 'ledger_closing_stays' }])
})
