import { describe, expect, it } from 'vitest'
import { fillPath, isOwnAddress, isRecord, to } from './paths.ts'

describe('addresses of screens', () => {
  it('fills parameters and encodes them', () => {
    expect(to('/students/:id', { id: 7 })).toBe('/students/7')
    expect(fillPath('/a/:name', { name: 'ا/ب ج' })).toBe(`/a/${encodeURIComponent('ا/ب ج')}`)
  })
  it('leaves out optional parameters that are absent', () => {
    expect(to('/settings/faculties/:page?')).toBe('/settings/faculties')
    expect(to('/settings/faculties/:page?', { page: 2 })).toBe('/settings/faculties/2')
    expect(to('/applicants/edit/:type/:id/:secretKey/:name?', { type: 1, id: 2, secretKey: 'k' })).toBe(
      '/applicants/edit/1/2/k',
    )
  })
  it('carries a query without empty values', () => {
    expect(to('/offerings', {}, { term: 3, search: '', page: null, mine: false })).toBe('/offerings?term=3&mine=false')
  })
  it('says when a parameter is missing', () => {
    expect(() => fillPath('/students/:id', {})).toThrow('needs id')
  })
  it('leads to records by their numbers alone', () => {
    expect(['7', '2147483647', undefined].every(isRecord)).toBe(true)
    expect(['NaN', 'undefined', '-1', '1.5', '', '7 ', '12345678901'].some(isRecord)).toBe(false)
  })
  it('goes only to addresses of this application after signing in', () => {
    expect(isOwnAddress('/students?page=2')).toBe(true)
    for (const wrong of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:1',
      '/login',
      '',
      null,
    ])
      expect(isOwnAddress(wrong)).toBe(false)
  })
})
