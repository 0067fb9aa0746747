import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconArrowBackUp } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import type { z } from 'zod'
import { operationCalls } from '#kit/contract/operations.contract.ts'
import type { operationRow, undoResult } from '#kit/contract/operations.contract.ts'
import { useCall, useChange } from '../api/index.ts'
import { Failed, Status, alert, confirm, notify } from '../feedback/index.ts'
import {
  formatAgo,
  formatInstant,
  formatNumber,
  nameOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
} from '../i18n/index.ts'
import css from './imports.module.css'

type Undo = z.output<typeof undoResult>
type Operation = z.output<typeof operationRow>
const TOLD = 50

/** What undoing puts back, and what stays because somebody changed it since: each with the person and the time. */
function UndoSummary({ result }: { result: Undo }) {
  const t = useT('kit-screens')
  const say = useLabel()
  const l = useLanguage()
  return (
    <>
      <p>{t('undo_text', { changed: result.changed, removed: result.removed, restored: result.restored })}</p>
      {result.kept_count > 0 && (
        <>
          <p>{t('undo_kept', { count: result.kept_count })}</p>
          <ul className={css.kept}>
            {result.kept.slice(0, TOLD).map((one, i) => (
              <li key={i}>
                <strong>
                  <bdi>
                    {[
                      one.what && say(one.what),
                      one.code,
                      nameOf(one) || (one.code || one.id === null ? null : `#${one.id}`),
                    ]
                      .filter(Boolean)
                      .join(' ')}
                  </bdi>
                  {one.field && (
                    <>
                      {' · '}
                      <bdi>{say(one.field)}</bdi>
                    </>
                  )}
                </strong>
                <span>
                  {problemText(one.problem, l)}
                  {one.by && ` ${t('undo_by', { by: nameOf(one.by, l), at: formatInstant(one.at, l) })}`}
                </span>
              </li>
            ))}
          </ul>
          {result.kept_count > TOLD && <p>{t('import_more', { count: result.kept_count - TOLD })}</p>}
        </>
      )}
    </>
  )
}

/** Undoes an operation: says first what is put back and what stays, then does it and reads everything again. */
export function useUndo(): (id: number) => Promise<boolean> {
  const { send } = useChange()
  const t = useT('kit-screens')
  const client = useQueryClient()
  return async (id) => {
    const params = { id }
    const { data } = await send(operationCalls.previewUndo, { params })
    if (data.changed + data.removed + data.restored === 0) {
      await alert({ title: t('undo_nothing'), text: <UndoSummary result={data} /> })
      return false
    }
    const done = await confirm({
      title: t('undo_title'),
      consequence: <UndoSummary result={data} />,
      action: t('undo'),
      go: () => send(operationCalls.undoOperation, { params }),
    })
    if (!done) return false
    notify.done(t('undone'))
    await client.invalidateQueries()
    return true
  }
}

/** The same without asking first, behind an offer to undo that was just made: what stays is said afterwards, with who changed it. */
export function useUndoAtOnce(): (id: number) => Promise<void> {
  const { send } = useChange()
  const t = useT('kit-screens')
  const client = useQueryClient()
  return async (id) => {
    const { data } = await send(operationCalls.undoOperation, { params: { id } })
    await client.invalidateQueries()
    if (data.kept_count > 0) await alert({ title: t('undone_partly'), text: <UndoSummary result={data} /> })
    else notify.done(t('undone'))
  }
}

/** After an operation: what was done, and Undo. */
export function UndoNotice({
  text,
  operation,
  onUndone,
}: {
  text: string
  operation: number | null
  onUndone?: () => void
}) {
  const t = useT('kit-screens')
  const undo = useUndo()
  const [busy, setBusy] = useState(false)
  const go = () => {
    if (operation === null) return
    setBusy(true)
    undo(operation)
      .then((done) => done && onUndone?.())
      .catch((error: unknown) => notify.error(error))
      .finally(() => setBusy(false))
  }
  return (
    <div className={css.notice} role="status">
      <Status is="done" label={text} />
      {operation !== null && (
        <Button variant="default" loading={busy} leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={go}>
          {t('undo')}
        </Button>
      )}
    </div>
  )
}

/** The latest operations of a kind (or all the reader may see), each with Undo while that is possible. */
export function Operations({ kind, empty }: { kind?: string; empty?: string }) {
  const t = useT('kit-screens')
  const say = useLabel()
  const l = useLanguage()
  const undo = useUndo()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(operationCalls.listOperations, { body: { page, ...(kind && { kind }) } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return null
  if (!data.data.length) return empty ? <p className={css.dim}>{empty}</p> : null
  const counts = ({ counts: n }: Operation) =>
    t('operation_counts', { created: n.created ?? 0, updated: n.updated ?? n.changed ?? 0 })
  return (
    <>
      <ul className={css.operations}>
        {data.data.map((one) => (
          <li key={one.id}>
            <span className={css.operation}>
              <strong>
                {one.kind.startsWith('import/')
                  ? t('import_into', { name: say([one.label[0], one.label[1]]) })
                  : say([one.label[0], one.label[1]])}
                {[one.facts.about, one.facts.file].map(
                  (fact) =>
                    typeof fact === 'string' && (
                      <Fragment key={fact}>
                        {' · '}
                        <bdi>{fact}</bdi>
                      </Fragment>
                    ),
                )}
              </strong>
              <span>
                {counts(one)} · {one.by && <bdi>{nameOf(one.by, l)}</bdi>} ·{' '}
                <time dateTime={one.at} title={formatInstant(one.at, l)}>
                  {formatAgo(one.at)}
                </time>
              </span>
            </span>
            {one.undone_at ? (
              <Status
                is="undone"
                label={t('operation_undone', {
                  by: one.undone_by ? nameOf(one.undone_by, l) : '',
                  at: formatInstant(one.undone_at, l),
                })}
              />
            ) : one.abilities.includes('undo') ? (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowBackUp size={14} aria-hidden />}
                aria-label={t('undo_of', { name: `${say([one.label[0], one.label[1]])} ${formatInstant(one.at, l)}` })}
                onClick={() => void undo(one.id).catch((problem: unknown) => notify.error(problem))}
              >
                {t('undo')}
              </Button>
            ) : (
              <Status is="expired" label={t('operation_expired')} />
            )}
          </li>
        ))}
      </ul>
      {data.meta.count > page * 20 || page > 1 ? (
        <div className={css.pages}>
          <Button size="xs" variant="subtle" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('previous_page')}
          </Button>
          <span>{formatNumber(page)}</span>
          <Button size="xs" variant="subtle" disabled={data.meta.count <= page * 20} onClick={() => setPage(page + 1)}>
            {t('next_page')}
          </Button>
        </div>
      ) : null}
    </>
  )
}
