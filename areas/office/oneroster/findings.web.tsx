import { Button, Table, TextInput } from '@mantine/core'
import type { ResponseOf } from '#kit/contract/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { formatNumber, problemText, useT } from '#kit/web/i18n/index.ts'
import css from './import.module.css'
import type { checkOneRoster } from './oneroster.contract.ts'

export type Checked = ResponseOf<typeof checkOneRoster>['data']
type Finding = Checked['errors'][number]
/** A cell as it was corrected here; without column the row is left out. */
export interface Correction {
  readonly file: string
  readonly line: number
  readonly column: string | null
  readonly value: string
}
export const correctionKey = ({ file, line, column }: Pick<Finding, 'file' | 'line' | 'column'>): string =>
  `${file}/${line}/${column ?? ''}`

function Head({ last }: { last?: string }) {
  const t = useT('oneroster')
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('file')}</Table.Th>
        <Table.Th>{t('line')}</Table.Th>
        <Table.Th>{t('column')}</Table.Th>
        <Table.Th>{t('reason')}</Table.Th>
        {last && <Table.Th>{last}</Table.Th>}
      </Table.Tr>
    </Table.Thead>
  )
}
const Place = ({ at }: { at: Finding }) => (
  <>
    <Table.Td>
      <Code>{at.file}</Code>
    </Table.Td>
    <Table.Td>{at.line === null ? '' : formatNumber(at.line)}</Table.Td>
    <Table.Td>{at.column && <Code>{at.column}</Code>}</Table.Td>
    <Table.Td>{problemText(at)}</Table.Td>
  </>
)

/** Errors of a bundle. A cell is corrected where it stands in the list, or its row left out; the files stay as they are. */
export function Errors({
  errors,
  corrections,
  onCorrect,
}: {
  errors: readonly Finding[]
  corrections: ReadonlyMap<string, Correction>
  onCorrect: (at: Finding, value: string | null) => void
}) {
  const t = useT('oneroster')
  return (
    <div className={css.scroll}>
      <Table stickyHeader>
        <Head last={t('correction')} />
        <Table.Tbody>
          {errors.map((e, i) => {
            const out = corrections.has(correctionKey({ ...e, column: null }))
            const cell = e.line !== null && e.line > 1 && e.column !== null
            return (
              <Table.Tr key={i}>
                <Place at={e} />
                <Table.Td>
                  {cell && (
                    <div className={css.correct}>
                      <TextInput
                        aria-label={`${t('correction')}: ${e.file} ${e.line} ${e.column}`}
                        defaultValue={corrections.get(correctionKey(e))?.value ?? e.value ?? ''}
                        dir="auto"
                        disabled={out}
                        onChange={(event) => onCorrect(e, event.currentTarget.value)}
                      />
                      <Button
                        variant={out ? 'light' : 'subtle'}
                        aria-pressed={out}
                        onClick={() => onCorrect({ ...e, column: null }, out ? null : '')}
                      >
                        {t('leave_out')}
                      </Button>
                    </div>
                  )}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** What was understood in a certain way. */
export function FindingNotes({ notes, count }: { notes: readonly Finding[]; count: number }) {
  const t = useT('oneroster')
  if (!count) return null
  return (
    <details className={css.more}>
      <summary>{t('notes', { count })}</summary>
      <div className={css.scroll}>
        <Table stickyHeader>
          <Head />
          <Table.Tbody>
            {notes.map((note, i) => (
              <Table.Tr key={i}>
                <Place at={note} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </details>
  )
}
