import { payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { useMe } from '#kit/web/auth/index.ts'
import { Button, Menu } from '@mantine/core'
import { IconArrowBackUp, IconCash, IconReceipt, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Failed, Name, notify } from '#kit/web/feedback/index.ts'
import { moneyIn } from '#kit/web/fields/money-input.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatInstant, formatMoney, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { saveReceipt } from './receipt.web.tsx'
import { transactionCalls as calls, transactionFields as F, type TransactionDetail } from './transaction.contract.ts'
import { TransactionState, providerName, usePurpose } from './words.web.tsx'
import { isReleased } from './words.rules.ts'
import css from '../transactions.module.css'

const AFTER = ['/transactions', '/payments', '/credits', '/cashier/shift', '/students'] as const

/** A transaction: how it came, what it settled, and what of it went back. */
export default function Transaction() {
  const t = useT('transactions')
  const say = useLabel()
  const lang = useLanguage()
  const me = useMe()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.show, { params: { id } })
  const { send } = useChange(...AFTER)
  const [back, setBack] = useState<'refund' | 'cash' | null>(null)
  useEvent('account', () => void refetch())
  const one = data?.data
  if (error && !one) return <Failed error={error} retry={() => void refetch()} />
  const may = (ability: string) => one?.abilities.includes(ability) ?? false
  const money = (minor: number) => <bdi>{formatMoney(minor, one?.currency ?? 'EGP')}</bdi>
  const left = one ? one.amount - one.refunded - one.asked : 0
  const name = one ? (one.receipt ?? one.number) : ''
  const cancel = async () => {
    let toWallet = 0
    const reason = await askReason({
      title: t('cancel_title', { number: name }),
      text: t(one?.direction === 'out' ? 'cancel_out_text' : 'cancel_text'),
      action: t('cancel_transaction'),
      danger: true,
      go: async (given) => {
        toWallet = (await send(calls.cancel, { body: { id, reason: given } })).data.to_wallet
      },
    })
    if (!reason) return
    const amount = formatMoney(toWallet, one?.currency ?? 'EGP')
    notify.done(toWallet ? t('cancelled_to_wallet', { number: name, amount }) : t('cancelled_done', { number: name }))
  }
  return (
    <Page
      title={one ? name : null}
      subtitle={
        (one?.student ?? one?.payer) ? (
          <>
            <bdi>{payerCalled(one, lang)}</bdi> · <Code>{(one.student ?? one.payer)?.code}</Code>
          </>
        ) : (
          '\u00A0'
        )
      }
      facts={[
        { label: say(F.status.label), value: one ? <TransactionState of={one.status} /> : '–' },
        { label: say(F.amount.label), value: one ? money(one.amount) : '–' },
        { label: say(F.booked_on.label), value: one?.booked_on ? formatDate(one.booked_on) : '–' },
      ]}
      action={
        one?.receipt && one.status === 'paid' ? (
          <Button
            variant="default"
            leftSection={<IconReceipt size={16} aria-hidden />}
            onClick={() => void saveReceipt(id, lang)}
          >
            {t('receipt')}
          </Button>
        ) : undefined
      }
      menu={
        one && (may('refund') || may('cancel')) ? (
          <>
            {may('refund') && left > 0 && (
              <>
                <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => setBack('refund')}>
                  {t('refund')}
                </Menu.Item>
                {one.way !== 'cash' && (
                  <Menu.Item leftSection={<IconCash size={16} aria-hidden />} onClick={() => setBack('cash')}>
                    {t('back_in_cash')}
                  </Menu.Item>
                )}
              </>
            )}
            {may('cancel') && (
              <Menu.Item color="red" leftSection={<IconX size={16} aria-hidden />} onClick={() => void cancel()}>
                {t('cancel_transaction')}
              </Menu.Item>
            )}
          </>
        ) : undefined
      }
    >
      {!one ? (
        <Bone height={360} />
      ) : (
        <Stack>
          <Card>
            <FactsOfTransaction of={one} />
            {one.way === 'cash' && one.status === 'paid' && !me.can('cancel_transaction') && me.can('take_payment') && (
              <p className={css.text}>{t('cancel_by_others')}</p>
            )}
          </Card>
          <Settled of={one} />
          {one.refunds.length > 0 && <WentBack of={one} left={left} />}
        </Stack>
      )}
      {one && back && <Back of={one} left={left} inCash={back === 'cash'} onClose={() => setBack(null)} />}
    </Page>
  )
}

const moneyOf = (one: TransactionDetail) => (minor: number) => <bdi>{formatMoney(minor, one.currency)}</bdi>

