import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatDate, formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { lmsCalls } from './lms.contract.ts'

const IS = { synced: 'synced', partly: 'partly', failed: 'not_synced' } as const

/** What of the current term stands on the learning platform, and bringing all of it there. */
export default function LearningPlatform() {
  const t = useT('offerings')
  const k = useT('kit-screens')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(lmsCalls.state, { query: {} })
  const { busy, problem, go, send } = useChange('/offerings/lms')
  const [job, setJob] = useState<string | null>(null)
  const state = data?.data
  const name = state?.platform?.name ?? ''
  const bring = async () => {
    const done = await go(() => send(lmsCalls.syncAll, {}))
    if (done) setJob(done.answer.data.job_id)
  }
  return (
    <Page
      title={t('lms_visit')}
      subtitle={state?.platform ? t('lms_text', { name }) : '\u00A0'}
      action={
        state?.platform ? (
          <Submit loading={busy} missing={[job !== null && k('under_way')]} onClick={() => void bring()}>
            {t('lms_all')}
          </Submit>
        ) : undefined
      }
    >
      {error && !state ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !state ? (
        <Bone height={420} />
      ) : (
        <Stack>
          {problem !== null && <Problems error={problem} />}
          {job && (
            <ProgressJob
              id={job}
              label={t('lms_running', { name })}
              onDone={() => {
                setJob(null)
                void refetch()
              }}
            />
          )}
          <Card plain>
            <DataTable
              caption={t('lms_visit')}
              rows={state.offerings.map((one) => ({ ...one, id: one.offering.id }))}
              empty={<Empty title={t('my_empty')} />}
              columns={[
                {
                  key: 'offering',
                  label: ['Offering', 'المقرر المطروح'],
                  width: 300,
                  cell: ({ offering: one }) => (
                    <Link to={to('/offering/:id', { id: one.id })}>
                      <Code>
                        {one.course.code} ({one.code})
                      </Code>{' '}
                      <bdi>{nameOf(one, lang)}</bdi>
                    </Link>
                  ),
                },
                {
                  key: 'students',
                  label: ['Students', 'الطلاب'],
                  width: 90,
                  cell: (row) => formatNumber(row.students),
                },
                {
                  key: 'state',
                  label: ['Status', 'الحالة'],
                  width: 170,
                  cell: (row) =>
                    row.state ? (
                      <Status is={IS[row.state]} label={t(`lms_${row.state}`)} />
                    ) : (
                      <Status is="never_synced" label={t('lms_never')} />
                    ),
                },
                {
                  key: 'finished_at',
                  label: ['Last time', 'آخر مرة'],
                  width: 150,
                  cell: (row) => (row.finished_at ? formatDate(row.finished_at, 'long', lang) : '–'),
                },
                {
                  key: 'result',
                  label: ['Result', 'النتيجة'],
                  width: 420,
                  cell: ({ result, address }) => (
                    <span>
                      {result && (
                        <div>
                          {t('lms_did', {
                            accounts: formatNumber(result.accounts),
                            enrolled: formatNumber(result.enrolled),
                            removed: formatNumber(result.removed),
                          })}
                        </div>
                      )}
                      {result?.refused.map(({ who, reason }, i) => (
                        <div key={i} dir="auto">
                          {who && <Code>{who}</Code>} {problemText(reason)}
                        </div>
                      ))}
                      {address && (
                        <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
                          {t('lms_open', { name })}
                        </Anchor>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          </Card>
        </Stack>
      )}
    </Page>
  )
}
