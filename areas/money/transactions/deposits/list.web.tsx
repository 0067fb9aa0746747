import { Checkbox, Textarea } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { PAYER, PayerName, payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatMoney, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import shared from '../../money.module.css'
import { depositFields as F, depositsPart, type DepositRow } from './deposit.contract.ts'

type Row = DepositRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'student_id',
    label: PAYER,
    sort: true,
    width: 260,
    cell: (row) => <PayerName of={row} />,
  },
  moneyColumn({ key: 'held', label: F.held.label, sort: true }),
  moneyColumn({ key: 'returned', label: F.returned.label, sort: true }),
  moneyColumn({ key: 'owed', label: F.owed.label, sort: true }),
  { key: 'state', label: F.state.label, field: F.state, sort: true, width: 150 },
  { key: 'faculty_id', label: F.faculty_id.label, width: 200, cell: (row) => <Name row={row.faculty} /> },
]

/** What the university holds of students, and what of it goes back. */
export default function Deposits() {
  const t = useT('transactions')
  const lang = useLanguage()
  const [giving, setGiving] = useState<Row | null>(null)
  return (
    <>
      <ListScreen<Row>
        call={depositsPart.calls.deposits}
        title={['Deposits', 'التأمينات']}
        columns={COLUMNS}
        filters={{ state: F.state, faculty_id: F.faculty_id, currency: F.currency, student_id: F.student_id }}
        order={['held', 'desc']}
        rowName={(row) => payerCalled(row, lang)}
        rowHref={(row) =>
          row.student
            ? to('/credit/:id', { id: row.student.id })
            : (row.payer?.kind === 'staff' || row.payer?.kind === 'guest') && may('show_statement')
              ? to('/ledger/payer-statements/:kind/:id', { kind: row.payer.kind, id: row.payer.id })
              : `/transactions?search=${encodeURIComponent(row.payer?.code ?? '')}`
        }
        actions={(row) =>
          row.abilities.includes('return')
            ? [
                {
                  key: 'return',
                  label: t('give_deposit_back'),
                  icon: <IconArrowBackUp size={16} aria-hidden />,
                  onSelect: () => setGiving(row),
                },
              ]
            : []
        }
        empty={{ title: t('no_deposits'), text: t('no_deposits_text') }}
      />
      {giving && <GiveBack row={giving} onClose={() => setGiving(null)} />}
    </>
  )
}

/** Gives one back: what happens to it is said before. */
function GiveBack({ row, onClose }: { row: DepositRow; onClose: () => void }) {
  const t = useT('transactions')
  const { busy, problem, go, send } = useChange(
    '/deposits',
    '/credits',
    '/transactions',
    '/payments',
    '/student-payments',
  )
  const [setOff, setSetOff] = useState(row.owed > 0)
  const [reason, setReason] = useState('')
  const [failed, setFailed] = useState<string | null>(null)
  const amount = (minor: number) => formatMoney(minor, row.currency)
  const save = async () => {
    const done = await go(() =>
      send(depositsPart.calls.returnDeposits, {
        body: { ids: [row.id], currency: row.currency, set_off: setOff, reason },
      }),
    )
    if (!done) return
    const [refused] = done.answer.data.failed
    if (refused) return setFailed(refused.errors.map((one) => problemText(one)).join(' '))
    notify.done(t('deposit_is_back', { amount: amount(row.held) }))
    onClose()
  }
  const settled = setOff ? Math.min(row.owed, row.held) : 0
  return (
    <Dialog opened onClose={onClose} title={t('give_deposit_back')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <p className={shared.text}>
          <PayerName of={row} />
        </p>
        {row.owed > 0 && (
          <Checkbox
            label={t('deposit_set_off', { owed: amount(row.owed) })}
            checked={setOff}
            onChange={(event) => setSetOff(event.currentTarget.checked)}
          />
        )}
        <p className={`${shared.text} ${shared.dim}`}>
          {settled > 0
            ? t('deposit_settles', { settled: amount(settled), rest: amount(row.held - settled) })
            : t('deposit_to_wallet', { amount: amount(row.held) })}
        </p>
        <Textarea
          label={t('reason')}
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={failed}
          data-autofocus
        />
        {problem !== null && <Problems error={problem} />}
        <div className={shared.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[!reason.trim() && t('reason')]}
            onClick={() => void save()}
          >
            {t('give_deposit_back')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
