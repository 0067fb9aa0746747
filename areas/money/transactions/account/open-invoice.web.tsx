import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconFileDownload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { INVOICE_TYPES, invoiceCalls } from '#areas/money/invoices/invoices/invoice.contract.ts'
import { download } from '#kit/web/api/index.ts'
import { Code, Status, act } from '#kit/web/feedback/index.ts'
import { formatDate, formatList, formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { IssuedInvoice, OpenInvoice as Open } from './account.contract.ts'
import type { AccountPart } from './account.web.tsx'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

/** What an invoice is for: its kind, or what was asked for by itself, and the term or year. */
export function useWhatFor() {
  const say = useLabel()
  const lang = useLanguage()
  return (of: Pick<IssuedInvoice, 'type' | 'term' | 'year'> & Partial<Pick<Open, 'lines'>>) => {
    const kind =
      of.type === 'extra' && of.lines?.length
        ? formatList(of.lines.map((line) => nameOf(line, lang)))
        : say(INVOICE_TYPES.find((invoiceType) => invoiceType.value === of.type)!.label)
    const when = of.term ?? of.year
    return when ? `${kind} · ${nameOf(when, lang)}` : kind
  }
}

/** An invoice that is not paid yet; opens where it stands to how it was computed and by when which part is due. */
export function OpenInvoice({
  of,
  parts,
  onPay,
  onBank,
}: {
  of: Open
  parts: readonly AccountPart[]
  onPay: (part: AccountPart) => void
  onBank: (part: AccountPart) => void
}) {
  const t = useT('transactions')
  const lang = useLanguage()
  const whatFor = useWhatFor()
  const [opened, setOpened] = useState(false)
  const panel = useId()
  const [next] = parts
  const money = (minor: number) => <bdi className={css.figure}>{formatMoney(minor, of.currency)}</bdi>
  return (
    <article className={css.invoice}>
      <div className={css.head}>
        <h3>{whatFor(of)}</h3>
        <b>{money(of.open)}</b>
        <span>
          {next &&
            (next.slip !== null ? (
              <Status is="waits" label={t('slip_own_checked')} />
            ) : next.overdue ? (
              <Status is="failed" label={t('overdue_since', { date: formatDate(next.due_date) })} />
            ) : (
              <span className={shared.dim}>
                {t(of.in_plan ? 'due_by_plan' : 'due_by', { date: formatDate(next.due_date) })}
              </span>
            ))}
        </span>
        <small className={shared.dim}>
          <Code>{of.number}</Code>
        </small>
      </div>
      <div className={shared.buttons}>
        {next?.slip === null && (
          <Button variant="light" onClick={() => onPay(next)} aria-label={t('pay_invoice', { number: of.number })}>
            {t('pay')}
          </Button>
        )}
        {next?.slip === null && (
          <Button variant="default" onClick={() => onBank(next)}>
            {t('pay_at_bank')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconFileDownload size={16} aria-hidden />}
          aria-label={t('pdf_of', { number: of.number })}
          onClick={() =>
            void act({
              go: () =>
                download(invoiceCalls.pdf, { params: { id: of.id }, query: { lang: lang === 'ar' ? 'ar' : 'en' } }),
              done: () => null,
            })
          }
        >
          {t('pdf')}
        </Button>
        <Button
          variant="subtle"
          aria-expanded={opened}
          aria-controls={panel}
          rightSection={opened ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {t('how_computed')}
        </Button>
      </div>
      {opened && (
        <div className={css.opened} id={panel}>
          <ul className={css.lines}>
            {of.lines.map((line) => (
              <li key={line.id}>
                <span>
                  <bdi>{nameOf(line, lang)}</bdi>
                  {line.words && <small>{lang === 'ar' ? line.words.ar : line.words.en}</small>}
                </span>
                {money(line.amount)}
              </li>
            ))}
            {of.settled > 0 && (
              <li>
                <span>{t('paid_of_it')}</span>
                {money(-of.settled)}
              </li>
            )}
            <li>
              <b>{t('still_open')}</b>
              <b>{money(of.open)}</b>
            </li>
          </ul>
          {of.installments.length > 1 && (
            <>
              <p className={css.part}>{t('instalments')}</p>
              <ul className={css.lines}>
                {of.installments.map((installment) => {
                  const part = parts.find(({ id }) => id === installment.id)
                  return (
                    <li key={installment.id}>
                      <span>
                        {formatDate(installment.due_date)}{' '}
                        <Status
                          is={!part ? 'done' : installment.overdue && installment.slip === null ? 'failed' : 'waits'}
                          label={t(
                            !part
                              ? 'paid'
                              : installment.slip !== null
                                ? 'slip_own_checked'
                                : installment.overdue
                                  ? 'overdue'
                                  : 'to_come',
                          )}
                        />
                      </span>
                      <span className={shared.buttons}>
                        {money(part?.open ?? installment.amount)}
                        {part?.slip === null && (
                          <Button
                            size="xs"
                            variant="light"
                            aria-label={t('pay_part', { date: formatDate(installment.due_date) })}
                            onClick={() => onPay(part)}
                          >
                            {t('pay')}
                          </Button>
                        )}
                      </span>
                    </li>
                  )
                })}
              </ul>
            </>
          )}
        </div>
      )}
    </article>
  )
}
