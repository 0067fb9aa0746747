import { Anchor, Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { moneyIn } from '#kit/web/fields/money-input.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form, useFormValue } from '#kit/web/form/form.tsx'
import { formatInstant, formatMoney, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { usePurpose } from '../moves/words.web.tsx'
import { deskCalls as calls, type Shift } from './desk.contract.ts'
import { ReceiptLine } from './receipt-line.web.tsx'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

const CURRENCIES = ['EGP', 'USD'] as const
const AFTER = '/cashier'

/** A field for the money of each currency. */
const INPUTS = Object.fromEntries(CURRENCIES.map((currency) => [currency, moneyIn(currency)]))

/** No drawer is open: what is in it to begin with. */
export function OpenDrawer() {
  const t = useT('transactions')
  const { send } = useChange(AFTER)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const field = box.current?.querySelector('input')
    field?.focus()
    field?.select()
  }, [])
  return (
    <div ref={box} style={{ maxInlineSize: 460 }}>
      <Card title={t('open_drawer')} text={t('open_drawer_text')}>
        <Form
          fields={Object.fromEntries(
            CURRENCIES.map((currency) => [
              currency,
              f.money(asLabel(t('in_drawer', { currency })), { required: true }),
            ]),
          )}
          values={{ EGP: 0, USD: 0 }}
          inputs={INPUTS}
          bar="dialog"
          always
          submit={t('open_drawer')}
          onSave={(typed) =>
            send(calls.open, {
              body: { opening: CURRENCIES.map((currency) => ({ currency, amount: Number(typed[currency]) })) },
            })
          }
        >
          {CURRENCIES.map((currency) => (
            <Field key={currency} name={currency} wide />
          ))}
        </Form>
      </Card>
    </div>
  )
}

/** What is in the drawer, as it was opened, taken and paid out; closed by its count. */
export function Drawer({ of }: { of: Shift }) {
  const t = useT('transactions')
  const [closing, setClosing] = useState(false)
  const [listed, setListed] = useState(false)
  // What nothing is in, and nothing went through, is not worth a line.
  const used = of.drawers.filter((one) => one.expected !== 0 || one.transactions > 0)
  const shown = used.length ? used : of.drawers.slice(0, 1)
  return (
    <aside aria-label={t('drawer')}>
      <Card title={t('drawer')} text={t('drawer_since', { at: formatInstant(of.opened_at), number: of.number })}>
        <Stack>
          {shown.map((one) => {
            const money = (minor: number) => <bdi className={css.figure}>{formatMoney(minor, one.currency)}</bdi>
            return (
              <dl key={one.currency} className={css.drawer}>
                <dt>{t('opening')}</dt>
                <dd>{money(one.opening)}</dd>
                <dt>{t('taken_sum')}</dt>
                <dd>{money(one.taken)}</dd>
                <dt>{t('paid_out_sum')}</dt>
                <dd>{money(0 - one.paid_out)}</dd>
                <dt data-sum>{t('expected')}</dt>
                <dd data-sum>{money(one.expected)}</dd>
                <dt>{t('transactions_count')}</dt>
                <dd>
                  {one.transactions > 0 ? (
                    <Anchor component="button" type="button" onClick={() => setListed(true)}>
                      {formatNumber(one.transactions)}
                    </Anchor>
                  ) : (
                    formatNumber(0)
                  )}
                </dd>
              </dl>
            )
          })}
          <div className={shared.buttons}>
            <Button variant="default" onClick={() => setClosing(true)}>
              {t('close_drawer')}
            </Button>
          </div>
        </Stack>
      </Card>
      {listed && <Receipts onClose={() => setListed(false)} />}
      {closing && <CloseDrawer of={of} onClose={() => setClosing(false)} />}
    </aside>
  )
}

/** What went through the drawer, the latest first; each leads to its page, where it says who takes back a wrong one. */
function Receipts({ onClose }: { onClose: () => void }) {
  const t = useT('transactions')
  const { purpose } = usePurpose()
  const { data, error, refetch } = useCall(calls.receipts)
  return (
    <Dialog opened onClose={onClose} title={t('drawer_receipts')} closeButtonProps={{ 'aria-label': t('close') }}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={160} />
      ) : (
        <ul className={css.lines}>
          {data.data.map((one) => (
            <ReceiptLine key={one.id} of={one} purpose={purpose(one.purpose as never)} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** The count of a drawer; what differs is said why. */
function CloseDrawer({ of, onClose }: { of: Shift; onClose: () => void }) {
  const t = useT('transactions')
  const { send } = useChange(AFTER)
  const differs = (typed: Readonly<Record<string, unknown>>) =>
    of.drawers.some(({ currency, expected }) => isAmount(typed[currency]) && typed[currency] !== expected)
  return (
    <Dialog opened onClose={onClose} title={t('close_drawer')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Form
        fields={(typed) => ({
          ...Object.fromEntries(
            of.drawers.map(({ currency, expected }) => [
              currency,
              f.money(asLabel(t('counted', { currency })), {
                required: true,
                help: asLabel(t('expected_is', { amount: formatMoney(expected, currency) })),
              }),
            ]),
          ),
          note: f.longText(asLabel(t('note')), {
            required: differs(typed),
            max: 500,
            ...(differs(typed) && { help: asLabel(t('say_why')) }),
          }),
        })}
        values={Object.fromEntries(
          of.drawers.map(({ currency, expected, transactions }) => [currency, expected || transactions ? null : 0]),
        )}
        inputs={INPUTS}
        bar="dialog"
        always
        submit={t('close_drawer')}
        onCancel={onClose}
        onSave={({ note, ...typed }) =>
          send(calls.close, {
            body: {
              counted: of.drawers.map(({ currency }) => ({
                currency: currency as 'EGP',
                amount: Number(typed[currency]),
              })),
              note: typeof note === 'string' ? note.trim() : null,
            },
          })
        }
        onSaved={() => {
          notify.done(t('drawer_closed', { number: of.number }))
          onClose()
        }}
      >
        <p className={css.text}>{t('close_drawer_text')}</p>
        {of.drawers.map(({ currency, expected }, i) => (
          <div key={currency}>
            <Field name={currency} wide autoFocus={i === 0} />
            <Difference currency={currency} expected={expected} />
          </div>
        ))}
        <Field name="note" />
      </Form>
    </Dialog>
  )
}

const isAmount = (amount: unknown): amount is number => typeof amount === 'number'

/** By how much the count is over or short. */
function Difference({ currency, expected }: { currency: string; expected: number }) {
  const t = useT('transactions')
  const amount = useFormValue(currency)
  if (!isAmount(amount) || amount === expected) return null
  return (
    <p className={css.held} role="status">
      {t(amount > expected ? 'counted_over' : 'counted_short', {
        amount: formatMoney(Math.abs(amount - expected), currency),
      })}
    </p>
  )
}
