import { Button, Kbd } from '@mantine/core'
import { IconInbox, IconPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { Workflow } from '#kit/contract/workflow.ts'
import { useCall } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name, useShortcut } from '#kit/web/feedback/index.ts'
import { formatAgo, formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StateBadge, useSteps } from '#kit/web/workflow/index.ts'
import { EnterPayment } from './enter.web.tsx'
import { SlipPaper, SlipFacts } from './paper.web.tsx'
import {
  slip as flow,
  slipCalls as calls,
  slipFields as F,
  slipSteps,
  type SlipDetail,
  type SlipRow,
} from './slip.contract.ts'
import { SLIP_AFTER } from './upload.web.tsx'
import shared from '../../money.module.css'
import css from './slips.module.css'

type Row = SlipRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  { key: 'number', label: F.number.label, sort: true, width: 150, cell: (row) => <Code>{row.number}</Code> },
  {
    key: 'student_id',
    label: F.student_id.label,
    sort: true,
    width: 230,
    cell: (row) =>
      row.student && (
        <span className={shared.two}>
          <Name row={row.student} />
          <small>
            <Code>{row.student.code}</Code>
          </small>
        </span>
      ),
  },
  moneyColumn({ key: 'amount', label: F.amount.label, sort: true, amount: (row) => row.paid ?? row.amount }),
  {
    key: 'status',
    label: F.status.label,
    sort: true,
    width: 170,
    cell: (row) => <StateBadge flow={flow} state={row.status} />,
  },
  { key: 'bank_id', label: F.bank_id.label, sort: true, width: 180, cell: (row) => <Name row={row.bank} /> },
  { key: 'paid_on', label: F.paid_on.label, field: F.paid_on, sort: true, width: 120 },
  { key: 'expires_on', label: F.expires_on.label, field: F.expires_on, sort: true, width: 120 },
  { key: 'uploaded_at', label: F.uploaded_at.label, field: F.uploaded_at, sort: true, width: 160 },
]
const TITLE = ['Bank slips', 'الإيصالات البنكية'] as const

/** Steps of slips, as every screen of them takes them. */
export const useSlipSteps = () =>
  useSteps<never, never, SlipRow>(flow as never, slipSteps as never, {
    name: (row) => row.number,
    refreshes: SLIP_AFTER,
  })

/** Slips of banks: what waits to be looked at with its paper before the eyes, and all of them as a table. */
export default function Slips() {
  const t = useT('transactions')
  const say = useLabel()
  const lang = useLanguage()
  const me = useMe()
  const steps = useSlipSteps()
  const k = useT('kit')
  const [query, setQuery] = useSearchParams()
  const [entering, setEntering] = useState(false)
  const waiting = query.get('view') !== 'all'
  const asked = useCall(
    calls.list,
    { body: { perPage: 50, order_by: 'uploaded_at', order_direction: 'asc', filters: { status: ['uploaded'] } } },
    { placeholderData: keepPreviousData, refetchInterval: 60_000, enabled: waiting },
  )
  useEvent('account', () => void asked.refetch())
  const rows = asked.data?.data
  const given = Number(query.get('id')) || null
  const open = rows?.some(({ id }) => id === given) ? given : (rows?.[0]?.id ?? null)
  const at = rows?.findIndex(({ id }) => id === open) ?? -1
  const choose = (id: number | null) =>
    setQuery((had) => {
      if (id === null) had.delete('id')
      else had.set('id', String(id))
      return had
    })
  const goBy = (by: number) => {
    const next = rows?.[Math.min(Math.max(at + by, 0), rows.length - 1)]
    if (next) choose(next.id)
  }
  const canGo = waiting && (rows?.length ?? 0) > 0
  useShortcut('j', () => goBy(1), canGo ? t('slip_next') : null)
  useShortcut('k', () => goBy(-1), canGo ? t('slip_previous') : null)
  const views = (
    <div className={css.views} role="tablist" aria-label={say(TITLE)}>
      {([true, false] as const).map((wait) => (
        <button
          key={String(wait)}
          type="button"
          role="tab"
          aria-selected={waiting === wait}
          onClick={() => setQuery(wait ? {} : { view: 'all' })}
        >
          {t(wait ? 'slips_waiting' : 'slips_all')}
        </button>
      ))}
    </div>
  )
  const enter = me.can('enter_payment') && (
    <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEntering(true)}>
      {t('enter_payment')}
    </Button>
  )
  const dialog = entering && <EnterPayment onClose={() => setEntering(false)} />
  if (!waiting)
    return (
      <>
        <ListScreen<Row>
          call={calls.list}
          title={TITLE}
          above={views}
          columns={COLUMNS}
          filters={{
            status: F.status,
            bank_id: F.bank_id,
            currency: F.currency,
            paid_on: F.paid_on,
            faculty_id: F.faculty_id,
            student_id: F.student_id,
          }}
          fixed={{}}
          order={['number', 'desc']}
          rowName={(row) => `${row.number}${row.student ? ` · ${nameOf(row.student, lang)}` : ''}`}
          rowHref={(row) => to('/payment-slip/:id', { id: row.id })}
          actions={steps.actions}
          bulk={steps.bulk}
          empty={{ title: t('slips_none'), text: t('slips_none_text') }}
        />
        {dialog}
      </>
    )
  return (
    <Page
      title={say(TITLE)}
      subtitle={asked.data ? t('slips_wait', { count: asked.data.meta.count }) : '\u00A0'}
      action={enter || undefined}
    >
      {views}
      {asked.error && !rows ? (
        <Failed error={asked.error} retry={() => void asked.refetch()} />
      ) : !rows ? (
        <Bone height={420} />
      ) : rows.length === 0 ? (
        <Empty
          icon={<IconInbox size={28} stroke={1.5} aria-hidden />}
          title={t('slips_nothing_waits')}
          text={t('slips_nothing_waits_text')}
        />
      ) : (
        <div className={css.inbox}>
          <ul className={css.list} aria-label={t('slips_waiting')}>
            {rows.map((row) => (
              <li key={row.id}>
                <button type="button" aria-current={row.id === open || undefined} onClick={() => choose(row.id)}>
                  <Name row={row.student} />
                  <bdi>{formatMoney(row.paid ?? row.amount, row.currency)}</bdi>
                  <small>
                    <Code>{row.number}</Code>
                  </small>
                  <small>{row.uploaded_at && formatAgo(row.uploaded_at)}</small>
                </button>
              </li>
            ))}
            {asked.data!.meta.count > rows.length && (
              <li className={shared.text}>{k('and_more', { count: asked.data!.meta.count - rows.length })}</li>
            )}
          </ul>
          {open !== null && (
            <One
              key={open}
              id={open}
              steps={steps}
              onDecided={() => choose(rows[at + 1]?.id ?? rows[at - 1]?.id ?? null)}
            />
          )}
        </div>
      )}
      {dialog}
    </Page>
  )
}

