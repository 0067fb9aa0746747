import { Button } from '@mantine/core'
import { IconUserPlus, IconUsers, IconUsersMinus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name, Status, act } from '#kit/web/feedback/index.ts'
import { formatMoney, formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { resourceCalls, type Row } from '#kit/contract/resource.ts'
import { sponsorAccountCalls } from '../account/account.contract.ts'
import { SPONSORSHIP_STATES, sponsorship, sponsorshipCalls } from '../sponsorships/sponsorship.contract.ts'
import shared from '../../money.module.css'

const calls = resourceCalls(sponsorship)
const AddDialog = part(async () => (await import('../sponsorships/add-dialog.web.tsx')).default)
const WithdrawDialog = part(async () => (await import('../sponsorships/withdraw-dialog.web.tsx')).default)
type Sponsored = Row<typeof sponsorship>
const MOST = 500

/** How much a sponsor pays for a student. */
export function Worth({ row, currency }: { row: Pick<Sponsored, 'percent' | 'amount'>; currency: string }) {
  return <bdi>{row.percent == null ? formatMoney(row.amount ?? 0, currency) : `${Number(row.percent)}%`}</bdi>
}
export function SponsorshipState({ status }: { status: string | null }) {
  const say = useLabel()
  const state = SPONSORSHIP_STATES.find(({ value }) => value === status) ?? SPONSORSHIP_STATES[0]
  return <Status tone={state.tone} label={say(state.label)} />
}

/** Whom a sponsor pays for: what it agreed to, what it took over and what of that is paid; more are added, and it withdraws. */
export function StudentsOfSponsor({ id, active }: { id: number; active: boolean }) {
  const t = useT('sponsors')
  const { send } = useChange('/sponsors', '/sponsorships', '/payments', '/students')
  const [open, setOpen] = useState<'add' | 'withdraw' | null>(null)
  const { data, error, refetch } = useCall(calls.list, {
    body: { perPage: MOST, filters: { sponsor_id: [id] }, order_by: 'status', order_direction: 'asc' },
  })
  const { data: account } = useCall(sponsorAccountCalls.account, { params: { id }, query: {} })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const rows = data?.data
  const sums = new Map(account?.data.students.map((one) => [one.student.id, one]))
  const currency = account?.data.sponsor.currency ?? 'EGP'
  const money = (minor: number | undefined) => (minor === undefined ? '–' : <bdi>{formatMoney(minor, currency)}</bdi>)
  const offered = (rows ?? []).filter((row) => row.status === 'offered')
  const running = (rows ?? []).some((row) => row.status === 'offered' || row.status === 'active')
  const add = may('add_sponsorship') && active && (
    <Button size="xs" leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setOpen('add')}>
      {t('add_students')}
    </Button>
  )
  const begin = () =>
    act({
      ask: {
        title: t('begin_title', { n: formatNumber(offered.length) }),
        consequence: t('begin_text'),
        action: t('begin'),
      },
      go: () => send(sponsorshipCalls.begin, { body: { ids: offered.map((row) => row.id) } }),
      done: () => t('begun', { n: formatNumber(offered.length) }),
    })
  return (
    <Card
      title={t('students')}
      text={rows && rows.length > 0 ? t('students_count', { n: formatNumber(rows.length) }) : undefined}
      aside={
        rows?.length ? (
          <div className={shared.buttons}>
            {offered.length > 0 && may('begin_sponsorship') && (
              <Button variant="default" size="xs" onClick={() => void begin()}>
                {t('begin_offered', { n: formatNumber(offered.length) })}
              </Button>
            )}
            {running && may('withdraw_sponsor') && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconUsersMinus size={16} aria-hidden />}
                onClick={() => setOpen('withdraw')}
              >
                {t('withdraw')}
              </Button>
            )}
            {add}
          </div>
        ) : undefined
      }
    >
      {!rows ? (
        <Bone height={280} />
      ) : !rows.length ? (
        <Empty
          icon={<IconUsers size={28} aria-hidden />}
          title={t('no_students')}
          text={t('no_students_text')}
          action={add}
        />
      ) : (
        <Table
          label={t('students')}
          className={shared.table}
          rows={rows}
          rowKey={(row) => row.id}
          columns={[
            {
              key: 'student',
              label: t('student'),
              cell: (row) =>
                row.student && (
                  <span className={shared.two}>
                    <Link to={to('/sponsorships/:id', { id: row.id })}>
                      <Name row={row.student} />
                    </Link>
                    <small>
                      <Code>{row.student.code}</Code>
                    </small>
                  </span>
                ),
            },
            {
              key: 'terms',
              label: t('terms'),
              cell: (row) => (
                <>
                  {row.from_term && <Name row={row.from_term} />}
                  {row.until_term ? (
                    row.until_term.id !== row.from_term?.id && (
                      <>
                        {' – '}
                        <Name row={row.until_term} />
                      </>
                    )
                  ) : (
                    <> – …</>
                  )}
                </>
              ),
            },
            { key: 'worth', label: t('share'), figure: true, cell: (row) => <Worth row={row} currency={currency} /> },
            { key: 'taken', label: t('taken'), figure: true, cell: (row) => money(sums.get(row.student_id)?.taken) },
            { key: 'paid', label: t('paid'), figure: true, cell: (row) => money(sums.get(row.student_id)?.paid) },
            { key: 'state', label: t('state'), cell: (row) => <SponsorshipState status={row.status} /> },
          ]}
        />
      )}
      {rows && rows.length >= MOST && <p className={shared.text}>{t('first_of', { n: formatNumber(MOST) })}</p>}
      <Suspense fallback={null}>
        {open === 'add' && <AddDialog sponsor={id} currency={currency} onClose={() => setOpen(null)} />}
        {open === 'withdraw' && <WithdrawDialog sponsor={id} onClose={() => setOpen(null)} />}
      </Suspense>
    </Card>
  )
}
