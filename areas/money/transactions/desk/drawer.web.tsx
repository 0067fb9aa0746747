import { Button, Textarea } from '@mantine/core'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { formatInstant, formatMoney, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { deskCalls as calls, type Shift } from './desk.contract.ts'
import css from '../transactions.module.css'

const CURRENCIES = ['EGP', 'USD'] as const
const AFTER = '/cashier'

const isAmount = (amount: number | null | undefined): amount is number => typeof amount === 'number' && amount >= 0

/** No drawer is open: what is in it to begin with. */
export function OpenDrawer() {
  const t = useT('transactions')
  const { busy, problem, go, send } = useChange(AFTER)
  const box = useRef<HTMLFormElement>(null)
  const [opening, setOpening] = useState<Readonly<Record<string, number | null>>>({ EGP: 0, USD: 0 })
  useEffect(() => {
    const field = box.current?.querySelector('input')
    field?.focus()
    field?.select()
  }, [])
  const open = () => {
    if (busy) return
    void go(() =>
      send(calls.open, {
        body: { opening: CURRENCIES.map((currency) => ({ currency, amount: opening[currency] ?? 0 })) },
      }),
    )
  }
  return (
    <div style={{ maxInlineSize: 460 }}>
      <Card title={t('open_drawer')} text={t('open_drawer_text')}>
        <form
          ref={box}
          onSubmit={(event) => {
            event.preventDefault()
            open()
          }}
        >
          <Stack>
            {CURRENCIES.map((currency) => (
              <MoneyInput
                key={currency}
                label={t('in_drawer', { currency })}
                currency={currency}
                defaultValue={0}
                onChange={(amount) => setOpening((had) => ({ ...had, [currency]: amount }))}
              />
            ))}
            {problem !== null && <Problems error={problem} />}
            <div className={css.buttons}>
              <Submit
                type="submit"
                loading={busy}
                missing={CURRENCIES.map((currency) => !isAmount(opening[currency]) && t('in_drawer', { currency }))}
              >
                {t('open_drawer')}
              </Submit>
            </div>
          </Stack>
        </form>
      </Card>
    </div>
  )
}

/** What is in the drawer, as it was opened, taken and paid out; closed by its count. */
export function Drawer({ of }: { of: Shift }) {
  const t = useT('transactions')
  const [closing, setClosing] = useState(false)
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
                <dd>{formatNumber(one.transactions)}</dd>
              </dl>
            )
          })}
          <div className={css.buttons}>
            <Button variant="default" onClick={() => setClosing(true)}>
              {t('close_drawer')}
            </Button>
          </div>
        </Stack>
      </Card>
      {closing && <CloseDrawer of={of} onClose={() => setClosing(false)} />}
    </aside>
  )
}

/** The count of a drawer; what differs is said why. */
function CloseDrawer({ of, onClose }: { of: Shift; onClose: () => void }) {
  const t = useT('transactions')
  const { busy, problem, go, send } = useChange(AFTER)
  const [counted, setCounted] = useState<Readonly<Record<string, number | null>>>(
    Object.fromEntries(
      of.drawers.map((drawer) => [drawer.currency, drawer.expected || drawer.transactions ? null : 0]),
    ),
  )
  const [note, setNote] = useState('')
  const counts = of.drawers.map((drawer) => ({ ...drawer, amount: counted[drawer.currency] ?? null }))
  const differs = counts.some((count) => count.amount !== null && count.amount !== count.expected)
  const close = async () => {
    if (busy) return
    const done = await go(() =>
      send(calls.close, {
        body: {
          counted: counts.map((count) => ({ currency: count.currency as 'EGP', amount: count.amount! })),
          note: note.trim() || null,
        },
      }),
    )
    if (!done) return
    notify.done(t('drawer_closed', { number: of.number }))
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('close_drawer')} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void close()
        }}
      >
        <Stack>
          <p className={css.text}>{t('close_drawer_text')}</p>
          {counts.map((count, i) => (
            <Fragment key={count.currency}>
              <MoneyInput
                label={t('counted', { currency: count.currency })}
                description={t('expected_is', { amount: formatMoney(count.expected, count.currency) })}
                currency={count.currency}
                defaultValue={count.amount}
                autoFocus={i === 0}
                onChange={(amount) => setCounted((had) => ({ ...had, [count.currency]: amount }))}
              />
              {count.amount !== null && count.amount !== count.expected && (
                <p className={css.held} role="status">
                  {t(count.amount > count.expected ? 'counted_over' : 'counted_short', {
                    amount: formatMoney(Math.abs(count.amount - count.expected), count.currency),
                  })}
                </p>
              )}
            </Fragment>
          ))}
          <Textarea
            label={differs ? t('note') : <Optional label={t('note')} />}
            required={differs}
            description={differs ? t('say_why') : undefined}
            autosize
            minRows={2}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            attributes={{ input: { dir: 'auto' } }}
          />
          {problem !== null && <Problems error={problem} />}
          <div className={css.buttons}>
            <Submit
              onCancel={onClose}
              type="submit"
              loading={busy}
              missing={[
                ...counts.map((count) => !isAmount(count.amount) && t('counted', { currency: count.currency })),
                differs && !note.trim() && t('note'),
              ]}
            >
              {t('close_drawer')}
            </Submit>
          </div>
        </Stack>
      </form>
    </Dialog>
  )
}
