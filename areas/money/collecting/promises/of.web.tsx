import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Name } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatDate, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { promiseCalls } from './promise.contract.ts'
import { useWithdraw } from './list.web.tsx'
import { PromiseState } from './words.web.tsx'
import shared from '../../money.module.css'
import css from '../collecting.module.css'

const PromiseDialog = partDialog(async () => (await import('./dialog.web.tsx')).default)

type For =
  | { readonly invoice: { id: number; number: string; currency: string; open: number } }
  | { readonly student: number }

/** What was promised of an invoice, or by a student, and the button that notes a promise. A student sees the own ones. */
export function Promises({ of, own = false }: { of: For; own?: boolean }) {
  const t = useT('collecting')
  const me = useMe()
  const [noting, setNoting] = useState(false)
  const withdraw = useWithdraw()
  const { most, more } = useMost(10, MOST_OF_PAGE)
  const asked = useCall(
    promiseCalls.list,
    {
      body: {
        perPage: most,
        filters: 'invoice' in of ? { invoice_id: [of.invoice.id] } : { student_id: [of.student] },
      },
    },
    { enabled: me.can('access_promise'), placeholderData: keepPreviousData },
  )
  useEvent('account', () => void asked.refetch())
  const rows = asked.data?.data
  const notes = !own && me.can('note_promise') && (!('invoice' in of) || of.invoice.open > 0)
  if (!rows || (!rows.length && !notes)) return null
  const standing = rows.some((one) => one.state === 'standing' && ('invoice' in of || one.invoice === null))
  return (
    <>
      <Card
        title={t('promises')}
        text={rows.length ? undefined : t('no_promises_of')}
        aside={
          notes && !standing ? (
            <Button variant="default" size="xs" onClick={() => setNoting(true)}>
              {t('note_promise')}
            </Button>
          ) : undefined
        }
      >
        {rows.length > 0 && (
          <ul className={css.lines}>
            {rows.map((one) => (
              <li key={one.id}>
                <span className={shared.two}>
                  <span>
                    {t('promised_by', {
                      amount: formatMoney(one.amount, one.currency),
                      day: formatDate(one.promised_on),
                    })}
                  </span>
                  <small dir="auto">
                    {formatDate(one.noted_on)} · <Name row={one.noted_by} />
                    {(one.ended_reason ?? one.note) && <> · {one.ended_reason ?? one.note}</>}
                  </small>
                </span>
                <span className={shared.buttons}>
                  <PromiseState of={one} />
                  {!own && one.abilities.includes('withdraw') && (
                    <Button
                      variant="subtle"
                      size="xs"
                      aria-label={t('withdraw_of', {
                        amount: formatMoney(one.amount, one.currency),
                        day: formatDate(one.promised_on),
                      })}
                      onClick={() => void withdraw(one)}
                    >
                      {t('withdraw')}
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
        <MoreRows shown={rows.length} total={asked.data!.meta.count} onMore={more} />
      </Card>
      {noting && <PromiseDialog of={of} onClose={() => setNoting(false)} />}
    </>
  )
}
