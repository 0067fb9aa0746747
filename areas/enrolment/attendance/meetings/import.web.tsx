import { Button } from '@mantine/core'
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { ImportReview } from '#kit/web/imports/review.tsx'
import type { Preview } from '#kit/web/imports/review.tsx'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import { Link, to, useParams, useSearchParams } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import css from '../attendance.module.css'

/** A sheet of attendance beside what stands there; then all of it or nothing, and Undo. */
export default function ImportAttendance() {
  const t = useT('attendance')
  const client = useQueryClient()
  const id = Number(useParams().id)
  const [query] = useSearchParams()
  const back = /^\d{1,9}$/.test(query.get('offering') ?? '') ? Number(query.get('offering')) : null
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Preview | null>(null)
  const [stored, setStored] = useState<{ saved: number; operation_id: number | null } | null>(null)
  const { problem, go, send } = useChange()
  const take = async (file: File) => {
    setProgress(0)
    const done = await go(() => send(calls.import, { params: { a: id, b: 'preview' }, file, onProgress: setProgress }))
    setProgress(null)
    if (done) setChecked(done.answer.data)
  }
  const store = async () => {
    const { saved, operation_id } = await send(calls.import, { params: { a: id, b: checked!.import_id } })
    await refresh(client, '/attendance', '/operations')
    setStored({ saved, operation_id })
  }
  const list = back !== null && (
    <Button variant="default" component={Link} to={to('/offerings/attendance/:id', { id: back }, { meeting: id })}>
      {t('to_list')}
    </Button>
  )
  return (
    <Page title={t('import_title')} subtitle={t('import_text')}>
      <Card>
        {stored ? (
          <Stack>
            <UndoNotice
              text={t('imported', { count: stored.saved })}
              operation={stored.operation_id}
              onUndone={() => setStored(null)}
            />
            <div className={css.bar}>{list}</div>
          </Stack>
        ) : checked ? (
          <ImportReview
            first={checked}
            lines={async (body) =>
              (await send(calls.importLines, { params: { a: id, b: checked.import_id }, body })).data
            }
            mend={async (body) =>
              (await send(calls.importMend, { params: { a: id, b: checked.import_id }, body })).data
            }
            save={store}
            again={() => setChecked(null)}
          />
        ) : (
          <Stack>
            <FileDrop text={t('import_drop')} progress={progress} onFile={(file) => void take(file)} />
            {problem !== null && <Problems error={problem} title={t('import_failed')} />}
            <div className={css.bar}>{list}</div>
          </Stack>
        )}
      </Card>
    </Page>
  )
}
