import { describe, expect, it } from 'vitest'
import { f } from '#kit/contract/field.ts'
import { changesOf, checkField, inputValue, sameValue, shownName, withText } from './changes.ts'

const fields = {
  code: f.code(['Code', 'الكود'], { required: true }),
  gpa: f.decimal(['GPA', 'المعدل'], { places: 2, max: 4 }),
  open: f.flag(['Open', 'مفتوح']),
  groups: f.lookups(['Groups', 'المجموعات'], 'group', { through: { table: 'a', from: 'b', to: 'c' } }),
  born: f.date(['Born', 'الميلاد']),
}

describe('changes of a form', () => {
  it('counts only what differs', () => {
    const before = { code: 'A', gpa: '3.50', open: false, groups: [1, 2], born: null }
    expect(changesOf(before, { code: 'A', gpa: '3.5', open: null, groups: [2, 1], born: '' }, fields)).toEqual({})
    expect(changesOf(before, { ...before, code: '', groups: [2] }, fields)).toEqual({ code: '', groups: [2] })
  })
  it('takes ids from what a row answers', () => {
    expect(inputValue(fields.groups, [{ id: 4, name: 'x' }])).toEqual([4])
    expect(inputValue(fields.open, null)).toBe(false)
  })
  it('takes rows that a form proposes as new ones, which the contract accepts', () => {
    const rows = f.rows(
      ['Criteria', 'المعايير'],
      { name: f.text(['Name', 'الاسم'], { required: true }), max: f.integer(['Most', 'الأقصى']) },
      { table: 'criteria', parent: 'course_id' },
    )
    const given = inputValue(rows, [{ name: 'Skill' }, { id: 4, name: 'Conduct', max: 20, version: 2 }])
    expect(given).toEqual([
      { name: 'Skill', max: null },
      { id: 4, name: 'Conduct', max: 20 },
    ])
    expect(checkField(rows, 'criteria', given)).toBe(null)
  })
  it('tells an empty list from a filled one', () => {
    expect(sameValue([], null, 'lookups')).toBe(true)
    expect(sameValue([1], null, 'lookups')).toBe(false)
  })
})

describe('what is wrong with a value', () => {
  it('names it by the code of the catalogue', () => {
    expect(checkField(fields.code, 'code', '')).toEqual({ field: 'code', code: 'required' })
    expect(checkField(fields.code, 'code', 'a b')).toMatchObject({ code: 'code_special_characters' })
    expect(checkField(fields.gpa, 'gpa', '4.5')).toMatchObject({
      field: 'gpa',
      code: 'out_of_range',
      data: { min: 0, max: 4 },
    })
    expect(checkField(fields.gpa, 'gpa', null)).toBe(null)
    expect(checkField(fields.born, 'born', '2025-13-40')).toMatchObject({ code: 'date_not_valid' })
  })
  it('fills its text', () => {
    expect(withText({ field: 'gpa', code: 'out_of_range', data: { min: 0, max: 4 } })).toMatchObject({
      en: 'Between 0 and 4.',
    })
    expect(withText({ code: 'of_another_area' }).code).toBe('check_failed')
  })
  it('finds the field that shows a path', () => {
    const shown = new Set(['slots.0.quota', 'slots', 'code'])
    expect(shownName('slots.0.quota', shown)).toBe('slots.0.quota')
    expect(shownName('slots.1.quota', shown)).toBe('slots')
    expect(shownName('other.1', shown)).toBe(null)
  })
})
