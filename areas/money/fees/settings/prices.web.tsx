import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { AnswerOf } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Empty, Name, Problems, act, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { formatMoney, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { Currency, Per } from '../pricing.rules.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { CURRENCY_CHOICES, PER_CHOICES } from '../words.contract.ts'
import { MoneyCell, Whom, useLookups, useOptions, type PartProps } from './parts.web.tsx'
import { settingsCalls, type PriceShown } from './settings.contract.ts'
import { countedBy } from './settings.rules.ts'

type Row = PriceShown & AnyRow

/** Prices of a type: for whom, per what, how much. */
export function Prices({ year, type, settings }: PartProps) {
  const t = useT('fees')
  const say = useLabel()
  const lang = useLanguage()
  const { send } = useChange('/years', '/payment-settings')
  const [editing, setEditing] = useState<Row | 'new' | null>(null)
  const columns: readonly Column<Row>[] = [
    {
      key: 'item',
      label: ['Item', 'البند'],
      width: 320,
      cell: (row) => (
        <span className={css.two}>
          <Name row={row.item} />
          <Whom price={row} />
        </span>
      ),
    },
    {
      key: 'per',
      label: ['Per', 'لكل'],
      width: 130,
      cell: (row) => say(PER_CHOICES.find((choice) => choice.value === row.per)!.label),
    },
    {
      key: 'amount',
      label: ['Amount', 'المبلغ'],
      align: 'end',
      width: 170,
      value: (row) => row.amount,
      cell: (row) => <MoneyCell amount={row.amount} currency={row.currency} />,
    },
  ]
  const remove = (row: Row) =>
    void act({
      ask: { title: t('remove_price'), consequence: nameOf(row.item, lang), action: t('remove'), danger: true },
      go: () =>
        send(settingsCalls.removePrice, { params: { yearId: year, id: row.id }, body: { version: settings!.version } }),
      done: () => t('saved_version'),
    })
  const may = settings?.may_edit ?? false
  return (
    <Card
      plain
      title={t('prices')}
      text={t('prices_text')}
      aside={
        may && (
          <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setEditing('new')}>
            {t('add_price')}
          </Button>
        )
      }
    >
      <DataTable<Row>
        caption={t('prices')}
        rows={settings?.prices}
        columns={columns}
        rowName={(row) => nameOf(row.item, lang)}
        {...(may && { onOpen: setEditing })}
        actions={(row) =>
          may
            ? [
                {
                  key: 'edit',
                  label: t('edit'),
                  icon: <IconPencil size={16} aria-hidden />,
                  onSelect: () => setEditing(row),
                },
                {
                  key: 'remove',
                  label: t('remove'),
                  icon: <IconTrash size={16} aria-hidden />,
                  tone: 'refused',
                  onSelect: () => remove(row),
                },
              ]
            : []
        }
        empty={<Empty title={t('no_prices')} />}
      />
      {editing && settings && (
        <PriceForm
          key={editing === 'new' ? 'new' : editing.id}
          year={year}
          type={type}
          settings={settings}
          row={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
    </Card>
  )
}

/** What a form begins with: the price that is changed, or a new one. */
const givenIn = (row: Row | null, type: PartProps['type']) => ({
  item_id: row?.item.id ?? null,
  nationality_group_id: row?.nationality_group?.id ?? null,
  program_id: row?.program?.id ?? null,
  bylaw_id: row?.bylaw?.id ?? null,
  faculty_id: row?.faculty?.id ?? null,
  level: row?.level ?? null,
  entry_year_id: row?.entry_year?.id ?? null,
  course_id: row?.course?.id ?? null,
  repeats: row?.repeats ?? null,
  flat: row?.flat ?? null,
  currency: row?.currency ?? 'EGP',
  amount: row?.amount ?? null,
  per: row?.per ?? countedBy(type)[0]!,
})
/** A price as it is sent. */
const sentOf = (given: ReturnType<typeof givenIn>, item_id: number) => ({
  ...given,
  // What is counted otherwise has neither.
  ...(given.per !== 'hour' && given.per !== 'course' && { course_id: null, repeats: null }),
  flat: given.per === 'hour' ? given.flat : null,
  item_id,
  amount: given.amount ?? 0,
})

function PriceForm({ year, type, settings, row, onClose }: PartProps & { row: Row | null; onClose: () => void }) {
  const t = useT('fees')
  const say = useLabel()
  const options = useOptions()
  const lookups = useLookups()
  const { busy, problem, go, send } = useChange('/years', '/payment-settings')
  const items = lookups?.items.filter((one) => one.type === type)
  const [given, setGiven] = useState(() => givenIn(row, type))
  const [note, setNote] = useState('')
  const [tried, setTried] = useState<AnswerOf<typeof settingsCalls.simulate>['data'] | null>(null)
  const set = (part: Partial<typeof given>) => {
    setGiven((now) => ({ ...now, ...part }))
    // What was computed is of other prices now.
    setTried(null)
  }
  const item_id = given.item_id ?? items?.[0]?.id ?? null
  const price = () => sentOf(given, item_id!)
  const simulate = async () => {
    const done = await go(() =>
      send(settingsCalls.simulate, {
        params: { yearId: year },
        body: { prices: [{ ...price(), ...(row && { id: row.id }) }] },
      }),
    )
    if (done) setTried(done.answer.data)
  }
  const save = async () => {
    const body = {
      ...price(),
      version: settings!.version,
      ...(note.trim() && { note }),
    }
    const done = await go<unknown>(() =>
      row
        ? send(settingsCalls.putPrice, { params: { yearId: year, id: row.id }, body })
        : send(settingsCalls.addPrice, { params: { yearId: year, id: 'new' }, body }),
    )
    if (!done) return
    notify.done(t('saved_version'))
    onClose()
  }
  const choose = (
    label: string,
    name: 'nationality_group_id' | 'program_id' | 'bylaw_id' | 'faculty_id' | 'entry_year_id',
    data: { value: string; label: string }[],
  ) => (
    <Select
      label={label}
      placeholder={t('all')}
      clearable
      searchable
      data={data}
      value={given[name] === null ? null : String(given[name])}
      onChange={(value) => set({ [name]: value === null ? null : Number(value) })}
    />
  )
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t(row ? 'edit_price' : 'add_price')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Select
          label={say(['Item', 'البند'])}
          data={options(items)}
          allowDeselect={false}
          value={item_id === null ? null : String(item_id)}
          onChange={(value) => set({ item_id: Number(value) })}
        />
        <div className={css.pair}>
          <MoneyInput
            label={say(['Amount', 'المبلغ'])}
            currency={given.currency}
            defaultValue={given.amount}
            onChange={(amount) => set({ amount })}
          />
          <Select
            label={say(['Currency', 'العملة'])}
            allowDeselect={false}
            data={CURRENCY_CHOICES.map((choice) => ({ value: choice.value, label: say(choice.label) }))}
            value={given.currency}
            onChange={(value) => set({ currency: value as Currency })}
          />
          <Select
            label={say(['Per', 'لكل'])}
            allowDeselect={false}
            data={PER_CHOICES.filter((choice) => countedBy(type).includes(choice.value)).map((choice) => ({
              value: choice.value,
              label: say(choice.label),
            }))}
            value={given.per}
            onChange={(value) => set({ per: value as Per })}
          />
        </div>
        <p className={`${css.text} ${shared.dim}`}>{t('whom_text')}</p>
        <div className={css.halves}>
          {choose(
            say(['Nationality group', 'مجموعة جنسيات']),
            'nationality_group_id',
            options(lookups?.nationality_groups),
          )}
          {choose(say(['Faculty', 'الكلية']), 'faculty_id', options(lookups?.faculties))}
          {choose(say(['Program', 'البرنامج']), 'program_id', options(lookups?.programs))}
          {choose(say(['Bylaw', 'اللائحة']), 'bylaw_id', options(lookups?.bylaws))}
          <Select
            label={say(['Level', 'المستوى'])}
            placeholder={t('all')}
            clearable
            data={(lookups?.levels ?? []).map(String)}
            value={given.level === null ? null : String(given.level)}
            onChange={(value) => set({ level: value === null ? null : Number(value) })}
          />
          {choose(say(['Entered in', 'عام الالتحاق']), 'entry_year_id', options(lookups?.years))}
          {(given.per === 'hour' || given.per === 'course') && <OfCourses given={given} set={set} />}
        </div>
        {given.per === 'hour' && <FlatHours given={given} set={set} />}
        <TextInput
          label={<Optional label={t('note')} />}
          description={t('note_text')}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {problem !== null && <Problems error={problem} />}
        {tried && <Simulated of={tried} />}
        <div className={css.buttons}>
          <Button
            variant="default"
            disabled={busy || item_id === null || given.amount === null}
            onClick={() => void simulate()}
          >
            {t('simulate')}
          </Button>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[item_id === null && say(['Item', 'البند']), given.amount === null && say(['Amount', 'المبلغ'])]}
            onClick={() => void save()}
          >
            {t('save')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}

/** What other prices would come to, by faculty, beside what it is now. */
function Simulated({ of }: { of: AnswerOf<typeof settingsCalls.simulate>['data'] }) {
  const t = useT('fees')
  const say = useLabel()
  const lang = useLanguage()
  return (
    <div role="status">
      <p className={css.text}>
        {t('simulated', { count: of.students })}
        {of.without_after > 0 && ` ${t('simulated_without', { count: of.without_after })}`}
      </p>
      <Table
        label={t('simulate')}
        rows={of.rows}
        rowKey={(_row, i) => i}
        columns={[
          {
            key: 'faculty',
            label: say(['Faculty', 'الكلية']),
            cell: (row) => (row.faculty ? <bdi className={css.name}>{nameOf(row.faculty, lang)}</bdi> : '–'),
          },
          { key: 'changed', label: t('simulated_changed'), figure: true, cell: (row) => formatNumber(row.changed) },
          {
            key: 'before',
            label: t('simulated_before'),
            figure: true,
            cell: (row) => <bdi>{formatMoney(row.before, row.currency)}</bdi>,
          },
          {
            key: 'after',
            label: t('simulated_after'),
            figure: true,
            cell: (row) => <bdi>{formatMoney(row.after, row.currency)}</bdi>,
          },
        ]}
      />
    </div>
  )
}

interface Given {
  readonly course_id: number | null
  readonly repeats: boolean | null
  readonly flat: PriceShown['flat']
  readonly currency: Currency
}
interface GivenProps {
  given: Given
  set: (part: Partial<Given>) => void
}
/** Of which courses a price per hour or course is. */
function OfCourses({ given, set }: GivenProps) {
  const t = useT('fees')
  return (
    <>
      <LookupInput
        resource="course"
        label={<Optional label={t('of_course')} />}
        defaultValue={given.course_id}
        onChange={(course_id) => set({ course_id })}
      />
      <Select
        label={t('of_attempts')}
        placeholder={t('all')}
        clearable
        data={[
          { value: 'true', label: t('repeated') },
          { value: 'false', label: t('not_repeated') },
        ]}
        value={given.repeats === null ? null : String(given.repeats)}
        onChange={(value) => set({ repeats: value === null ? null : value === 'true' })}
      />
    </>
  )
}

/** Hours that cost the same from so many to so many. */
function FlatHours({ given, set }: GivenProps) {
  const t = useT('fees')
  return (
    <>
      <Switch
        label={t('flat')}
        description={t('flat_text')}
        checked={given.flat !== null}
        onChange={(event) => set({ flat: event.currentTarget.checked ? { from: 1200, to: 1800, amount: 0 } : null })}
      />
      {given.flat && (
        <div className={css.pair}>
          <NumberInput
            label={t('flat_from')}
            min={0}
            max={100}
            value={given.flat.from / 100}
            onChange={(value) => set({ flat: { ...given.flat!, from: Math.round(Number(value) * 100) } })}
          />
          <NumberInput
            label={t('flat_to')}
            min={0}
            max={100}
            value={given.flat.to / 100}
            onChange={(value) => set({ flat: { ...given.flat!, to: Math.round(Number(value) * 100) } })}
          />
          <MoneyInput
            label={t('flat_amount')}
            currency={given.currency}
            defaultValue={given.flat.amount}
            onChange={(amount) => set({ flat: { ...given.flat!, amount: amount ?? 0 } })}
          />
        </div>
      )}
    </>
  )
}
