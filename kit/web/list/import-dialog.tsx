/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a scrolled part is reached by the keyboard */
import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import type { importPreview } from '#kit/contract/resource.ts'
import { download, refresh, send } from '../api/index.ts'
import type { AnyCall } from '../api/index.ts'
import { Problems, Status, notify } from '../feedback/index.ts'
import { formatNumber, problemText, useT } from '../i18n/index.ts'
import { FileDrop } from '../form/file-drop.tsx'
import css from './list.module.css'

type Preview = z.output<typeof importPreview>

/** Import of a sheet: template out, sheet in, every mistake at its cell, then all rows or none. */
export default function ImportDialog({
  template,
  preview,
  save,
  title,
  onClose,
}: {
  template: AnyCall
  preview: AnyCall
  save: AnyCall
  title: string
  onClose: () => void
}) {
  const t = useT('kit-screens')
  const client = useQueryClient()
  const [progress, setProgress] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const [checked, setChecked] = useState<Preview | null>(null)
  const [error, setError] = useState<unknown>(null)
  const take = async (file: File) => {
    setError(null)
    setProgress(0)
    try {
      const answer = (await send(preview, { file, onProgress: setProgress })) as { data: Preview }
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
      const { created, updated } = (await send(save, { params: { import_id: checked.import_id } } as never)) as {
        created: number
        updated: number
      }
      void refresh(client, `/${(save.path as string).split('/')[1]}`)
      notify.done(t('imported', { created, updated }))
      onClose()
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      closeButtonProps={{ 'aria-label': t('close') }}
      onClose={onClose}
      title={t('import_into', { name: title })}
      size={checked ? 'xl' : 'lg'}
      closeOnClickOutside={!checked}
    >
      {!checked ? (
        <>
          <p className={css.dialogLine}>{t('import_text')}</p>
          <Button
            variant="default"
            mb="md"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void download(template).catch((problem: unknown) => notify.error(problem))}
          >
            {t('import_template')}
          </Button>
          <FileDrop text={t('import_drop')} progress={progress} onFile={(file) => void take(file)} />
          {error !== null && <Problems error={error} />}
        </>
      ) : (
        <>
          <p className={css.dialogLine}>
            {checked.errors.length ? (
              <Status tone="refused" label={t('import_mistakes', { count: checked.errors.length })} />
            ) : (
              <Status tone="done" label={t('import_fine', { count: checked.rows })} />
            )}{' '}
            {t('import_summary', { rows: checked.rows, creates: checked.creates, updates: checked.updates })}
          </p>
          <PreviewSheet preview={checked} />
          {checked.errors.length > 0 && <p className={css.dialogLine}>{t('import_nothing_stored')}</p>}
          {error !== null && <Problems error={error} />}
          <div className={css.dialogButtons}>
            <Button variant="default" onClick={() => setChecked(null)}>
              {t('import_again')}
            </Button>
            <Button
              loading={busy}
              disabled={checked.errors.length > 0 || checked.rows === 0}
              onClick={() => void store()}
            >
              {t('import_save', { count: checked.rows })}
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}

const SHOWN_ERRORS = 200

function PreviewSheet({ preview }: { preview: Preview }) {
  const t = useT('kit-screens')
  const { errors, columns, sample } = preview
  if (errors.length) {
    const header = (field: string | null) => columns.find((c) => c.field === field)?.header ?? field
    return (
      <section className={css.sheet} tabIndex={0} aria-label={t('import_errors')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('import_row')}</th>
              <th scope="col">{t('import_column')}</th>
              <th scope="col">{t('import_value')}</th>
              <th scope="col">{t('import_reason')}</th>
            </tr>
          </thead>
          <tbody>
            {errors.slice(0, SHOWN_ERRORS).map((e, i) => {
              // The sheet's first row is its head, the sample begins with the second.
              const value = e.column ? sample[e.row - 2]?.[e.column] : undefined
              return (
                <tr key={i}>
                  <td>{formatNumber(e.row)}</td>
                  <td>
                    <bdi>{header(e.column) ?? t('import_whole_row')}</bdi>
                  </td>
                  <td data-wrong={e.column ? true : undefined}>
                    <bdi>{value === undefined || value === null ? '' : String(value)}</bdi>
                  </td>
                  <td style={{ whiteSpace: 'normal', minWidth: 260 }}>{problemText(e)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
        {errors.length > SHOWN_ERRORS && (
          <p style={{ padding: '0 10px' }}>{t('import_more_errors', { count: errors.length - SHOWN_ERRORS })}</p>
        )}
      </section>
    )
  }
  return (
    <section className={css.sheet} tabIndex={0} aria-label={t('import_sample')}>
      <table>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c.field} scope="col">
                {c.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map((row, i) => (
            <tr key={i}>
              {columns.map((c) => {
                const value = row[c.field]
                return (
                  <td key={c.field}>
                    <bdi>
                      {value === null || value === undefined
                        ? ''
                        : typeof value === 'object'
                          ? JSON.stringify(value)
                          : String(value)}
                    </bdi>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
