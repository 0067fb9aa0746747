import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { confirm } from '#kit/web/feedback/index.ts'
import { payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { formatMoney, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { deskCalls as calls, type Payer } from './desk.contract.ts'
import type { Done } from './desk.web.tsx'
import { namedAs } from './who.web.ts'

const AFTER = ['/cashier/shift', '/payments', '/transactions', '/credits', '/students'] as const
type Currency = 'EGP' | 'USD'

/** Taking money: which debts are ticked, how much of what currency is taken, and the keys between them. */
export function useTaking(of: Payer, { onBack, onDone }: { onBack: () => void; onDone: (what: Done) => void }) {
  const t = useT('transactions')
  const lang = useLanguage()
  const { busy, problem, go, send, forget } = useChange(...AFTER)
  const box = useRef<HTMLFormElement>(null)
  const first = of.invoices[0]
  const [ticked, setTicked] = useState<readonly number[]>(first ? [first.id] : [])
  const [currency, setCurrency] = useState<Currency>((first?.currency as Currency | undefined) ?? 'EGP')
  const chosen = of.invoices.filter((invoice) => ticked.includes(invoice.id))
  const sum = chosen.reduce((total, one) => total + one.open, 0)
  const [typed, setTyped] = useState<number | null>(sum || null)
  /** Of one attempt: the same once more is not booked twice. */
  const attempt = useRef({ of: '', key: '' })
  const owed = of.invoices.reduce((total, one) => (one.currency === currency ? total + one.open : total), 0)
  const name = payerCalled(of, lang)
  const toAmount = () => {
    const amount = box.current?.querySelector<HTMLInputElement>('[data-amount] input')
    amount?.focus()
    amount?.select()
  }
  useEffect(toAmount, [])

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
        consequence: t('rest_to_wallet_of', {
          name,
          amount: formatMoney(typed, currency),
          rest: formatMoney(rest, currency),
        }),
        action: t('to_wallet'),
        // Twice what is owed is a slip of the finger more often than not: the next Enter takes nothing.
        careful: typed > 2 * owed,
      }))
    ) {
      // After the dialog has given the focus back: what is typed next takes the place of what was wrong.
      setTimeout(toAmount, 60)
      return
    }
    const body = {
      ...namedAs(of),
      currency,
      amount: typed,
      invoice_ids: chosen.map((one) => one.id),
      to_wallet: rest > 0,
    }
    const what = JSON.stringify(body)
    if (attempt.current.of !== what) attempt.current = { of: what, key: crypto.randomUUID() }
    const done = await go(() => send(calls.take, { body: { ...body, key: attempt.current.key } }))
    if (!done) return
    const { id, receipt, wallet: rested, owed: left } = done.answer.data
    onDone({
      id,
      receipt,
      payer: of,
      left: left > 0 ? t('still_owed', { amount: formatMoney(left, currency) }) : t('owes_nothing_more'),
      text: rested
        ? t('taken_rest', { amount: formatMoney(typed, currency), rest: formatMoney(rested, currency) })
        : t('taken', { amount: formatMoney(typed, currency) }),
    })
  }
  const chooseCurrency = (value: string | null) => {
    if (!value || value === currency) return
    const oldest = of.invoices.find((invoice) => invoice.currency === value)
    setTicked(oldest ? [oldest.id] : [])
    setTyped(oldest?.open ?? null)
    setCurrency(value as Currency)
    forget()
  }
  const onKeyDown = (event: KeyboardEvent) => {
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
  }
  return {
    box,
    name,
    busy,
    problem,
    ticked,
    tick,
    currency,
    chooseCurrency,
    sum,
    /** What is owed in the currency after this. */
    left: typed && typed > 0 ? Math.max(0, owed - typed) : owed,
    typed,
    type: (minor: number | null) => {
      forget()
      setTyped(minor)
    },
    take,
    onKeyDown,
  }
}
export type Taking = ReturnType<typeof useTaking>
