import { Button, Modal } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { LANGUAGES } from '#kit/contract/index.ts'
import { f } from '#kit/contract/field.ts'
import { useCall, useSend } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Status, confirm, notify } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { Form } from '#kit/web/form/form.tsx'
import { LANGUAGE_NAMES, formatDate, formatList, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { SHARE_PARTS, SHARE_STATES, shareCalls } from './share.contract.ts'
import type { RecordShare } from './share.contract.ts'
import css from './shares.module.css'

/** Whom the student lets see parts of the own study. */
export default function Shares() {
  const t = useT('students')
  const me = useMe()
  const [adding, setAdding] = useState(false)
  const { most, more } = useMost(20)
  const { data, error, refetch } = useCall(
    shareCalls.shares,
    { query: { most } },
    { placeholderData: keepPreviousData },
  )
  const own = !me.live.impersonation
  return (
    <Page
      title={t('shares')}
      subtitle={t('shares_text')}
      wide={false}
      action={own && <Button onClick={() => setAdding(true)}>{t('share_add')}</Button>}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={160} />
      ) : !data.data.length ? (
        <Empty title={t('shares_none')} text={t('shares_none_text')} />
      ) : (
        <>
          <ul className={css.list}>
            {data.data.map((one) => (
              <li key={one.id}>
                <Row share={one} own={own} />
              </li>
            ))}
          </ul>
          <MoreRows shown={data.data.length} total={data.total} onMore={more} />
        </>
      )}
      {adding && <Add onClose={() => setAdding(false)} />}
    </Page>
  )
}

function Row({ share, own }: { share: RecordShare; own: boolean }) {
  const t = useT('students')
  const say = useLabel()
  const l = useLanguage()
  const end = useSend(shareCalls.endShare, { onDone: () => notify.done(t('share_ended')) })
  const state = SHARE_STATES.find((shareState) => shareState.value === share.state)!
  const stop = () =>
    confirm({
      title: t('share_end_title', { name: share.name }),
      consequence: t('share_end_text'),
      action: t('share_end'),
      danger: true,
      go: () => end.mutateAsync({ params: { id: share.id } }),
    })
  return (
    <Card label={share.name}>
      <div className={css.head}>
        <strong>
          <bdi>{share.name}</bdi>
        </strong>
        <Code className={css.dim}>{share.email}</Code>
        <span className={css.end}>
          <Status tone={state.tone} label={say(state.label)} />
        </span>
      </div>
      <p className={css.dim}>
        {formatList(
          SHARE_PARTS.filter((part) => share.parts.includes(part.value)).map((part) => say(part.label)),
          l,
        )}
        {' · '}
        {t('share_until', { day: formatDate(share.last_day, 'long', l) })}
      </p>
      {share.state === 'open' && (
        <div className={css.buttons}>
          <Button size="xs" variant="default" component={Link} to={to('/profile/shares/:id', { id: share.id })}>
            {t('share_preview_open')}
          </Button>
          {own && (
            <Button size="xs" variant="default" color="red" onClick={() => void stop()}>
              {t('share_end')}
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}

/** Chooses who, what, in which language and until when. */
function Add({ onClose }: { onClose: () => void }) {
  const t = useT('students')
  const l = useLanguage()
  const add = useSend(shareCalls.addShare)
  const fields = {
    name: f.text(['Who it is', 'من هو'], { required: true, max: 80 }),
    email: f.email(['E-mail', 'البريد الإلكتروني'], { required: true }),
    language: f.choice(
      ['Language', 'اللغة'],
      LANGUAGES.map((value) => ({ value, label: [LANGUAGE_NAMES[value], LANGUAGE_NAMES[value]] as const })),
      { required: true },
    ),
    parts: f.choices(['What is shown', 'ما يُعرض'], SHARE_PARTS, { required: true }),
    last_day: f.date(['Last day', 'آخر يوم'], { required: true }),
  }
  return (
    <Modal opened onClose={onClose} title={t('share_add')} size="lg">
      <p className={css.dim}>{t('share_add_text')}</p>
      <Form
        fields={fields}
        values={{ language: l }}
        bar="dialog"
        always
        submit={t('share_go')}
        onCancel={onClose}
        onSave={(values) => add.mutateAsync({ body: values as never })}
        onSaved={() => {
          notify.done(t('share_sent'))
          onClose()
        }}
      />
    </Modal>
  )
}
