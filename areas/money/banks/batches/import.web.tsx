import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Problems } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { batchCalls, lineFields as F } from './batch.contract.ts'
import { LINE_COLUMNS, REFRESHES, useLines } from './lines.web.tsx'
import type { BatchLine } from './lines.web.tsx'
import css from './batches.module.css'

const view = (key: string, label: readonly [string, string], filters: object) => ({
  key,
  label,
  query: `filters=${encodeURIComponent(JSON.stringify(filters))}`,
})
const VIEWS = [
  view('unknown', ['Unknown', 'غير معروف'], { state: ['proposed', 'unmatched'] }),
  view('known', ['Known', 'معروف'], { state: ['matched'] }),
  view('not_booked', ['Not booked', 'لا يُقيّد'], { state: ['not_booked'] }),
]

/** Sends a file of a bank, and shows the lines of all that were saved. */
export default function ImportedPaymentsScreen() {
  const t = useT('banks')
  const me = useMe()
  const lines = useLines()
  return (
    <Page title={t('imported_payments')} subtitle={t('imported_text')}>
      <Stack>
        {me.can('import_batch') && <Import />}
        <ListScreen<BatchLine>
          page={false}
          call={batchCalls.lines}
          title={['Imported payments', 'المدفوعات المستوردة']}
          columns={LINE_COLUMNS}
          filters={{ state: F.state, bank_id: F.bank_id }}
          views={VIEWS}
          order={['booked_on', 'desc']}
          rowName={(line) => `${line.batch.number} · ${line.line}`}
          onOpen={lines.open}
          actions={lines.actions}
          empty={{ title: t('no_lines'), text: t('no_lines_text') }}
        />
      </Stack>
      {lines.dialog}
    </Page>
  )
}

function Import() {
  const t = useT('banks')
  const navigate = useNavigate()
  const { problem, go, send } = useChange(...REFRESHES)
  const [bank, setBank] = useState<number | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [reading, setReading] = useState<{ job: string; id: number } | null>(null)
  const open = (id: number) => void navigate(to('/payments/batch/:id', { id }))
  const take = async (file: File) => {
    setProgress(0)
    const done = await go(() =>
      send(batchCalls.preview, { body: { bank_id: String(bank) }, file, onProgress: setProgress }),
    )
    setProgress(null)
    if (!done) return
    const { job_id, batch } = done.answer.paymentsData
    if (job_id) setReading({ job: job_id, id: batch.id })
    else open(batch.id)
  }
  return (
    <Card title={t('import_file')} text={t('import_text')}>
      <div className={css.form}>
        <LookupInput resource="bank" label={t('bank')} defaultValue={null} onChange={setBank} />
        {reading ? (
          <ProgressJob id={reading.job} label={t('reading')} onDone={() => open(reading.id)} />
        ) : (
          bank !== null && (
            <FileDrop
              text={t('drop')}
              progress={progress}
              onFile={(file) => void take(file)}
              accept=".csv,.xlsx,.xml,.zip,.sta,.mt940,.940,.ofx,.qfx,.qif,.txt"
            />
          )
        )}
        {problem !== null && <Problems error={problem} />}
      </div>
    </Card>
  )
}
