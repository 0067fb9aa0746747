import { describe, expect, test } from 'vitest'
import { checkAccepting, checkExpiring, checkFile, checkHandingIn, checkReopening } from './document.rules.ts'

const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)
const today = '2026-11-30'

describe('a document', () => {
  test.each([
    [true, true, []],
    [true, false, ['document_file_needed']],
    [false, false, []],
  ])('handed in by the person (%s) with a file (%s)', (own, file, expected) =>
    expect(codes(checkHandingIn({ own, file }))).toEqual(expected),
  )

  test.each([
    ['that does not expire', false, null, []],
    ['that expires, without a day', true, null, ['document_expiry_needed']],
    ['that expires today: it holds through the day', true, today, []],
    ['that expired yesterday', true, '2026-11-29', ['document_expired_already']],
    ['that need not expire, but has', false, '2026-11-29', ['document_expired_already']],
  ])('is accepted %s', (_, kind_expires, expires_on, expected) =>
    expect(codes(checkAccepting({ kind_expires, expires_on, today }))).toEqual(expected),
  )

  test.each([
    ['2026-11-29', []],
    [today, ['document_still_valid']],
    ['2026-12-01', ['document_still_valid']],
    [null, ['document_still_valid']],
  ])('that is valid until %s expires the day after', (expires_on, expected) =>
    expect(
      codes(checkExpiring({ file: true, own: true, kind_expires: true, newer: false, expires_on, today })),
    ).toEqual(expected),
  )

  test('a decision is opened again unless a newer one of the kind is there', () => {
    const facts = { file: true, own: true, kind_expires: true, expires_on: null, today }
    expect([true, false].map((newer) => codes(checkReopening({ ...facts, newer })))).toEqual([['document_newer'], []])
  })

  test.each([
    ['pdf', 10_000_000, []],
    ['pdf', 10_000_001, ['document_file_large']],
    ['svg', 1, ['document_file_kind']],
    ['html', 10_000_001, ['document_file_kind', 'document_file_large']],
  ])('a file %s of %i bytes', (ext, size, expected) => expect(codes(checkFile({ ext, size }))).toEqual(expected))
})
