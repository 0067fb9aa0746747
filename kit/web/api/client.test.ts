import { describe, expect, it } from 'vitest'
import { addressOf, fileNameIn } from './client.ts'
import { ApiError } from './error.ts'

describe('calls from the browser', () => {
  it('fills the path and the query', () => {
    expect(addressOf({ path: '/students/{id}/transcript/{lang}' }, { id: 7, lang: 'ar' })).toBe(
      '/api/students/7/transcript/ar',
    )
    expect(addressOf({ path: '/x' }, {}, { a: 1, b: [2, 3], c: undefined, d: null })).toBe('/api/x?a=1&b=2&b=3')
  })
  it('takes the name of a file from the server, Arabic included', () => {
    expect(
      fileNameIn(`attachment; filename="faculties.xlsx"; filename*=UTF-8''${encodeURIComponent('الكليات.xlsx')}`),
    ).toBe('الكليات.xlsx')
    expect(fileNameIn('attachment; filename="faculties.xlsx"')).toBe('faculties.xlsx')
    expect(fileNameIn("attachment; filename*=UTF-8''%E0%A4%A")).toBeNull()
    expect(fileNameIn(null)).toBeNull()
  })
  it('a refusal keeps its reasons', () => {
    const reason = { field: 'slots.0.quota', code: 'required', en: 'a', ar: 'b' }
    const error = new ApiError(422, { message: 'invalid_input', error: { en: 'A', ar: 'B' }, errors: [reason] })
    expect(error).toMatchObject({ status: 422, code: 'invalid_input', error: { en: 'A', ar: 'B' }, errors: [reason] })
    expect(new ApiError(502, {})).toMatchObject({ code: 'unexpected', error: null, errors: [] })
  })
})
