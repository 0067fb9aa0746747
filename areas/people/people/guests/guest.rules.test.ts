import { expect, test } from 'vitest'
import { documentReasons } from './guest.rules.ts'

test.each<[Parameters<typeof documentReasons>[0]['kind'], string, string[]]>([
  ['national_id', '30102031200015', []],
  ['national_id', '3010203120001', ['national_id_digits']],
  ['national_id', '3010203120001A', ['national_id_digits']],
  ['passport', 'A12345', []],
  ['passport', 'A1234', ['guest_document_number']],
  ['passport', 'A-12345', ['guest_document_number']],
  ['passport', 'A'.repeat(21), ['guest_document_number']],
  ['residence', 'R/12-3', []],
  ['residence', 'R12', ['guest_document_number']],
])('%s %s', (kind, number, codes) => {
  expect(documentReasons({ kind, number }).map(({ code }) => code)).toEqual(codes)
})
