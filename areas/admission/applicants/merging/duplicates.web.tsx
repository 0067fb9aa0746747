import { Button } from '@mantine/core'
import { IconArrowMerge, IconUsers } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name, Status, notify } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { APPLICANT_STATUSES } from '../words.contract.ts'
import { applicantMergeCalls as calls, type AlikePair } from './merge.contract.ts'
import css from '../apply/apply.module.css'

const MergeDialog = part(async () => (await import('./merge-dialog.web.tsx')).MergeDialog)

/** Applications of an admission that may be of one person, pair by pair: merged, or said to be of two people. */
export default function Duplicates() {
  const t = useT('applicants')
  const [address, setAddress] = useSearchParams()
  const admission = Number(address.get('admission_id')) || null
  return (
    <Page title={t('duplicates')} subtitle={t('duplicates_text')}>
      <Stack>
        <div style={{ inlineSize: 'min(100%, 420px)' }}>
          <LookupInput
            resource="admission"
            label={t('admission')}
            defaultValue={admission}
            onChange={(id) => setAddress(id === null ? {} : { admission_id: String(id) }, { replace: true })}
          />
        </div>
        {admission === null ? (
          <p className={css.dim}>{t('choose_admission')}</p>
        ) : (
          <Pairs key={admission} admission={admission} />
        )}
      </Stack>
    </Page>
  )
}

/** Says with a reason that two applications are of two people; it can be taken back. */
function useApart() {
  const t = useT('applicants')
  const { send } = useChange('/applicants')
  return async ({ one, other }: AlikePair) => {
    const names = { one: one.code, other: other.code }
    const reason = await askReason({
      title: t('two_people_title', names),
      text: t('two_people_text'),
      action: t('two_people'),
      go: (why) => send(calls.apart, { body: { one_id: one.id, other_id: other.id, reason: why } }),
    })
    if (reason !== null)
      notify.undo(t('two_people_done', names), () => send(calls.together, { params: { one: one.id, other: other.id } }))
  }
}

function Pairs({ admission }: { readonly admission: number }) {
  const t = useT('applicants')
  const { most, more } = useMost()
  const [merging, setMerging] = useState<AlikePair | null>(null)
  const sayApart = useApart()
  const { data, error, refetch } = useCall(calls.duplicates, { params: { id: admission }, query: { most } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={240} />
  if (data.data.length === 0) return <Empty title={t('no_duplicates')} text={t('no_duplicates_text')} />
  return (
    <Card title={t('duplicates')}>
      <ul className={css.comments}>
        {data.data.map((pair) => (
          <li key={`${pair.one.id} ${pair.other.id}`}>
            <Applied of={pair.one} />
            <Applied of={pair.other} />
            <small>{pair.by.map((by) => t(`alike_${by}`)).join(' · ')}</small>
            <span className={css.steps}>
              {may('cancel_applicant') && (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconArrowMerge size={14} aria-hidden />}
                  onClick={() => setMerging(pair)}
                >
                  {t('merge')}
                </Button>
              )}
              {may('review_applicant') && (
                <Button
                  size="xs"
                  variant="subtle"
                  leftSection={<IconUsers size={14} aria-hidden />}
                  onClick={() => void sayApart(pair)}
                >
                  {t('two_people')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <MoreRows shown={data.data.length} total={data.total} onMore={more} />
      <Suspense fallback={null}>
        {merging && <MergeDialog one={merging.one.id} other={merging.other.id} onClose={() => setMerging(null)} />}
      </Suspense>
    </Card>
  )
}

function Applied({ of }: { readonly of: AlikePair['one'] }) {
  const say = useLabel()
  const status = APPLICANT_STATUSES.find(({ value }) => value === of.status)
  return (
    <span>
      <Link to={to('/applicants/:id', { id: of.id })}>
        <Code>{of.code}</Code>
      </Link>{' '}
      {of.name && <Name row={{ name: of.name, name_local: of.name_local ?? of.name }} />} · <bdi>{of.email}</bdi>{' '}
      {status && <Status tone={status.tone} label={say(status.label)} />}
    </span>
  )
}
