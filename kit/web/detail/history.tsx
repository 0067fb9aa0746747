import { useState } from 'react'
import { Button } from '@mantine/core'
import type { z } from 'zod'
import { HISTORY_MOST } from '#kit/contract/resource.ts'
import type { historyEntry } from '#kit/contract/resource.ts'
import { useCall } from '../api/index.ts'
import type { AnyCall } from '../api/index.ts'
import { Empty, Failed } from '../feedback/index.ts'
import { OnlyFirst } from '../feedback/only-first.tsx'
import { formatAgo, formatInstant, useLabel, useT } from '../i18n/index.ts'
import { ToldLine } from '../told/told.tsx'
import css from './detail.module.css'

/** `ip`, `withheld`: in the log of changes. */
type Entry = z.output<typeof historyEntry> & { readonly ip?: string | null; readonly withheld?: number }
const FIRST = 5
const NO_RECORD = { one: null, parts: [], path: null }

/** History of a record: a sentence for each change, with the table of old and new beneath. */
export function HistoryOf({ call, params }: { call: AnyCall; params: Readonly<Record<string, unknown>> }) {
  const t = useT('kit-screens')
  useLabel('told', 'permissions')
  const { data, error, refetch } = useCall(call, { params } as never)
  const [all, setAll] = useState(false)
  const answer = data as { data: Entry[]; older?: boolean } | undefined
  const entries = answer?.data
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!entries) {
    return (
      <div className={css.bones} aria-busy="true">
        {Array.from({ length: 3 }, (_, i) => (
          <span key={i} />
        ))}
      </div>
    )
  }
  if (!entries.length) return <Empty title={t('history_empty')} />
  return (
    <>
      <ol className={css.history}>
        {(all ? entries : entries.slice(0, FIRST)).map((entry, i) => (
          <li key={i}>
            <ToldLine
              entry={{
                action: entry.action,
                who: entry.by === null ? null : { name: entry.by, name_local: entry.by_local },
                as: entry.as === null ? null : { name: entry.as, name_local: entry.as_local },
                record: entry.record ?? NO_RECORD,
                changes: entry.changes,
              }}
              meta={
                <>
                  <time dateTime={entry.at} title={formatAgo(entry.at)}>
                    {formatInstant(entry.at)}
                  </time>
                  {entry.ip && (
                    <>
                      {' · '}
                      {t('told_from')} <bdi dir="ltr">{entry.ip}</bdi>
                    </>
                  )}
                </>
              }
              reason={entry.reason}
              withheld={entry.withheld}
            />
          </li>
        ))}
      </ol>
      {!all && entries.length > FIRST && (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          {t('history_all', { count: entries.length })}
        </Button>
      )}
      {all && answer?.older && <OnlyFirst rows={HISTORY_MOST} most={HISTORY_MOST} />}
    </>
  )
}
