import { Button, Checkbox } from '@mantine/core'
import { IconArrowLeft, IconSchool } from '@tabler/icons-react'
import { useLayoutEffect, useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { AddressByCode, solvedPuzzle } from '#kit/web/form/address-by-code.tsx'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatInstant, formatMoney, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { endFirst } from '#kit/web/light/first.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { ADMISSION_STATES, APPLICANT_TYPES } from '#areas/admission/admissions/words.contract.ts'
import { APPLICANT_STATUSES } from '../words.contract.ts'
import { applyCalls as calls, type OpenAdmission } from './apply.contract.ts'
import css from './apply.module.css'

type Verified = ResponseOf<typeof calls.verifyEmail>['data']

/** Where everybody begins: what can be applied for, and the address by which an application is known. */
export default function Apply() {
  const t = useT('applicants')
  const { type } = useParams()
  const { data, error, refetch } = useCall(calls.data, { query: {} })
  const [chosen, setChosen] = useState<OpenAdmission | null | 'own'>(null)
  const [typed, setTyped] = useState('')
  const ready = Boolean(data ?? error)
  // What the server drew meanwhile ends when the same stands here, with what was chosen and typed there.
  useLayoutEffect(() => {
    const done = ready ? endFirst() : null
    const one = done?.opened && data?.data.admissions.find(({ id }) => String(id) === done.opened)
    if (!done || !one) return
    // oxlint-disable-next-line react/set-state-in-effect -- read at the last moment, so that no letter is lost between
    setChosen(one)
    setTyped(done.typed.email ?? '')
  }, [ready, data])
  const all = data?.data.admissions ?? []
  const shown = type ? all.filter((one) => String(one.type) === type) : all
  return (
    <PublicPage as="pages" title={t('apply')}>
      <div className={css.page}>
        {error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : chosen ? (
          <Address admission={chosen === 'own' ? null : chosen} email={typed} back={() => setChosen(null)} />
        ) : (
          <>
            <h1>{t('apply')}</h1>
            <p className={css.lead}>{t('apply_text')}</p>
            {!data ? (
              <Bone height={320} />
            ) : shown.length === 0 ? (
              <Empty
                icon={<IconSchool size={28} aria-hidden />}
                title={t('nothing_open')}
                text={t('nothing_open_text')}
              />
            ) : (
              <ul className={css.admissions}>
                {shown.map((one) => (
                  <AdmissionCard key={one.id} admission={one} choose={() => setChosen(one)} />
                ))}
              </ul>
            )}
            {/* Also when everything has closed: results are looked up then. */}
            {data && (
              <Button variant="subtle" onClick={() => setChosen('own')} className={css.choose}>
                {t('applied_already')}
              </Button>
            )}
          </>
        )}
      </div>
    </PublicPage>
  )
}

function AdmissionCard({ admission, choose }: { admission: OpenAdmission; choose: () => void }) {
  const t = useT('applicants')
  const say = useLabel()
  const lang = useLanguage()
  const type = APPLICANT_TYPES.find(({ value }) => value === admission.type)
  const state = ADMISSION_STATES.find(({ value }) => value === admission.state)
  const open = admission.state === 'open'
  return (
    <li className={css.admission}>
      <div className={css.admissionHead}>
        <h2>{nameOf(admission, lang)}</h2>
        {state && <Status tone={state.tone} label={say(state.label)} />}
      </div>
      <p className={css.dim}>
        {type && say(type.label)} · {nameOf(admission.term, lang)} ·{' '}
        {t('programs_count', { n: formatNumber(admission.programs) })}
      </p>
      <p>
        {open
          ? t('open_until', { at: formatInstant(admission.closes_at) })
          : t('opens_at', { at: formatInstant(admission.opens_at) })}
      </p>
      {admission.fees.some(({ fee }) => fee === 'application') && (
        <p className={css.dim}>
          {t('application_fee')}{' '}
          {admission.fees
            .filter(({ fee }) => fee === 'application')
            .map(({ amount, currency, asked_of }, i) => (
              <bdi key={asked_of}>
                {i > 0 && ' / '}
                {formatMoney(amount, currency)}
              </bdi>
            ))}
        </p>
      )}
      {open && (
        <Button onClick={choose} className={css.choose}>
          {t('begin')}
        </Button>
      )}
    </li>
  )
}

/** Sends a code to an address, takes it, and opens the application that begins or waits there. */
function useAddress(admission: OpenAdmission | null, given: string) {
  const lang = useLanguage()
  const navigate = useNavigate()
  const { go, send, busy, problem } = useChange('/website', '/admission')
  const [email, setEmail] = useState(given)
  const [sent, setSent] = useState(false)
  const [verified, setVerified] = useState<Verified | null>(null)
  const [nominated, setNominated] = useState(false)
  const ask = (address: string) =>
    go(async () => {
      const solved = await solvedPuzzle(async () => (await send(calls.puzzle, { body: {} })).data)
      await send(calls.askCode, { body: { email: address, language: lang, ...solved } })
      setEmail(address)
      setSent(true)
    })
  const open = (ticket: string, admission_id: number, nomination?: Nomination) =>
    go(async () => {
      const { id, type, key } = (
        await send(calls.apply, { body: { ticket, admission_id, language: lang, ...(nomination && { nomination }) } })
      ).data
      await navigate(
        to('/applicants/edit/:type/:id/:secretKey/:name?', { type, id, secretKey: key, name: 'nationality' }),
      )
    })
  const verify = (code: string) =>
    go(async () => {
      const { data } = await send(calls.verifyEmail, { body: { email, code } })
      if (admission && data.applications.length === 0 && !nominated) return void open(data.ticket, admission.id)
      setVerified(data)
    })
  return {
    busy,
    problem,
    email,
    sent,
    verified,
    nominated,
    setNominated,
    ask,
    verify,
    open,
    other: () => setSent(false),
  }
}

/** The address, then what is known of it. `admission` null: only what was begun already is opened. */
function Address({
  admission,
  email: given,
  back,
}: {
  admission: OpenAdmission | null
  /** What was typed before. */
  email: string
  back: () => void
}) {
  const t = useT('applicants')
  const lang = useLanguage()
  const { busy, problem, email, sent, verified, nominated, setNominated, ask, verify, open, other } = useAddress(
    admission,
    given,
  )
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft className={css.turned} size={16} aria-hidden />}
        onClick={back}
      >
        {t('other_admission')}
      </Button>
      <h1>{admission ? nameOf(admission, lang) : t('applied_already')}</h1>
      {problem !== null && <Problems error={problem} />}
      {verified ? (
        <Applications of={verified} admission={admission} busy={busy} nominated={nominated} open={open} />
      ) : (
        <AddressByCode
          text={t('address_text')}
          email={email}
          sent={sent}
          busy={busy}
          ask={(address) => void ask(address)}
          verify={(code) => void verify(code)}
          other={other}
        >
          {admission && (
            <Checkbox
              label={t('nominated')}
              checked={nominated}
              onChange={(event) => setNominated(event.currentTarget.checked)}
            />
          )}
        </AddressByCode>
      )}
    </>
  )
}

