import { Button } from '@mantine/core'
import { IconAward, IconCash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { part } from '#kit/web/later.ts'
import { MenuItems } from '#kit/web/list/main-button.tsx'
import { may, useEvent } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import {
  formatDate,
  formatInstant,
  formatMoney,
  formatNumber,
  nameOf,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ADMISSION_FEES } from '#areas/admission/admissions/words.contract.ts'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { PAYMENT_WAYS } from '#areas/money/transactions/moves/transaction.contract.ts'
import { TransactionState } from '#areas/money/transactions/moves/words.web.tsx'
import {
  ADMISSION_PAYMENT_STATES,
  admissionPaymentCalls as calls,
  admissionPaymentFields as F,
  type AdmissionPayment,
} from './desk.contract.ts'
import shared from '#areas/money/money.module.css'
import css from '../admission-payments.module.css'

const FullScholarship = part(async () => (await import('../scholarship/full.web.tsx')).FullScholarship)

/** A fee of an applicant: what it is for, what was paid of it, and the way to take a payment. */
export default function AdmissionPaymentScreen() {
  const t = useT('admission-payments')
  const say = useLabel()
  const lang = useLanguage()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.show, { params: { id } })
  useEvent('account', () => void refetch())
  const [granting, setGranting] = useState(false)
  const one = data?.data
  if (error && !one) return <Failed error={error} retry={() => void refetch()} />
  const state = ADMISSION_PAYMENT_STATES.find(({ value }) => value === one?.state)
  const open = one ? one.amount - one.settled : 0
  const takes = one && open > 0 && one.state !== 'taken_back' && may('take_payment')
  return (
    <Page
      title={one ? one.number : null}
      subtitle={
        one ? (
          <>
            <bdi>{nameOf(one.applicant, lang)}</bdi> · <Code>{one.applicant.code}</Code>
          </>
        ) : (
          '\u00A0'
        )
      }
      facts={[
        { label: say(F.state.label), value: state ? <Status tone={state.tone} label={say(state.label)} /> : '–' },
        { label: say(F.amount.label), value: one ? <bdi>{formatMoney(one.amount, one.currency)}</bdi> : '–' },
        { label: say(F.settled.label), value: one ? <bdi>{formatMoney(one.settled, one.currency)}</bdi> : '–' },
        { label: say(F.due_date.label), value: one?.due_date ? formatDate(one.due_date) : '–' },
      ]}
      action={
        takes ? (
          <Button
            component={Link}
            to={to('/cashier', {}, { find: one.applicant.code ?? '' })}
            leftSection={<IconCash size={16} aria-hidden />}
          >
            {t('take_at_desk')}
          </Button>
        ) : undefined
      }
      menu={
        one && may('grant_scholarship') ? (
          <MenuItems
            actions={[
              {
                key: 'scholarship',
                label: t('full_scholarship'),
                icon: <IconAward size={15} aria-hidden />,
                onSelect: () => setGranting(true),
              },
            ]}
          />
        ) : undefined
      }
    >
      {!one ? (
        <Bone height={320} />
      ) : (
        <Stack>
          {one.unsettled_at && (
            <p className={css.lost} role="status">
              {t('lost_text', { at: formatInstant(one.unsettled_at) })}
            </p>
          )}
          <About of={one} />
          <Paid of={one} />
          <Suspense fallback={null}>
            {granting && <FullScholarship applicant={one.applicant.id} onClose={() => setGranting(false)} />}
          </Suspense>
        </Stack>
      )}
    </Page>
  )
}

function About({ of: one }: { of: AdmissionPayment }) {
  const t = useT('admission-payments')
  const say = useLabel()
  const status = APPLICANT_STATUSES.find(({ value }) => value === one.status)
  const fee = say(ADMISSION_FEES.find(({ value }) => value === one.fee)!.label)
  return (
    <Card>
      <Facts
        items={[
          {
            label: say(F.fee.label),
            value: one.attempt > 1 ? `${fee} · ${t('attempt', { n: formatNumber(one.attempt) })}` : fee,
          },
          { label: say(F.admission_id.label), value: <Name row={one.admission} /> },
          {
            label: t('application_stands'),
            value: status ? <Status tone={status.tone} label={say(status.label)} /> : '–',
          },
          ...(one.program ? [{ label: t('program_given'), value: <Name row={one.program} /> }] : []),
          { label: say(F.issued_on.label), value: formatDate(one.issued_on) },
          { label: say(['E-mail', 'البريد الإلكتروني']), value: <bdi dir="ltr">{one.email}</bdi> },
          ...(one.phone ? [{ label: say(['Phone', 'الهاتف']), value: <bdi dir="ltr">{one.phone}</bdi> }] : []),
          ...(one.full_scholarship
            ? [{ label: t('full_scholarship'), value: <Name row={one.full_scholarship} /> }]
            : []),
          ...one.wallets.map((wallet) => ({
            label: t('in_wallet'),
            value: <bdi>{formatMoney(wallet.amount, wallet.currency)}</bdi>,
          })),
          ...(may('access_payment')
            ? [
                {
                  label: say(['Invoice', 'الفاتورة']),
                  value: (
                    <Link to={to('/payments/:id', { id: one.id })}>
                      <Code>{one.number}</Code>
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}

/** What was paid of it, and what has begun. */
function Paid({ of: one }: { of: AdmissionPayment }) {
  const t = useT('admission-payments')
  const say = useLabel()
  const looks = may('access_transaction')
  return (
    <Card title={t('transactions')}>
      {one.transactions.length === 0 ? (
        <Empty title={t('no_transactions')} text={t('no_transactions_text')} />
      ) : (
        <ul className={css.moves}>
          {one.transactions.map((move) => (
            <li key={move.id}>
              <span className={shared.two}>
                {looks ? (
                  <Link to={to('/transaction/:id', { id: move.id })}>
                    <Code>{move.number}</Code>
                  </Link>
                ) : (
                  <Code>{move.number}</Code>
                )}
                <small>
                  {say(PAYMENT_WAYS.find(({ value }) => value === move.way)!.label)} · {formatInstant(move.at)}
                  {move.reference && (
                    <>
                      {' · '}
                      <Code>{move.reference}</Code>
                    </>
                  )}
                </small>
              </span>
              <TransactionState of={move.status} />
              <bdi className={css.amount}>{formatMoney(move.amount, one.currency)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
