import { describe, expect, test } from 'vitest'
import { alternativesByGroup, chooseSlots } from './choice.rules.ts'
import type { ChoosableSlot } from './choice.rules.ts'

type Meeting = ChoosableSlot['meetings'][number]
const at = (day: number, from: string, to: string): Meeting => {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return { day, from: minutes(from), to: minutes(to) }
}
let next = 0
const slot = (more: Partial<ChoosableSlot>): ChoosableSlot => ({
  id: ++next,
  group_id: 1,
  type: 'Lecture',
  section: null,
  meetings: [],
  free: 5,
  ...more,
})

describe('ways to attend', () => {
  test('slots of a section go together; others stand by themselves, each group by itself', () => {
    const [a, b, c, d] = [
      slot({ section: 'S1' }),
      slot({ section: 'S1' }),
      slot({}),
      slot({ group_id: 2, section: 'S1' }),
    ] as const
    const groups = alternativesByGroup([a, b, c, d])
    expect([...groups].map(([group, ways]) => [group, ways.map(({ slots }) => slots.map(({ id }) => id))])).toEqual([
      [1, [[a.id, b.id], [c.id]]],
      [2, [[d.id]]],
    ])
  })

  test('a section of two types is two ways: both are attended', () => {
    const [a, b] = [slot({ section: 'S1' }), slot({ section: 'S1', type: 'Lab' })] as const
    expect(chooseSlots([a, b], [])?.toSorted()).toEqual([a.id, b.id].toSorted())
  })
})

describe('a choice', () => {
  test('has one way of each type, the one with most seats', () => {
    const [lecture, few, many] = [slot({}), slot({ type: 'Lab', free: 1 }), slot({ type: 'Lab', free: 3 })] as const
    expect(chooseSlots([lecture, few, many], [])).toEqual([lecture.id, many.id])
  })

  test('takes the group with more seats, and the other where that one clashes', () => {
    const full = slot({ group_id: 1, free: 2, meetings: [at(1, '08:00', '10:00')] })
    const empty = slot({ group_id: 2, free: 9, meetings: [at(2, '08:00', '10:00')] })
    expect(chooseSlots([full, empty], [])).toEqual([empty.id])
    expect(chooseSlots([full, empty], [at(2, '09:00', '11:00')])).toEqual([full.id])
    // What only touches does not clash.
    expect(chooseSlots([empty], [at(2, '10:00', '11:00')])).toEqual([empty.id])
  })

  test('needs a seat in every slot of a section', () => {
    const one = [slot({ section: 'S1' }), slot({ section: 'S1', free: 0 })]
    expect(chooseSlots(one, [])).toBeNull()
    const other = slot({ section: 'S2', free: 1 })
    expect(chooseSlots([...one, other], [])).toEqual([other.id])
  })

  test('does not clash with itself: another lab is tried, and then another group', () => {
    const lecture = slot({ meetings: [at(1, '08:00', '10:00')] })
    const beside = slot({ type: 'Lab', free: 9, meetings: [at(1, '09:00', '11:00')] })
    const later = slot({ type: 'Lab', free: 1, meetings: [at(1, '10:00', '12:00')] })
    expect(chooseSlots([lecture, beside, later], [])).toEqual([lecture.id, later.id])
    expect(chooseSlots([lecture, beside], [])).toBeNull()
  })
})
