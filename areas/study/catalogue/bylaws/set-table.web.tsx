import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Label } from '#kit/contract/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { latinDigits } from '#kit/web/fields/digits.ts'
import { decimalAsWritten, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Table } from '#kit/web/table/table.tsx'
import css from '../catalogue.module.css'

export interface SetColumn {
  readonly key: string
  readonly label: Label
  readonly kind: 'text' | 'code' | 'decimal' | 'integer' | 'flag' | 'choice'
  readonly choices?: readonly { readonly value: string; readonly label: Label }[]
}
export type SetRow = Readonly<Record<string, unknown>>

const trimmed = (value: unknown): string =>
  typeof value === 'string' && /^\d+\.\d*$/.test(value)
    ? value.replace(/\.?0+$/, '')
    : String((value as string | number | null) ?? '')

const numeric = (kind: SetColumn['kind']) => kind === 'decimal' || kind === 'integer'

/** A value that cannot be changed. */
function CellText({ column: c, value }: { column: SetColumn; value: unknown }) {
  const say = useLabel()
  const choice = c.choices?.find((one) => one.value === value)
  if (c.kind === 'flag') return value ? '✓' : '–'
  if (choice) return say(choice.label)
  if (numeric(c.kind) || c.kind === 'code') return <Code>{decimalAsWritten(trimmed(value))}</Code>
  return <bdi>{String(value ?? '')}</bdi>
}

/** What was typed into a cell of numbers: a number where it is one, otherwise as it stands, so that it can be told. */
function numberTyped(kind: SetColumn['kind'], typed: string): number | string | null {
  const plain = latinDigits(typed).replace(',', '.').trim()
  if (kind !== 'integer') return plain
  return /^\d+$/.test(plain) ? Number(plain) : plain === '' ? null : plain
}

/** The input of a cell. */
function CellInput({
  column: c,
  value,
  line,
  wrong,
  onChange,
  onFocus,
  onBlur,
}: {
  column: SetColumn
  value: unknown
  /** Its line, counted from one. */
  line: number
  wrong: string | undefined
  onChange: (value: unknown) => void
  onFocus: () => void
  onBlur: () => void
}) {
  const say = useLabel()
  const shared = {
    'aria-label': `${say(c.label)} ${line}`,
    'aria-invalid': wrong ? true : undefined,
    title: wrong,
  }
  if (c.kind === 'flag')
    return (
      <input
        type="checkbox"
        {...shared}
        checked={Boolean(value)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  if (c.kind === 'choice')
    return (
      <select {...shared} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
        {c.choices?.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {say(choice.label)}
          </option>
        ))}
      </select>
    )
  const written = String((value as string | number | null) ?? '')
  const typing = document.activeElement?.getAttribute('aria-label') === shared['aria-label']
  return (
    <input
      {...shared}
      className={numeric(c.kind) ? css.number : c.kind === 'text' ? css.wide : undefined}
      dir={c.kind === 'text' ? 'auto' : 'ltr'}
      inputMode={c.kind === 'decimal' ? 'decimal' : c.kind === 'integer' ? 'numeric' : undefined}
      value={numeric(c.kind) ? decimalAsWritten(typing ? written : trimmed(value)) : written}
      onFocus={onFocus}
      onBlur={onBlur}
      onChange={(event) =>
        onChange(numeric(c.kind) ? numberTyped(c.kind, event.currentTarget.value) : event.currentTarget.value)
      }
    />
  )
}

/**
 * A set of entries edited in place, one line each. `problems` gives the text of what is wrong with a cell. `onLeave` is
 * told which entry changed and how it stood before, when a cell is left: neighbours can follow.
 */
export function SetTable({
  columns,
  rows,
  caption,
  onChange,
  onLeave,
  fresh,
  problems,
}: {
  columns: readonly SetColumn[]
  rows: readonly SetRow[]
  caption: string
  /** Absent: nothing can be changed. */
  onChange?: (rows: SetRow[]) => void
  onLeave?: (index: number, before: SetRow) => void
  /** A new entry; absent: none can be added. */
  fresh?: () => SetRow | null
  problems?: (index: number, key: string) => string | undefined
}) {
  const t = useT('catalogue')
  const say = useLabel()
  const before = useRef<SetRow | null>(null)
  const set = (index: number, key: string, value: unknown) =>
    onChange?.(rows.map((row, i) => (i === index ? { ...row, [key]: value } : row)))
  const input = (c: SetColumn, row: SetRow, index: number) => (
    <CellInput
      column={c}
      value={row[c.key]}
      line={index + 1}
      wrong={problems?.(index, c.key)}
      onChange={(value) => set(index, c.key, value)}
      onFocus={() => (before.current = row)}
      onBlur={() => {
        if (before.current && before.current[c.key] !== row[c.key]) onLeave?.(index, before.current)
        before.current = null
      }}
    />
  )
  return (
    <>
      <Table
        label={caption}
        className={css.set}
        rows={rows}
        rowKey={(row, index) => (row.id as number | undefined) ?? `new ${index}`}
        columns={[
          ...columns.map((c) => ({
            key: c.key,
            label: say(c.label),
            className: numeric(c.kind) ? css.numberHead : c.kind === 'code' ? css.codeHead : undefined,
            given: () => ({ className: numeric(c.kind) && !onChange ? css.number : undefined }),
            cell: (row: SetRow, index: number) =>
              onChange ? input(c, row, index) : <CellText column={c} value={row[c.key]} />,
          })),
          onChange &&
            fresh && {
              key: 'actions',
              label: t('actions'),
              unseen: true,
              cell: (_row: SetRow, index: number) => (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('remove_entry', { number: index + 1 })}
                  onClick={() => onChange(rows.filter((_, i) => i !== index))}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              ),
            },
        ]}
      />
      {onChange && fresh && (
        <Button
          size="compact-sm"
          variant="subtle"
          mt={6}
          leftSection={<IconPlus size={14} />}
          onClick={() => {
            const entry = fresh()
            if (entry) onChange([...rows, entry])
          }}
        >
          {t('add_entry')}
        </Button>
      )}
    </>
  )
}
