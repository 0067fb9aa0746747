import { expect, test } from 'vitest'
import { checkConfirming, checkTakingBack } from '../runs/run.contract.ts'
import { checkSeat, type GivenSeatFacts } from './seat.rules.ts'

const FACTS: GivenSeatFacts = {
  status: 'Assigned',
  status_local: 'مرشح للتنسيق',
  possible: true,
  same: false,
  equivalent: false,
  terms: { capacity: 3, limits: [] },
  groups: [0, 2],
  conditions: [],
  exception: false,
  reason: false,
}
const limit = (group: number, reserved: number, maximum: number | null = null) => ({ group, reserved, maximum })
const UNMET = [{ code: 'ranking_certificate' }]

test.each<[string, Partial<GivenSeatFacts>, string[]]>([
  ['a seat that is free', {}, []],
  ['too late', { possible: false }, ['applicant_late']],
  ['the same', { same: true }, ['seat_same']],
  ['after the equivalence', { equivalent: true }, ['seat_equivalent']],
  ['not offered', { terms: null }, ['seat_not_offered']],
  ['nothing of both', { terms: null, possible: false }, ['applicant_late', 'seat_not_offered']],
  ['full', { terms: { capacity: 0, limits: [] } }, ['seat_none']],
  ['all of them reserved for others', { terms: { capacity: 3, limits: [limit(5, 3)] } }, ['seat_reserved']],
  ['one is left beside those', { terms: { capacity: 3, limits: [limit(5, 2)] } }, []],
  ['reserved for the own group', { terms: { capacity: 3, limits: [limit(5, 2), limit(2, 1)] } }, []],
  [
    'reserved for the own group, where more is reserved than there is',
    { terms: { capacity: 2, limits: [limit(5, 2), limit(2, 1)] } },
    [],
  ],
  [
    'reserved for the own group and filled',
    { terms: { capacity: 2, limits: [limit(5, 2), limit(2, 0)] } },
    ['seat_reserved'],
  ],
  ['as many of the group as may be', { terms: { capacity: 3, limits: [limit(0, 0, 0)] } }, ['seat_group_full']],
  ['one more of the group', { terms: { capacity: 3, limits: [limit(0, 0, 1)] } }, []],
  ['a limit of others', { terms: { capacity: 3, limits: [limit(5, 0, 0)] } }, []],
  ['a condition', { conditions: UNMET }, ['ranking_certificate']],
  ['a condition, passed over in silence', { conditions: UNMET, exception: true }, ['reason_required']],
  ['a condition, passed over with a reason', { conditions: UNMET, exception: true, reason: true }, []],
  ['full, with an exception', { terms: { capacity: 0, limits: [] }, exception: true, reason: true }, ['seat_none']],
])('%s', (_, facts, codes) => {
  expect(checkSeat({ ...FACTS, ...facts }).map(({ code }) => code)).toEqual(codes)
})

test('a run is confirmed once, when nobody applies any more, and taken back before seats are offered', () => {
  const codes = (facts: Parameters<typeof checkConfirming>[0]) => checkConfirming(facts).map(({ code }) => code)
  const facts = { open: false, assigned: 3, over: false, moved: 0 }
  expect(codes(facts)).toEqual([])
  expect(codes({ ...facts, open: true, assigned: 0, over: true })).toEqual([
    'distribution_admission_open',
    'distribution_nobody',
    'distribution_outdated',
  ])
  expect(checkTakingBack(facts)).toEqual([])
  expect(checkTakingBack({ ...facts, moved: 2 })).toEqual([{ code: 'distribution_seats_offered', data: { count: 2 } }])
})
