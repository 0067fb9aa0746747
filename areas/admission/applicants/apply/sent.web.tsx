import { Button } from '@mantine/core'
import { IconCircleCheck, IconDownload, IconMailSearch, IconPencil } from '@tabler/icons-react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams, useSearchParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { APPLICANT_STATUSES } from '../words.contract.ts'
import { applyCalls as calls, type Application } from './apply.contract.ts'
import css from './apply.module.css'

/** The application is in: its number, and what comes next. It is shown to who has its key, also after the page was loaded anew. */
export default function Sent() {
  const t = useT('applicants')
  const { id = '' } = useParams()
  const [query] = useSearchParams()
  const key = query.get('key') ?? ''
  const known = /^[1-9]\d{0,8}$/.test(id) && /^[\w-]{43}$/.test(key)
  const { data, error, refetch } = useCall(calls.read, { params: { id: Number(id), key } }, { enabled: known })
  const application = data?.data
  return (
    <PublicPage as="pages" title={t('application')}>
      <div className={css.page}>
        {!known ? (
          <NoKey />
        ) : error ? (
          <>
            <Failed error={error} retry={() => void refetch()} />
            <AskLink />
          </>
        ) : !application ? (
          <Bone height={320} />
        ) : application.submitted_at === null ? (
          <NotYet application={application} secret={key} />
        ) : (
          <IsIn application={application} secret={key} />
        )}
      </div>
    </PublicPage>
  )
}

const AskLink = () => (
  <p>
    <Link to={to('/apply/:type?', {})}>{useT('applicants')('ask_link')}</Link>
  </p>
)
function NoKey() {
  const t = useT('applicants')
  return (
    <>
      <IconMailSearch size={56} stroke={1.4} className={css.done} aria-hidden />
      <h1>{t('sent_no_key')}</h1>
      <AskLink />
    </>
  )
}

interface Shown {
  readonly application: Application
  readonly secret: string
}
const formOf = ({ application: { type, id }, secret }: Shown): string =>
  to('/applicants/edit/:type/:id/:secretKey/:name?', { type, id, secretKey: secret, name: 'nationality' })

function NotYet(props: Shown) {
  const t = useT('applicants')
  return (
    <>
      <IconPencil size={56} stroke={1.4} className={css.done} aria-hidden />
      <h1>{t('sent_not_yet')}</h1>
      <Button component={Link} to={formOf(props)}>
        {t('sent_go_on')}
      </Button>
    </>
  )
}

function IsIn(props: Shown) {
  const { application, secret } = props
  const t = useT('applicants')
  const say = useLabel()
  const lang = useLanguage()
  const { busy, problem, go } = useChange()
  const { admission, submitted_at } = application
  const status = APPLICANT_STATUSES.find(({ value }) => value === application.status)
  return (
    <>
      <IconCircleCheck size={56} className={css.done} aria-hidden />
      <h1>{t('sent')}</h1>
      <p className={css.number}>
        {t('your_number')} <bdi>{application.code}</bdi>
      </p>
      <p className={css.dim}>
        {nameOf(admission, lang)} · {submitted_at && formatInstant(submitted_at)}
      </p>
      {status && (
        <p>
          <Status tone={status.tone} label={say(status.label)} />
        </p>
      )}
      <section>
        <h2>{t('sent_next')}</h2>
        <ol className={css.next}>
          <li>{t('sent_mail', { email: application.email })}</li>
          <li>{t('sent_review')}</li>
          {admission.has_exam && <li>{t('sent_exam')}</li>}
          {admission.has_interview && <li>{t('sent_interview')}</li>}
          <li>{t('sent_seats')}</li>
        </ol>
      </section>
      {problem !== null && <Problems error={problem} />}
      <div className={css.moves}>
        <Button
          loading={busy}
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() =>
            void go(() => download(calls.applicationPaper, { params: { id: application.id, key: secret } }))
          }
        >
          {t('sent_paper')}
        </Button>
        <Button component={Link} variant="default" to={formOf(props)}>
          {t('look_at_it')}
        </Button>
      </div>
    </>
  )
}
