import { Button, NumberInput, Select } from '@mantine/core'
import { IconCopy, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Empty, Failed, Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import {
  formatDate,
  formatInstant,
  formatMoney,
  formatPercent,
  nameOf,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import type { FeeType } from '../pricing.rules.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { CURRENCY_CHOICES, TYPE_CHOICES } from '../words.contract.ts'
import { Accounts } from './accounts.web.tsx'
import { DueDates } from './due-dates.web.tsx'
import { Fines } from './fines.web.tsx'
import { Prices } from './prices.web.tsx'
import { settingsCalls, type ChangeShown, type SettingsShown } from './settings.contract.ts'
import { MoneyCell, Whom, shareText, useLookups } from './parts.web.tsx'

/** The settings of an academic year by type, how scholarships stand beside each other, and all versions. */
export default function YearPayments() {
  const t = useT('fees')
  const say = useLabel()
  const lang = useLanguage()
  const id = Number(useParams().id)
  const [copying, setCopying] = useState(false)
  const { data, error, refetch } = useCall(settingsCalls.ofType, { params: { yearId: id, type: 'hours' } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const head = data?.data
  return (
    <Page
      title={head ? `${t('fees_of')} ${nameOf(head.year, lang)}` : '\u00A0'}
      subtitle={
        head ? (
          head.version ? (
            <Dotted>
              <span>{t('version_n', { n: head.version })}</span>
              <span>{formatInstant(head.made_at)}</span>
              {head.made_by && (
                <span>
                  <Name row={head.made_by} />
                </span>
              )}
            </Dotted>
          ) : (
            t('nothing_yet')
          )
        ) : (
          '\u00A0'
        )
      }
      action={
        head?.may_edit && !head.version ? (
          <Button leftSection={<IconCopy size={16} aria-hidden />} onClick={() => setCopying(true)}>
            {t('copy_year')}
          </Button>
        ) : undefined
      }
      wide
    >
      <ScreenTabs
        tabs={[
          ...TYPE_CHOICES.map(({ value, label }) => ({
            key: value,
            label: say(label),
            content: () => <OfType key={value} year={id} type={value} />,
          })),
          { key: 'scholarships', label: t('scholarships'), content: () => <ScholarshipsOf year={id} /> },
          { key: 'versions', label: t('versions'), content: () => <Versions year={id} /> },
        ]}
      />
      {copying && <CopyYear year={id} onClose={() => setCopying(false)} />}
    </Page>
  )
}

function OfType({ year, type }: { year: number; type: FeeType }) {
  const { data, error, refetch } = useCall(settingsCalls.ofType, { params: { yearId: year, type } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const settings = data?.data
  return (
    <Stack>
      <Prices year={year} type={type} settings={settings} />
      <DueDates year={year} type={type} settings={settings} />
      <Fines year={year} type={type} settings={settings} />
      <Accounts year={year} type={type} settings={settings} />
    </Stack>
  )
}

/** Begins with what another year has. */
function CopyYear({ year, onClose }: { year: number; onClose: () => void }) {
  const t = useT('fees')
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/years', '/payment-settings')
  const lookups = useLookups()
  const [from, setFrom] = useState<string | null>(null)
  const [raise, setRaise] = useState<number | string>(0)
  const copy = async () => {
    const body = { raise: Math.round(Number(raise) * 10) }
    if (await go(() => send(settingsCalls.copyFrom, { params: { yearId: year, id: Number(from) }, body }))) {
      notify.done(t('copied'))
      onClose()
    }
  }
  return (
    <Dialog opened onClose={onClose} title={t('copy_year')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <Select
          label={t('copy_from')}
          data={(lookups?.years ?? [])
            .filter((one) => one.id !== year)
            .map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
          value={from}
          onChange={setFrom}
        />
        <NumberInput
          label={t('raise_by')}
          description={t('raise_text')}
          min={-50}
          max={100}
          decimalScale={1}
          suffix="%"
          value={raise}
          onChange={setRaise}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit
            onCancel={onClose}
            missing={[from === null && t('copy_from')]}
            loading={busy}
            onClick={() => void copy()}
          >
            {t('copy')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}

/** Scholarships that can be had in the year, and how several of them stand beside each other. */
function ScholarshipsOf({ year }: { year: number }) {
  const t = useT('fees')
  const me = useMe()
  const { data } = useCall(settingsCalls.ofType, { params: { yearId: year, type: 'hours' } })
  const sees = me.can('access_scholarship')
  const manual = useCall(settingsCalls.scholarships, { params: { yearId: year } }, { enabled: sees }).data?.data
  const automatic = useCall(settingsCalls.automatic, { params: { yearId: year } }, { enabled: sees }).data?.data
  const list = (title: string, rows: typeof manual) => (
    <Card title={title}>
      {rows && !rows.length && <p className={`${css.text} ${shared.dim}`}>{t('no_scholarships')}</p>}
      <ul className={shared.list}>
        {(rows as readonly Kind[] | undefined)?.map((one) => (
          <li key={one.id} className={css.line}>
            <Link to={to('/scholarships/kinds/:id', { id: one.id })}>
              <Name row={one} />
            </Link>
            <Code>
              {one.percent === null ? formatMoney(one.amount, one.currency ?? 'EGP') : `${Number(one.percent)}%`}
            </Code>
          </li>
        ))}
      </ul>
    </Card>
  )
  return (
    <Stack>
      {sees && list(t('automatic'), automatic)}
      {sees && list(t('by_hand'), manual)}
      {data && <StackingForm key={data.data.version} year={year} settings={data.data} />}
    </Stack>
  )
}
interface Kind {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly percent: string | null
  readonly amount: number | null
  readonly currency: string | null
}
function StackingForm({ year, settings }: { year: number; settings: SettingsShown }) {
  const t = useT('fees')
  const { busy, problem, go, send } = useChange('/years')
  const [stacking, setStacking] = useState(settings.stacking)
  const [cap, setCap] = useState<number | string>(settings.grant_cap / 100)
  const save = async () => {
    const body = { stacking, grant_cap: Math.round(Number(cap) * 100), version: settings.version }
    if (await go(() => send(settingsCalls.putStacking, { params: { yearId: year }, body })))
      notify.done(t('saved_version'))
  }
  return (
    <Card title={t('stacking')} text={t('stacking_text')}>
      <Stack>
        <div className={css.pair}>
          <Select
            label={t('stacking_of')}
            data={[
              { value: 'rest', label: t('stacking_rest') },
              { value: 'full', label: t('stacking_full') },
            ]}
            value={stacking}
            allowDeselect={false}
            disabled={!settings.may_edit}
            onChange={(value) => setStacking(value ?? 'rest')}
          />
          <NumberInput
            label={<Optional label={t('grant_cap')} />}
            min={0}
            max={100}
            decimalScale={2}
            suffix="%"
            disabled={!settings.may_edit}
            value={cap}
            onChange={setCap}
          />
        </div>
        {problem !== null && <Problems error={problem} />}
        {settings.may_edit && (
          <div className={css.buttons}>
            <Button loading={busy} onClick={() => void save()}>
              {t('save')}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  )
}

/** All versions, and what each changed. */
function Versions({ year }: { year: number }) {
  const t = useT('fees')
  const { data } = useCall(settingsCalls.versions, { params: { yearId: year } })
  const [open, setOpen] = useState<number | null>(null)
  if (data && !data.data.length) return <Empty title={t('nothing_yet')} />
  return (
    <Card title={t('versions')} text={t('versions_text')}>
      <ul className={shared.list}>
        {data?.data.map((one) => (
          <li key={one.number} className={css.line}>
            <span className={css.two}>
              <b>{t('version_n', { n: one.number })}</b>
              <small className={`${css.of} ${shared.dim}`}>
                <span>{formatInstant(one.made_at)}</span>
                {one.made_by && (
                  <span>
                    <Name row={one.made_by} />
                  </span>
                )}
                {one.note && <span dir="auto">{one.note}</span>}
              </small>
            </span>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconHistory size={14} aria-hidden />}
              onClick={() => setOpen(one.number)}
            >
              {t('what_changed')}
            </Button>
          </li>
        ))}
      </ul>
      {open !== null && <VersionDialog year={year} number={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function VersionDialog({ year, number, onClose }: { year: number; number: number; onClose: () => void }) {
  const t = useT('fees')
  const { data } = useCall(settingsCalls.version, { params: { yearId: year, number } })
  const version = data?.data
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t('version_n', { n: number })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {version && (
        <Stack>
          <p className={css.text}>
            {number === 1
              ? t('first_version', { count: version.prices.length })
              : t('changes', { count: version.changes.length })}
          </p>
          <ul className={shared.list}>
            {version.changes.map((one) => (
              <li key={`${one.part} ${one.id}`} className={css.line}>
                <Change change={one} version={version} />
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </Dialog>
  )
}

/** What was and what is, of one row. */
function Change({ change, version }: { change: ChangeShown; version: SettingsShown }) {
  const t = useT('fees')
  const say = useLabel()
  const lang = useLanguage()
  const lookups = useLookups()
  const { before, after, part } = change
  const row = after ?? before!
  const amountOf = (one: Readonly<Record<string, unknown>> | null) =>
    one === null ? null : part === 'prices' ? (
      <MoneyCell amount={one.amount as number} currency={one.currency as string} />
    ) : part === 'due_dates' ? (
      <span>
        {formatDate(String(one.due_on))} · <Code>{shareText(Number(one.share))}</Code>
      </span>
    ) : part === 'stacking' ? (
      <span>
        {t(one.stacking === 'full' ? 'stacking_full' : 'stacking_rest')} ·{' '}
        <Code>{formatPercent(Number(one.grant_cap) / 10_000)}</Code>
      </span>
    ) : part === 'fines' ? (
      <span>{t('steps', { count: (one.steps as unknown[]).length })}</span>
    ) : (
      <span>
        {nameOf(
          lookups?.banks.find((bank) => bank.id === one.bank_id),
          lang,
        )}
      </span>
    )
  const item = lookups?.items.find((one) => one.id === row.item_id)
  const shown = version.prices.find((one) => one.id === change.id && part === 'prices')
  const type = TYPE_CHOICES.find((choice) => choice.value === row.type)
  const currency = CURRENCY_CHOICES.find((choice) => choice.value === row.currency)
  return (
    <>
      <span className={css.two}>
        <b>
          {part === 'prices' ? nameOf(item, lang) : `${t(`part_${part}`)}${type ? ` · ${say(type.label)}` : ''}`}
          {part === 'due_dates' && ` · ${t('instalment_n', { n: Number(row.instalment) })}`}
          {part === 'fines' && currency && ` · ${say(currency.label)}`}
        </b>
        {shown && <Whom price={shown} />}
      </span>
      <span className={css.of}>
        {before ? (
          <span className={css.was}>{amountOf(before)}</span>
        ) : (
          <span className={shared.dim}>{t('added')}</span>
        )}
        {after ? <span>{amountOf(after)}</span> : <span>{t('gone')}</span>}
      </span>
    </>
  )
}
