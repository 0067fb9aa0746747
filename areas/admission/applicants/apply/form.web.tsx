import { Button, Progress } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconCheck, IconCloudOff, IconLoader2 } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { Failed, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/filled.tsx'
import { Bone } from '#kit/web/shell/card.tsx'
import { APPLICANT_STATUSES, APPLICATION_TABS, FIELDS_OF_TAB, type ApplicationTab } from '../words.contract.ts'
import { examOfApplication, resultOfApplication } from '../outlets.contract.ts'
import type { Application } from './apply.contract.ts'
import { pagesDone } from './progress.rules.ts'
import { useApplication, type ApplicationInHand, type SavedState } from './use-application.web.ts'
import css from './apply.module.css'

const Exam = filled(examOfApplication)
const Result = filled(resultOfApplication)
const WITH_RESULT: ReadonlySet<string> = new Set([
  'DISTRIBUATION_REQUIRED',
  'EQUIVALENCE_DONE',
  'FINAL_FEES_REQUIRED',
  'APPROVED',
  'accepted',
])
const TabFields = part(async () => (await import('./tab.web.tsx')).TabFields)
const ReadOver = part(async () => (await import('./read-over.web.tsx')).ReadOver)
/** The page behind the questions, as its address has it. */
const READ_OVER = 'read_over'

/** The form of one application: a group of questions a page, saved as one goes; at the end it is read through and sent. */
export default function ApplicationForm() {
  const t = useT('applicants')
  const { id = '', secretKey: key = '' } = useParams()
  const hand = useApplication(Number(id), key)
  const { application, error, reload } = hand
  return (
    <PublicPage as="pages" title={t('application')}>
      {error && !application ? (
        <div className={css.page}>
          <Failed error={error} retry={reload} />
          <p>
            <Link to={to('/apply/:type?', {})}>{t('ask_link')}</Link>
          </p>
        </div>
      ) : application ? (
        <Pages hand={hand} application={application} secret={key} />
      ) : (
        <div className={css.page}>
          <Bone height={420} />
        </div>
      )}
    </PublicPage>
  )
}

/** Which page is open, and the ways to the others. */
function usePages(application: Application, secret: string) {
  const { name } = useParams()
  const navigate = useNavigate()
  const keys = application.tabs.map((one) => one.key)
  const at = name === READ_OVER ? keys.length : Math.max(0, keys.indexOf(name as ApplicationTab))
  const hrefOf = (tab: ApplicationTab | typeof READ_OVER) =>
    to('/applicants/edit/:type/:id/:secretKey/:name?', {
      type: application.type,
      id: application.id,
      secretKey: secret,
      name: tab,
    })
  const go = (index: number) => {
    void navigate(hrefOf(keys[index] ?? READ_OVER))
  }
  return { at, pages: keys.length + 1, go, hrefOf, tab: application.tabs[at] }
}

/** Going on: first what was typed is saved and judged. What lacks or is wrong is shown at its field; it can wait for later. */
function useStop(hand: ApplicationInHand, tab: Application['tabs'][number] | undefined, onward: () => void) {
  const questions = useRef<HTMLDivElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const [stopped, setStopped] = useState<ApplicationTab | null>(null)
  const [busy, setBusy] = useState(false)
  const own = new Set<string>(tab ? FIELDS_OF_TAB[tab.key] : [])
  const refusedOf = (refused: ApplicationInHand['refused']) =>
    refused.filter(({ field }) => own.has(field?.split('.')[0] ?? ''))
  const next = async () => {
    setBusy(true)
    const now = await hand.settle()
    setBusy(false)
    const problems = now?.application.tabs.find(({ key }) => key === tab?.key)?.problems ?? []
    if (!now?.application.open || (!problems.length && !refusedOf(now.refused).length)) return onward()
    setStopped(tab?.key ?? null)
    // Once the reasons stand at their fields.
    setTimeout(() =>
      (questions.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? notice.current)?.focus(),
    )
  }
  const open = tab !== undefined && tab.problems.length + refusedOf(hand.refused).length > 0
  return { next, busy, tried: open && stopped === tab.key, questions, notice }
}

/** All pages, and which of them are done. */
function PageList({
  application,
  at,
  hrefOf,
}: { readonly application: Application } & Pick<ReturnType<typeof usePages>, 'at' | 'hrefOf'>) {
  const t = useT('applicants')
  const say = useLabel()
  const commented = new Set(application.comments.map((one) => one.tab))
  const pages = application.tabs.length
  return (
    <nav className={css.tabs} aria-label={t('pages')}>
      <ol>
        {application.tabs.map((one, i) => (
          <li
            key={one.key}
            data-current={i === at || undefined}
            data-done={(one.done && !commented.has(one.key)) || undefined}
          >
            <Link to={hrefOf(one.key)} aria-current={i === at ? 'step' : undefined}>
              <span className={css.mark} aria-hidden>
                {commented.has(one.key) ? '!' : one.done ? <IconCheck size={14} stroke={2.4} /> : i + 1}
              </span>
              {say(APPLICATION_TABS[one.key])}
            </Link>
          </li>
        ))}
        <li data-current={at === pages || undefined}>
          <Link to={hrefOf(READ_OVER)} aria-current={at === pages ? 'step' : undefined}>
            <span className={css.mark} aria-hidden>
              {formatNumber(pages + 1)}
            </span>
            {t(application.open ? 'read_over' : 'your_answers')}
          </Link>
        </li>
      </ol>
    </nav>
  )
}

/** Why nothing is written in it now. */
function Closed({ application }: { readonly application: Application }) {
  const t = useT('applicants')
  const say = useLabel()
  const lang = useLanguage()
  const status = APPLICANT_STATUSES.find(({ value }) => value === application.status)
  return (
    <p className={css.closed}>
      {status && <Status tone={status.tone} label={say(status.label)} />}{' '}
      {application.merged_into
        ? t('merged_into', { number: application.merged_into })
        : application.seat
          ? t(application.status === 'FINAL_FEES_REQUIRED' ? 'seat_offered' : 'seat_yours', {
              program: nameOf(application.seat, lang),
            })
          : application.status === 'INCOMPLETE'
            ? t('closed_at', { at: formatInstant(application.admission.closes_at) })
            : t('sent_in')}
    </p>
  )
}

function Pages({ hand, application, secret }: { hand: ApplicationInHand; application: Application; secret: string }) {
  const t = useT('applicants')
  const say = useLabel()
  const lang = useLanguage()
  const { at, pages, go, hrefOf, tab } = usePages(application, secret)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(at)
  // Who goes on hears and sees where: the heading of the next page.
  useEffect(() => {
    if (shown.current === at) return
    shown.current = at
    heading.current?.focus()
    scrollTo({ top: 0 })
  }, [at])
  const { done, all } = pagesDone(application)
  const { next, busy, tried, questions, notice } = useStop(hand, tab, () => go(at + 1))
  const title = tab ? say(APPLICATION_TABS[tab.key]) : t(application.open ? 'read_over' : 'your_answers')
  const commented = new Set(application.comments.map((one) => one.tab))
  const back = at > 0 && (
    <Button
      variant="default"
      size="md"
      leftSection={<IconArrowLeft className={css.turned} size={18} aria-hidden />}
      onClick={() => go(at - 1)}
    >
      {t('back')}
    </Button>
  )
  return (
    <div className={css.form}>
      <PageList application={application} at={at} hrefOf={hrefOf} />
      <section className={css.sheet} aria-labelledby="tab-title">
        <div className={css.top}>
          <span>
            {nameOf(application.admission, lang)} · <bdi>{application.code}</bdi>
          </span>
        </div>
        <Progress
          value={all ? (done / all) * 100 : 100}
          size="sm"
          aria-label={t('done_of', { n: formatNumber(done), all: formatNumber(all) })}
        />
        <div className={css.top}>
          <span>{t('page_of', { n: formatNumber(at + 1), all: formatNumber(pages) })}</span>
          <SavedSign saving={hand.saving} />
        </div>
        <h1 id="tab-title" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {application.comments.length > 0 && (
          <p className={css.closed}>
            {t('to_mend')}{' '}
            {[...commented].map((one, i) => (
              <span key={one}>
                {i > 0 && ' · '}
                <Link to={hrefOf(one)}>{say(APPLICATION_TABS[one])}</Link>
              </span>
            ))}
          </p>
        )}
        {!application.open && <Closed application={application} />}
        {WITH_RESULT.has(application.status) && (
          <Suspense fallback={null}>
            <Result id={application.id} secret={secret} />
          </Suspense>
        )}
        {application.status === 'exam required' && (
          <Suspense fallback={<Bone height={160} />}>
            <Exam id={application.id} secret={secret} />
          </Suspense>
        )}
        {application.comments
          .filter((one) => one.tab === tab?.key)
          .map((one) => (
            <p key={one.text} className={css.comment} dir="auto">
              <strong>{t('comment')}</strong> {one.text}
            </p>
          ))}
        {/* The ways on come with the questions: nothing that is about to be pressed moves. */}
        <Suspense fallback={<Bone height={320} />}>
          {tab ? (
            <div ref={questions}>
              <TabFields
                key={tab.key}
                tab={tab.key}
                hand={hand}
                application={application}
                secret={secret}
                tried={tried}
              />
            </div>
          ) : (
            <ReadOver application={application} secret={secret} hand={hand} hrefOf={hrefOf}>
              {back}
            </ReadOver>
          )}
          {tried && (
            <div role="alert" tabIndex={-1} ref={notice} className={css.missing}>
              <p>{tab?.key === 'payment' && tab.problems[0] ? problemText(tab.problems[0]) : t('page_open')}</p>
              <Button variant="default" onClick={() => go(at + 1)}>
                {t('later_on')}
              </Button>
            </div>
          )}
          {tab && (
            <div className={css.steps}>
              {back}
              <Button
                size="md"
                rightSection={<IconArrowRight className={css.turned} size={18} aria-hidden />}
                loading={busy}
                onClick={() => void next()}
              >
                {t('next')}
              </Button>
            </div>
          )}
          <p className={css.dim}>{t('save_and_leave')}</p>
        </Suspense>
      </section>
    </div>
  )
}

/** Whether what was typed is safe. */
function SavedSign({ saving }: { saving: SavedState }) {
  const t = useT('applicants')
  return (
    <span className={css.saved} role="status">
      {saving === 'saving' && <IconLoader2 size={15} aria-hidden />}
      {saving === 'saved' && <IconCheck size={15} aria-hidden />}
      {saving === 'offline' && <IconCloudOff size={15} aria-hidden />}
      {saving !== 'idle' && t(saving === 'saving' ? 'saving' : saving === 'saved' ? 'saved' : 'no_line')}
    </span>
  )
}
