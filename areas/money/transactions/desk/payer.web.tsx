import { Button, Select } from '@mantine/core'
import { IconCash, IconCashBanknoteOff, IconWallet } from '@tabler/icons-react'
import { useState } from 'react'
import { INVOICE_TYPES } from '#areas/money/invoices/invoices/invoice.contract.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Problems, Status } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatDate, formatMoney, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { WalletDialog } from '../moves/wallet-dialog.web.tsx'
import type { Payer } from './desk.contract.ts'
import type { Done } from './desk.web.tsx'
import { useTaking, type Taking } from './use-taking.web.ts'
import { walletOfPayer, whatPays } from './who.web.ts'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

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
  const lang = useLanguage()
  const taking = useTaking(of, { onBack, onDone })
  const { box, name, problem, take, onKeyDown } = taking
  const [wallet, setWallet] = useState<'charge' | 'cash_back' | null>(null)
  const say = useLabel()
  const person = of.student ?? of.payer
  const whose = walletOfPayer(of)
  return (
    <Card
      title={
        <>
          <bdi>{name}</bdi> <Code>{(of.student ?? of.payer)?.code}</Code>
        </>
      }
      text={
        <>
          {whatPays(of, lang, say)}
          {of.wallets.map((one) => (
            <span key={one.currency}>
              {' · '}
              {t('in_wallet', { amount: formatMoney(one.wallet, one.currency) })}
            </span>
          ))}
        </>
      }
    >
      {/* What is taken is the debts that are ticked: nothing is kept of it, and arrows go between them and the amount. */}
      <PlainForm ref={box} busy={taking.busy} send={() => void take()} onKeyDown={onKeyDown}>
        <Stack>
          {of.invoices.length ? (
            <Debts of={of} taking={taking} />
          ) : (
            <div>
              <Status is="done" label={t('owes_nothing')} />
            </div>
          )}
          <Amount taking={taking} />
          {of.invoices.length > 0 && (
            <p className={css.text} aria-live="polite">
              {taking.left > 0
                ? t('owed_after', { amount: formatMoney(taking.left, taking.currency) })
                : t('owes_nothing_after')}
            </p>
          )}
          {problem !== null && <Problems error={problem} />}
          {/* What an applicant paid too much is given back by the transaction. */}
          <div className={shared.buttons} hidden={!whose}>
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
      </PlainForm>
      {wallet && whose && person && (
        <WalletDialog
          what={wallet}
          person={person}
          whose={whose}
          wallets={of.wallets}
          onClose={() => setWallet(null)}
          onDone={(booked, text) => {
            setWallet(null)
            if (booked.receipt) onDone({ ...booked, payer: of, text })
            else onChanged()
          }}
        />
      )}
    </Card>
  )
}

/** What is owed, the oldest first. */
function Debts({ of, taking: { ticked, tick, take } }: { of: Payer; taking: Taking }) {
  const t = useT('transactions')
  const say = useLabel()
  return (
    <fieldset className={css.debts}>
      <legend>{t('debts')}</legend>
      {of.invoices.map((invoice) => (
        <label key={invoice.id} className={css.debt}>
          <input
            type="checkbox"
            data-debt
            checked={ticked.includes(invoice.id)}
            onChange={() => tick(invoice)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              void take()
            }}
          />
          <span className={shared.two}>
            {say(INVOICE_TYPES.find((type) => type.value === invoice.type)!.label)}
            <small>
              <Code>{invoice.number}</Code>
            </small>
          </span>
          <span>
            {invoice.overdue ? (
              <Status is="failed" label={t('overdue_since', { date: formatDate(invoice.due_date) })} />
            ) : (
              <span className={shared.dim}>{t('due_by', { date: formatDate(invoice.due_date) })}</span>
            )}
          </span>
          <span className={css.figure}>
            <bdi>{formatMoney(invoice.open, invoice.currency)}</bdi>
            {invoice.open < invoice.charged && (
              <small className={shared.dim}>
                {t('of_charged', { amount: formatMoney(invoice.charged, invoice.currency) })}
              </small>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** How much of what is taken. */
function Amount({ taking }: { taking: Taking }) {
  const t = useT('transactions')
  const { ticked, currency, chooseCurrency, sum, typed, type, busy } = taking
  return (
    <div className={css.take}>
      <div data-amount>
        <MoneyInput
          key={`${ticked.join()} ${currency}`}
          label={t('amount')}
          currency={currency}
          defaultValue={sum || null}
          onChange={type}
        />
      </div>
      <Select
        label={t('currency')}
        data={['EGP', 'USD']}
        allowDeselect={false}
        value={currency}
        onChange={chooseCurrency}
      />
      <Submit
        type="submit"
        loading={busy}
        missing={[(!typed || typed <= 0) && t('amount')]}
        leftSection={<IconCash size={18} aria-hidden />}
      >
        {typed && typed > 0 ? t('take_amount', { amount: formatMoney(typed, currency) }) : t('take')}
      </Submit>
    </div>
  )
}
