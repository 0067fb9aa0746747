import { expect, test } from 'vitest'
import { changedSettings } from './changed.rules.ts'

const saved = {
  min_percentage_final_exam: '30.00',
  repeat_max_points: null as string | null,
  levels: [{ id: 1, name: '1', passed_hours: 0, from: '0.00' }],
  improve_letters: 'D,D+',
}

test('only what says something else is a change', () => {
  expect(changedSettings({ min_percentage_final_exam: '30' }, saved)).toEqual({})
  expect(changedSettings({ min_percentage_final_exam: '30.5' }, saved)).toEqual({ min_percentage_final_exam: '30.5' })
  expect(changedSettings({ repeat_max_points: null }, saved)).toEqual({})
  expect(changedSettings({ repeat_max_points: '' }, saved)).toEqual({ repeat_max_points: '' })
  expect(changedSettings({ repeat_max_points: '0' }, saved)).toEqual({ repeat_max_points: '0' })
  expect(changedSettings({ levels: [{ id: 1, name: '1', passed_hours: 0, from: '0' }] }, saved)).toEqual({})
  expect(changedSettings({ levels: [] }, saved)).toEqual({ levels: [] })
  expect(changedSettings({ levels: [{ id: 1, name: '1', passed_hours: 1, from: '0' }] }, saved)).toHaveProperty(
    'levels',
  )
  expect(changedSettings({ improve_letters: 'D' }, saved)).toEqual({ improve_letters: 'D' })
})
