import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { may, useEvent, useMe } from '#kit/web/auth/index.ts'
import { Failed } from '#kit/web/feedback/index.ts'
import { useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { saveReceipt } from '../moves/receipt.web.tsx'
import { PayOnline, PaymentFacts } from './pay-online.web.tsx'
import { payCalls } from './providers.contract.ts'
import css from './providers.module.css'

/** Milliseconds after which it is asked again while the payment is open, besides what is told live. */
const EVERY = 5_000

/** Where a browser comes back to from the provider's page: whether the payment has arrived. */
export default function PaidScreen() {
  const t = useT('transactions')
  const id = Number(useParams().id)
  const lang = useLanguage()
  const { user } = useMe()
  const { data, error, refetch } = useCall(
    payCalls.onlinePayment,
    { params: { id } },
    { refetchInterval: (query) => (query.state.data?.data.status === 'pending' ? EVERY : false) },
  )
  useEvent('account', () => void refetch())
  const [again, setAgain] = useState(false)
  const found = data?.data
  return (
    <Page
      title={t('online_payment')}
      subtitle={found ? t(`online_text_${found.status === 'new' ? 'pending' : found.status}`) : '\u00A0'}
      wide={false}
    >
      {error && !found ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Card>
          {!found ? (
            <Bone height={140} />
          ) : (
            <Stack>
              <PaymentFacts of={found} />
              {found.status === 'paid' && (
                <div className={css.buttons}>
                  <Button
                    size="md"
                    leftSection={<IconFileTypePdf size={18} aria-hidden />}
                    onClick={() => void saveReceipt(id, lang)}
                  >
                    {t('receipt_pdf')}
                  </Button>
                </div>
              )}
              {found.link && (found.status === 'failed' || found.status === 'pending') && (
                <div className={css.buttons}>
                  <Button component="a" href={found.link} variant={found.status === 'failed' ? 'filled' : 'default'}>
                    {t('online_try_again')}
                  </Button>
                </div>
              )}
              {found.invoice_id !== null && (found.status === 'failed' || found.status === 'expired') && (
                <div className={css.buttons}>
                  <Button variant="default" onClick={() => setAgain(true)}>
                    {t('online_other_way')}
                  </Button>
                </div>
              )}
              {(user.student_id !== null || may('see_own_money')) && (
                <div className={css.buttons}>
                  <Button
                    variant="subtle"
                    component={Link}
                    to={user.student_id !== null ? to('/student-payments') : to('/my_money')}
                  >
                    {t('to_account')}
                  </Button>
                </div>
              )}
            </Stack>
          )}
        </Card>
      )}
      {again && found?.invoice_id && <PayOnline invoice={found.invoice_id} onClose={() => setAgain(false)} />}
    </Page>
  )
}
