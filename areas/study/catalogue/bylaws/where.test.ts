import { expect, test } from 'vitest'
import { settingsPatch } from './settings.contract.ts'
import { anchorOf, placeOf } from './where.rules.ts'

test('every setting of a bylaw has its place, whether it works by hours or by marks, and so has a part of one', () => {
  const keys = Object.keys(settingsPatch.shape)
  expect(keys.filter((key) => !placeOf(key) || !placeOf(key, true))).toEqual([])
  expect(placeOf('levels.2.name')).toEqual(placeOf('levels'))
  expect([placeOf('total_places')?.tab, placeOf('total_places', true)?.tab]).toEqual(['rules', 'grades'])
  expect(placeOf(null)).toBeUndefined()
  // No two headings are one place of the page.
  const titles = new Map(keys.map((key) => [placeOf(key)!.title[0], anchorOf(placeOf(key)!.title)]))
  expect(new Set(titles.values()).size).toBe(titles.size)
})
