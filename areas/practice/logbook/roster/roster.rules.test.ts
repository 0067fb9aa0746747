import { describe, expect, test } from 'vitest'
import { drawRoster, type DutyNeed, type DutyPerson } from './draw.rules.ts'
import { judgeDuties, judgeNeeds, type JudgedDuty } from './judge.rules.ts'

const FIRST = Date.UTC(2027, 0, 2)
const dayAt = (n: number) => new Date(FIRST + n * 86_400_000).toISOString().slice(0, 10)
const minute = (n: number, hour: number) => n * 1440 + hour * 60
const KINDS = [
  { id: 'day', from: 8, to: 16, interns: 2, night: false },
  { id: 'evening', from: 16, to: 24, interns: 1, night: false },
  { id: 'night', from: 20, to: 32, interns: 1, night: true },
]
const needs = (days: number): DutyNeed[] =>
  Array.from({ length: days }, (_, n) =>
    KINDS.map((kind) => ({
      key: `${kind.id} ${n}`,
      day: dayAt(n),
      from: minute(n, kind.from),
      to: minute(n, kind.to),
      night: kind.night,
      weekend: n % 7 === 0 || n % 7 === 6,
      interns: kind.interns,
    })),
  ).flat()
const person = (id: number, days: number, more: Partial<DutyPerson> = {}): DutyPerson => ({
  id,
  days: new Set(Array.from({ length: days }, (_, n) => dayAt(n))),
  wishes: new Set(),
  other: [],
  had: { nights: 0, weekends: 0, all: 0 },
  ...more,
})
/** What was drawn, as the judge looks at it. */
function judged(all: readonly DutyNeed[], people: readonly DutyPerson[], seed = 1) {
  const { drawn, unfilled } = drawRoster(all, people, seed)
  const duties: JudgedDuty[] = drawn.map(({ key, person: student_id }) => {
    const need = all.find((one) => one.key === key)!
    const at = (m: number) => new Date(FIRST + m * 60_000).toISOString()
    return {
      student_id,
      name: String(student_id),
      name_local: String(student_id),
      day: need.day,
      starts_at: at(need.from),
      ends_at: at(need.to),
      kind: { name: key, name_local: key },
      there: people.find(({ id }) => id === student_id)!.days.has(need.day),
      on_leave: false,
    }
  })
  return { drawn, unfilled, reasons: judgeDuties(duties) }
}

describe('a drawn roster', () => {
  test.each([1, 2, 3])('stands before the judge, is full and even (%s)', (seed) => {
    const all = needs(28)
    const people = Array.from({ length: 12 }, (_, i) => person(i + 1, 28))
    const { drawn, unfilled, reasons } = judged(all, people, seed)
    expect(reasons).toEqual([])
    expect(unfilled).toEqual([])
    expect(drawn).toHaveLength(28 * 4)
    const count = (id: number, of: (need: DutyNeed) => boolean) =>
      drawn.filter(({ key, person: who }) => who === id && of(all.find((one) => one.key === key)!)).length
    for (const of of [(need: DutyNeed) => need.night, (need: DutyNeed) => need.weekend, () => true]) {
      const counts = people.map(({ id }) => count(id, of))
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    }
  })
  test('nobody is on duty who is not there, or rests from a duty elsewhere; wishes are heard', () => {
    const all = needs(14)
    const absent = new Set(Array.from({ length: 7 }, (_, n) => dayAt(n)))
    const people = [
      ...Array.from({ length: 8 }, (_, i) => person(i + 1, 14)),
      person(9, 14, { days: absent }),
      person(10, 14, { other: [{ from: minute(3, -4), to: minute(3, 8) }], wishes: new Set([dayAt(9)]) }),
    ]
    const { drawn, reasons, unfilled } = judged(all, people)
    expect([reasons, unfilled]).toEqual([[], []])
    const of = (id: number) => drawn.filter((one) => one.person === id).map(({ key }) => Number(key.split(' ')[1]))
    expect(Math.max(...of(9))).toBeLessThan(7)
    expect(of(10)).not.toContain(9)
    expect(drawn.filter((one) => one.person === 10).map(({ key }) => key)).not.toContain('day 3')
  })
  test('who had more before has less now', () => {
    const all = needs(14)
    const people = Array.from({ length: 8 }, (_, i) =>
      person(i + 1, 14, { had: { nights: i === 0 ? 5 : 1, weekends: 0, all: i === 0 ? 10 : 6 } }),
    )
    const { drawn } = judged(all, people)
    expect(drawn.filter((one) => one.person === 1 && one.key.startsWith('night'))).toEqual([])
  })
  test('what cannot be filled stays open, with how many are there and rest; the same seed draws the same', () => {
    const all = needs(2).filter(({ key }) => !key.startsWith('evening'))
    const people = [person(1, 2), person(2, 2)]
    const { unfilled, reasons } = judged(all, people)
    expect(reasons).toEqual([])
    expect(unfilled.reduce((sum, one) => sum + one.missing, 0)).toBeGreaterThan(0)
    for (const one of unfilled) expect(one).toMatchObject({ there: 2 })
    expect(
      drawRoster(
        needs(14),
        Array.from({ length: 9 }, (_, i) => person(i, 14)),
        7,
      ),
    ).toEqual(
      drawRoster(
        needs(14),
        Array.from({ length: 9 }, (_, i) => person(i, 14)),
        7,
      ),
    )
  })
})

describe('the judge', () => {
  const duty = (from: string, until: string, more: object = {}): JudgedDuty => ({
    student_id: 1,
    name: 'Mona',
    name_local: 'منى',
    day: from.slice(0, 10),
    starts_at: from,
    ends_at: until,
    kind: { name: 'Night', name_local: 'ليلية' },
    there: true,
    on_leave: false,
    ...more,
  })
  test('finds a night before a day, who is away and who is on leave', () => {
    const night = duty('2027-01-02T20:00:00Z', '2027-01-03T08:00:00Z')
    expect(judgeDuties([duty('2027-01-03T08:00:00Z', '2027-01-03T16:00:00Z'), night])).toMatchObject([
      { code: 'duty_no_rest', data: { before: '2027-01-02', hours: 0 } },
    ])
    expect(judgeDuties([night, duty('2027-01-03T19:00:00Z', '2027-01-03T23:00:00Z')])).toEqual([])
    expect(judgeDuties([night, duty('2027-01-03T18:59:00Z', '2027-01-03T23:00:00Z')])).toHaveLength(1)
    expect(judgeDuties([night, duty('2027-01-03T08:00:00Z', '2027-01-03T16:00:00Z', { student_id: 2 })])).toEqual([])
    expect(judgeDuties([{ ...night, there: false, on_leave: true }]).map(({ code }) => code)).toEqual([
      'duty_not_there',
      'duty_on_leave',
    ])
  })
  test('counts what is open and what is too many', () => {
    const kind = { name: 'Day', name_local: 'نهارية' }
    const need = (has: number) => ({ kind, day: '2027-01-02', wanted: 2, has })
    expect(judgeNeeds([need(1), need(2), need(3)]).map(({ code }) => code)).toEqual([
      'duty_unfilled',
      'duty_overfilled',
    ])
  })
})
