import { Button } from '@mantine/core'
import { IconAlertCircle, IconFile, IconPencil } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { Field } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { majorText } from '#kit/web/fields/digits.ts'
import { formatDate, formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useNavigate } from '#kit/web/router/index.ts'
import { applicant } from '../applicant/applicant.contract.ts'
import { APPLICATION_TABS, EARLIER_DEGREES, FIELDS_OF_TAB, type ApplicationTab } from '../words.contract.ts'
import { applyCalls as calls, type Application } from './apply.contract.ts'
import { APPLICANT_LIST_OF, isApplicantAsked } from './asked.rules.ts'
import type { ListedChoice } from './fields.web.tsx'
import type { ApplicationInHand } from './use-application.web.ts'
import css from './apply.module.css'

interface Props {
  readonly application: Application
  readonly secret: string
  readonly hand: ApplicationInHand
  readonly hrefOf: (tab: ApplicationTab) => string
  /** The way back, beside the one that sends. */
  readonly children: ReactNode
}
type Lists = Readonly<Record<string, readonly ListedChoice[]>>
interface Row {
  readonly label: string
  readonly value: ReactNode
}
type Rows<T> = readonly (T & Readonly<Record<string, unknown>>)[]
const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

/** All answers, page by page, each with the way to it; and the one press that sends them. */
export function ReadOver({ application, secret, hand, hrefOf, children }: Props) {
  const t = useT('applicants')
  const say = useLabel()
  return (
    <div className={css.fields}>
      {application.open && <p className={css.lead}>{t('read_over_text')}</p>}
      {application.tabs
        .filter((one) => one.key !== 'payment' || !one.done)
        .map((one) => {
          const title = say(APPLICATION_TABS[one.key])
          return (
            <section key={one.key} className={css.answers} aria-label={title}>
              <div className={css.answersHead}>
                <h2>{title}</h2>
                {application.open && (
                  <Link to={hrefOf(one.key)} aria-label={t('edit_page', { page: title })}>
                    <IconPencil size={16} aria-hidden /> {t('edit')}
                  </Link>
                )}
              </div>
              {!one.done && (
                <p className={css.lacks}>
                  <IconAlertCircle size={18} aria-hidden />{' '}
                  {one.key === 'payment' && one.problems[0] ? problemText(one.problems[0]) : t('page_open')}
                </p>
              )}
              {one.key !== 'payment' && <Answers tab={one.key} application={application} />}
            </section>
          )
        })}
      {application.open ? (
        <Submit application={application} secret={secret} hand={hand} hrefOf={hrefOf}>
          {children}
        </Submit>
      ) : (
        <div className={css.steps}>{children}</div>
      )}
    </div>
  )
}

