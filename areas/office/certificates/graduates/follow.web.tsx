import { Button } from '@mantine/core'
import { IconCamera, IconCheck, IconCircle, IconCircleDot, IconDownload, IconQrcode } from '@tabler/icons-react'
import { useRef } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { Failed, Problems, Status, act } from '#kit/web/feedback/index.ts'
import { formatBytes, formatDate, formatInstant, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { DELIVERIES, LANGUAGES, SPEEDS } from '../types/words.contract.ts'
import { graduateCalls as calls, type GraduateShown } from './ask.contract.ts'
import { GraduateFee } from './pay.web.tsx'
import { GRADUATE_STATES } from './words.contract.ts'
import css from './graduates.module.css'

/** Milliseconds after which it is asked again while a payment is open. */
const EVERY = 15_000

/** A request, to whoever has its key: where it stands, what is to be paid, and what can be fetched. */
export default function GraduateRequest() {
  const t = useT('certificates')
  const { id = '', secretKey = '' } = useParams()
  const known = /^[1-9]\d{0,9}$/.test(id) && /^[\w-]{43}$/.test(secretKey)
  const { data, error, refetch } = useCall(
    calls.read,
    { params: { id: Number(id), key: secretKey } },
    {
      enabled: known,
      refetchInterval: ({ state }) =>
        (state.data as { data: GraduateShown } | undefined)?.data.certificate_status === 'fee_due' ? EVERY : false,
    },
  )
  const shown = data?.data
  return (
    <PublicPage as="pages" title={t('grad_request')}>
      <div className={css.page}>
        {!known || (error && !shown) ? (
          <>
            <h1>{t('grad_request')}</h1>
            {error ? (
              <Failed error={error} retry={() => void refetch()} />
            ) : (
              <p className={css.lead}>{t('grad_no_key')}</p>
            )}
            <Link to={to('/certificates/graduate', {})}>{t('grad_ask_link')}</Link>
          </>
        ) : shown ? (
          <Followed of={shown} secret={secretKey} />
        ) : (
          <Bone height={320} />
        )}
      </div>
    </PublicPage>
  )
}

interface Shown {
  readonly of: GraduateShown
  readonly secret: string
}
function Followed(props: Shown) {
  const { of } = props
  const t = useT('certificates')
  const say = useLabel()
  const lang = useLanguage()
  // A certificate that ended badly looks as a request that did.
  const now =
    of.certificate_status === 'Rejected' ? 'rejected' : of.certificate_status === 'cancelled' ? 'cancelled' : of.status
  const state = GRADUATE_STATES.find(({ value }) => value === now)
  const ended = now === 'rejected' || now === 'cancelled'
  return (
    <>
      <h1>{nameOf(of.type, lang)}</h1>
      <p className={css.dim}>
        <bdi>{of.code}</bdi> · {formatInstant(of.created_at)}
      </p>
      {of.line.length === 0 && state && <Status tone={state.tone} label={say(state.label)} />}
      {of.reason && ended && (
        <section className={css.card}>
          <h2>{t('grad_reason')}</h2>
          <p dir="auto">{of.reason}</p>
        </section>
      )}
      {of.line.length > 0 && <Line of={of} />}
      {of.can_send_proof && <Proof {...props} />}
      {of.fee && !ended && <GraduateFee of={of} fee={of.fee} secret={props.secret} />}
      {of.papers.length > 0 && <Papers {...props} />}
      <Asked of={of} />
      {of.can_withdraw && <Withdraw {...props} />}
    </>
  )
}

/** Where it stands. */
function Line({ of: { line, promised_on } }: { of: GraduateShown }) {
  const t = useT('certificates')
  return (
    <section className={css.card}>
      <ol className={css.line}>
        {line.map(({ step, state }) => (
          <li key={step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            {state === 'done' ? (
              <IconCheck size={18} aria-hidden />
            ) : state === 'now' ? (
              <IconCircleDot size={18} aria-hidden />
            ) : (
              <IconCircle size={18} aria-hidden />
            )}
            {t(`grad_step_${step}`)}
          </li>
        ))}
      </ol>
      {promised_on && line.some(({ state }) => state !== 'done') && (
        <p className={css.dim}>{t('grad_promised', { day: formatDate(promised_on) })}</p>
      )}
    </section>
  )
}

/** A picture of an identity card or passport, for the office that looks who asks. */
function Proof({ of, secret }: Shown) {
  const t = useT('certificates')
  const input = useRef<HTMLInputElement>(null)
  const { go, send, busy, problem } = useChange('/certificates/graduate')
  const put = (file: File) => void go(() => send(calls.proof, { params: { id: of.id, key: secret }, file }))
  return (
    <section className={css.card}>
      <h2>{t('grad_proof')}</h2>
      <p className={css.dim}>{t(of.proof ? 'grad_proof_there' : 'grad_proof_text')}</p>
      {of.proof && (
        <p>
          <bdi>{of.proof.name}</bdi> · {formatBytes(of.proof.size)}
        </p>
      )}
      <input
        ref={input}
        type="file"
        className={css.hidden}
        tabIndex={-1}
        aria-hidden
        accept="image/jpeg,image/png,application/pdf"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          currentTarget.value = ''
          if (file) put(file)
        }}
      />
      {problem !== null && <Problems error={problem} />}
      <div className={css.ways}>
        <Button
          size="md"
          variant={of.proof ? 'default' : 'filled'}
          loading={busy}
          leftSection={<IconCamera size={18} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {t(of.proof ? 'grad_proof_again' : 'grad_proof_choose')}
        </Button>
      </div>
    </section>
  )
}

function Papers({ of, secret }: Shown) {
  const t = useT('certificates')
  const { go, busy, problem } = useChange()
  return (
    <section className={css.card}>
      <h2>{t('papers')}</h2>
      {problem !== null && <Problems error={problem} />}
      {of.papers.map((one) => (
        <div key={one.id} className={css.head}>
          <span>
            <bdi>{one.serial}</bdi> · {t(one.lang === 'ar' ? 'arabic' : 'english')}
          </span>
          <span className={css.ways}>
            <Button
              component={Link}
              variant="subtle"
              to={one.verify}
              leftSection={<IconQrcode size={18} aria-hidden />}
            >
              {t('verify')}
            </Button>
            <Button
              loading={busy}
              leftSection={<IconDownload size={18} aria-hidden />}
              onClick={() =>
                void go(() => download(calls.paper, { params: { id: of.id, key: secret, paper: one.id } }))
              }
            >
              {t('open_paper')}
            </Button>
          </span>
        </div>
      ))}
    </section>
  )
}

function Asked({ of }: { of: GraduateShown }) {
  const t = useT('certificates')
  const say = useLabel()
  const named = (
    all: readonly { readonly value: string; readonly label: readonly [string, string] }[],
    value: string,
  ) => {
    const found = all.find((one) => one.value === value)
    return found ? say(found.label) : value
  }
  const facts = [
    [t('grad_name'), of.name],
    [t('grad_email'), of.email],
    [t('grad_lang'), named(LANGUAGES, of.lang)],
    [t('grad_copies'), String(of.copies)],
    [t('grad_speed'), named(SPEEDS, of.speed)],
    [t('grad_delivery'), named(DELIVERIES, of.delivery)],
    ...(of.address ? [[t('grad_address'), of.address]] : []),
  ]
  return (
    <section className={css.card}>
      <h2>{t('grad_asked')}</h2>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Withdraw({ of, secret }: Shown) {
  const t = useT('certificates')
  const { send } = useChange('/certificates/graduate')
  return (
    <Button
      variant="subtle"
      color="red"
      onClick={() =>
        void act({
          ask: {
            title: t('grad_withdraw_question'),
            consequence: t('grad_withdraw_text'),
            action: t('grad_withdraw'),
            danger: true,
          },
          go: () => send(calls.withdraw, { params: { id: of.id, key: secret }, body: {} }),
          done: () => t('grad_withdrawn'),
        })
      }
    >
      {t('grad_withdraw')}
    </Button>
  )
}
