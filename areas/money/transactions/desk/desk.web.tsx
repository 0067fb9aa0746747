import { Button } from '@mantine/core'
import { IconPrinter, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may, useEvent } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Problems, useShortcut } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { useAtLeast } from '#kit/web/form/least.ts'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatMoney, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { printReceipt } from '../moves/receipt.web.tsx'
import { MOST_PAYERS, deskCalls as calls, type Payer } from './desk.contract.ts'
import { Drawer, OpenDrawer } from './drawer.web.tsx'
import { PayerCard } from './payer.web.tsx'
import { whatPays } from './who.web.ts'
import shared from '../../money.module.css'
import css from '../transactions.module.css'

/** What was just done at the desk. */
export interface Done {
  readonly id: number
  readonly receipt: string | null
  readonly payer: Payer
  /** In a sentence. */
  readonly text: string
  /** What is owed still, in a sentence; absent where nothing was paid of what is owed. */
  readonly left?: string
}

/** The cashier's desk: one field finds who pays, Enter takes, the receipt prints, and the field waits for the next. */
export default function Cashier() {
  const say = useLabel()
  const { data, error, refetch } = useCall(calls.shift)
  useEvent('account', () => void refetch())
  const shift = data?.data
  return (
    <Page title={say(['Cashier’s desk', 'شباك الخزينة'])}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={320} />
      ) : !shift ? (
        <OpenDrawer />
      ) : (
        <div className={css.desk}>
          <Desk />
          <Drawer of={shift} />
        </div>
      )}
    </Page>
  )
}

function Desk() {
  const t = useT('transactions')
  const lang = useLanguage()
  const field = useRef<HTMLInputElement>(null)
  const { busy, problem, go, send, forget } = useChange()
  const atLeast = useAtLeast()
  // Whoever comes from what somebody owes has named the payer already.
  const [query] = useSearchParams()
  const [text, setText] = useState(query.get('find')?.slice(0, 80) ?? '')
  const [found, setFound] = useState<ResponseOf<typeof calls.find>['data'] | null>(null)
  const [payer, setPayer] = useState<Payer | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const back = () => {
    setText('')
    setFound(null)
    setPayer(null)
    forget()
    field.current?.focus()
  }
  useEffect(() => field.current?.focus(), [])
  useShortcut('/', () => field.current?.focus(), t('find_payer'))
  useShortcut('mod+p', () => done?.receipt && void printReceipt(done.id, lang), done?.receipt ? t('print_last') : null)
  const find = async () => {
    setPayer(null)
    setFound(null)
    const answer = await go(() => send(calls.find, { body: { text: text.trim() } }))
    if (!answer) return
    const { data } = answer.answer
    setDone(null)
    setFound(data)
    if (data.length === 1) setPayer(data[0]!)
    else field.current?.select()
  }
  /** The payer once more, as he or she stands now. */
  const again = async (of: Payer) => {
    const answer = await go(() =>
      send(calls.find, { body: { text: (of.student ?? of.payer)?.code ?? of.payer?.name ?? '' } }),
    )
    const now = answer?.answer.data.find((one) => payerKey(one) === payerKey(of))
    if (now) setPayer(now)
  }
  const finish = (what: Done) => {
    setDone(what)
    back()
    if (what.receipt) void printReceipt(what.id, lang)
  }
  return (
    <Stack>
      <Card>
        <PlainForm className={css.search} role="search" busy={busy} send={() => void find()}>
          <Asked
            name="payer"
            rule={atLeast(2)}
            ref={field}
            size="lg"
            aria-label={t('find_payer')}
            placeholder={t('find_payer')}
            autoComplete="off"
            spellCheck={false}
            maxLength={80}
            value={text}
            leftSection={<IconSearch size={20} aria-hidden />}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') back()
              if (event.key === 'ArrowDown')
                event.currentTarget
                  .closest('section')
                  ?.parentElement?.querySelector<HTMLElement>('[data-first]')
                  ?.focus()
            }}
            attributes={{ input: { dir: 'auto' } }}
          />
          <Button type="submit" size="lg" variant="default" loading={busy}>
            {t('find')}
          </Button>
        </PlainForm>
        <p className={css.keys}>
          <kbd>Enter</kbd> {t('key_enter')} · <kbd>Space</kbd> {t('key_space')} · <kbd>Esc</kbd> {t('key_escape')}
        </p>
      </Card>
      {problem !== null && <Problems error={problem} />}
      {done && (
        <Card label={t('last_receipt')}>
          <div className={css.taken} role="status">
            <span className={shared.two}>
              <b>{done.text}</b>
              <small>
                <bdi>{payerCalled(done.payer, lang)}</bdi>
                {done.receipt && (
                  <>
                    {' · '}
                    {may('access_transaction') ? (
                      <Link to={to('/transaction/:id', { id: done.id })}>
                        <Code>{done.receipt}</Code>
                      </Link>
                    ) : (
                      <Code>{done.receipt}</Code>
                    )}
                  </>
                )}
              </small>
              {done.left && <span>{done.left}</span>}
            </span>
            {done.receipt && (
              <Button
                variant="default"
                leftSection={<IconPrinter size={16} aria-hidden />}
                onClick={() => void printReceipt(done.id, lang)}
              >
                {t('print_again')}
              </Button>
            )}
          </div>
        </Card>
      )}
      {payer ? (
        <PayerCard
          key={`${payerKey(payer)} ${payer.wallets.map((one) => one.wallet).join()} ${payer.invoices.map((invoice) => invoice.open).join()}`}
          of={payer}
          onBack={back}
          onDone={finish}
          onChanged={() => void again(payer)}
        />
      ) : found && !found.length ? (
        <Card>
          <Empty title={t('nobody_found')} text={t('nobody_found_text')} />
        </Card>
      ) : (
        found && <Choose from={found} onChoose={setPayer} onBack={back} />
      )}
    </Stack>
  )
}

