import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ABSENT, check, GridModel, parseBlock, readCell, writeBlock } from './model.ts'

const columns = [
  { key: 'mid', max: 30 },
  { key: 'work', max: 20, places: 1, absent: false },
  { key: 'total', max: 50, readOnly: true },
]
const keys = columns.map((c) => c.key)
const model = () => new GridModel([11, 12, 13], columns, (row, key) => (row === 11 && key === 'mid' ? '10.00' : null))
const at = (row: number, column: number) => ({ row, column })

describe('a cell', () => {
  it.each([
    ['١٧٫٥', '17.5'],
    ['a', ABSENT],
    ['غائب', ABSENT],
    [' ', null],
    ['12,25', '12.25'],
    ['x', 'x'],
  ])('%j is %j', (typed, value) => expect(readCell(typed)).toBe(value))
  it('names its mistake', () => {
    expect(check('31', columns[0]!)).toEqual({ code: 'out_of_range', min: 0, max: 30 })
    expect(check('-1', columns[0]!)).toMatchObject({ code: 'out_of_range' })
    expect(check('1.25', columns[1]!)).toEqual({ code: 'too_many_places', places: 1 })
    expect(check('1.50', columns[1]!)).toBe(null)
    expect(check(ABSENT, columns[1]!)).toEqual({ code: 'absent_not_allowed' })
    expect(check('x', columns[0]!)).toEqual({ code: 'not_a_number' })
    expect(check(null, columns[0]!)).toBe(null)
  })
})

describe('the clipboard', () => {
  it('reads what a spreadsheet writes', () => {
    expect(parseBlock('1\t2\r\n3\t\r\n')).toEqual([
      ['1', '2'],
      ['3', ''],
    ])
    expect(parseBlock('"a\nb"\t"say ""x"""')).toEqual([['a\nb', 'say "x"']])
    expect(parseBlock('7')).toEqual([['7']])
    expect(parseBlock('1\n\n3')).toEqual([['1'], [''], ['3']])
  })
  it('reads its own blocks', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }).chain((width) =>
          fc.array(fc.array(fc.integer({ min: 0, max: 99 }).map(String), { minLength: width, maxLength: width }), {
            minLength: 1,
          }),
        ),
        (rows) => {
          expect(parseBlock(writeBlock(rows))).toEqual(rows)
        },
      ),
    ))
  it('pastes a block inside the grid only, and skips what is read-only', () => {
    const m = model()
    expect(m.paste(parseBlock('1\t2\t3\t4\n5\t6\t7\t8\n9\t9\t9\t9'), { from: at(1, 0), to: at(1, 0) }, keys)).toBe(4)
    expect([m.get(12, 'mid'), m.get(12, 'work'), m.get(12, 'total'), m.get(13, 'mid')]).toEqual(['1', '2', null, '5'])
  })
  it('fills a range with a single value', () => {
    const m = model()
    m.paste([['7']], { from: at(2, 1), to: at(0, 0) }, keys)
    expect(m.unsavedCount).toBe(6)
  })
})

describe('unsaved cells and undo', () => {
  it('a cell that equals what is stored is not unsaved', () => {
    const m = model()
    m.write([{ row: 11, key: 'mid', value: '12' }])
    expect(m.unsavedCount).toBe(1)
    m.write([{ row: 11, key: 'mid', value: '10' }])
    expect(m.unsavedCount).toBe(0)
  })
  it('takes a paste back in one step', () => {
    const m = model()
    m.paste([['1'], ['2']], { from: at(0, 0), to: at(0, 0) }, keys)
    m.undo()
    expect(m.get(11, 'mid')).toBe('10.00')
    expect(m.unsavedCount).toBe(0)
    m.redo()
    expect(m.get(12, 'mid')).toBe('2')
  })
  it('undoing everything restores the stored state; redoing everything restores the last', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom(11, 12, 13),
            fc.constantFrom('mid', 'work'),
            fc.constantFrom('1', '2', ABSENT, null),
          ),
          { maxLength: 30 },
        ),
        (writes) => {
          const m = model()
          for (const [row, key, value] of writes) m.write([{ row, key, value }])
          const last = JSON.stringify(m.unsaved().toSorted((a, b) => a.row - b.row || a.key.localeCompare(b.key)))
          while (m.canUndo) m.undo()
          expect(m.unsavedCount).toBe(0)
          while (m.canRedo) m.redo()
          expect(JSON.stringify(m.unsaved().toSorted((a, b) => a.row - b.row || a.key.localeCompare(b.key)))).toBe(last)
        },
      ),
    ))
  it('saves what is right, leaves what is wrong, and sends again what the server refused', () => {
    const grid = model()
    grid.write([
      { row: 11, key: 'mid', value: '12' },
      { row: 12, key: 'mid', value: '31' },
      { row: 13, key: 'work', value: '5' },
    ])
    grid.refuse([{ row: 13, key: 'work', text: 'Somebody else was quicker' }])
    const { right, wrong } = grid.toSave()
    expect(right.map(({ row }) => row)).toEqual([11, 13])
    expect(wrong).toMatchObject([{ row: 12, key: 'mid', mistake: { code: 'out_of_range' } }])
  })
  it('keeps the reason of the server until the cell is written again', () => {
    const m = model()
    m.write([{ row: 12, key: 'mid', value: '9' }])
    m.refuse([{ row: 12, key: 'mid', text: 'Closed' }])
    expect(m.mistakes()).toEqual([{ row: 12, key: 'mid', mistake: { code: 'server', text: 'Closed' } }])
    m.write([{ row: 12, key: 'mid', value: '8' }])
    expect(m.mistakes()).toEqual([])
  })
})
