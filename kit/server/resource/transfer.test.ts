import { expect, test } from 'vitest'
import { EXPORT_LIMIT, demandFew, demandSome } from './transfer.ts'

test('a file holds some rows, and not more than there is room for', () => {
  const rows = (length: number) => ({ length })
  expect(() => demandSome(rows(0))).toThrow('no_rows')
  expect(() => demandSome(rows(1))).not.toThrow()
  expect(() => demandFew(rows(EXPORT_LIMIT + 1))).toThrow('export_limit')
  expect(() => demandFew(rows(EXPORT_LIMIT))).not.toThrow()
})