/** What it is, how and by whom it came. */
function FactsOfTransaction({ of: one }: { of: TransactionDetail }) {
  const t = useT('transactions')
  const say = useLabel()
  const { purpose, way } = usePurpose()
  const money = moneyOf(one)
  return (
    <Facts
      items={[
        { label: say(F.number.label), value: <Code>{one.number}</Code> },
        { label: say(F.purpose.label), value: isReleased(one) ? t('released') : purpose(one.purpose) },
        { label: say(F.way.label), value: way(one.way) },
        ...(one.provider ? [{ label: t('provider'), value: <bdi>{providerName(one.provider)}</bdi> }] : []),
        ...(one.pay_number
          ? [
              {
                label: t('pay_number'),
                value: (
                  <>
                    <Code>{one.pay_number}</Code>
                    {one.expires_at &&
                      (one.status === 'new' || one.status === 'pending') &&
                      ` · ${t('number_until', { at: formatInstant(one.expires_at) })}`}
                  </>
                ),
              },
            ]
          : []),
        ...(one.provider_reference
          ? [{ label: t('provider_reference'), value: <Code>{one.provider_reference}</Code> }]
          : []),
        ...(one.reference && !one.reference.startsWith('desk:')
          ? [{ label: t(one.provider ? 'own_reference' : 'reference'), value: <Code>{one.reference}</Code> }]
          : []),
        { label: t('entered'), value: formatInstant(one.created_at) },
        { label: t('by'), value: one.by ? <Name row={one.by} /> : t('the_program') },
        ...(one.refund_of
          ? [
              {
                label: t('refund_of'),
                value: (
                  <Link to={to('/transaction/:id', { id: one.refund_of.id })}>
                    <Code>{one.refund_of.number}</Code>
                  </Link>
                ),
              },
            ]
          : []),
        ...(one.asked > 0
          ? [{ label: t('asked_back'), value: <Link to={to('/payments/refunds')}>{money(one.asked)}</Link> }]
          : []),
        ...(one.reason ? [{ label: t('reason'), value: <bdi>{one.reason}</bdi>, wide: true }] : []),
        ...(one.note ? [{ label: t('note'), value: <bdi>{one.note}</bdi>, wide: true }] : []),
      ]}
    />
  )
}

/** The invoices that it settled, and what of it lies in the wallet. */
function Settled({ of: one }: { of: TransactionDetail }) {
  const t = useT('transactions')
  const money = moneyOf(one)
  const settled = one.allocations.reduce((sum, a) => sum + a.amount, 0)
  const rest = one.purpose === 'payment' && one.way !== 'wallet' ? one.amount - settled : 0
  return (
    <Card title={t(one.direction === 'in' ? 'it_settled' : 'it_took_back')}>
      {one.allocations.length || rest > 0 ? (
        <ul className={css.lines}>
          {one.allocations.map((a, i) => (
            // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
            <li key={i}>
              <Link to={to('/payments/:id', { id: a.invoice_id })}>
                <Code>{a.number}</Code>
              </Link>
              <span className={css.figure}>{money(a.amount)}</span>
            </li>
          ))}
          {rest > 0 && one.status === 'paid' && (
            <li>
              <span>{t('into_wallet')}</span>
              <span className={css.figure}>{money(rest)}</span>
            </li>
          )}
        </ul>
      ) : (
        <p className={css.text}>{t(one.purpose === 'charge' ? 'settled_wallet' : 'settled_nothing')}</p>
      )}
    </Card>
  )
}

/** What of it went back. */
function WentBack({ of: one, left }: { of: TransactionDetail; left: number }) {
  const t = useT('transactions')
  const money = moneyOf(one)
  return (
    <Card title={t('went_back')} text={t('went_back_text', { left: formatMoney(left, one.currency) })}>
      <ul className={css.lines}>
        {one.refunds.map((refund) => (
          <li key={refund.id}>
            <span>
              <Link to={to('/transaction/:id', { id: refund.id })}>
                <Code>{refund.number}</Code>
              </Link>
              {refund.booked_on && <small>{formatDate(refund.booked_on)}</small>}
              {refund.status !== 'paid' && <TransactionState of={refund.status} />}
            </span>
            <span className={css.figure}>{money(-refund.amount)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Gives a payment, or a part of it, back. */
function Back({
  of,
  left,
  inCash,
  onClose,
}: {
  of: TransactionDetail
  left: number
  inCash: boolean
  onClose: () => void
}) {
  const t = useT('transactions')
  const { way } = usePurpose()
  const { can } = useMe()
  const { send } = useChange(...AFTER)
  const attempt = useRef({ of: '', key: '' })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(inCash ? 'back_in_cash' : 'refund')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <p className={css.text}>
          {inCash || of.way === 'cash'
            ? t(can('take_payment') ? 'back_cash_text' : 'back_cash_asked')
            : t('back_way_text', { way: way(of.way) })}
        </p>
        <Form
          fields={{
            amount: f.money(asLabel(t('amount')), {
              required: true,
              help: asLabel(t('back_at_most', { amount: formatMoney(left, of.currency) })),
            }),
            reason: f.text(asLabel(t('reason')), { required: true, min: 3, max: 500 }),
          }}
          values={{ amount: left }}
          inputs={{ amount: moneyIn(of.currency) }}
          bar="dialog"
          always
          submit={t('give_back')}
          onCancel={onClose}
          onSave={async (values) => {
            const body = { amount: Number(values.amount), reason: String(values.reason) }
            // Sent once more because no answer came, it is the same press; what was changed is another one.
            const what = JSON.stringify(body)
            if (attempt.current.of !== what) attempt.current = { of: what, key: crypto.randomUUID() }
            const input = { params: { id: of.id }, body: { ...body, key: attempt.current.key } }
            const { data } = await (inCash ? send(calls.directCashBack, input) : send(calls.refund, input))
            return { ...data, amount: body.amount }
          }}
          onSaved={({ state, number, amount }) => {
            notify.done(
              t(state === 'asked' ? 'refund_asked' : state === 'pending' ? 'refund_pending' : 'went_back_done', {
                amount: formatMoney(amount, of.currency),
                number,
              }),
            )
            onClose()
          }}
        />
      </Stack>
    </Dialog>
  )
}
