import { describe, expect, it } from 'vitest'
import type { MainFlag } from '#areas/common/academics/status.rules.ts'
import { statusWays, type StatusOf } from './status.rules.ts'

const all = () => true
const of = (state: MainFlag, more: Partial<StatusOf> = {}): StatusOf => ({
  state,
  audit: false,
  by_decision: false,
  ...more,
})
const codes = (one: StatusOf | null, can: Parameters<typeof statusWays>[0] = all) =>
  statusWays(can, one).offered.map(({ code }) => code)

describe('which statuses are offered', () => {
  it('never those that a decision sets: they are shown with whoever decides', () => {
    expect(codes(null)).toEqual([5, 14, 8, 12, 2])
    expect(statusWays(all, null).elsewhere).toEqual(['Punished', 'Banned', 'Absent', 'Excused'])
    expect(statusWays(all, of('Registered')).elsewhere).toEqual(['Punished', 'Banned', 'Absent', 'Excused'])
    expect(statusWays(all, of('ExcuseRequest')).elsewhere).toEqual(['Excused'])
    expect(statusWays(all, of('Dropped')).elsewhere).toEqual([])
  })
  it('those to which a step of staff leads from where it stands', () => {
    expect(codes(of('Registered'))).toEqual([5, 14, 8, 12])
    expect(codes(of('Registered', { audit: true }))).toEqual([5, 14, 8, 2])
    expect(codes(of('Incomplete'))).toEqual([2])
    expect(codes(of('WithdrawRequest'))).toEqual([2])
    expect(codes(of('RegisterRequest'))).toEqual([])
  })
  it('a state that a standing case decided is taken back there; one without a case here', () => {
    for (const state of ['Punished', 'Banned', 'Absent', 'Excused'] as const) {
      expect(statusWays(all, of(state, { by_decision: true }))).toEqual({ offered: [], elsewhere: [], stands: state })
      expect(statusWays(all, of(state))).toMatchObject({ offered: [{ code: 2 }], stands: null })
    }
  })
  it('by rights, and where it is known by what may be done with this one now', () => {
    expect(codes(null, (right) => right === 'withdraw_registration')).toEqual([5, 14])
    expect(statusWays((right) => right === 'withdraw_registration', null).elsewhere).toEqual(['Excused'])
    expect(codes(of('Registered', { abilities: ['withdraw', 'audit'] }))).toEqual([5, 12])
    expect(codes(of('Punished', { abilities: ['undo'], by_decision: true }))).toEqual([])
    expect(statusWays(() => false, of('Punished', { by_decision: true })).stands).toBeNull()
  })
})