/** What somebody has applied for already, with the way back into each. */
function Applications({
  of: { ticket, applications },
  admission,
  busy,
  nominated,
  open,
}: {
  of: Verified
  admission: OpenAdmission | null
  busy: boolean
  nominated: boolean
  open: (ticket: string, admission_id: number, nomination?: Nomination) => unknown
}) {
  const t = useT('applicants')
  const say = useLabel()
  const lang = useLanguage()
  const here = applications.find((one) => one.admission_id === admission?.id && one.status !== 'CANCELLED')
  return (
    <>
      {applications.length > 0 ? (
        <p className={css.lead}>{t('yours')}</p>
      ) : (
        !admission && <p className={css.lead}>{t('yours_none')}</p>
      )}
      <ul className={css.admissions}>
        {applications.map((one) => {
          const status = APPLICANT_STATUSES.find(({ value }) => value === one.status)
          return (
            <li key={one.id} className={css.admission}>
              <div className={css.admissionHead}>
                <h2>{nameOf(one.admission, lang)}</h2>
                {status && <Status tone={status.tone} label={say(status.label)} />}
              </div>
              <p className={css.dim}>
                <bdi>{one.code}</bdi>
              </p>
              {one.status !== 'CANCELLED' && (
                <Button
                  variant="default"
                  loading={busy}
                  onClick={() => void open(ticket, one.admission_id)}
                  className={css.choose}
                >
                  {t('open_it')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {admission &&
        !here &&
        (nominated ? (
          <Nominated busy={busy} take={(nomination) => void open(ticket, admission.id, nomination)} />
        ) : (
          <Button size="md" loading={busy} onClick={() => void open(ticket, admission.id)}>
            {t('begin_new', { admission: nameOf(admission, lang) })}
          </Button>
        ))}
    </>
  )
}

interface Nomination {
  readonly number: string
  readonly identity: string
}

/** Whom the ministry has nominated takes up the application that its sheet has begun. */
function Nominated({ busy, take }: { busy: boolean; take: (nomination: Nomination) => void }) {
  const t = useT('applicants')
  return (
    <PlainForm
      className={css.fields}
      busy={busy}
      send={({ number = '', identity = '' }) => take({ number: number.trim(), identity: identity.trim() })}
    >
      <p className={css.lead}>{t('nominated_text')}</p>
      <Asked
        key="number"
        name="number"
        label={t('nomination_number')}
        dir="ltr"
        size="md"
        autoFocus
        rule={(typed) => (typed.trim() === '' ? t('nomination_number_missing') : null)}
      />
      <Asked
        key="identity"
        name="identity"
        label={t('nomination_identity')}
        dir="ltr"
        size="md"
        rule={(typed) => (typed.trim() === '' ? t('nomination_identity_missing') : null)}
      />
      <Button type="submit" size="md" variant="default" loading={busy}>
        {t('nomination_take')}
      </Button>
    </PlainForm>
  )
}
