import { describe, expect, it } from 'vitest'
import {
  FEW,
  MOST_COLUMNS,
  hiddenAmong,
  hiddenInGrid,
  isFew,
  keptColumns,
  ratioOf,
  toldFigure,
  type Read,
} from './figures.rules.ts'
import { LISTED_REPORTS, foundReports } from './index.rules.ts'

const cell = (people: number, far = people): Read => ({ value: people, counts: [people], people, far })
const english = ([en]: readonly [string, string]) => en

describe('figures of few', () => {
  it('are of one to four persons of whom somebody is out of reach', () => {
    expect([cell(0), cell(1), cell(FEW - 1), cell(FEW)].map(isFew)).toEqual([false, true, true, false])
    expect([cell(3, 0), cell(3, 1)].map(isFew)).toEqual([false, true])
    // One woman among thirty is one person too; and so is what is worked out from such a count.
    expect(isFew({ value: 1, counts: [1], people: 30, far: 30 })).toBe(true)
    expect(isFew({ value: 3.3, counts: [1, 30], people: 30, far: 30 })).toBe(true)
    expect(isFew({ value: 70, counts: [], people: 30, far: 30 })).toBe(false)
    // A mean counts nobody, and still tells about those of whom it is.
    const meanOf = (people: number) => isFew({ value: 2.7, counts: [], people, far: 1 })
    expect([meanOf(0), meanOf(1), meanOf(FEW - 1), meanOf(FEW)]).toEqual([false, true, true, false])
  })
  it('are not found by subtracting the others from the sum', () => {
    expect([...hiddenAmong([cell(30), cell(2), cell(9), cell(12)])].toSorted()).toEqual([1, 2])
    expect([...hiddenAmong([cell(30), cell(2), cell(4), cell(12)])].toSorted()).toEqual([1, 2])
    // Two of one person each are still fewer than five together.
    expect([...hiddenAmong([cell(30), cell(1), cell(1), cell(12)])].toSorted()).toEqual([1, 2, 3])
    expect(hiddenAmong([cell(30), cell(9)]).size).toBe(0)
    expect([...hiddenAmong([cell(2), cell(0)])]).toEqual([0])
  })
  it('are hidden in both directions of a table', () => {
    const hidden = hiddenInGrid([
      [cell(1), cell(20), cell(30)],
      [cell(20), cell(8), cell(30)],
      [cell(40), cell(50), cell(60)],
    ])
    expect(hidden[0]![0]).toBe(true)
    for (const row of hidden) expect(row.filter(Boolean).length).not.toBe(1)
    for (const at of [0, 1, 2]) expect(hidden.filter((row) => row[at]).length).not.toBe(1)
  })
  it('are told as few, others with two places', () => {
    expect([toldFigure(cell(3), true), toldFigure(cell(3), false)]).toEqual(['few', 3])
    expect(toldFigure({ ...cell(9), value: 2.345_67 }, false)).toBe(2.35)
    expect(toldFigure({ ...cell(0), value: null }, false)).toBe(null)
  })
})

it('nothing through nothing is nothing', () => {
  expect([ratioOf(1, 4, 100), ratioOf(0, 0, 100), ratioOf(null, 3, 1), ratioOf(0, 3, 1)]).toEqual([25, null, null, 0])
})
it('of too many columns those with the most persons stay, in their order', () => {
  const columns = Array.from({ length: 40 }, (_, at) => ({ people: at === 3 ? 1000 : at, at }))
  const kept = keptColumns(columns)
  expect(kept.length).toBe(MOST_COLUMNS)
  expect(kept[0]!.at).toBe(3)
  expect(kept.map(({ at }) => at)).toEqual(kept.map(({ at }) => at).toSorted((a, b) => a - b))
  expect(keptColumns(columns.slice(0, 5))).toEqual(columns.slice(0, 5))
})

describe('a report is found by words', () => {
  const found = (typed: string) => foundReports(LISTED_REPORTS, typed, english).map(({ to }) => to)
  it('of what it counts and by what it tells apart, in both languages and any spelling', () => {
    expect(found('retention')).toEqual(['/graduat-reports?tab=cohorts'])
    expect(found('visas')[0]).toBe('/foreigner-report?tab=foreigners-permits')
    expect(found('الاقامات')[0]).toBe('/foreigner-report?tab=foreigners-permits')
    expect(found('occupancy BUILDING')).toEqual(['/registrations-report?tab=occupancy', '/rooms-report'])
    expect(found('day by day')[0]).toBe('/admission-reports?tab=admission-days')
    expect(found('')).toEqual(LISTED_REPORTS.map(({ to }) => to))
    expect(found('xyzzy')).toEqual([])
  })
})
