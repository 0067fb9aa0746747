import { Button } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { PayOnline } from './pay-online.web.tsx'
import { payCalls } from './providers.contract.ts'
import css from './providers.module.css'

/** What who works here still owes and can pay online; nothing where the university has set up no provider. */
export function OwnOpen() {
  const t = useT('transactions')
  const [paying, setPaying] = useState<number | null>(null)
  const { data } = useCall(payCalls.ownOpen, {})
  const open = data?.data.filter(({ ways }) => ways.length > 0) ?? []
  if (!open.length) return null
  return (
    <Card title={t('own_open')}>
      <ul className={css.open}>
        {open.map((one) => (
          <li key={one.id}>
            <span>
              <strong>{nameOf(one)}</strong>
              <small>
                <Code>{one.number}</Code>
                {one.due_on && ` · ${t('own_open_due', { day: formatDate(one.due_on) })}`}
              </small>
            </span>
            <bdi>{formatMoney(one.open, one.currency)}</bdi>
            <Button leftSection={<IconCreditCard size={16} aria-hidden />} onClick={() => setPaying(one.id)}>
              {t('pay_online')}
            </Button>
          </li>
        ))}
      </ul>
      {paying !== null && <PayOnline invoice={paying} onClose={() => setPaying(null)} />}
    </Card>
  )
}
