/* oxlint-disable jsx-a11y/prefer-tag-over-role -- two ends of one range are a group, not a fieldset of a form */
import type { ComponentType } from 'react'
import { useState } from 'react'
import { Checkbox, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { fold } from '../i18n/format.ts'
import { useLabel, useT } from '../i18n/index.ts'
import { DateInput } from './date-input.tsx'
import { decimalText, latinDigits, majorText, minorUnits } from './digits.ts'
import type { Range } from './filter-words.tsx'
import { LookupsInput } from './lookup-input.tsx'
import css from './fields.module.css'

export interface FilterInputProps {
  readonly field: Field
  readonly name: string
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}
/** Web half of a field kind for narrowing a list: an input in a small panel. */
export type FilterInput = ComponentType<FilterInputProps>

const contains: FilterInput = ({ label, value, onChange }) => {
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
}

const between =
  (read: (typed: string) => unknown, write: (value: unknown) => string): FilterInput =>
  ({ value, onChange, label }) => {
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
  }
const plainNumber = (typed: string): number | null => {
  const plain = decimalText(typed)
  return plain === null ? null : Number(plain)
}

const days: FilterInput = ({ value, onChange }) => {
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
}

/** More choices than these are looked for instead of scrolled through. */
const MANY = 15

const oneOf: FilterInput = ({ field, value, onChange, label }) => {
  const say = useLabel()
  const choices = field.choices ?? []
  const t = useT('kit-screens')
  const chosen = ((value as unknown[] | undefined) ?? []).map(String)
  const [sought, setSought] = useState('')
  const shown = choices.filter(
    (c) => chosen.includes(String(c.value)) || fold(say(c.label)).includes(fold(sought.trim())),
  )
  return (
    <>
      {choices.length > MANY && (
        <TextInput
          data-autofocus
          mb={8}
          aria-label={t('search')}
          placeholder={t('search')}
          attributes={{ input: { dir: 'auto' } }}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      )}
      <Checkbox.Group
        value={chosen}
        onChange={(next) =>
          onChange(next.length ? choices.filter((c) => next.includes(String(c.value))).map((c) => c.value) : undefined)
        }
        aria-label={label}
      >
        <Stack gap={8} mah={320} style={{ overflowY: 'auto' }} p={2}>
          {shown.map((c) => (
            <Checkbox key={String(c.value)} value={String(c.value)} label={say(c.label)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  )
}

const yesNo: FilterInput = ({ value, onChange, label }) => {
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
}

const records: FilterInput = ({ field, value, onChange, label }) => (
  <div style={{ width: 300 }}>
    <LookupsInput
      resource={field.to!}
      label={label}
      defaultValue={(value as number[] | undefined) ?? []}
      onChange={(ids) => onChange(ids.length ? ids : undefined)}
    />
  </div>
)

/** A missing kind does not compile; null: the kind cannot be filtered, and has no words in `FILTER_WORDS` either. */
export const FILTER_INPUTS: { readonly [K in FieldKind]: FilterInput | null } = {
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
  number: between(plainNumber, String),
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
  rows: null,
  json: null,
}
