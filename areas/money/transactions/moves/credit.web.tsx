import { Button } from '@mantine/core'
import { IconCashBanknoteOff, IconWallet } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { may, useEvent } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { formatMoney, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { collectingOfAccount } from '../outlets.contract.ts'
import { printReceipt } from './receipt.web.tsx'
import { transactionCalls as calls } from './transaction.contract.ts'
import { WalletDialog } from './wallet-dialog.web.tsx'
import { WalletMoves } from './wallet-moves.web.tsx'
import shared from '../../money.module.css'

const Collecting = filled(collectingOfAccount)

/** The wallet of a student: what is in it, how it came there and went. */
export default function Wallet() {
  const t = useT('transactions')
  const lang = useLanguage()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.credit, { params: { id } })
  const [what, setWhat] = useState<'charge' | 'cash_back' | null>(null)
  useEvent('account', () => void refetch())
  const one = data?.data
  if (error && !one) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page
      title={one ? one.student : null}
      subtitle={one ? <Code>{one.student.code}</Code> : '\u00A0'}
      facts={(one?.balances ?? []).flatMap((balance) => [
        {
          label: t('wallet_and_owed', { currency: balance.currency }),
          value: (
            <>
              <bdi>{formatMoney(balance.wallet, balance.currency)}</bdi> ·{' '}
              <bdi>{formatMoney(balance.owed, balance.currency)}</bdi>
            </>
          ),
        },
        ...(balance.deposit > 0
          ? [{ label: t('deposit_held'), value: <bdi>{formatMoney(balance.deposit, balance.currency)}</bdi> }]
          : []),
      ])}
      action={
        may('take_payment') ? (
          <div className={shared.buttons}>
            {may('pay_out_wallet') && one?.balances.some((balance) => balance.wallet > 0) && (
              <Button
                variant="default"
                leftSection={<IconCashBanknoteOff size={16} aria-hidden />}
                onClick={() => setWhat('cash_back')}
              >
                {t('pay_out')}
              </Button>
            )}
            <Button
              disabled={!one}
              leftSection={<IconWallet size={16} aria-hidden />}
              onClick={() => setWhat('charge')}
            >
              {t('charge_wallet')}
            </Button>
          </div>
        ) : undefined
      }
    >
      {!one ? (
        <Bone height={320} />
      ) : (
        <Stack>
          <Card title={t('wallet_moves')}>
            {one.moves.length ? (
              <WalletMoves moves={one.moves} />
            ) : (
              <Empty title={t('wallet_empty')} text={t('wallet_empty_text')} />
            )}
          </Card>
          <Suspense fallback={null}>
            <Collecting student={id} own={false} />
          </Suspense>
        </Stack>
      )}
      {one && what && (
        <WalletDialog
          what={what}
          person={one.student}
          whose={{ student_id: id }}
          wallets={one.balances}
          onClose={() => setWhat(null)}
          onDone={(booked, text) => {
            setWhat(null)
            notify.done(text)
            if (booked.receipt) void printReceipt(booked.id, lang)
          }}
        />
      )}
    </Page>
  )
}
