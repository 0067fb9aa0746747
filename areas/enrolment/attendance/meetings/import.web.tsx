import { Button } from '@mantine/core'
import { useState } from 'react'
import { useT } from '#kit/web/i18n/index.ts'
import { handInWays, useHandIn } from '#kit/web/imports/hand-in.tsx'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import { Link, to, useParams, useSearchParams } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import css from '../attendance.module.css'

/** A sheet of attendance beside what stands there; then all of it or nothing, and Undo. */
export default function ImportAttendance() {
  const t = useT('attendance')
  const id = Number(useParams().id)
  const [query] = useSearchParams()
  const back = /^\d{1,9}$/.test(query.get('offering') ?? '') ? Number(query.get('offering')) : null
  const [stored, setStored] = useState<{ saved: number; operation_id: number | null } | null>(null)
  const { drop, review } = useHandIn(handInWays(calls, id), {
    text: t('import_drop'),
    failed: t('import_failed'),
    refreshes: ['/attendance', '/operations'],
    onSaved: setStored,
  })
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
        ) : (
          (review ?? (
            <Stack>
              {drop}
              <div className={css.bar}>{list}</div>
            </Stack>
          ))
        )}
      </Card>
    </Page>
  )
}
