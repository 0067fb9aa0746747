import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import type { SlipDetail } from './slip.contract.ts'
import shared from '../../money.module.css'
import css from './slips.module.css'

/** The stamped paper as it was handed in; opened in full by itself. */
export function SlipPaper({ of }: { of: SlipDetail }) {
  const t = useT('transactions')
  if (!of.file) return <p className={shared.text}>{t('slip_no_file')}</p>
  const { url, mime, name } = of.file
  return (
    <div>
      {mime.startsWith('image/') ? (
        <img className={css.paper} src={url} alt={t('slip_picture', { number: of.number })} />
      ) : (
        <object className={css.paper} data={url} type={mime} aria-label={t('slip_picture', { number: of.number })}>
          <bdi>{name}</bdi>
        </object>
      )}
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="noreferrer"
        variant="subtle"
        size="xs"
        leftSection={<IconExternalLink size={14} aria-hidden />}
      >
        {t('slip_open_file')}
      </Button>
    </div>
  )
}

/** What the slip says, and what its invoice is now: what differs is marked. */
export function SlipFacts({ of, whose = true }: { of: SlipDetail; whose?: boolean }) {
  const t = useT('transactions')
  const money = (minor: number) => <bdi>{formatMoney(minor, of.currency)}</bdi>
  const paid = of.paid
  return (
    <dl className={css.facts}>
      {whose && of.student && (
        <>
          <dt>{t('slip_student')}</dt>
          <dd>
            <Name row={of.student} /> <Code>{of.student.code}</Code>
          </dd>
        </>
      )}
      <dt>{t('slip_invoice')}</dt>
      <dd>
        <Link to={to('/payments/:id', { id: of.invoice.id })}>
          <Code>{of.invoice.number}</Code>
        </Link>
        {of.part !== null && <> · {t('slip_part', { part: of.part })}</>}
      </dd>
      <dt>{t('slip_amount')}</dt>
      <dd>{money(of.amount)}</dd>
      {paid !== null && (
        <>
          <dt>{t('slip_paid')}</dt>
          <dd data-differs={paid !== of.amount || undefined}>{money(paid)}</dd>
        </>
      )}
      <dt>{t('slip_open')}</dt>
      <dd>{of.reversed ? t('slip_reversed') : money(of.open)}</dd>
      <dt>{t('slip_bank')}</dt>
      <dd>
        <Name row={of.bank} /> · <Code>{of.account_number}</Code>
      </dd>
      {of.iban && (
        <>
          <dt>IBAN</dt>
          <dd>
            <Code>{of.iban}</Code>
          </dd>
        </>
      )}
      {of.bank_reference && (
        <>
          <dt>{t('slip_reference')}</dt>
          <dd>
            <Code>{of.bank_reference}</Code>
          </dd>
        </>
      )}
      {of.paid_on && (
        <>
          <dt>{t('slip_paid_on')}</dt>
          <dd>{formatDate(of.paid_on)}</dd>
        </>
      )}
      <dt>{t('slip_until')}</dt>
      <dd>{formatDate(of.expires_on)}</dd>
      {of.uploaded_at && (
        <>
          <dt>{t('slip_uploaded_at')}</dt>
          <dd>{formatInstant(of.uploaded_at)}</dd>
        </>
      )}
    </dl>
  )
}