/** One that waits: what it says beside its paper, and the two buttons. */
function One({ id, steps, onDecided }: { id: number; steps: ReturnType<typeof useSlipSteps>; onDecided: () => void }) {
  const t = useT('transactions')
  const { data, error, refetch } = useCall(calls.show, { params: { id } })
  const of = data?.data
  if (error && !of) return <Failed error={error} retry={() => void refetch()} />
  if (!of) return <Bone height={420} />
  return (
    <Card
      title={of.student ? <Name row={of.student} /> : of.number}
      aside={<Link to={to('/payment-slip/:id', { id })}>{of.number}</Link>}
    >
      <div className={css.beside}>
        <Stack>
          <SlipFacts of={of} />
          <SlipEffect of={of} />
          <div className={css.buttons}>
            {steps
              .actions(of)
              .filter(({ key }) => key !== 'cancel')
              .map(({ key, label, disabled }) => (
                <Step
                  key={key}
                  label={label}
                  letter={key === 'accept' ? 'a' : 'r'}
                  refuses={(flow as Workflow).actions[key]?.tone === 'refused'}
                  disabled={disabled}
                  go={() => void steps.take(of, key as never).then((done) => done && onDecided())}
                />
              ))}
          </div>
          <p className={shared.text}>{t('slip_keys')}</p>
        </Stack>
        <SlipPaper of={of} />
      </div>
    </Card>
  )
}

/** What accepting would do, where it is not simply what was asked. */
export function SlipEffect({ of }: { of: SlipDetail }) {
  const t = useT('transactions')
  if (of.paid === null || of.status !== 'uploaded') return null
  const over = of.paid - of.open
  return (
    <>
      {of.paid !== of.amount && (
        <p className={css.note}>
          {t('slip_differs', { paid: formatMoney(of.paid, of.currency), asked: formatMoney(of.amount, of.currency) })}
        </p>
      )}
      {over > 0 && <p className={css.note}>{t('slip_over', { amount: formatMoney(over, of.currency) })}</p>}
    </>
  )
}

function Step({
  label,
  letter,
  refuses,
  disabled,
  go,
}: {
  label: string
  letter: string
  refuses: boolean
  disabled: string | undefined
  go: () => void
}) {
  useShortcut(letter, go, disabled === undefined ? label : null)
  return (
    <>
      <Button
        variant={refuses ? 'default' : 'filled'}
        color={refuses ? 'red' : undefined}
        disabled={disabled !== undefined}
        onClick={go}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {letter.toUpperCase()}
          </Kbd>
        }
      >
        {label}
      </Button>
      {disabled !== undefined && <small className={shared.text}>{disabled}</small>}
    </>
  )
}
