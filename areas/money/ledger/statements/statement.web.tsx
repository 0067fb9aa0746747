import { IconFileSpreadsheet, IconFileTypePdf } from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { may, useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatDate, formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { to, useParams, useSearchParams } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Facts, Identity } from '#kit/web/detail/parts.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { PAYER_KINDS } from '../payer.contract.ts'
import { STATEMENT_KINDS, statementCalls, type LedgerStatementLine, type StatementPart } from './statement.contract.ts'
import { payingOfWorker } from '../outlets.contract.ts'
import { statementHeadOf, numbersOf } from './statement.rules.ts'
import css from '../ledger.module.css'

const Paying = filled(payingOfWorker)

/** What the reader owes as a member of staff. */
export function OwnStaffStatement() {
  const { user } = useMe()
  return <Statement whose={{ kind: 'staff', id: user.id }} own />
}

type Whose = { readonly kind: 'student' | (typeof STATEMENT_KINDS)[number]; readonly id: number }

/** A student's statement, for staff who reach the student. */
export default function StatementOf() {
  return <Statement whose={{ kind: 'student', id: Number(useParams().student_id) }} />
}

/** That of who works here, or of a guest. */
export function StatementOfPayer() {
  const { kind, id } = useParams()
  const known = STATEMENT_KINDS.find((one) => one === kind)
  return known ? <Statement key={`${known} ${id}`} whose={{ kind: known, id: Number(id) }} /> : null
}

/** The reader's own. */
export function OwnStatement() {
  const { user } = useMe()
  return user.student_id === null ? null : <Statement whose={{ kind: 'student', id: user.student_id }} own />
}

const isDay = (text: unknown): text is string => typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)

/** The statement, and its papers; of a student by a call of the student's, of others by one of theirs. */
function useStatement({ kind, id }: Whose, asked: { from?: string; until?: string }) {
  const options = { placeholderData: keepPreviousData }
  const ofStudent = useCall(
    statementCalls.get,
    { params: { student_id: id }, query: asked },
    { ...options, enabled: kind === 'student' },
  )
  const ofPayer = useCall(
    statementCalls.ofPayer,
    { params: { kind: kind === 'student' ? 'guest' : kind, id }, query: asked },
    { ...options, enabled: kind !== 'student' },
  )
  const take = (lang: 'ar' | 'en', format: 'pdf' | 'xlsx') =>
    kind === 'student'
      ? download(statementCalls.file, { params: { student_id: id, lang }, body: { ...asked, format } })
      : download(statementCalls.fileOfPayer, { params: { kind, id, lang }, body: { ...asked, format } })
  return { ...(kind === 'student' ? ofStudent : ofPayer), take }
}

function Statement({ whose, own = false }: { whose: Whose; own?: boolean }) {
  const t = useT('ledger')
  const lang = useLanguage()
  const [address, setAddress] = useSearchParams()
  const [from, until] = [address.get('from'), address.get('until')].map((day) => (isDay(day) ? day : null))
  const asked = { ...(from && { from }), ...(until && { until }) }
  const { data, error, refetch, isPlaceholderData, take: taken } = useStatement(whose, asked)
  const { problem, go } = useChange()
  const say = useLabel()
  const statement = data?.data
  const who = statement?.student ?? statement?.payer
  const kindOf = PAYER_KINDS.find(({ value }) => value === statement?.payer?.kind)?.label
  const choose = (name: 'from' | 'until') => (value: unknown) => {
    if (value !== null && !isDay(value)) return
    const next = new URLSearchParams(address)
    if (value === null) next.delete(name)
    else next.set(name, value)
    setAddress(next, { replace: true })
  }
  const take = (paper: 'ar' | 'en', format: 'pdf' | 'xlsx') => () => void go(() => taken(paper, format))
  const mine = lang === 'ar' ? 'ar' : 'en'
  const main: RowAction = {
    key: 'pdf',
    label: t('print'),
    icon: <IconFileTypePdf size={16} aria-hidden />,
    onSelect: take(mine, 'pdf'),
  }
  const menu: RowAction[] = [
    {
      key: 'other',
      label: t(mine === 'ar' ? 'print_en' : 'print_ar'),
      icon: <IconFileTypePdf size={15} aria-hidden />,
      onSelect: take(mine === 'ar' ? 'en' : 'ar', 'pdf'),
    },
    {
      key: 'xlsx',
      label: t('as_sheet'),
      icon: <IconFileSpreadsheet size={15} aria-hidden />,
      onSelect: take(mine, 'xlsx'),
    },
  ]
  const title = t(own ? (whose.kind === 'staff' ? 'my_money' : 'my_statement') : 'statement')
  return (
    <Page
      title={title}
      subtitle={statement ? t('statement_until', { day: formatDate(statement.until, 'long') }) : '\u00A0'}
      action={<MainButton action={main} />}
      menu={<MenuItems actions={menu} />}
    >
      <Stack>
        {!own &&
          (who ? (
            <Identity
              row={who}
              photo={false}
              line={statement?.faculty ? <bdi>{nameOf(statement.faculty, lang)}</bdi> : kindOf && say(kindOf)}
            />
          ) : (
            <Bone height={64} />
          ))}
        {own && whose.kind === 'staff' && <Paying />}
        <div className={css.bar}>
          <DateInput name="from" label={t('from')} defaultValue={from ?? null} onChange={choose('from')} />
          <DateInput name="until" label={t('until')} defaultValue={until ?? null} onChange={choose('until')} />
        </div>
        {problem !== null && <Problems error={problem} />}
        {error && <Failed error={error} retry={() => void refetch()} />}
        {!statement && !error && <Bone height={360} />}
        {statement?.currencies.length === 0 && (
          <Card>
            <Empty title={t('nothing_yet')} text={t('nothing_yet_text')} />
          </Card>
        )}
        <Stack busy={isPlaceholderData}>
          {!error &&
            statement?.currencies.map((part) => <Part key={part.currency} part={part} from={statement.from} />)}
        </Stack>
      </Stack>
    </Page>
  )
}

