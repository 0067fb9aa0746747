import { Alert, Button, Loader, Select } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { ApiError, useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { Asked, PlainForm, isAddress } from '#kit/web/form/plain-form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { shareCalls } from './share.contract.ts'
import { ShownStudy } from './shown.web.tsx'
import css from './shares.module.css'

/** What students let somebody see who has no account here: opened by a link in a mail, which works once. */
export default function Shared() {
  const t = useT('students')
  const [query, setQuery] = useSearchParams()
  const { problem, go, send } = useChange('/shared')
  const [opening, setOpening] = useState(query.has('token'))
  const begun = useRef(false)
  useEffect(() => {
    const token = query.get('token')
    if (begun.current || !token) return
    begun.current = true
    // It is cleaned before anything is copied.
    setQuery({}, { replace: true })
    void go(() => send(shareCalls.openLink, { body: { token } })).then(() => setOpening(false))
  })
  return opening ? (
    <PublicPage as="message" title={t('shared_with_me')}>
      <Loader aria-label={t('shared_with_me')} />
    </PublicPage>
  ) : problem !== null ? (
    <AskLink problem={problem} />
  ) : (
    <Open />
  )
}

function Open() {
  const t = useT('students')
  const l = useLanguage()
  const { data, error, refetch } = useCall(shareCalls.shared)
  const [chosen, setChosen] = useState<number | null>(null)
  const [left, setLeft] = useState(false)
  const { busy, go, send } = useChange()
  if (left || (error instanceof ApiError && error.status === 403)) return <AskLink />
  const list = data?.data ?? []
  const id = chosen ?? list[0]?.id
  return (
    <main className={css.guest}>
      <div className={css.guestTop}>
        <h1>{t('shared_with_me')}</h1>
        {list.length > 1 && (
          <Select
            aria-label={t('shared_of')}
            data={list.map((one) => ({ value: String(one.id), label: nameOf(one, l) }))}
            value={String(id)}
            allowDeselect={false}
            onChange={(value) => setChosen(Number(value))}
          />
        )}
        <Button
          variant="default"
          loading={busy}
          onClick={() => void go(() => send(shareCalls.leaveShared)).then(() => setLeft(true))}
        >
          {t('shared_leave')}
        </Button>
      </div>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={400} />
      ) : id === undefined ? (
        <Empty title={t('shared_none')} text={t('shared_none_text')} />
      ) : (
        <One id={id} />
      )}
    </main>
  )
}

function One({ id }: { id: number }) {
  const { data, error, refetch } = useCall(shareCalls.sharedOne, { params: { id } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  return data ? <ShownStudy shown={data.data} /> : <Bone height={400} />
}

/** A new link, to whom something is shared with. */
function AskLink({ problem }: { problem?: unknown }) {
  const t = useT('students')
  const say = useT('kit')
  const asked = useChange()
  const [sent, setSent] = useState(false)
  const ask = async ({ email = '' }: Readonly<Record<string, string>>) => {
    if (await asked.go(() => asked.send(shareCalls.askLink, { body: { email: email.trim() } }))) setSent(true)
  }
  return (
    <PublicPage as="form" title={t('shared_with_me')} text={t('shared_ask_text')}>
      {(asked.problem ?? problem) != null && <Problems error={asked.problem ?? problem} />}
      {sent ? (
        <Alert mt="md" icon={<IconMail size={18} />}>
          {t('shared_sent')}
        </Alert>
      ) : (
        <PlainForm busy={asked.busy} send={(typed) => void ask(typed)}>
          <Asked
            mt="md"
            label={say('email')}
            name="email"
            type="email"
            dir="ltr"
            size="md"
            autoComplete="email"
            rule={(typed) => (isAddress(typed) ? null : say('email_not_valid'))}
          />
          <Button type="submit" mt="md" size="md" fullWidth loading={asked.busy}>
            {t('shared_ask')}
          </Button>
        </PlainForm>
      )}
    </PublicPage>
  )
}
