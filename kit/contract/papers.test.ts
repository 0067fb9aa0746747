import { expect, it } from 'vitest'
import { isPaperCode } from './papers.ts'

it('the number of a receipt is no code of a paper, however a code is typed', () => {
  for (const code of ['ABCDE-FGHJK-MNPQR-STVWX', 'abcde fghjk mnpqr stvwx', '0'.repeat(20), 'OIL23-٤5678-ABCDE-FGHJK'])
    expect(isPaperCode(code)).toBe(true)
  for (const number of ['R-2026-000001', 'SL-2026-000123', 'INV-2026-000255', '', 'ABCDE-FGHJK'])
    expect(isPaperCode(number)).toBe(false)
})
