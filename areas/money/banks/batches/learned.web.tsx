import { IconEraser } from '@tabler/icons-react'
import { useChange } from '#kit/web/api/index.ts'
import { act, Code, Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { batchCalls, LEARNED_EFFECTS } from './batch.contract.ts'
import type { LearnedRow } from './batch.contract.ts'
import css from './batches.module.css'

type Row = LearnedRow & AnyRow

function What({ row }: { row: Row }) {
  const t = useT('banks')
  return (
    <span className={css.two}>
      {row.by === 'account' ? <Code>{row.what}</Code> : <bdi>{row.what}</bdi>}
      <small>{t(`known_by_${row.by}`)}</small>
    </span>
  )
}
function Payers({ row }: { row: Row }) {
  const t = useT('banks')
  const [first] = row.payers
  const more = row.payers_count - 1
  if (!first) return '–'
  return (
    <span className={css.two}>
      <Name row={first} />
      <small>
        <Code>{first.code}</Code>
        {more > 0 && ` · ${t('and_more', { number: formatNumber(more) })}`}
      </small>
    </span>
  )
}
function Effect({ row }: { row: Row }) {
  const say = useLabel()
  const { tone, label } = LEARNED_EFFECTS.find((one) => one.value === row.effect)!
  return <Status tone={tone} label={say(label)} />
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'id', label: ['Known by', 'يُعرف بـ'], sort: true, width: 320, priority: 9, cell: (row) => <What row={row} /> },
  { key: 'payers', label: ['Payer', 'الدافع'], width: 280, priority: 8, cell: (row) => <Payers row={row} /> },
  {
    key: 'times',
    label: ['Times', 'المرات'],
    sort: true,
    width: 110,
    align: 'end',
    priority: 6,
    cell: (row) => formatNumber(row.times),
  },
  {
    key: 'last_on',
    label: ['Last line', 'آخر بند'],
    sort: true,
    width: 150,
    priority: 5,
    cell: (row) => formatDate(row.last_on),
  },
  { key: 'effect', label: ['What it does', 'الأثر'], width: 140, priority: 7, cell: (row) => <Effect row={row} /> },
]

/** What people said of lines of bank files that named nothing of ours, and what the program makes of it. */
export default function LearnedScreen() {
  const t = useT('banks')
  const { send } = useChange('/payments/batches/learned')
  const forget = async (row: Row) => {
    const reason = await askReason({ title: t('forget_question'), text: t('forget_text'), action: t('forget') })
    if (reason)
      await act({ go: () => send(batchCalls.forget, { body: { key: row.id, reason } }), done: () => t('forgotten') })
  }
  return (
    <ListScreen<Row>
      call={batchCalls.learned}
      title={['Learned payers', 'دافعون معروفون بالتعلّم']}
      subtitle={t('learned_text')}
      columns={COLUMNS}
      order={['last_on', 'desc']}
      rowName={(row) => row.what}
      actions={(row) =>
        row.abilities.includes('forget')
          ? [
              {
                key: 'forget',
                label: t('forget'),
                icon: <IconEraser size={16} aria-hidden />,
                onSelect: () => void forget(row),
              },
            ]
          : []
      }
      empty={{ title: t('no_learned'), text: t('no_learned_text') }}
    />
  )
}
