import { Button, Modal } from '@mantine/core'
import { IconCalculator, IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Code, Name, Problems, act, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatNumber, nameOf, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { levelCalls, type LevelResultRow } from './levels.contract.ts'
import { LevelState } from './parts.web.tsx'
import css from './level-results.module.css'

type Row = LevelResultRow & AnyRow

const filters = {
  year_id: f.lookup(['Year', 'العام'], 'year'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw'),
  level: f.integer(['Level', 'المستوى'], { max: 7 }),
}
const figure = (value: number) => (value ? <Code>{formatNumber(value)}</Code> : <span className={css.dim}>–</span>)

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', label: ['Level', 'المستوى'], sort: 'level', width: 150, cell: (row) => <Name row={row} /> },
  { key: 'bylaw', label: ['Bylaw', 'اللائحة'], sort: true, width: 220, cell: (row) => <Name row={row.bylaw} /> },
  { key: 'year', label: ['Year', 'العام'], sort: true, width: 120, cell: (row) => <Name row={row.year} /> },
  { key: 'state', label: ['State', 'الحالة'], width: 150, least: 130, cell: (row) => <LevelState value={row.state} /> },
  {
    key: 'students',
    label: ['Students', 'الطلاب'],
    sort: true,
    align: 'end',
    width: 90,
    cell: (row) => figure(row.students),
  },
  {
    key: 'decided',
    label: ['Decided already', 'حُسمت نتيجتهم'],
    align: 'end',
    width: 100,
    cell: (row) => figure(row.decided),
  },
  {
    key: 'below_approved',
    label: ['Not approved', 'مقررات لم تُعتمد'],
    align: 'end',
    width: 120,
    cell: (row) => figure(row.below_approved),
  },
  {
    key: 'second_session',
    label: ['Second session', 'الدور الثاني'],
    width: 150,
    cell: (row) => (row.second_session ? <Name row={row.second_session} /> : <span className={css.dim}>–</span>),
  },
]

/** Levels of years: where each stands, and what is done next. */
export default function Levels() {
  const t = useT('level-results')
  const lang = useLanguage()
  const navigate = useNavigate()
  const { send } = useChange('/control')
  const [opening, setOpening] = useState<Row | null>(null)
  const nameOfRow = (row: Row) => `${nameOf(row, lang)} · ${nameOf(row.year, lang)}`
  const preview = async ({ bylaw_id, year_id, level }: Row) => {
    const answer = await act({
      go: () => send(levelCalls.preview, { body: { bylaw_id, year_id, level } }),
      done: () => null,
    })
    if (answer) void navigate(to('/control/levels/:id', { id: answer.data.id }))
  }
  return (
    <>
      <ListScreen<Row>
        call={levelCalls.list}
        title={['Results of levels', 'نتائج المستويات']}
        columns={COLUMNS}
        filters={filters}
        order={['year', 'desc']}
        perPage={50}
        rowName={nameOfRow}
        rowHref={(row) => (row.result_id ? to('/control/levels/:id', { id: row.result_id }) : null)}
        inlineWidth={130}
        inline={(row) =>
          row.abilities.includes('preview')
            ? {
                key: 'preview',
                label: t('preview'),
                short: t('preview'),
                icon: <IconCalculator size={15} aria-hidden />,
                onSelect: () => void preview(row),
              }
            : null
        }
        actions={(row) =>
          row.abilities.includes('second_session')
            ? [
                {
                  key: 'second_session',
                  label: t('open_second_session'),
                  icon: <IconRepeat size={15} aria-hidden />,
                  onSelect: () => setOpening(row),
                },
              ]
            : []
        }
        empty={{ title: t('levels_empty'), text: t('levels_empty_text') }}
      />
      {opening && <SecondSession row={opening} title={nameOfRow(opening)} onClose={() => setOpening(null)} />}
    </>
  )
}

/** Opens the second session of a level in a term that is chosen. */
function SecondSession({ row, title, onClose }: { row: Row; title: string; onClose: () => void }) {
  const t = useT('level-results')
  const { busy, problem, go, send } = useChange('/control', '/offerings')
  const [term_id, setTerm] = useState<number | null>(null)
  const open = async () => {
    const { bylaw_id, year_id, level } = row
    const done = await go(() =>
      send(levelCalls.secondSession, { body: { bylaw_id, year_id, level, term_id: term_id! } }),
    )
    if (!done) return
    const { students, charged, not_charged } = done.answer.data
    notify.done(
      [
        t('second_session_opened', { count: students }),
        ...(charged ? [t('second_session_charged', { count: charged })] : []),
        ...(not_charged ? [t('second_session_not_charged', { count: not_charged })] : []),
      ].join('. '),
    )
    onClose()
  }
  return (
    <Modal
      opened
      onClose={() => !busy && onClose()}
      title={withHeading(t('open_second_session'), title)}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('cancel') }}
    >
      <Stack>
        <p className={css.text}>{t('second_session_text')}</p>
        <TermPicker label={t('term')} value={term_id} onChange={setTerm} />
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Button variant="default" disabled={busy} onClick={onClose}>
            {t('cancel')}
          </Button>
          <Submit data-autofocus loading={busy} missing={[term_id === null && t('term')]} onClick={() => void open()}>
            {t('open_second_session')}
          </Submit>
        </div>
      </Stack>
    </Modal>
  )
}
