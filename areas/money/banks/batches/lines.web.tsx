import { Button, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconEyeOff, IconUserSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { act, Code, Name, Problems, Status } from '#kit/web/feedback/index.ts'
import {
  formatDate,
  formatMoney,
  formatNumber,
  nameOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { batchCalls, LINE_STATES, lineFields, MATCH_WAYS } from './batch.contract.ts'
import type { MatchCandidate, LineRow } from './batch.contract.ts'
import css from './batches.module.css'

export type BatchLine = LineRow & AnyRow
const F = lineFields
/** Paths whose answers a line changes. */
export const REFRESHES = ['/payments', '/users/work'] as const

const signed = (line: Pick<LineRow, 'amount' | 'direction'>) => (line.direction === 'in' ? line.amount : -line.amount)
export const LineAmount = ({ minor, currency }: { minor: number; currency: string | null }) => (
  <bdi>{formatMoney(minor, currency ?? 'EGP')}</bdi>
)

/** Who paid, as far as the bank says, and for what. */
function Said({ line }: { line: LineRow }) {
  const who = line.counterparty ?? line.reference ?? line.description
  const rest = [line.reference, line.description].filter((text) => text && text !== who).join(' · ')
  return (
    <span className={css.two}>
      <bdi className={css.clip}>{who ?? '–'}</bdi>
      {rest && (
        <small className={css.clip}>
          <bdi>{rest}</bdi>
        </small>
      )}
    </span>
  )
}
/** Why somebody is proposed, or was matched by what was learned; nothing of what was searched for. */
function Why({ of }: { of: MatchCandidate }) {
  const t = useT('banks')
  const { why, by, times = 0, last_on } = of
  if (why === 'search') return null
  if (why !== 'learned') return <>{t(`why_${why}`)}</>
  const said = { count: times, number: formatNumber(times), day: formatDate(last_on) }
  return <>{by === 'account' ? t('why_learned_account', said) : t('why_learned_name', said)}</>
}
/** Whose it is, or why it is nobody's. */
function Whose({ line }: { line: LineRow }) {
  const t = useT('banks')
  const say = useLabel()
  if (line.payer)
    return (
      <span className={css.two}>
        <Name row={line.payer} />
        <small>
          <Code>{line.payer.code}</Code> ·{' '}
          {line.transaction ? (
            <Code>{line.transaction.number}</Code>
          ) : line.invoice ? (
            <Code>{line.invoice.number}</Code>
          ) : (
            say(MATCH_WAYS.find((way) => way.value === line.match_by)?.label ?? ['', ''])
          )}
        </small>
      </span>
    )
  if (line.why) return <span className={css.dim}>{problemText(line.why)}</span>
  if (line.duplicate_of)
    return (
      <Link to={to('/payments/batch/:id', { id: line.duplicate_of.batch_id })}>
        {t('as_in', { number: line.duplicate_of.number, line: line.duplicate_of.line })}
      </Link>
    )
  const [first] = line.proposals
  if (first)
    return (
      <span className={css.two}>
        <span className={css.dim}>{t('perhaps')}</span>
        <small>
          <Name row={first.payer} />
        </small>
      </span>
    )
  return line.unexplained ? <span className={css.dim}>{t('unexplained')}</span> : null
}

const State = ({ line }: { line: LineRow }) => {
  const say = useLabel()
  const state = LINE_STATES.find((one) => one.value === line.state)!
  return <Status tone={state.tone} label={say(state.label)} />
}

export const LINE_COLUMNS: readonly Column<BatchLine>[] = [
  { key: 'booked_on', label: F.booked_on.label, field: F.booked_on, sort: true, width: 130, priority: 8 },
  moneyColumn<BatchLine>({ key: 'amount', label: ['Amount', 'المبلغ'], sort: true, priority: 9, amount: signed }),
  {
    key: 'said',
    label: ['What the bank says', 'بيان البنك'],
    width: 300,
    priority: 7,
    cell: (line) => <Said line={line} />,
  },
  { key: 'state', label: F.state.label, width: 130, priority: 6, cell: (line) => <State line={line} /> },
  { key: 'whose', label: ['Payer', 'الدافع'], width: 260, priority: 5, cell: (line) => <Whose line={line} /> },
]

/** What can be done with lines, and the dialog in which one says whose a line is. */
export function useLines() {
  const t = useT('banks')
  const { send } = useChange(...REFRESHES)
  const [matching, setMatching] = useState<BatchLine | null>(null)
  const leave = async (line: BatchLine) => {
    const reason = await askReason({ title: t('leave_question'), text: t('leave_text'), action: t('leave') })
    if (reason)
      await act({
        go: () =>
          send(batchCalls.line, { params: { id: line.id }, body: { do: 'leave', reason, version: line.version } }),
        done: () => t('left_out'),
      })
  }
  const again = (line: BatchLine) =>
    act({
      ...(line.state === 'duplicate' && {
        ask: { title: t('own_payment_question'), consequence: t('own_payment_text'), action: t('own_payment') },
      }),
      go: () => send(batchCalls.line, { params: { id: line.id }, body: { do: 'again', version: line.version } }),
      done: () => t('judged_again'),
    })
  const actions = (line: BatchLine): RowAction[] => [
    ...(line.abilities.includes('match')
      ? [
          {
            key: 'match',
            label: t('whose'),
            icon: <IconUserSearch size={16} aria-hidden />,
            onSelect: () => setMatching(line),
          },
        ]
      : []),
    ...(line.abilities.includes('leave')
      ? [
          {
            key: 'leave',
            label: t('leave'),
            icon: <IconEyeOff size={16} aria-hidden />,
            onSelect: () => void leave(line),
          },
        ]
      : []),
    ...(line.abilities.includes('again')
      ? [
          {
            key: 'again',
            label: t(line.state === 'duplicate' ? 'own_payment' : 'take_back'),
            icon: <IconArrowBackUp size={16} aria-hidden />,
            onSelect: () => void again(line),
          },
        ]
      : []),
  ]
  return {
    actions,
    open: setMatching,
    dialog: matching && <LineDialog key={matching.id} line={matching} onClose={() => setMatching(null)} />,
  }
}

/** A line in full, and whose it is. */
function LineDialog({ line, onClose }: { line: BatchLine; onClose: () => void }) {
  const t = useT('banks')
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange(...REFRESHES)
  const [search, setSearch] = useState('')
  const may = line.abilities.includes('match')
  const { data } = useCall(
    batchCalls.candidates,
    { params: { id: line.id }, body: { search } },
    { enabled: may && search.trim().length > 1, placeholderData: (before) => before },
  )
  const found = search.trim().length > 1 ? (data?.data ?? []) : line.proposals
  const choose = async ({ payer, invoice }: MatchCandidate) => {
    const body = { do: 'match', payer_id: payer.id, invoice_id: invoice?.id ?? null, version: line.version } as const
    if (await go(() => send(batchCalls.line, { params: { id: line.id }, body }))) onClose()
  }
  const text = (value: string | null) => (value ? <bdi>{value}</bdi> : '–')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`${line.batch.number} · ${t('line_n', { line: line.line })}`}
      closeButtonProps={{ 'aria-label': t('close') }}
      size="lg"
    >
      <Stack>
        <Facts
          items={[
            { label: t('amount'), value: <LineAmount minor={signed(line)} currency={line.currency} /> },
            { label: t('day'), value: line.booked_on ? formatDate(line.booked_on) : '–' },
            { label: t('counterparty'), value: text(line.counterparty) },
            { label: t('account'), value: line.iban ? <Code>{line.iban}</Code> : '–' },
            { label: t('reference'), value: text(line.reference) },
            { label: t('state'), value: <State line={line} /> },
            { label: t('description'), value: text(line.description), wide: true },
            ...(line.match_by === 'learned' && line.proposals[0]
              ? [{ label: t('why_matched'), value: <Why of={line.proposals[0]} />, wide: true }]
              : []),
            ...(line.payer || line.why || line.duplicate_of
              ? [{ label: t('payer'), value: <Whose line={line} />, wide: true }]
              : []),
          ]}
        />
        {may && (
          <>
            <TextInput
              label={t('find_payer')}
              description={t('find_payer_text')}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              data-autofocus
            />
            {found.length > 0 ? (
              <ul className={css.choices}>
                {found.map((one) => (
                  <li key={`${one.payer.id} ${one.invoice?.id ?? ''}`}>
                    <button type="button" className={css.choice} disabled={busy} onClick={() => void choose(one)}>
                      <span className={css.two}>
                        <span>
                          <bdi>{nameOf(one.payer, lang)}</bdi> <Code>{one.payer.code}</Code>
                        </span>
                        <small>{one.invoice ? <Code>{one.invoice.number}</Code> : t('oldest_first')}</small>
                        {one.why !== 'search' && (
                          <small>
                            <Why of={one} />
                          </small>
                        )}
                      </span>
                      {one.invoice && <LineAmount minor={one.invoice.open} currency={line.currency} />}
                    </button>
                  </li>
                ))}
              </ul>
            ) : (
              search.trim().length > 1 && data && <p className={css.dim}>{t('nobody_found')}</p>
            )}
          </>
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </Stack>
    </Dialog>
  )
}
