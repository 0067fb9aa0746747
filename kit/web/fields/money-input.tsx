import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { latinDigits, majorText, minorUnits } from './digits.ts'
import type { FieldInput } from './inputs.tsx'

/**
 * An amount as people type it, in minor units: `1250.5` is 125050. Uncontrolled; reports null while what stands there is none.
 *
 * @param props.currency stands behind the amount
 */
export function MoneyInput({
  label,
  description,
  error,
  currency,
  defaultValue = null,
  onChange,
  onEnter,
  autoFocus,
  required,
  id,
  name,
  onBlur,
}: {
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
  currency: string
  defaultValue?: number | null
  onChange: (minor: number | null) => void
  onEnter?: (() => void) | undefined
  autoFocus?: boolean
  required?: boolean
  id?: string | undefined
  name?: string
  onBlur?: (() => void) | undefined
}) {
  const [typed, setTyped] = useState(defaultValue === null ? '' : majorText(defaultValue))
  return (
    <TextInput
      label={label}
      description={description}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      dir="ltr"
      inputMode="decimal"
      autoComplete="off"
      required={required ?? false}
      id={id}
      name={name}
      onBlur={onBlur}
      {...(autoFocus && { 'data-autofocus': true })}
      rightSection={<span aria-hidden>{currency}</span>}
      rightSectionWidth={52}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        const text = latinDigits(event.currentTarget.value).trim()
        onChange(text === '' ? null : minorUnits(text))
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !onEnter) return
        event.preventDefault()
        onEnter()
      }}
    />
  )
}

const made = new Map<string, FieldInput>()
/**
 * The input of a money field that is of one currency, for forms. @example inputs={{ amount: moneyIn('EGP') }}
 */
export function moneyIn(currency: string): FieldInput {
  let input = made.get(currency)
  if (!input) {
    input = function MoneyOf({ label, description, error, defaultValue, onChange, onBlur, autoFocus, id, name }) {
      return (
        <MoneyInput
          {...{ label, description, error, currency, onChange, id, name, onBlur }}
          defaultValue={(defaultValue as number | null | undefined) ?? null}
          autoFocus={autoFocus ?? false}
        />
      )
    }
    made.set(currency, input)
  }
  return input
}
