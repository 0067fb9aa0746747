import { expect } from 'vitest'
import { FIGURES, type FinancialFigures } from './financial.rules.ts'

export const sumOfFigure = (rows: readonly FinancialFigures[], name: keyof FinancialFigures) =>
  rows.reduce((sum, row) => sum + row[name], 0)

/** Paid and unpaid are the total, by standing and altogether, and all rows together are what stands below them. */
export function provesItself(report: { rows: FinancialFigures[]; total: FinancialFigures }, students = true) {
  for (const row of [...report.rows, report.total])
    for (const p of ['eg', 'usd'] as const) {
      for (const end of ['', '_studing', '_grad', '_other'] as const)
        expect(row[`${p}_paid${end}`] + row[`${p}_unpaid${end}`]).toBe(row[`${p}_total${end}`])
      for (const what of ['paid', 'unpaid', 'total'] as const)
        expect(row[`${p}_${what}_studing`] + row[`${p}_${what}_grad`] + row[`${p}_${what}_other`]).toBe(
          row[`${p}_${what}`],
        )
    }
  for (const name of FIGURES.filter((one) => students || !one.includes('students')))
    expect([name, sumOfFigure(report.rows, name)]).toEqual([name, report.total[name]])
}
