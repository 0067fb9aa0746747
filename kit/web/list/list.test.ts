import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { f } from '#kit/contract/field.ts'
import { fitFilters, listBody, readState, writeState } from './address.ts'
import { ofOwn } from './columns.ts'
import { narrowedBeside, withinFilters } from './list-views.tsx'
import { everything, isSelected, NOTHING, pageState, range, selectedCount, toggled, withRows } from './selection.ts'

describe('selection over pages', () => {
  it('keeps rows of other pages', () => {
    const s = withRows(withRows(NOTHING, [1, 2], true), [3], true)
    expect(selectedCount(s, 100)).toBe(3)
    expect(pageState(s, [1, 9])).toBe('some')
    expect(pageState(s, [1, 2])).toBe('all')
  })
  it('leaves single rows out of all matching', () => {
    const s = toggled(everything(), 7)
    expect(isSelected(s, 7)).toBe(false)
    expect(isSelected(s, 8)).toBe(true)
    expect(selectedCount(s, 1284)).toBe(1283)
  })
  it('toggling twice changes nothing', () =>
    fc.assert(
      fc.property(fc.boolean(), fc.uniqueArray(fc.nat()), fc.nat(), (all, ids, id) => {
        const s = { all, ids: new Set(ids) }
        return isSelected(toggled(toggled(s, id), id), id) === isSelected(s, id)
      }),
    ))
  it('takes the rows between two', () => {
    expect(range([5, 3, 9, 1], 9, 5)).toEqual([5, 3, 9])
    expect(range([5, 3], 77, 3)).toEqual([3])
  })
})

describe('state in the address', () => {
  it('has filters in the shape of their fields, whoever wrote the address', () => {
    const fields = {
      status: f.choice(['Status', 'الحالة'], [{ value: 'a', label: ['A', 'أ'] }]),
      level: f.integer(['Level', 'المستوى']),
      name: f.text(['Name', 'الاسم']),
      done: f.flag(['Done', 'تم']),
    }
    expect(fitFilters({ status: 'a', level: 3, name: 'x', done: true, term_id: 5 }, fields)).toEqual({
      status: ['a'],
      level: { from: 3, to: 3 },
      name: 'x',
      done: true,
      term_id: 5,
    })
    const right = { status: ['a'], level: { from: 1 }, name: 'x' }
    expect(fitFilters(right, fields)).toEqual(right)
    expect(fitFilters({ status: { from: 1 }, level: [3], name: ['x'], done: null }, fields)).toEqual({})
  })
  const defaults = { perPage: 25, order: ['code', 'asc'] } as const
  it('writes only what differs', () => {
    const state = readState(new URLSearchParams(), defaults)
    expect(String(writeState(state, defaults))).toBe('')
    expect(String(writeState({ ...state, order_by: 'name', order_direction: 'desc', page: 3 }, defaults))).toBe(
      'page=3&order=-name',
    )
  })
  it('comes back as it was', () =>
    fc.assert(
      fc.property(
        fc.record({
          page: fc.integer({ min: 1, max: 999 }),
          perPage: fc.constantFrom(10, 25, 50, 100, 200, 500),
          search: fc.string({ maxLength: 50 }),
          order_by: fc.constantFrom('code', 'name'),
          order_direction: fc.constantFrom('asc' as const, 'desc' as const),
          filters: fc.dictionary(fc.constantFrom('faculty_id', 'kind'), fc.array(fc.nat(), { minLength: 1 })),
          removed: fc.boolean(),
        }),
        (state) => {
          const back = readState(new URLSearchParams(String(writeState(state, defaults))), defaults)
          expect(back).toEqual({ ...state, filters: { ...state.filters } })
        },
      ),
    ))
  it('survives a broken address', () => {
    const state = readState(new URLSearchParams('page=-4&perPage=3&filters=[1&order='), defaults, '2')
    expect(state).toMatchObject({ page: 2, perPage: 25, filters: {}, order_by: 'code' })
  })
  it('sends no empty filters', () =>
    expect(
      listBody(
        { ...readState(new URLSearchParams(), defaults), filters: { a: '', b: [], c: { from: null }, d: false } },
        { x: 1 },
      ).filters,
    ).toEqual({ d: false, x: 1 }))
})

describe('tabs of a list', () => {
  const defaults = { perPage: 25, order: ['code', 'asc'] } as const
  const views = [
    { query: 'filters={"status":["waiting"]}' },
    { query: 'filters={"status":["done"],"warnings":{"from":1}}&order=-warnings' },
  ]
  const state = (text: string) => readState(new URLSearchParams(text), defaults)
  const open = (query: string, now: string) =>
    decodeURIComponent(
      String(
        writeState(
          withinFilters(state(query), new URLSearchParams(query).has('order'), state(now), views, defaults),
          defaults,
        ),
      ),
    )
  it('set their own filters and keep the term and the words searched for', () => {
    const now = 'page=3&search=ali&filters={"term_id":[7],"status":["waiting"]}'
    expect(open(views[1]!.query, now)).toBe(
      'search=ali&order=-warnings&filters={"term_id":[7],"status":["done"],"warnings":{"from":1}}',
    )
    expect(open('', now)).toBe('search=ali&filters={"term_id":[7]}')
  })
  it('take back the order of another tab, not one that was chosen', () => {
    expect(open(views[0]!.query, 'order=-warnings')).toBe('filters={"status":["waiting"]}')
    expect(open(views[0]!.query, 'order=-name')).toBe('order=-name&filters={"status":["waiting"]}')
  })
  it('alone are no search and no filter: what is chosen outside the bar is none either', () => {
    const beside = (now: string) => narrowedBeside(state(now), state(views[0]!.query), ['status', 'faculty_id'])
    expect(beside(views[0]!.query)).toBe(false)
    expect(beside('filters={"term_id":[7],"status":["waiting"]}')).toBe(false)
    expect(beside('search=ali&filters={"status":["waiting"]}')).toBe(true)
    expect(beside('filters={"status":["waiting"],"faculty_id":[1]}')).toBe(true)
    expect(beside('filters={"status":["done"]}')).toBe(true)
  })
})

describe('columns of what a student sees of the own', () => {
  const label = ['', ''] as const
  const columns = [
    { key: 'student_id', label },
    { key: 'program_id', label },
  ]
  const keys = (rows: Parameters<typeof ofOwn>[1], own: number | null) =>
    ofOwn(columns, rows, own).map(({ key }) => key)
  it('leave out who it is, as the reader knows', () => {
    expect(keys([{ id: 1, student_id: 7 }], 7)).toEqual(['program_id'])
    expect(keys([{ id: 1, student: { id: 7 } }], 7)).toEqual(['program_id'])
    expect(keys(undefined, 7)).toEqual(['program_id'])
  })
  it('name whose it is where a row is somebody else’s, and to anybody else', () => {
    expect(
      keys(
        [
          { id: 1, student_id: 7 },
          { id: 2, student: { id: 8 } },
        ],
        7,
      ),
    ).toEqual(['student_id', 'program_id'])
    expect(keys([{ id: 1, student_id: 7 }], null)).toEqual(['student_id', 'program_id'])
  })
})
