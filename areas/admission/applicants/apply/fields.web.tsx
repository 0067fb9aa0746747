import { Checkbox, NativeSelect, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Field } from '#kit/contract/field.ts'
import { decimalText, latinDigits, majorText, minorUnits } from '#kit/web/fields/digits.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'

/** Something that can be chosen. */
export interface ListedChoice {
  readonly id: number
  readonly code?: string | null | undefined
  readonly name: string
  readonly name_local: string
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}
interface Props {
  readonly name: string
  readonly field: Field
  readonly value: unknown
  readonly error: string | null
  readonly required: boolean
  readonly disabled: boolean
  /** Records that a lookup offers. */
  readonly choices?: readonly ListedChoice[] | undefined
  /** Its label, where the screen says it otherwise. */
  readonly label?: string
  readonly hint?: string | undefined
  /** What was chosen or left: to be saved. */
  readonly onSave: (value: unknown) => void
}

const NUMBERS: readonly string[] = ['integer', 'decimal', 'money']
const LATIN: readonly string[] = ['phone', 'nationalId', 'passport', 'email']
const shown = (field: Field, value: unknown): string => {
  if (value === null || value === undefined) return ''
  return field.kind === 'money' ? majorText(Number(value)) : String(value)
}
/** What is sent of what was typed; text that is no number is sent as it is, and refused with a reason. */
function typed(field: Field, text: string): unknown {
  const clean = text.trim()
  if (clean === '') return null
  if (field.kind === 'money') return minorUnits(clean) ?? clean
  if (field.kind === 'integer') return /^\d+$/.test(latinDigits(clean)) ? Number(latinDigits(clean)) : clean
  if (field.kind === 'decimal') return decimalText(clean) ?? clean
  return LATIN.includes(field.kind) ? latinDigits(clean) : clean
}

/** One question of the form, as light as the platform's own: it saves when it is left or chosen. */
export function Question(props: Props) {
  const { name, field, value, error, required, disabled, choices, hint, onSave } = props
  const say = useLabel()
  const lang = useLanguage()
  const t = useT('applicants')
  const [text, setText] = useState<string | null>(null)
  const label = props.label ?? say(field.label)
  const common = {
    id: `q-${name}`,
    name,
    label: required ? label : `${label} (${t('optional')})`,
    description: hint ?? (field.help ? say(field.help) : undefined),
    error,
    disabled,
    size: 'md' as const,
    'aria-required': required || undefined,
    'aria-invalid': error !== null || undefined,
  }
  if (field.kind === 'flag')
    return (
      <Checkbox
        id={common.id}
        name={name}
        size="md"
        label={label}
        error={error}
        disabled={disabled}
        checked={value === true}
        onChange={(event) => onSave(event.currentTarget.checked)}
      />
    )
  if (field.kind === 'choice' || field.kind === 'lookup') {
    const options =
      field.kind === 'choice'
        ? (field.choices ?? []).map((one) => ({ value: String(one.value), label: say(one.label) }))
        : (choices ?? []).map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))
    const back = (chosen: string): unknown =>
      chosen === ''
        ? null
        : field.kind === 'lookup'
          ? Number(chosen)
          : (field.choices?.find((one) => String(one.value) === chosen)?.value ?? null)
    return (
      <NativeSelect
        {...common}
        value={value === null || value === undefined ? '' : String(value)}
        data={[{ value: '', label: t('choose') }, ...options]}
        onChange={(event) => onSave(back(event.currentTarget.value))}
      />
    )
  }
  const current = text ?? shown(field, value)
  const given = {
    ...common,
    value: current,
    onChange: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value),
    onBlur: () => {
      if (text === null) return
      const next = typed(field, text)
      setText(null)
      if (next !== (value ?? null)) onSave(next)
    },
  }
  if (field.kind === 'longText') return <Textarea {...given} autosize minRows={3} maxLength={field.max} />
  return (
    <TextInput
      {...given}
      type={field.kind === 'date' ? 'date' : field.kind === 'phone' ? 'tel' : 'text'}
      inputMode={field.kind === 'nationalId' ? 'numeric' : NUMBERS.includes(field.kind) ? 'decimal' : undefined}
      dir={
        LATIN.includes(field.kind) || NUMBERS.includes(field.kind) ? 'ltr' : field.kind === 'localText' ? 'rtl' : 'auto'
      }
      maxLength={field.max && !NUMBERS.includes(field.kind) ? field.max : undefined}
    />
  )
}