function Answers({ tab, application }: { tab: ApplicationTab; application: Application }) {
  const t = useT('applicants')
  const rows = useRows(tab, application)
  if (tab === 'documents') return <Files application={application} />
  if (!rows.length) return <p className={css.dim}>{t('nothing_given')}</p>
  return (
    <dl className={css.facts}>
      {rows.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What was answered on a page, in the words of its questions. */
function useRows(tab: ApplicationTab, application: Application): readonly Row[] {
  const t = useT('applicants')
  const say = useLabel()
  const lang = useLanguage()
  const { data } = useCall(calls.lookups, undefined, { staleTime: Infinity })
  const { data: offered } = useCall(calls.data, { query: { admission_id: application.admission.id } })
  const lists = (data?.data ?? {}) as Lists
  const { values, admission } = application
  if (tab === 'Declaration')
    return admission.declarations.length
      ? [{ label: say(APPLICATION_TABS.Declaration), value: t(application.declared ? 'declared_all' : 'declared_not') }]
      : []
  const shown = (name: string, field: Field, value: unknown): ReactNode => {
    if (field.kind === 'choice')
      return say(field.choices?.find((one) => one.value === value)?.label ?? [String(value), String(value)])
    if (field.kind === 'lookup') {
      const one = lists[APPLICANT_LIST_OF[field.to ?? ''] ?? '']?.find(({ id }) => id === value)
      return one ? nameOf(one, lang) : '…'
    }
    if (field.kind === 'flag') return t(value === true ? 'said_yes' : 'said_no')
    if (field.kind === 'date') return formatDate(String(value))
    if (field.kind === 'money') return <bdi>{majorText(Number(value))}</bdi>
    if (name === 'certificate_total') return <bdi>{outOf(Number(value), chosen?.extra?.max_total)}</bdi>
    return <bdi>{field.kind === 'decimal' ? Number(value) : String(value)}</bdi>
  }
  const outOf = (mark: number, most: unknown): string =>
    most === undefined
      ? formatNumber(mark)
      : t('mark_of', { mark: formatNumber(mark), max: formatNumber(Number(most)) })
  const chosen = lists.certificates?.find(({ id }) => id === values.certificate_type_id)
  const rows = FIELDS_OF_TAB[tab].flatMap((name): Row[] => {
    const field = applicant.fields[name as keyof typeof applicant.fields] as Field
    return isApplicantAsked(name, values) && isGiven(values[name])
      ? [{ label: say(field.label), value: shown(name, field, values[name]) }]
      : []
  })
  if (tab === 'academic_data') return [...rows, ...marksOf()]
  if (tab === 'personal_preference') return [...wishesOf(), ...rows]
  if (tab === 'bachelor_degree' || tab === 'diploma_degree' || tab === 'master_degree') return degreeOf()
  return rows

  function marksOf(): Row[] {
    const given = new Map(
      ((values.subjects ?? []) as Rows<{ certificate_subject_id: number; mark: string }>).map((one) => [
        one.certificate_subject_id,
        one.mark,
      ]),
    )
    const subjects = (chosen?.extra?.subjects ?? []) as readonly (ListedChoice & { max_mark: string })[]
    return [
      ...subjects.flatMap((one) =>
        given.has(one.id)
          ? [{ label: nameOf(one, lang), value: <bdi>{outOf(Number(given.get(one.id)), one.max_mark)}</bdi> }]
          : [],
      ),
      ...(application.percentage === null
        ? []
        : [
            {
              label: say(applicant.fields.percentage.label),
              value: <strong dir="ltr">{Number(application.percentage)}%</strong>,
            },
          ]),
    ]
  }
  function wishesOf(): Row[] {
    const wishes = (values.preferences ?? []) as Rows<{ program_id: number }>
    return wishes.map(({ program_id }, i) => {
      const one = offered?.data.programs.find(({ program }) => program.id === program_id)
      return {
        label: t('wish_n', { n: formatNumber(i + 1) }),
        value: one ? `${nameOf(one.program, lang)} · ${nameOf(one.faculty, lang)}` : offered ? t('not_offered') : '…',
      }
    })
  }
  function degreeOf(): Row[] {
    const kind = EARLIER_DEGREES.find(({ value }) => `${value}_degree` === tab)?.value
    const one = ((values.degrees ?? []) as Rows<{ degree: string }>).find(({ degree }) => degree === kind)
    return Object.entries(applicant.fields.degrees.rows!.fields).flatMap(([name, field]) =>
      name !== 'degree' && one && isGiven(one[name])
        ? [{ label: say(field.label), value: shown(name, field, one[name]) }]
        : [],
    )
  }
}

/** The documents as they were sent: a photograph that is dark or cut is seen here. */
function Files({ application }: Pick<Props, 'application'>) {
  const t = useT('applicants')
  const lang = useLanguage()
  const { documents } = application.admission
  if (!documents.length) return <p className={css.dim}>{t('no_documents')}</p>
  return (
    <ul className={css.thumbs}>
      {documents.map(({ kind, is_required, file }) => (
        <li key={kind.id}>
          {file ? (
            <a href={file.url} target="_blank" rel="noreferrer">
              {/\.(?:jpe?g|png)$/i.test(file.name) ? (
                <img src={file.url} alt="" />
              ) : (
                <IconFile size={36} stroke={1.4} aria-hidden />
              )}
              <span>{nameOf(kind, lang)}</span>
            </a>
          ) : (
            <>
              <span>{nameOf(kind, lang)}</span> <small>{t(is_required ? 'needed' : 'nothing_given')}</small>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Sends the application in; what is missing is named, with the way to it. */
function Submit({ application, secret, hand, hrefOf, children }: Props) {
  const t = useT('applicants')
  const say = useLabel()
  const navigate = useNavigate()
  const [tried, setTried] = useState(false)
  const { go, send, busy, problem } = useChange('/admission')
  const open = application.tabs.filter((one) => !one.done)
  const submit = async () => {
    setTried(true)
    if (open.length > 0) return
    await hand.flush()
    const answer = await go(() =>
      send(calls.save, { params: { id: application.id, key: secret }, body: { submit: true } }),
    )
    if (answer) await navigate(to('/apply/:id/success', { id: application.id }, { key: secret }))
  }
  return (
    <>
      {tried && open.length > 0 && (
        <div role="alert" className={css.missing}>
          <strong>{t('missing')}</strong>
          <ul>
            {open.map((one) => (
              <li key={one.key}>
                <Link to={hrefOf(one.key)}>{say(APPLICATION_TABS[one.key])}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {problem !== null && open.length === 0 && <Problems error={problem} />}
      <div className={css.steps}>
        {children}
        <Button size="md" loading={busy} onClick={() => void submit()}>
          {t(application.status === 'FEEDBACK' ? 'send_again' : 'send_in')}
        </Button>
      </div>
    </>
  )
}
