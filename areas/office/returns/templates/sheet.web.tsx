import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useT } from '#kit/web/i18n/index.ts'
import { ScrollFrame } from '#kit/web/table/table.tsx'
import type { ShownCell, ShownSheet } from './template.contract.ts'
import css from '../returns.module.css'

/** Sheets of a workbook as they are drawn: merged cells are one; what is found at a cell is marked by a sign, not by colour alone. */
export function SheetView({
  sheets,
  mark,
  onCell,
}: {
  sheets: readonly ShownSheet[]
  mark: (sheet: string, cell: string) => 'open' | 'accepted' | 'asks' | null
  /** A cell is chosen. */
  onCell?: ((sheet: string, cell: ShownCell) => void) | undefined
}) {
  const t = useT('returns')
  const [name, setName] = useState(sheets[0]?.name ?? '')
  const sheet = sheets.find((one) => one.name === name) ?? sheets[0]
  if (!sheet) return null
  const signs = { open: '⚠', accepted: '✓', asks: '' } as const
  return (
    <>
      {sheets.length > 1 && (
        <SegmentedControl
          className={`${css.sheets} no-print`}
          size="xs"
          aria-label={t('sheets')}
          value={sheet.name}
          onChange={setName}
          data={sheets.map((one) => ({ value: one.name, label: one.name }))}
        />
      )}
      <ScrollFrame label={sheet.name} height="60vh" dir={sheet.rtl ? 'rtl' : 'ltr'}>
        <table className={css.sheet} aria-label={sheet.name}>
          <tbody>
            {sheet.rows.map((row, y) => (
              <tr key={y}>
                <th scope="row">{y + 1}</th>
                {row.map((cell) => {
                  const sign = mark(sheet.name, cell.cell)
                  const words = cell.kind === 'formula' ? t('formula') : cell.text
                  const inner = (
                    <>
                      {sign && signs[sign] && (
                        <span role="img" aria-label={t(sign === 'open' ? 'open_finding' : 'accepted')}>
                          {signs[sign]}{' '}
                        </span>
                      )}
                      {words}
                    </>
                  )
                  return (
                    <td
                      key={cell.cell}
                      colSpan={cell.columns}
                      rowSpan={cell.rows}
                      data-kind={cell.kind}
                      data-mark={sign ?? undefined}
                    >
                      {onCell && cell.kind !== 'formula' ? (
                        <button
                          type="button"
                          aria-label={`${cell.cell} ${words}`.trim()}
                          onClick={() => onCell(sheet.name, cell)}
                        >
                          {inner}
                        </button>
                      ) : (
                        inner
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {(sheet.height > sheet.rows.length || sheet.width > 40) && <p className={css.note}>{t('sheet_cut')}</p>}
    </>
  )
}
