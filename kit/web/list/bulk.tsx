import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button, Modal, Progress } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { ApiError } from '../api/index.ts'
import type { Problem } from '../api/index.ts'
import { errorText, problemText, useT } from '../i18n/index.ts'
import css from './list.module.css'

/** What happened to one row of a bulk action. */
export interface RowResult {
  readonly id: number
  readonly name?: string
  readonly errors: readonly Problem[] | null
  readonly text?: string
}
/** Answer of bulk calls: `bulkResult` of the contract. */
export interface BulkAnswer {
  readonly done: readonly number[]
  readonly failed: readonly { readonly id: number; readonly name?: string; readonly errors: readonly Problem[] }[]
}
/** Something that can be done with the selected rows. */
export interface BulkAction {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  readonly tone?: 'refused'
  /** Asked first: what will happen, to how many. */
  readonly confirm?: (
    count: number,
  ) => { readonly title: string; readonly consequence?: ReactNode; readonly action: string } | null
  /** One call for all. */
  readonly run?: (ids: readonly number[]) => Promise<BulkAnswer>
  /** One call per row, a few at a time. */
  readonly each?: (id: number) => Promise<unknown>
  /** Takes the whole action back; offered when every row went well. */
  readonly undo?: (ids: readonly number[]) => Promise<unknown>
}

const AT_ONCE = 4
/** Does the action for every row and reports a result per row; one refusal stops nothing else. */
export async function runBulk(
  action: BulkAction,
  ids: readonly number[],
  progress: (done: number) => void,
): Promise<RowResult[]> {
  if (action.run) {
    const answer = await action.run(ids)
    return [
      ...answer.failed.map((f) => ({ id: f.id, name: f.name, errors: f.errors })),
      ...answer.done.map((id) => ({ id, errors: null })),
    ]
  }
  const results: RowResult[] = []
  const queue = [...ids]
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      try {
        await action.each?.(id)
        results.push({ id, errors: null })
      } catch (error) {
        results.push({ id, errors: error instanceof ApiError ? error.errors : [], text: errorText(error) })
      }
      progress(results.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, worker))
  return results
}

/** Progress of a bulk action, then a result per row: what was refused first, with its reasons. */
export function BulkDialog({
  title,
  total,
  done,
  results,
  nameOf,
  onClose,
}: {
  title: string
  total: number
  done: number
  results: readonly RowResult[] | null
  nameOf: (id: number) => string
  onClose: () => void
}) {
  const t = useT('kit-screens')
  const [all, setAll] = useState(false)
  const failed = results?.filter((r) => r.errors) ?? []
  const fine = results?.filter((r) => !r.errors) ?? []
  return (
    <Modal
      opened
      closeButtonProps={{ 'aria-label': t('close') }}
      onClose={() => results && onClose()}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      withCloseButton={Boolean(results)}
    >
      {!results ? (
        <output style={{ display: 'block' }}>
          <p className={css.dialogLine}>{t('bulk_progress', { done, total })}</p>
          <Progress value={(done / Math.max(1, total)) * 100} aria-label={title} />
        </output>
      ) : (
        <>
          <p className={css.dialogLine}>{t('bulk_result', { done: fine.length, failed: failed.length })}</p>
          <ul className={css.results}>
            {failed.map((r) => (
              <li key={r.id} data-failed>
                <IconAlertTriangle size={16} aria-label={t('refused')} />
                <div>
                  <bdi className={css.resultName}>{r.name ?? nameOf(r.id)}</bdi>
                  {(r.errors?.length ? r.errors.map((p) => problemText(p)) : [r.text ?? '']).map((text) => (
                    <span key={text} className={css.reason}>
                      {text}
                    </span>
                  ))}
                </div>
              </li>
            ))}
            {(all ? fine : fine.slice(0, failed.length ? 0 : 20)).map((r) => (
              <li key={r.id}>
                <IconCheck size={16} aria-label={t('done')} />
                <bdi className={css.resultName}>{r.name ?? nameOf(r.id)}</bdi>
              </li>
            ))}
          </ul>
          {!all && fine.length > (failed.length ? 0 : 20) && (
            <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
              {t('bulk_show_done', { count: fine.length })}
            </Button>
          )}
          <div className={css.dialogButtons}>
            <Button onClick={onClose} data-autofocus>
              {t('close')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}
