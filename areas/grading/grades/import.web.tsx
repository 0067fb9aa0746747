import { Button } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { download, refresh, send, useCall } from '#kit/web/api/index.ts'
import { Code, Failed, Problems, Status, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ControlBadge, Scroll } from '../parts.web.tsx'
import { gradeCalls, type GradeImportPreview } from './grades.contract.ts'
import css from '../grading.module.css'

/** A sheet of marks in three moves: template out, sheet in with every mistake at its cell, then all of it or nothing. */
export default function ImportGrades() {
  const t = useT('grading')
  const lang = useLanguage()
  const navigate = useNavigate()
  const client = useQueryClient()
  const id = Number(useParams().id)
  const { data, error: failed, refetch } = useCall(gradeCalls.grid, { params: { id } })
  const grid = data?.data
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<GradeImportPreview | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  if (failed && !grid) return <Failed error={failed} retry={() => void refetch()} />
  const take = async (file: File) => {
    setError(null)
    setProgress(0)
    try {
      const answer = await send(gradeCalls.importSheet, {
        params: { a: id, b: 'preview' },
        file,
        onProgress: setProgress,
      })
      setChecked(answer.data)
    } catch (problem) {
      setError(problem)
    } finally {
      setProgress(null)
    }
  }
  const store = async () => {
    if (!checked) return
    setBusy(true)
    setError(null)
    try {
      const { saved } = await send(gradeCalls.importSheet, { params: { a: id, b: checked.import_id } })
      await refresh(client, '/offerings', '/control')
      notify.done(t('sheet_stored', { count: saved }))
      void navigate(to('/offerings/grades/:id', { id }))
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  const open = grid?.abilities.includes('import') ?? false
  return (
    <Page
      title={grid ? t('import_title', { course: nameOf(grid.offering.course, lang) }) : undefined}
      subtitle={
        grid && (
          <>
            <Code>
              {grid.offering.course.code} ({grid.offering.code})
            </Code>{' '}
            · <bdi>{nameOf(grid.offering.term, lang)}</bdi> · <ControlBadge status={grid.offering.control_status} />
          </>
        )
      }
      action={
        checked && (
          <Button
            loading={busy}
            disabled={checked.errors.length > 0 || checked.changes === 0}
            onClick={() => void store()}
          >
            {t('sheet_store', { count: checked.changes })}
          </Button>
        )
      }
    >
      {!grid ? (
        <Bone />
      ) : !open ? (
        <p className={css.notice} data-tone="waiting">
          {t('import_closed')}
        </p>
      ) : !checked ? (
        <Stack>
          <p className={css.text}>{t('import_text')}</p>
          <div className={css.steps}>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() =>
                void withOverlay(download(gradeCalls.exportSheet, { params: { id, x: 'template' } })).catch(
                  (problem: unknown) => notify.error(problem),
                )
              }
            >
              {t('template')}
            </Button>
            <Button
              variant="subtle"
              leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
              onClick={() =>
                void withOverlay(download(gradeCalls.exportSheet, { params: { id, x: 'marks' } })).catch(
                  (problem: unknown) => notify.error(problem),
                )
              }
            >
              {t('export_sheet')}
            </Button>
          </div>
          <FileDrop text={t('sheet_drop')} progress={progress} onFile={(file) => void take(file)} />
          {error !== null && <Problems error={error} />}
        </Stack>
      ) : (
        <Stack>
          <div className={css.steps}>
            {checked.errors.length ? (
              <Status tone="refused" label={t('sheet_mistakes', { count: checked.errors.length })} />
            ) : (
              <Status tone="done" label={t('sheet_fine')} />
            )}
            <span>{t('sheet_summary', { rows: checked.rows, changes: checked.changes })}</span>
            <Button variant="default" size="xs" onClick={() => setChecked(null)}>
              {t('sheet_again')}
            </Button>
          </div>
          {error !== null && <Problems error={error} />}
          {checked.errors.length > 0 ? (
            <Card>
              <p className={css.text}>{t('sheet_nothing_stored')}</p>
              <Scroll label={t('sheet_errors')}>
                <table className={css.table}>
                  <thead>
                    <tr>
                      <th scope="col" className={css.end}>
                        {t('sheet_row')}
                      </th>
                      <th scope="col">{t('sheet_column')}</th>
                      <th scope="col">{t('sheet_reason')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {checked.errors.map((one, i) => (
                      <tr key={i}>
                        <td className={css.end}>
                          <Code>{formatNumber(one.row)}</Code>
                        </td>
                        <td>
                          <bdi>{one.column ?? t('sheet_whole_row')}</bdi>
                        </td>
                        <td>{problemText(one)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            </Card>
          ) : (
            <Card title={t('sheet_first_rows')}>
              <Scroll label={t('sheet_first_rows')}>
                <table className={css.table}>
                  <thead>
                    <tr>
                      <th scope="col">{t('code')}</th>
                      <th scope="col">{t('student')}</th>
                      {checked.columns.map((column) => (
                        <th key={column.offering_mark_id} scope="col" className={css.end}>
                          <bdi>{column.header}</bdi>
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {checked.sample.map((row) => (
                      <tr key={row.row}>
                        <td>
                          <Code>{row.code}</Code>
                        </td>
                        <td>
                          <bdi>{nameOf(row, lang)}</bdi>
                        </td>
                        {checked.columns.map((column) => (
                          <td key={column.offering_mark_id} className={css.end}>
                            <Code>{row.marks[column.offering_mark_id] ?? ''}</Code>
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            </Card>
          )}
        </Stack>
      )}
    </Page>
  )
}
