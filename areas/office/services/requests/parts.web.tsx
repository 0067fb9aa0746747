import { IconCheck, IconClock, IconFile } from '@tabler/icons-react'
import { daysBetween, dayOf } from '#kit/contract/day.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Facts, type Fact } from '#kit/web/detail/parts.tsx'
import { Code, Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatMoney, formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import type { ServiceField } from '../kinds/kind.contract.ts'
import type { ServiceDetail, ServicePlace } from './service.contract.ts'
import css from '../services.module.css'

const FileLink = ({ file }: { file: { name: string; url: string } }) => (
  <a className={css.file} href={file.url} target="_blank" rel="noreferrer">
    <IconFile size={15} aria-hidden /> <bdi>{file.name}</bdi>
  </a>
)

function answerText(of: ServiceDetail, { key, type, options }: ServiceField): Fact['value'] {
  const given = of.answers[key]
  const file = of.files[key]
  if (type === 'file') return file ? <FileLink file={file} /> : '–'
  if (given === undefined || given === null) return '–'
  if (type === 'date') return formatDate(String(given))
  if (type === 'number') return formatNumber(Number(given))
  const chosen = type === 'choice' ? options.find(({ value }) => value === given) : undefined
  return chosen ? nameOf(chosen) : <span dir="auto">{String(given)}</span>
}

/** What was asked for, answer by answer. */
export function Answers({ of }: { of: ServiceDetail }) {
  const t = useT('services')
  if (!of.fields.length) return null
  return (
    <Card title={t('answers')}>
      <Facts
        items={of.fields.map((field) => ({
          label: nameOf(field),
          value: answerText(of, field),
          wide: field.type === 'long_text',
        }))}
      />
    </Card>
  )
}

export function ServiceFee({ of: { fee, prepaid, staff } }: { of: ServiceDetail }) {
  const t = useT('services')
  const me = useMe()
  if (!fee) return null
  // Who works here has the own account in place of a list of invoices.
  const where =
    staff?.id === me.user.id
      ? '/my_money'
      : me.can('access_payment')
        ? to('/payments/:id', { id: fee.invoice_id })
        : null
  return (
    <Card title={t('fee')} aside={<Status is={fee.paid ? 'done' : 'failed'} label={t(fee.paid ? 'paid' : 'unpaid')} />}>
      <p className={css.line}>
        <bdi>{formatMoney(fee.amount, fee.currency)}</bdi>
        {where === null ? (
          <Code>{fee.number}</Code>
        ) : (
          <Link to={where}>
            <Code>{fee.number}</Code>
          </Link>
        )}
        {!fee.paid && <small>{t(prepaid ? 'paid_first' : 'paid_before_done')}</small>}
      </p>
    </Card>
  )
}

/** The answer of the last office, with its file. */
export function ServiceAnswer({ of }: { of: ServiceDetail }) {
  const t = useT('services')
  if (of.said)
    return (
      <p role="alert" className={css.said}>
        <strong>{t(of.status === 'asked_back' ? 'office_asks' : 'rejected_because')}</strong> <bdi>{of.said}</bdi>
      </p>
    )
  if (of.answer === null || of.status !== 'done') return null
  return (
    <Card title={t('answer')}>
      <p className={css.text} dir="auto">
        {of.answer}
      </p>
      {of.answer_file && <FileLink file={of.answer_file} />}
    </Card>
  )
}

/** The offices in their order: who has done its part, who has it since when and until when, what each says. */
export function Offices({ of }: { of: ServiceDetail }) {
  const t = useT('services')
  const works = of.status === 'New' || of.status === 'in review'
  return (
    <Card title={t('offices')}>
      <ol className={css.offices}>
        {of.steps.map((one) => {
          const here = works && one.position === of.step
          return (
            <li key={one.position} data-done={one.done_at !== null || undefined} data-here={here || undefined}>
              {one.done_at ? <IconCheck size={16} aria-hidden /> : <IconClock size={16} aria-hidden />}
              <span>
                <Name row={one} />
                <small>
                  <Place one={one} here={here} />
                </small>
                {one.note && (
                  <span className={css.note} dir="auto">
                    {one.note}
                  </span>
                )}
              </span>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

function Place({ one, here }: { one: ServicePlace; here: boolean }) {
  const t = useT('services')
  if (one.done_at)
    return (
      <>
        {t('done_at', { time: formatInstant(one.done_at) })}
        {one.done_by && ` · ${nameOf(one.done_by)}`}
      </>
    )
  if (!here || !one.since || !one.due_on) return <>{t('usual_days', { count: one.days })}</>
  const late = daysBetween(one.due_on, dayOf())
  return (
    <>
      {t('has_it', { since: formatInstant(one.since), until: formatDate(one.due_on) })}{' '}
      {late > 0 && <Status is="late" label={t('late', { count: late })} />}
    </>
  )
}
