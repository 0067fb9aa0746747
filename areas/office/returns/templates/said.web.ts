import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { dimensionOf, type DimensionKey } from '#areas/office/reports/figures/dimensions.contract.ts'
import { measureOf } from '#areas/office/reports/figures/measures.contract.ts'
import { choiceOf, readCell, THIS, type CellMistake } from '../cells/cell.rules.ts'

/** What a cell asks for, in words: “Students · Faculty ENG · Gender Female”. */
export function useSaidCell() {
  const t = useT('returns')
  const say = useLabel('reports')
  return (text: string): string => {
    const asked = readCell(text)
    if (asked.kind !== 'figure') return text
    const { measure, filters, sum } = asked.figure
    return [
      say(measureOf(measure).label),
      ...filters.map(({ by, codes }) => {
        const words = codes.map((code) => {
          if (code.toLowerCase() === THIS) return t('of_return')
          const value = choiceOf(by, code)
          const choice = dimensionOf(by).choices?.find((one) => one.value === value)
          return choice ? say(choice.label) : code
        })
        return `${say(dimensionOf(by).label)} ${words.join(', ')}`
      }),
      ...(sum ? [t('sum_of', { range: sum })] : []),
    ].join(' · ')
  }
}
/** Why a cell cannot be filled, in words. */
export function useSaidMistake() {
  const t = useT('returns')
  const say = useLabel('reports')
  return ({ kind, data }: CellMistake): string => {
    if (kind === 'measure') return t('mistake_measure', { measure: data.measure ?? '' })
    if (kind === 'filter') return t('mistake_filter', { filter: data.filter ?? '', measure: data.measure ?? '' })
    if (kind === 'code') {
      return t('mistake_code', { code: data.code ?? '', by: say(dimensionOf(data.by as DimensionKey).label) })
    }
    return t('mistake_broken', { text: data.text ?? '' })
  }
}
