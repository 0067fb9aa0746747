import { useState } from 'react'
import { Button, Modal, Progress } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { Problem } from '#kit/contract/schema.ts'
import { StepLink } from '../feedback/step.tsx'
import { problemText, useT } from '../i18n/index.ts'
import type { RowResult } from './bulk.tsx'
import css from './list.module.css'

/** Progress of a bulk action, then a result per row: what was refused first, with its reasons. */
export default function BulkDialog({
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
  nameOf: (id: number, told?: string) => string
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
          {/* Of one that was refused a count says nothing that the line below does not. */}
          {(total > 1 || failed.length === 0) && (
            <p className={css.dialogLine}>{t('bulk_result', { done: fine.length, failed: failed.length })}</p>
          )}
          <ul className={css.results}>
            {groupsOf(failed).map((group) => (
              <Refused key={group.key} group={group} nameOf={nameOf} />
            ))}
            {(all ? fine : fine.slice(0, failed.length ? 0 : 20)).map((r) => (
              <li key={r.id}>
                <IconCheck size={16} aria-label={t('done')} />
                <bdi className={css.resultName}>{nameOf(r.id, r.name)}</bdi>
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

interface Group {
  readonly key: string
  readonly reasons: readonly [string, Problem | null][]
  readonly rows: RowResult[]
}

/** What was refused for the same reasons stands together, the most of them first. */
function groupsOf(failed: readonly RowResult[]): Group[] {
  const groups = new Map<string, Group>()
  for (const row of failed) {
    const reasons = reasonsOf(row)
    const key = reasons.map(([text]) => text).join('\n')
    const group = groups.get(key) ?? { key, reasons, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((a, b) => b.rows.length - a.rows.length)
}

/** So many of a group are named before somebody asks for the rest. */
const NAMED = 6

/** Why some were refused, how many, and which. */
function Refused({ group, nameOf }: { group: Group; nameOf: (id: number, told?: string) => string }) {
  const t = useT('kit-screens')
  const kit = useT('kit')
  const [all, setAll] = useState(false)
  const { reasons, rows } = group
  const shown = all ? rows : rows.slice(0, NAMED)
  return (
    <li data-failed>
      <IconAlertTriangle size={16} aria-label={t('refused')} />
      <div>
        {rows.length > 1 && <b>{t('bulk_refused', { count: rows.length })}</b>}
        {reasons.map(([text, problem]) => (
          <span key={text} className={css.reason}>
            {text} {problem && <StepLink problem={problem} />}
          </span>
        ))}
        <span className={css.refusedNames}>
          {shown.map((row) => (
            <bdi key={row.id} className={css.resultName}>
              {nameOf(row.id, row.name)}
            </bdi>
          ))}
          {rows.length > shown.length && (
            <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
              {kit('and_more', { count: rows.length - shown.length })}
            </Button>
          )}
        </span>
      </div>
    </li>
  )
}

/** Why a row was refused, each reason once. */
function reasonsOf({ errors, text = '' }: RowResult): [string, Problem | null][] {
  const told = new Map<string, Problem | null>()
  for (const problem of errors ?? []) told.set(problemText(problem), problem)
  return told.size ? [...told] : [[text, null]]
}
