import { Button, Select } from '@mantine/core'
import { IconCash, IconCashBanknoteOff, IconWallet } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { INVOICE_TYPES } from '#areas/money/invoices/invoices/invoice.contract.ts'
import { may } from '#kit/web/auth/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Code, Problems, Status, confirm } from '#kit/web/feedback/index.ts'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatDate, formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { WalletDialog } from '../moves/wallet-dialog.web.tsx'
import { deskCalls as calls, type Payer } from './desk.contract.ts'
import type { Done } from './desk.web.tsx'
import css from '../transactions.module.css'

const AFTER = ['/cashier/shift', '/payments', '/transactions', '/credits', '/students'] as const
type Currency = 'EGP' | 'USD'

/** Who pays: the debts, the oldest ticked, the amount of those ticked; Enter takes it. */
export function PayerCard({
  of,
  onBack,
  onDone,
  onChanged,
}: {
  of: Payer
  onBack: () => void
  onDone: (what: Done) => void
  onChanged: () => void
}) {
  const t = useT('transactions')
  const say = useLabel()
  const lang = useLanguage()
  const { busy, problem, go, send, forget } = useChange(...AFTER)
  const box = useRef<HTMLFormElement>(null)
  const first = of.invoices[0]
  const [ticked, setTicked] = useState<readonly number[]>(first ? [first.id] : [])
  const [currency, setCurrency] = useState<Currency>((first?.currency as Currency | undefined) ?? 'EGP')
  const chosen = of.invoices.filter((one) => ticked.includes(one.id))
  const sum = chosen.reduce((total, one) => total + one.open, 0)
  const [typed, setTyped] = useState<number | null>(sum || null)
  const [wallet, setWallet] = useState<'charge' | 'cash_back' | null>(null)
  /** Of one attempt: the same once more is not booked twice. */
  const attempt = useRef({ of: '', key: '' })
  const owed = of.invoices.reduce((total, one) => (one.currency === currency ? total + one.open : total), 0)
  const name = nameOf(of.student, lang)
  useEffect(() => {
    const amount = box.current?.querySelector<HTMLInputElement>('[data-amount] input')
    amount?.focus()
    amount?.select()
  }, [])

  const tick = (one: Payer['invoices'][number]) => {
    forget()
    // Money of one currency does not settle another.
    const kept = one.currency === currency ? ticked : []
    const next = kept.includes(one.id) ? kept.filter((id) => id !== one.id) : [...kept, one.id]
    setTicked(next)
    setCurrency(one.currency as Currency)
    setTyped(of.invoices.reduce((total, x) => (next.includes(x.id) ? total + x.open : total), 0) || null)
  }
  const take = async () => {
    if (!typed || typed <= 0 || busy) return
    const rest = typed - owed
    if (
      rest > 0 &&
      !(await confirm({
        title: t(owed ? 'more_than_owed' : 'owes_nothing_wallet', { amount: formatMoney(rest, currency) }),
        consequence: t('rest_to_wallet', { name }),
        action: t('to_wallet'),
      }))
    )
      return
    const body = {
      student_id: of.student.id,
      currency,
      amount: typed,
      invoice_ids: chosen.map((one) => one.id),
      to_wallet: rest > 0,
    }
    const what = JSON.stringify(body)
    if (attempt.current.of !== what) attempt.current = { of: what, key: crypto.randomUUID() }
    const done = await go(() => send(calls.take, { body: { ...body, key: attempt.current.key } }))
    if (!done) return
    const { id, receipt, wallet: rested } = done.answer.data
    onDone({
      id,
      receipt,
      student: of.student,
      text: rested
        ? t('taken_rest', { amount: formatMoney(typed, currency), rest: formatMoney(rested, currency) })
        : t('taken', { amount: formatMoney(typed, currency) }),
    })
  }
  return (
    <Card
      title={
        <>
          <bdi>{name}</bdi> <Code>{of.student.code}</Code>
        </>
      }
      text={
        <>
          {nameOf(of.faculty, lang)}
          {of.wallets.map((one) => (
            <span key={one.currency}>
              {' · '}
              {t('in_wallet', { amount: formatMoney(one.wallet, one.currency) })}
            </span>
          ))}
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows go between the fields in it */}
      <form
        ref={box}
        onSubmit={(event) => {
          event.preventDefault()
          void take()
        }}
        onKeyDown={(event) => {
          // An open list of choices closes first.
          const opened = event.target instanceof HTMLElement && event.target.getAttribute('aria-expanded') === 'true'
          if (event.key === 'Escape') return opened ? undefined : onBack()
          // Between the debts and the amount, as in a list.
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (!step || !(event.target instanceof HTMLInputElement)) return
          const stops = [...box.current!.querySelectorAll<HTMLInputElement>('[data-debt], [data-amount] input')]
          const at = stops.indexOf(event.target)
          if (at < 0) return
          event.preventDefault()
          stops[at + step]?.focus()
        }}
      >
        <Stack>
          {of.invoices.length ? (
            <fieldset className={css.debts}>
              <legend>{t('debts')}</legend>
              {of.invoices.map((one) => (
                <label key={one.id} className={css.debt}>
                  <input
                    type="checkbox"
                    data-debt
                    checked={ticked.includes(one.id)}
                    onChange={() => tick(one)}
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter') return
                      event.preventDefault()
                      void take()
                    }}
                  />
                  <span className={css.two}>
                    {say(INVOICE_TYPES.find((type) => type.value === one.type)!.label)}
                    <small>
                      <Code>{one.number}</Code>
                    </small>
                  </span>
                  <span>
                    {one.overdue ? (
                      <Status is="failed" label={t('overdue_since', { date: formatDate(one.due_date) })} />
                    ) : (
                      <span className={css.dim}>{t('due_by', { date: formatDate(one.due_date) })}</span>
                    )}
                  </span>
                  <bdi className={css.figure}>{formatMoney(one.open, one.currency)}</bdi>
                </label>
              ))}
            </fieldset>
          ) : (
            <div>
              <Status is="done" label={t('owes_nothing')} />
            </div>
          )}
          <div className={css.take}>
            <div data-amount>
              <MoneyInput
                key={`${ticked.join()} ${currency}`}
                label={t('amount')}
                currency={currency}
                defaultValue={sum || null}
                onChange={(minor) => {
                  forget()
                  setTyped(minor)
                }}
              />
            </div>
            <Select
              label={t('currency')}
              data={['EGP', 'USD']}
              allowDeselect={false}
              value={currency}
              onChange={(value) => {
                if (!value || value === currency) return
                const oldest = of.invoices.find((one) => one.currency === value)
                setTicked(oldest ? [oldest.id] : [])
                setTyped(oldest?.open ?? null)
                setCurrency(value)
                forget()
              }}
            />
            <Button
              type="submit"
              loading={busy}
              disabled={!typed || typed <= 0}
              leftSection={<IconCash size={18} aria-hidden />}
            >
              {typed && typed > 0 ? t('take_amount', { amount: formatMoney(typed, currency) }) : t('take')}
            </Button>
          </div>
          {problem !== null && <Problems error={problem} />}
          <div className={css.buttons}>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconWallet size={14} aria-hidden />}
              onClick={() => setWallet('charge')}
            >
              {t('charge_wallet')}
            </Button>
            {may('pay_out_wallet') && of.wallets.length > 0 && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconCashBanknoteOff size={14} aria-hidden />}
                onClick={() => setWallet('cash_back')}
              >
                {t('pay_out')}
              </Button>
            )}
          </div>
        </Stack>
      </form>
      {wallet && (
        <WalletDialog
          what={wallet}
          student={of.student}
          wallets={of.wallets}
          onClose={() => setWallet(null)}
          onDone={(booked, text) => {
            setWallet(null)
            if (booked.receipt) onDone({ ...booked, student: of.student, text })
            else onChanged()
          }}
        />
      )}
    </Card>
  )
}
