import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { download, refresh, useChange } from '../api/index.ts'
import type { AnyCall } from '../api/index.ts'
import { Problems, notify } from '../feedback/index.ts'
import { FileDrop } from '../form/file-drop.tsx'
import { useT } from '../i18n/index.ts'
import { ImportReview } from '../imports/review.tsx'
import type { Preview } from '../imports/review.tsx'
import { Operations, UndoNotice } from '../imports/undo.tsx'
import css from './list.module.css'

/** What the import of a list needs: its calls, and the operation that it is. */
export interface ImportCalls {
  readonly template: AnyCall
  readonly preview: AnyCall
  readonly lines: AnyCall
  readonly mend: AnyCall
  readonly save: AnyCall
  readonly kind: string
}

/**
 * Import of a sheet: template out, sheet in, what each row would do beside what is there, mistakes mended in their
 * cells, then all rows or none; and Undo.
 */
export default function ImportDialog({
  template,
  preview,
  lines,
  mend,
  save,
  kind,
  title,
  onClose,
}: ImportCalls & { title: string; onClose: () => void }) {
  const t = useT('kit-screens')
  const client = useQueryClient()
  const { send } = useChange()
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Preview | null>(null)
  const [saved, setSaved] = useState<{ created: number; updated: number; operation_id: number | null } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const take = async (file: File) => {
    setError(null)
    setProgress(0)
    try {
      setChecked(((await send(preview, { file, onProgress: setProgress })) as { data: Preview }).data)
    } catch (problem) {
      setError(problem)
    } finally {
      setProgress(null)
    }
  }
  const params = { import_id: checked?.import_id }
  const ask = async (call: AnyCall, body: unknown) =>
    ((await send(call, { params, body } as never)) as { data: Preview }).data
  const store = async (confirm?: number) => {
    setSaved((await send(save, { params, body: { confirm } } as never)) as NonNullable<typeof saved>)
    void refresh(client, `/${(save.path as string).split('/')[1]}`, '/operations')
  }
  return (
    <Modal
      opened
      closeButtonProps={{ 'aria-label': t('close') }}
      onClose={onClose}
      title={t('import_into', { name: title })}
      size={checked && !saved ? 'min(96vw, 1200px)' : 'lg'}
      closeOnClickOutside={!checked || saved !== null}
    >
      {saved ? (
        <>
          <UndoNotice
            text={t('imported', { created: saved.created, updated: saved.updated })}
            operation={saved.operation_id}
            onUndone={onClose}
          />
          {saved.operation_id !== null && <p className={css.dialogLine}>{t('undo_until')}</p>}
          <div className={css.dialogButtons}>
            <Button onClick={onClose}>{t('close')}</Button>
          </div>
        </>
      ) : checked ? (
        <ImportReview
          first={checked}
          lines={(query) => ask(lines, query)}
          mend={(body) => ask(mend, body)}
          save={store}
          again={() => setChecked(null)}
          leave={onClose}
        />
      ) : (
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
          <Recent kind={kind} />
          <div className={css.dialogButtons}>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}

const Recent = ({ kind }: { kind: string }) => {
  const t = useT('kit-screens')
  return (
    <details className={css.recent}>
      <summary>{t('import_recent')}</summary>
      <Operations kind={kind} empty={t('operations_none')} />
    </details>
  )
}
