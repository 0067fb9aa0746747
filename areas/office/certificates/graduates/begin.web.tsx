import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { Empty, Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { AddressByCode, solvedPuzzle } from '#kit/web/form/address-by-code.tsx'
import { formatInstant, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { graduateCalls as calls, type OpenType } from './ask.contract.ts'
import { AskedByGraduate } from './form.web.tsx'
import { GRADUATE_STATES } from './words.contract.ts'
import css from './graduates.module.css'

type Verified = ResponseOf<typeof calls.verify>['data']

/** Where graduates without an account begin: an address is proven, then a certificate is asked for or followed. */
export default function GraduateCertificates() {
  const t = useT('certificates')
  const { data, error, refetch } = useCall(calls.types, {})
  const types = data?.data
  return (
    <PublicPage as="pages" title={t('grad_title')}>
      <div className={css.page}>
        <h1>{t('grad_title')}</h1>
        {error && !types ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !types ? (
          <Bone height={320} />
        ) : (
          <Begin types={types} />
        )}
      </div>
    </PublicPage>
  )
}

/** Sends a code to an address, takes it, and opens what was asked for. */
function useProven() {
  const lang = useLanguage()
  const navigate = useNavigate()
  const { go, send, busy, problem } = useChange('/certificates/graduate')
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const [proven, setProven] = useState<Verified | null>(null)
  return {
    busy,
    problem,
    email,
    sent,
    proven,
    ask: (address: string) =>
      go(async () => {
        const solved = await solvedPuzzle(async () => (await send(calls.puzzle, { body: {} })).data)
        await send(calls.askCode, { body: { email: address, language: lang, ...solved } })
        setEmail(address)
        setSent(true)
      }),
    verify: (code: string) => go(async () => setProven((await send(calls.verify, { body: { email, code } })).data)),
    open: (ticket: string, id: number) =>
      go(async () => {
        const { data } = await send(calls.open, { body: { ticket, id } })
        await navigate(to('/certificates/graduate/:id/:secretKey', { id: data.id, secretKey: data.key }))
      }),
    other: () => setSent(false),
  }
}

function Begin({ types }: { types: readonly OpenType[] }) {
  const t = useT('certificates')
  const { busy, problem, email, sent, proven, ask, verify, open, other } = useProven()
  const [asking, setAsking] = useState(false)
  // Who proved the address goes on from the heading: the field of the code is gone.
  useEffect(() => {
    if (!proven) return
    const heading = document.querySelector<HTMLElement>('#content h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [proven])
  if (!proven)
    return (
      <>
        {problem !== null && <Problems error={problem} />}
        <AddressByCode
          text={t('grad_address_text')}
          email={email}
          sent={sent}
          busy={busy}
          ask={(address) => void ask(address)}
          verify={(code) => void verify(code)}
          other={other}
        />
      </>
    )
  const form = asking || proven.requests.length === 0
  return (
    <>
      {problem !== null && <Problems error={problem} />}
      {!form && <Requests of={proven} busy={busy} open={(id) => void open(proven.ticket, id)} />}
      {types.length === 0 ? (
        <Empty title={t('grad_nothing')} text={t('grad_nothing_text')} />
      ) : form ? (
        <AskedByGraduate types={types} ticket={proven.ticket} />
      ) : (
        <Button size="md" onClick={() => setAsking(true)}>
          {t('grad_new')}
        </Button>
      )}
    </>
  )
}

/** What was asked for with this address. */
function Requests({ of, busy, open }: { of: Verified; busy: boolean; open: (id: number) => void }) {
  const t = useT('certificates')
  const say = useLabel()
  const lang = useLanguage()
  return (
    <>
      <p className={css.lead}>{t('grad_yours')}</p>
      <ul className={css.cards}>
        {of.requests.map((one) => {
          const state = GRADUATE_STATES.find(({ value }) => value === one.status)
          return (
            <li key={one.id} className={css.card}>
              <div className={css.head}>
                <h2>{nameOf(one.type, lang)}</h2>
                {state && <Status tone={state.tone} label={say(state.label)} />}
              </div>
              <p className={css.dim}>
                <bdi>{one.code}</bdi> · {formatInstant(one.created_at)}
              </p>
              <div className={css.ways}>
                <Button variant="default" loading={busy} onClick={() => open(one.id)}>
                  {t('grad_open')}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}
