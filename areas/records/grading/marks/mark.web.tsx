import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { decimalText } from '#kit/web/fields/digits.ts'
import type { FieldInputProps } from '#kit/web/fields/inputs.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { mark, type SchemeItem } from './mark.contract.ts'
import css from '../grading.module.css'

type Category = NonNullable<SchemeItem['category']>
interface Piece {
  readonly key: number
  readonly category: Category | null
  readonly id: number | null
  readonly max: string
}
let last = 0

/** A scheme as one bar of hundred. */
export function SchemeBar({ items }: { items: readonly SchemeItem[] }) {
  const lang = useLanguage()
  return (
    <span className={css.inlinePieces}>
      <span className={css.pieces} aria-hidden>
        {items.map((item) => (
          <span
            key={item.mark_category_id}
            data-final={item.category?.is_final_exam || undefined}
            style={{ inlineSize: `${Number(item.max)}%` }}
          />
        ))}
      </span>
      <small>
        {items.map((item, i) => (
          <span key={item.mark_category_id}>
            {i > 0 && ' · '}
            <bdi>{nameOf(item.category, lang)}</bdi> <Code>{trimHundredths(parseHundredths(item.max) ?? 0)}</Code>
          </span>
        ))}
      </small>
    </span>
  )
}

/** Categories with their maxima; the sum is shown as it is typed. */
function ItemsInput({ defaultValue, onChange, onBlur, error, label, description, disabled, id }: FieldInputProps) {
  const t = useT('grading')
  const own = useId()
  const [pieces, setPieces] = useState<readonly Piece[]>(() => {
    const given = (defaultValue as readonly SchemeItem[] | null) ?? []
    const stored = given.map((item): Piece => ({
      key: ++last,
      category: item.category ?? null,
      id: item.mark_category_id,
      max: trimHundredths(parseHundredths(item.max) ?? 0),
    }))
    return stored.length ? stored : [{ key: ++last, category: null, id: null, max: '' }]
  })
  const change = (next: readonly Piece[]) => {
    setPieces(next)
    const whole = next.filter((piece) => piece.id !== null && piece.max.trim() !== '')
    onChange(
      whole.length
        ? whole.map((piece) => ({ mark_category_id: piece.id!, max: decimalText(piece.max) ?? piece.max }))
        : null,
    )
  }
  const set = (key: number, part: Partial<Piece>) =>
    change(pieces.map((piece) => (piece.key === key ? { ...piece, ...part } : piece)))
  const sum = pieces.reduce((total, piece) => total + (parseHundredths(decimalText(piece.max) ?? '') ?? 0), 0)
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      id={id ?? own}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <fieldset className={css.items} aria-labelledby={`${id ?? own}-label`}>
        {pieces.map((piece, i) => (
          <div key={piece.key} className={css.item}>
            <LookupInput
              resource="mark_category"
              name={`items.${i}.mark_category_id`}
              label={i === 0 ? t('category') : undefined}
              aria-label={t('category')}
              defaultValue={piece.id}
              known={piece.category}
              disabled={disabled}
              onChange={(value) => set(piece.key, { id: value })}
            />
            <TextInput
              label={i === 0 ? t('maximum') : undefined}
              aria-label={t('maximum')}
              name={`items.${i}.max`}
              inputMode="decimal"
              disabled={disabled}
              attributes={{ input: { dir: 'ltr' } }}
              value={piece.max}
              onBlur={onBlur}
              onChange={(event) => set(piece.key, { max: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('remove_category')}
              disabled={disabled || pieces.length === 1}
              onClick={() => change(pieces.filter((one) => one.key !== piece.key))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <div className={css.sum}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={disabled || pieces.length >= 20}
            onClick={() => change([...pieces, { key: ++last, category: null, id: null, max: '' }])}
          >
            {t('add_category')}
          </Button>
          <span aria-live="polite">
            <Status is={sum === 10000 ? 'met' : 'unmet'} label={t('sum_of', { sum: trimHundredths(sum) })} />
          </span>
        </div>
      </fieldset>
    </Input.Wrapper>
  )
}

export default resourceWeb(mark, {
  cells: {
    items: ({ value }) => {
      const items = value as readonly SchemeItem[] | null
      return items?.length ? <SchemeBar items={items} /> : null
    },
  },
  inputs: { items: ItemsInput },
})