/** Several were found: arrows and Enter choose one. */
function Choose({
  from,
  onChoose,
  onBack,
}: {
  from: readonly Payer[]
  onChoose: (payer: Payer) => void
  onBack: () => void
}) {
  const t = useT('transactions')
  const lang = useLanguage()
  const say = useLabel()
  return (
    <Card title={t('who_pays')}>
      <div className={css.found}>
        {from.map((one, i) => (
          <button
            key={payerKey(one)}
            type="button"
            data-first={i === 0 || undefined}
            onClick={() => onChoose(one)}
            onKeyDown={(event) => {
              const { currentTarget, key } = event
              const next =
                key === 'ArrowDown'
                  ? currentTarget.nextElementSibling
                  : key === 'ArrowUp' && currentTarget.previousElementSibling
              if (key === 'Escape') onBack()
              if (!(next instanceof HTMLElement)) return
              event.preventDefault()
              next.focus()
            }}
          >
            <bdi>{payerCalled(one, lang)}</bdi>
            <Code>{(one.student ?? one.payer)?.code}</Code>
            <small className={shared.dim}>{whatPays(one, lang, say)}</small>
            <small className={shared.dim}>
              {one.invoices.length
                ? [...sumsOf(one.invoices)].map(([currency, open]) => formatMoney(open, currency)).join(' · ')
                : t('owes_nothing')}
            </small>
          </button>
        ))}
      </div>
      <OnlyFirst rows={from.length} most={MOST_PAYERS} found />
    </Card>
  )
}

/** Students, applicants, staff and guests are numbered each by themselves. */
const payerKey = ({ student, payer }: Payer): string => `${student ? 'student' : payer?.kind} ${(student ?? payer)?.id}`

/** What is open, by currency. */
export function sumsOf(invoices: Payer['invoices']): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { currency, open } of invoices) sums.set(currency, (sums.get(currency) ?? 0) + open)
  return sums
}
