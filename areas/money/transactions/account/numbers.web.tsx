import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { Status, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { providerName } from '../moves/words.web.tsx'
import type { OutletNumber } from './account.contract.ts'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

/** Numbers that wait to be paid at an outlet: until when, and of which nothing is owed any more. */
export function OwnNumbers({
  of,
  onCheck,
}: {
  of: readonly OutletNumber[]
  /** Asks whether it has arrived. */
  onCheck: (invoice: number) => void
}) {
  const t = useT('transactions')
  if (!of.length) return null
  return (
    <Card title={t('numbers_wait')}>
      <ul className={css.lines}>
        {of.map((one) => (
          <li key={one.id}>
            <span>
              <bdi dir="ltr" className={css.outletNumber}>
                {one.number}
              </bdi>
              <small>
                {providerName(one.provider)} · <bdi>{formatMoney(one.amount, one.currency)}</bdi>
                {one.expires_at && ` · ${t('number_until', { at: formatInstant(one.expires_at) })}`}
              </small>
              {one.paid && <Status is="failed" label={t('number_paid_already')} />}
            </span>
            {!one.paid && (
              <span className={shared.buttons}>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconCopy size={14} aria-hidden />}
                  onClick={() =>
                    void navigator.clipboard.writeText(one.number).then(() => notify.done(t('number_is_copied')))
                  }
                >
                  {t('number_copy')}
                </Button>
                <Button size="xs" variant="default" onClick={() => onCheck(one.invoice_id)}>
                  {t('number_arrived')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
