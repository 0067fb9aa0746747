import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, Problems } from '#kit/web/feedback/index.ts'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ImportReview, type Preview } from '#kit/web/imports/review.tsx'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { entranceBookingCalls } from '../bookings/booking.contract.ts'
import { entranceResultCalls as calls } from './result.contract.ts'
import css from '../entrance-exams.module.css'

type Saved = ResponseOf<typeof calls.save>['data']

/** A sheet of results beside what stands there; stored, each application goes on by what its result means. */
export default function ImportEntranceResults() {
  const t = useT('entrance-exams')
  const lang = useLanguage()
  const client = useQueryClient()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(entranceBookingCalls.overview, { params: { id } })
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Preview | null>(null)
  const [saved, setSaved] = useState<Saved | null>(null)
  const { problem, go, send } = useChange()
  if (error && !data)
    return (
      <Page title={undefined}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  const take = async (file: File) => {
    setProgress(0)
    const done = await go(() => send(calls.preview, { params: { id }, file, onProgress: setProgress }))
    setProgress(null)
    if (done) setChecked(done.answer.data)
  }
  const params = { id, import_id: checked?.import_id ?? '' }
  const store = async () => {
    const answer = await send(calls.save, { params })
    await refresh(client, '/applicants', '/entrance-exams', '/entrance-appointments')
    setSaved(answer.data)
  }
  const back = `${to('/entrance_exams')}?admission_id=${id}`
  return (
    <Page title={data ? t('import_title', { admission: nameOf(data.data.admission, lang) }) : undefined}>
      {!data ? (
        <Bone />
      ) : saved ? (
        <Stored of={saved} back={back} />
      ) : !checked ? (
        <Stack>
          <p className={css.dim}>{t('import_text')}</p>
          <FileDrop text={t('import_drop')} progress={progress} onFile={(file) => void take(file)} />
          {problem !== null && <Problems error={problem} />}
        </Stack>
      ) : (
        <Card>
          <ImportReview
            first={checked}
            lines={async (body) => (await send(calls.lines, { params, body })).data}
            mend={async (body) => (await send(calls.mend, { params, body })).data}
            save={store}
            again={() => setChecked(null)}
          />
        </Card>
      )}
    </Page>
  )
}

/** What became of each: how many passed and failed, who waits for the rest, and whose step was refused. */
function Stored({ of, back }: { readonly of: Saved; readonly back: string }) {
  const t = useT('entrance-exams')
  return (
    <Card title={t('stored_all', { n: formatNumber(of.stored) })}>
      <p role="status">
        {t('stored_text', {
          passed: formatNumber(of.passed),
          failed: formatNumber(of.failed),
          waits: formatNumber(of.waits),
        })}
      </p>
      {of.refused.length > 0 && (
        <>
          <h3>{t('stored_refused')}</h3>
          <ul className={css.list}>
            {of.refused.map((one) => (
              <li key={one.id}>
                <Link to={to('/applicants/:id', { id: one.id })}>
                  <Code>{one.code}</Code>
                </Link>
                : {one.errors.map((problem) => problemText(problem)).join(' ')}
              </li>
            ))}
          </ul>
        </>
      )}
      <Button component={Link} to={back}>
        {t('import_back')}
      </Button>
    </Card>
  )
}
