import { addDays } from '#kit/contract/day.ts'
import { describe, expect, it } from 'vitest'
import { checkStep, reminderOf, stepsOf, type RemindedPart } from './reminder.rules.ts'

const step = (id: number, moment: 'before' | 'after', days: number, faculty_id: number | null = null) => ({
  id,
  moment,
  days,
  faculty_id,
})
const ALL = [
  step(1, 'before', 7),
  step(2, 'before', 1),
  step(5, 'after', 30),
  step(3, 'after', 3),
  step(4, 'after', 14),
  step(9, 'after', 20, 2),
]
const TODAY = '2026-11-28'
const part = (late: number, more: Partial<RemindedPart> = {}): RemindedPart => ({
  due_date: addDays(TODAY, -late),
  open: 100,
  waits: null,
  sent: [],
  ...more,
})
const told = (of: RemindedPart, faculty: number | null = 1) =>
  reminderOf(of, stepsOf(ALL, faculty), TODAY).step?.id ?? null

describe('steps', () => {
  it('of the university are everybody’s; a faculty with one of its own has that alone', () => {
    expect(stepsOf(ALL, 1).map((one) => [one.id, one.level])).toEqual([
      [1, null],
      [2, null],
      [3, 1],
      [4, 2],
      [5, 3],
    ])
    expect(stepsOf(ALL, 2).map((one) => [one.id, one.level])).toEqual([[9, 1]])
    expect(stepsOf(ALL, null).length).toBe(5)
  })
})

describe('what is told of a part', () => {
  it('is the step that is reached, on its day or later, and nothing before it', () => {
    expect([-8, -7, -5, -1, 0, 1, 2, 3].map((late) => told(part(late)))).toEqual([null, 1, 1, 2, 2, null, null, 3])
  })
  it('is told once, also when the day moved nothing else', () => {
    const sent = (moment: 'before' | 'after', days: number, ago: number) => [
      { moment, days, sent_on: addDays(TODAY, -ago) },
    ]
    expect(told(part(-7, { sent: sent('before', 7, 1) }))).toBeNull()
    expect(told(part(-1, { sent: sent('before', 7, 6) }))).toBe(2)
    // What was passed over is not told once more after a nearer one.
    expect(told(part(-1, { sent: sent('before', 1, 1) }))).toBeNull()
    expect(told(part(4, { sent: sent('after', 3, 1) }))).toBeNull()
    // Also where the nearer one was switched off since.
    const far = ALL.filter((one) => one.id !== 2)
    expect(reminderOf(part(-1, { sent: sent('before', 1, 1) }), stepsOf(far, 1), TODAY).step).toBeNull()
    // Before the day something was told: after it the first level comes all the same.
    expect(told(part(3, { sent: sent('before', 1, 4) }))).toBe(3)
  })
  it('goes level by level, and leaves as much time between them as their days do', () => {
    const sent = (ago: number) => [{ moment: 'after' as const, days: 3, sent_on: addDays(TODAY, -ago) }]
    // A year late and never told: the first one first.
    expect(told(part(365))).toBe(3)
    expect(told(part(365, { sent: sent(10) }))).toBeNull()
    expect(told(part(365, { sent: sent(11) }))).toBe(4)
    expect(told(part(14, { sent: sent(11) }))).toBe(4)
    expect(told(part(40, { sent: [...sent(37), { moment: 'after', days: 14, sent_on: addDays(TODAY, -26) }] }))).toBe(5)
    expect(told(part(400, { sent: [{ moment: 'after', days: 30, sent_on: addDays(TODAY, -300) }] }))).toBeNull()
  })
  it('never comes twice on a day, nor of what is paid', () => {
    expect(told(part(14, { sent: [{ moment: 'before', days: 1, sent_on: TODAY }] }))).toBeNull()
    expect(told(part(14, { open: 0 }))).toBeNull()
  })
  it('waits for what is under way, and says for what', () => {
    for (const waits of ['slip', 'payment', 'promise', 'plan'] as const)
      expect(reminderOf(part(3, { waits }), stepsOf(ALL, 1), TODAY)).toEqual({ step: null, kept: waits })
    // Where nothing is reached, nothing is kept back either.
    expect(reminderOf(part(2, { waits: 'slip' }), stepsOf(ALL, 1), TODAY)).toEqual({ step: null, kept: null })
  })
})

it('a step is refused with every reason', () => {
  const codes = (of: Parameters<typeof checkStep>[0]) => checkStep(of).map((one) => `${one.field} ${one.code}`)
  expect(codes({ moment: 'after', days: 3, holds: true, fee_item_id: 4, texts: {} })).toEqual([])
  expect(codes({ moment: 'before', days: 0, holds: true, fee_item_id: 4, texts: { text_de: 'Bitte' } })).toEqual([
    'fee_item_id reminder_step_after',
    'holds reminder_step_after',
    'text reminder_text_both',
    'text_local reminder_text_both',
  ])
  expect(codes({ moment: 'after', days: 0, texts: { text: 'Pay', text_local: ' ' } })).toEqual([
    'days reminder_step_late',
    'text_local reminder_text_both',
  ])
  expect(codes({ moment: 'after', days: 1, texts: { text: 'Pay', text_local: 'ادفع' } })).toEqual([])
})
