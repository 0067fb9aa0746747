import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyColumns, fit } from './fit.ts'
import type { Fitting } from './fit.ts'

const column = (key: string, width: number, least: number, rank: number, kept = false): Fitting => ({
  key,
  width,
  least,
  rank,
  kept,
})

describe('columns in the width of a table', () => {
  const columns = [
    column('name', 260, 180, 0, true),
    column('state', 150, 120, 1),
    column('program', 190, 120, 2),
    column('created', 190, 150, 3),
  ]
  it('stand as they would like where there is room', () => {
    expect([...fit(columns, 800)]).toEqual([
      ['name', 260],
      ['state', 150],
      ['program', 190],
      ['created', 190],
    ])
  })
  it('give way before one of them leaves', () => {
    const fitted = fit(columns, 600)
    expect([...fitted.keys()]).toEqual(['name', 'state', 'program', 'created'])
    expect([...fitted.values()].reduce((n, w) => n + w, 0)).toBeLessThanOrEqual(600)
  })
  it('cut no name beside an empty column', () => {
    const [name, faculty, mail] = [
      { ...column('name', 200, 170, 0, true), need: 240 },
      { ...column('faculty', 200, 136, 1), need: 190 },
      { ...column('term', 160, 128, 2), need: 90 },
    ]
    expect([...fit([name, faculty, mail], 600)]).toEqual([
      ['name', 240],
      ['faculty', 200],
      ['term', 160],
    ])
  })
  it('leave by their importance, the least first', () => {
    expect([...fit(columns, 430).keys()]).toEqual(['name', 'state', 'program'])
    expect([...fit(columns, 300).keys()]).toEqual(['name', 'state'])
    expect([...fit(columns, 100).keys()]).toEqual(['name'])
  })
  it('stay when somebody asked for them, and then the table is wider', () => {
    const asked = columns.map((c) => ({ ...c, kept: true }))
    expect([...fit(asked, 300).values()]).toEqual([180, 120, 120, 150])
  })
  it('never overflow unless they have to stay, and are never narrower than can be read', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            width: fc.integer({ min: 60, max: 400 }),
            part: fc.integer({ min: 30, max: 100 }),
            rank: fc.nat(9),
          }),
          { minLength: 1, maxLength: 15 },
        ),
        fc.integer({ min: 320, max: 2000 }),
        (list, room) => {
          const all = list.map((c, i) => column(String(i), c.width, Math.ceil((c.width * c.part) / 100), c.rank))
          const fitted = fit(all, room)
          expect([...fitted.values()].reduce((n, w) => n + w, 0)).toBeLessThanOrEqual(room)
          for (const [key, width] of fitted) expect(width).toBeGreaterThanOrEqual(all[Number(key)]!.least)
        },
      ),
    ))
})

describe('columns without a value', () => {
  const columns = [
    { key: 'name' },
    { key: 'faculty_id', field: {} },
    { key: 'roles', field: {} },
    { key: 'code', field: {} },
  ]
  it('are those in which no row has anything; what draws itself is not judged', () => {
    const rows = [
      { faculty_id: null, roles: [], code: '' },
      { faculty_id: null, roles: [], code: 'E1' },
    ]
    expect([...emptyColumns(columns, rows)]).toEqual(['faculty_id', 'roles'])
  })
  it('are not known before there are rows', () => {
    expect(emptyColumns(columns, undefined).size).toBe(0)
    expect(emptyColumns(columns, []).size).toBe(0)
  })
  it('take nothing that is no or zero for nothing', () => {
    expect(emptyColumns([{ key: 'n', field: {} }], [{ n: 0 }]).size).toBe(0)
    expect(emptyColumns([{ key: 'n', field: {} }], [{ n: false }]).size).toBe(0)
  })
})
