import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, type Change } from '#kit/web/api/index.ts'
import { Code, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useHandIn, type HandInWays } from '#kit/web/imports/hand-in.tsx'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { entranceBookingCalls } from '../bookings/booking.contract.ts'
import { entranceResultCalls as calls } from './result.contract.ts'
import css from '../entrance-exams.module.css'

type Saved = ResponseOf<typeof calls.save>['data']

const ways =
  (id: number) =>
  (send: Change['send']): HandInWays<Saved> => ({
    preview: async (file, onProgress) => (await send(calls.preview, { params: { id }, file, onProgress })).data,
    lines: async (import_id, body) => (await send(calls.lines, { params: { id, import_id }, body })).data,
    mend: async (import_id, body) => (await send(calls.mend, { params: { id, import_id }, body })).data,
    save: async (import_id) => (await send(calls.save, { params: { id, import_id } })).data,
  })

/** A sheet of results beside what stands there; stored, each application goes on by what its result means. */
export default function ImportEntranceResults() {
  const t = useT('entrance-exams')
  const lang = useLanguage()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(entranceBookingCalls.overview, { params: { id } })
  const [saved, setSaved] = useState<Saved | null>(null)
  const { drop, review } = useHandIn(ways(id), {
    text: t('import_drop'),
    refreshes: ['/applicants', '/entrance-exams', '/entrance-appointments'],
    onSaved: setSaved,
  })
  if (error && !data)
    return (
      <Page title={undefined}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  const back = `${to('/entrance_exams')}?admission_id=${id}`
  return (
    <Page title={data ? t('import_title', { admission: nameOf(data.data.admission, lang) }) : undefined}>
      {!data ? (
        <Bone />
      ) : saved ? (
        <Stored of={saved} back={back} />
      ) : !review ? (
        <Stack>
          <p className={css.dim}>{t('import_text')}</p>
          {drop}
        </Stack>
      ) : (
        <Card>{review}</Card>
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
