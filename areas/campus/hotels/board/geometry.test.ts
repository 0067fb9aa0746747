import { describe, expect, it } from 'vitest'
import { barColumns, nextBed, sameBar, takenTo } from './geometry.rules.ts'

const bar = { bed_id: 2, from: '2030-03-05', until: '2030-03-08' }
const beds = [null, 1, 2, null, 3]

it('shows what lies within its days', () => {
  expect(barColumns(bar, '2030-03-01', 30)).toEqual({ at: 4, len: 3 })
  expect(barColumns(bar, '2030-03-06', 30)).toEqual({ at: 0, len: 2 })
  expect(barColumns(bar, '2030-03-01', 5)).toEqual({ at: 4, len: 1 })
  expect(barColumns(bar, '2030-03-08', 5)).toEqual({ at: 0, len: 0 })
  // Over the day on which clocks go forward.
  expect(barColumns({ from: '2030-04-25', until: '2030-04-27' }, '2030-04-20', 30)).toEqual({ at: 5, len: 2 })
})

describe('a bar that is taken', () => {
  it('goes to another bed and another day, and keeps its length', () => {
    expect(takenTo(bar, 'bar', { columns: 2, rows: 2 }, beds)).toEqual({
      bed_id: 3,
      from: '2030-03-07',
      until: '2030-03-10',
    })
    // On a heading, or beyond the last bed, it stays in its own.
    expect(takenTo(bar, 'bar', { columns: 0, rows: 1 }, beds)).toEqual(bar)
    expect(takenTo(bar, 'bar', { columns: 0, rows: 9 }, beds)).toEqual(bar)
  })
  it('at an end, keeps one night', () => {
    expect(takenTo(bar, 'until', { columns: 2, rows: 2 }, beds)).toEqual({ ...bar, until: '2030-03-10' })
    expect(takenTo(bar, 'until', { columns: -9, rows: 0 }, beds)).toEqual({ ...bar, until: '2030-03-06' })
    expect(takenTo(bar, 'from', { columns: -1, rows: 0 }, beds)).toEqual({ ...bar, from: '2030-03-04' })
    expect(takenTo(bar, 'from', { columns: 9, rows: 0 }, beds)).toEqual({ ...bar, from: '2030-03-07' })
  })
})

it('the next bed is over the headings', () => {
  expect(nextBed(beds, 2, 1)).toBe(4)
  expect(nextBed(beds, 4, 1)).toBe(4)
  expect(nextBed(beds, 4, -1)).toBe(2)
  expect(nextBed(beds, 1, -1)).toBe(1)
  expect(sameBar(bar, { ...bar })).toBe(true)
  expect(sameBar(bar, { ...bar, until: '2030-03-09' })).toBe(false)
})