/** What happened, with the numbers that tell it from others, and below it of what: what was asked for, why. */
function What({ line, currency }: { line: LedgerStatementLine; currency: string }) {
  const say = useLabel()
  const lang = useLanguage()
  const t = useT('ledger')
  const because = lang === 'ar' ? (line.reason_local ?? line.reason) : line.reason
  const more = [...line.items.map((item) => nameOf(item, lang)), ...(because ? [because] : [])]
  return (
    <span className={css.two}>
      <span>
        {statementHeadOf(line).map(say).join(': ')}{' '}
        {numbersOf(line).map((number) => (
          <Code key={number} className={css.number}>
            {number}
          </Code>
        ))}
      </span>
      {more.length > 0 && (
        <small>
          <bdi>{more.join(lang === 'ar' ? '، ' : ', ')}</bdi>
        </small>
      )}
      {line.owed === line.wallet && (
        <small>{t('moved', { amount: formatMoney(Math.abs(line.wallet), currency) })}</small>
      )}
    </span>
  )
}

type Row = LedgerStatementLine & { readonly id: number; readonly [key: string]: unknown }

function Part({ part, from }: { part: StatementPart; from: string | null }) {
  const t = useT('ledger')
  const say = useLabel()
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const { currency } = part
  const money = (minor: number) => <Code>{formatMoney(minor, currency)}</Code>
  const stands = part.balance > 0 ? t('owes') : part.balance < 0 ? t('in_favour') : t('settled_all')
  return (
    <Card title={t('account_in', { currency })} text={stands}>
      <Stack>
        <Facts
          short
          items={[
            { label: t('owed'), value: <b>{money(part.owed)}</b> },
            { label: t('in_wallet'), value: <b>{money(part.wallet)}</b> },
            { label: t('balance'), value: <b>{money(part.balance)}</b> },
            ...(part.deposit === 0 ? [] : [{ label: t('deposit_held'), value: money(part.deposit) }]),
            ...(from === null ? [] : [{ label: t('opening', { day: formatDate(from) }), value: money(part.opening) }]),
          ]}
        />
        {narrow && part.lines.length > 0 ? (
          <ol className={css.lines} aria-label={t('account_in', { currency })}>
            {part.lines.map((line) => (
              <li key={line.entry_id}>
                <What line={line} currency={currency} />
                <span className={css.sum} data-less={line.owed < line.wallet || undefined}>
                  {money(line.owed - line.wallet)}
                </span>
                <small>{formatDate(line.booked_on)}</small>
                <small>
                  {t('balance')} {money(line.balance)}
                </small>
              </li>
            ))}
          </ol>
        ) : (
          <DataTable<Row>
            caption={t('account_in', { currency })}
            rows={part.lines.map((line) => ({ ...line, id: line.entry_id }))}
            rowName={(row) => statementHeadOf(row).map(say).join(': ')}
            {...(may('access_ledger') && { rowHref: (row) => to('/ledger/entries/:id', { id: row.id }) })}
            empty={<Empty title={t('nothing_then')} text={t('nothing_then_text')} />}
            columns={[
              { key: 'booked_on', label: ['Day', 'التاريخ'], width: 120, cell: (row) => formatDate(row.booked_on) },
              {
                key: 'what',
                label: ['What', 'البيان'],
                width: 380,
                cell: (row) => <What line={row} currency={currency} />,
              },
              {
                key: 'charged',
                label: ['Charged', 'مستحق'],
                width: 140,
                align: 'end',
                cell: (row) => (row.owed > row.wallet ? money(row.owed - row.wallet) : null),
              },
              {
                key: 'settled',
                label: ['Paid', 'مسدد'],
                width: 140,
                align: 'end',
                cell: (row) => (row.wallet > row.owed ? money(row.wallet - row.owed) : null),
              },
              {
                key: 'balance',
                label: ['Balance', 'الرصيد'],
                width: 140,
                align: 'end',
                cell: (row) => money(row.balance),
              },
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}
