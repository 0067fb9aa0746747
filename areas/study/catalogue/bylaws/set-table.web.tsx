import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Label } from '#kit/contract/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { latinDigits } from '#kit/web/fields/digits.ts'
import { decimalAsWritten, useLabel, useT } from '#kit/web/i18n/index.ts'
import css from '../catalogue.module.css'

export interface SetColumn {
  readonly key: string
  readonly label: Label
  readonly kind: 'text' | 'code' | 'decimal' | 'integer' | 'flag' | 'choice'
  readonly choices?: readonly { readonly value: string; readonly label: Label }[]
}
export type Entry = Readonly<Record<string, unknown>>

const trimmed = (value: unknown): string =>
  typeof value === 'string' && /^\d+\.\d*$/.test(value)
    ? value.replace(/\.?0+$/, '')
    : String((value as string | number | null) ?? '')

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
  rows: readonly Entry[]
  caption: string
  /** Absent: nothing can be changed. */
  onChange?: (rows: Entry[]) => void
  onLeave?: (index: number, before: Entry) => void
  /** A new entry; absent: none can be added. */
  fresh?: () => Entry | null
  problems?: (index: number, key: string) => string | undefined
}) {
  const t = useT('catalogue')
  const say = useLabel()
  const before = useRef<Entry | null>(null)
  const set = (index: number, key: string, value: unknown) =>
    onChange?.(rows.map((row, i) => (i === index ? { ...row, [key]: value } : row)))
  const numeric = (kind: SetColumn['kind']) => kind === 'decimal' || kind === 'integer'
  return (
    <div className={css.scroll}>
      <table className={css.set}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c.key} scope="col" className={numeric(c.kind) ? css.numberHead : undefined} data-kind={c.kind}>
                {say(c.label)}
              </th>
            ))}
            {onChange && fresh && (
              <th>
                <VisuallyHidden>{t('actions')}</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={(row.id as number | undefined) ?? `new ${index}`}>
              {columns.map((c) => {
                const wrong = problems?.(index, c.key)
                const value = row[c.key]
                const shared = {
                  'aria-label': `${say(c.label)} ${index + 1}`,
                  'aria-invalid': wrong ? true : undefined,
                  title: wrong,
                }
                if (!onChange) {
                  const choice = c.choices?.find((one) => one.value === value)
                  return (
                    <td key={c.key} className={numeric(c.kind) ? css.number : undefined}>
                      {c.kind === 'flag' ? (
                        value ? (
                          '✓'
                        ) : (
                          '–'
                        )
                      ) : choice ? (
                        say(choice.label)
                      ) : numeric(c.kind) || c.kind === 'code' ? (
                        <Code>{decimalAsWritten(trimmed(value))}</Code>
                      ) : (
                        <bdi>{String(value ?? '')}</bdi>
                      )}
                    </td>
                  )
                }
                if (c.kind === 'flag') {
                  return (
                    <td key={c.key}>
                      <input
                        type="checkbox"
                        {...shared}
                        checked={Boolean(value)}
                        onChange={(event) => set(index, c.key, event.currentTarget.checked)}
                      />
                    </td>
                  )
                }
                if (c.kind === 'choice') {
                  return (
                    <td key={c.key}>
                      <select
                        {...shared}
                        value={String(value)}
                        onChange={(event) => set(index, c.key, event.currentTarget.value)}
                      >
                        {c.choices?.map((choice) => (
                          <option key={choice.value} value={choice.value}>
                            {say(choice.label)}
                          </option>
                        ))}
                      </select>
                    </td>
                  )
                }
                return (
                  <td key={c.key}>
                    <input
                      {...shared}
                      className={numeric(c.kind) ? css.number : c.kind === 'text' ? css.wide : undefined}
                      dir={c.kind === 'text' ? 'auto' : 'ltr'}
                      inputMode={c.kind === 'decimal' ? 'decimal' : c.kind === 'integer' ? 'numeric' : undefined}
                      value={
                        numeric(c.kind) && document.activeElement?.getAttribute('aria-label') !== shared['aria-label']
                          ? decimalAsWritten(trimmed(value))
                          : numeric(c.kind)
                            ? decimalAsWritten(String((value as string | number | null) ?? ''))
                            : String((value as string | number | null) ?? '')
                      }
                      onFocus={() => (before.current = row)}
                      onBlur={() => {
                        if (before.current && before.current[c.key] !== row[c.key]) onLeave?.(index, before.current)
                        before.current = null
                      }}
                      onChange={(event) => {
                        const typed = event.currentTarget.value
                        if (!numeric(c.kind)) return set(index, c.key, typed)
                        const plain = latinDigits(typed).replace(',', '.').trim()
                        set(
                          index,
                          c.key,
                          c.kind === 'integer'
                            ? /^\d+$/.test(plain)
                              ? Number(plain)
                              : plain === ''
                                ? null
                                : plain
                            : plain,
                        )
                      }}
                    />
                  </td>
                )
              })}
              {onChange && fresh && (
                <td>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('remove_entry', { number: index + 1 })}
                    onClick={() => onChange(rows.filter((_, i) => i !== index))}
                  >
                    <IconTrash size={15} />
                  </ActionIcon>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
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
    </div>
  )
}
