/* oxlint-disable jsx-a11y/prefer-tag-over-role -- two ends of one range are a group, not a fieldset of a form */
import type { ComponentType } from 'react'
import { useState } from 'react'
import { Checkbox, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { useCall } from '../api/index.ts'
import { calls } from '../auth/index.ts'
import { formatDate, formatList, formatNumber, nameOf, useLabel, useLanguage, useT } from '../i18n/index.ts'
import { DateInput } from './date-input.tsx'
import { decimalText, latinDigits, majorText, minorUnits } from './digits.ts'
import { LookupsInput } from './lookup-input.tsx'
import css from './fields.module.css'

/** Web half of a field kind for narrowing a list: an input in a small panel, and the words of the chip it leaves. */
export interface Filter {
  readonly Input: ComponentType<FilterInputProps>
  /** What the chip says after the label. */
  readonly Words: ComponentType<{ readonly field: Field; readonly value: unknown }>
}
export interface FilterInputProps {
  readonly field: Field
  readonly name: string
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}
interface Range {
  readonly from?: unknown
  readonly to?: unknown
}

const contains: Filter = {
  Input: ({ label, value, onChange }) => {
    const t = useT('kit-screens')
    return (
      <TextInput
        data-autofocus
        label={t('filter_contains', { field: label })}
        classNames={{ input: css.auto }}
        attributes={{ input: { dir: 'auto' } }}
        defaultValue={(value as string | undefined) ?? ''}
        onChange={(event) => onChange(latinDigits(event.currentTarget.value).trim() || undefined)}
      />
    )
  },
  Words: ({ value }) => <bdi>{String(value)}</bdi>,
}

/** From … to, both ends optional. */
const between = (read: (typed: string) => unknown, write: (value: unknown) => string): Filter => ({
  Input: ({ value, onChange, label }) => {
    const t = useT('kit-screens')
    const [range, setRange] = useState((value as Range | undefined) ?? {})
    const set = (end: 'from' | 'to', typed: string) => {
      const next = { ...range, [end]: typed.trim() === '' ? undefined : (read(typed) ?? undefined) }
      setRange(next)
      onChange(next.from === undefined && next.to === undefined ? undefined : next)
    }
    return (
      <Group gap={8} wrap="nowrap" role="group" aria-label={label}>
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            w={120}
            data-autofocus={end === 'from' || undefined}
            label={t(end)}
            inputMode="decimal"
            classNames={{ input: css.ltr }}
            attributes={{ input: { dir: 'ltr' } }}
            defaultValue={range[end] === undefined ? '' : write(range[end])}
            onChange={(event) => set(end, event.currentTarget.value)}
          />
        ))}
      </Group>
    )
  },
  Words: ({ value, field }) => {
    const { from, to } = value as Range
    const show = (v: unknown) => (field.kind === 'money' ? formatNumber(Number(v) / 100, 2) : formatNumber(v as number))
    return <RangeWords from={from === undefined ? null : show(from)} to={to === undefined ? null : show(to)} />
  },
})
function RangeWords({ from, to }: { from: string | null; to: string | null }) {
  const t = useT('kit-screens')
  return from !== null && to !== null ? (
    <bdi>{t('range_between', { from, to })}</bdi>
  ) : (
    <bdi>{from !== null ? t('range_from', { from }) : t('range_to', { to })}</bdi>
  )
}
const plainNumber = (typed: string): number | null => {
  const plain = decimalText(typed)
  return plain === null ? null : Number(plain)
}

const days: Filter = {
  Input: ({ value, onChange }) => {
    const t = useT('kit-screens')
    const [range, setRange] = useState((value as Range | undefined) ?? {})
    const set = (end: 'from' | 'to', iso: unknown) => {
      const next = { ...range, [end]: typeof iso === 'string' && /^\d{4}-\d\d-\d\d$/.test(iso) ? iso : undefined }
      setRange(next)
      onChange(next.from === undefined && next.to === undefined ? undefined : next)
    }
    return (
      <Group gap={8} wrap="nowrap">
        {(['from', 'to'] as const).map((end) => (
          <div key={end} style={{ width: 150 }}>
            <DateInput name={end} label={t(end)} defaultValue={range[end] ?? null} onChange={(iso) => set(end, iso)} />
          </div>
        ))}
      </Group>
    )
  },
  Words: ({ value }) => {
    const { from, to } = value as Range
    return (
      <RangeWords
        from={from === undefined ? null : formatDate(String(from))}
        to={to === undefined ? null : formatDate(String(to))}
      />
    )
  },
}

const oneOf: Filter = {
  Input: ({ field, value, onChange, label }) => {
    const say = useLabel()
    const choices = field.choices ?? []
    const chosen = ((value as unknown[] | undefined) ?? []).map(String)
    return (
      <Checkbox.Group
        value={chosen}
        onChange={(next) =>
          onChange(next.length ? choices.filter((c) => next.includes(String(c.value))).map((c) => c.value) : undefined)
        }
        aria-label={label}
      >
        <Stack gap={8} mah={320} style={{ overflowY: 'auto' }} p={2}>
          {choices.map((c) => (
            <Checkbox key={String(c.value)} value={String(c.value)} label={say(c.label)} />
          ))}
        </Stack>
      </Checkbox.Group>
    )
  },
  Words: ({ field, value }) => {
    const say = useLabel()
    const words = (value as unknown[])
      .map((v) => field.choices?.find((c) => c.value === v))
      .map((c) => (c ? say(c.label) : ''))
    return <bdi>{formatList(words.filter(Boolean))}</bdi>
  },
}

const yesNo: Filter = {
  Input: ({ value, onChange, label }) => {
    const t = useT('kit-screens')
    return (
      <SegmentedControl
        aria-label={label}
        value={value === undefined ? '' : String(value)}
        onChange={(next) => onChange(next === '' ? undefined : next === 'true')}
        data={[
          { value: '', label: t('any') },
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]}
      />
    )
  },
  Words: ({ value }) => {
    const t = useT('kit-screens')
    return t(value ? 'yes' : 'no')
  },
}

const records: Filter = {
  Input: ({ field, value, onChange, label }) => (
    <div style={{ width: 300 }}>
      <LookupsInput
        resource={field.to!}
        label={label}
        defaultValue={(value as number[] | undefined) ?? []}
        onChange={(ids) => onChange(ids.length ? ids : undefined)}
      />
    </div>
  ),
  Words: ({ field, value }) => {
    const lang = useLanguage()
    const ids = Array.isArray(value) ? (value as number[]) : [value as number]
    const { data } = useCall(calls.lookup, { body: { name: field.to!, ids, limit: ids.length } }, { staleTime: 60_000 })
    return <bdi>{data ? formatList(data.data.map((o) => nameOf(o, lang))) : '…'}</bdi>
  },
}

/** A missing kind does not compile; null: the kind cannot be filtered. */
export const FILTERS: { readonly [K in FieldKind]: Filter | null } = {
  text: contains,
  localText: contains,
  longText: contains,
  richText: null,
  code: contains,
  email: contains,
  phone: contains,
  nationalId: contains,
  passport: contains,
  integer: between(plainNumber, String),
  decimal: between((typed) => decimalText(typed), String),
  money: between(minorUnits, (value) => majorText(value as number)),
  date: days,
  instant: days,
  time: contains,
  flag: yesNo,
  choice: oneOf,
  choices: oneOf,
  flags: null,
  lookup: records,
  lookups: records,
  file: yesNo,
  json: null,
}
