import type { ComponentType, ReactNode } from 'react'
import { useState } from 'react'
import { Checkbox, Input, MultiSelect, SegmentedControl, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import type { Ref } from '#kit/contract/schema.ts'
import { refName } from '#kit/contract/resource.ts'
import { decimalAsWritten, useLabel, useT } from '../i18n/index.ts'
import { DateInput, InstantInput } from './date-input.tsx'
import { parseTime } from './dates.ts'
import { decimalText, latinDigits, majorText, minorUnits } from './digits.ts'
import { FileField } from './file-input.tsx'
import { LookupInput, LookupsInput } from './lookup-input.tsx'
import { RichTextInput } from './rich-input.tsx'
import { rowsInput } from './rows-input.tsx'
import css from './fields.module.css'

/**
 * Web half of a field kind for writing. Inputs keep their text themselves (uncontrolled) and report values as the
 * contract's schema takes them: null is empty; unreadable text is reported as typed, so that validation can name it.
 */
export interface FieldInputProps {
  readonly field: Field
  readonly name: string
  readonly label: ReactNode
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly required?: boolean
  readonly disabled?: boolean
  readonly placeholder?: string
  readonly defaultValue: unknown
  readonly onChange: (value: unknown) => void
  readonly onBlur?: () => void
  readonly autoFocus?: boolean
  /** The row being edited: gives lookups the name of what is chosen. */
  readonly row?: Readonly<Record<string, unknown>>
  /** Value of the field this lookup depends on. */
  readonly parent?: unknown
  readonly parentLabel?: string
  readonly id?: string
  /** One of several in a line of child rows: it takes the room of its column. */
  readonly inLine?: boolean
}
export type FieldInput = ComponentType<FieldInputProps>

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const orNull = (value: string): string | null => (value === '' ? null : value)
const common = ({
  name,
  label,
  description,
  error,
  disabled,
  placeholder,
  onBlur,
  autoFocus,
  id,
  required,
}: FieldInputProps) => ({
  name,
  label,
  description,
  error,
  disabled,
  placeholder,
  onBlur,
  'data-autofocus': autoFocus || undefined,
  autoFocus,
  id,
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  // Optional is marked, not required: the star is off in the theme of forms, the meaning stays for assistive technology.
  'aria-required': required || undefined,
})

/** What may be typed in a name: an English one has no Arabic letters, that of a person no digits. */
const allowed = (typed: string, { latin, person }: Field): string => {
  const own = latin ? typed.replace(/\p{Script=Arabic}/gu, '') : typed
  return person ? own.replace(/\p{Nd}/gu, '') : own
}

/** A line of text; `clean` makes what was typed into what is stored. */
const line = (
  attributes: {
    dir?: 'ltr' | 'rtl' | 'auto'
    inputMode?: 'email' | 'tel' | 'numeric' | 'decimal'
    lang?: string
    className?: string
    autoComplete?: string
  },
  read: (typed: string) => unknown = (typed) => orNull(typed.trim()),
  write: (value: unknown, field: Field) => string = text,
): FieldInput =>
  function LineInput(props) {
    const [shown, setShown] = useState(() => write(props.defaultValue, props.field))
    const { className, dir, lang, ...rest } = attributes
    return (
      <TextInput
        {...common(props)}
        {...rest}
        classNames={className ? { input: className } : undefined}
        attributes={{ input: { dir, lang } }}
        value={shown}
        maxLength={props.field.kind === 'text' || props.field.kind === 'localText' ? props.field.max : undefined}
        onChange={(event) => {
          const typed = allowed(event.currentTarget.value, props.field)
          setShown(typed)
          props.onChange(read(typed))
        }}
        onBlur={() => {
          // What was understood is shown as it will be stored.
          const value = read(shown)
          const again = write(value, props.field)
          if (value !== null && again !== shown) setShown(again)
          props.onBlur?.()
        }}
      />
    )
  }

const number = (read: (typed: string) => unknown, write?: (value: unknown) => string): FieldInput =>
  line(
    { dir: 'ltr', inputMode: 'decimal', className: `${css.ltr} ${css.number}`, autoComplete: 'off' },
    (typed) => (typed.trim() === '' ? null : read(typed)),
    write,
  )
const wholeNumber = (typed: string): unknown => {
  const plain = decimalText(typed)
  return plain !== null && /^-?\d+$/.test(plain) ? Number(plain) : typed.trim()
}

const plainNumber = (typed: string): unknown => {
  const plain = decimalText(typed)
  return plain === null ? typed.trim() : Number(plain)
}

const LongText: FieldInput = (props) => (
  <Textarea
    {...common(props)}
    classNames={{ input: css.auto }}
    attributes={{ input: { dir: 'auto' } }}
    autosize
    minRows={3}
    maxRows={12}
    maxLength={props.field.max}
    defaultValue={text(props.defaultValue)}
    onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
  />
)

const Flag: FieldInput = (props) => {
  const { label, description, error, onBlur, name, disabled, id } = props
  return (
    <Switch
      {...{ label, description, error, onBlur, name, disabled, id }}
      defaultChecked={Boolean(props.defaultValue)}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  )
}

/** Few short choices stand side by side; more go into a list. */
const ChoiceInput: FieldInput = (props) => {
  const label = useLabel()
  const choices = props.field.choices ?? []
  const data = choices.map((c) => ({ value: String(c.value), label: label(c.label) }))
  const back = (value: string | null) => choices.find((c) => String(c.value) === value)?.value ?? null
  const [value, setValue] = useState(
    props.defaultValue === null || props.defaultValue === undefined ? null : String(props.defaultValue),
  )
  const set = (next: string | null) => {
    setValue(next)
    props.onChange(back(next))
  }
  const short = choices.length > 0 && choices.length <= 4 && data.reduce((n, c) => n + c.label.length, 0) <= 36
  if (props.required && short && !props.inLine) {
    return (
      <Input.Wrapper
        label={props.label}
        description={props.description}
        error={props.error}
        id={props.id}
        labelElement="div"
      >
        <div>
          <SegmentedControl
            name={props.name}
            data={data}
            value={value ?? ''}
            onChange={set}
            disabled={props.disabled}
            aria-label={typeof props.label === 'string' ? props.label : undefined}
          />
        </div>
      </Input.Wrapper>
    )
  }
  return (
    <Select
      {...common(props)}
      data={data}
      value={value}
      onChange={set}
      clearable={!props.required}
      // Chosen once more, what must be there stays.
      allowDeselect={!props.required}
      searchable={data.length > 8}
    />
  )
}

const ChoicesInput: FieldInput = (props) => {
  const label = useLabel()
  const choices = props.field.choices ?? []
  const [value, setValue] = useState(() => ((props.defaultValue as unknown[] | null) ?? []).map(String))
  const set = (next: string[]) => {
    setValue(next)
    props.onChange(choices.filter((c) => next.includes(String(c.value))).map((c) => c.value))
  }
  if (choices.length <= 6) {
    return (
      <Checkbox.Group
        label={props.label}
        description={props.description}
        error={props.error}
        value={value}
        onChange={set}
        labelElement="div"
      >
        <div className={css.checks}>
          {choices.map((c) => (
            <Checkbox key={String(c.value)} value={String(c.value)} label={label(c.label)} disabled={props.disabled} />
          ))}
        </div>
      </Checkbox.Group>
    )
  }
  return (
    <MultiSelect
      {...common(props)}
      data={choices.map((c) => ({ value: String(c.value), label: label(c.label) }))}
      value={value}
      onChange={set}
      searchable
      clearable
    />
  )
}

const JsonField: FieldInput = (props) => (
  <Textarea
    {...common(props)}
    attributes={{ input: { dir: 'ltr', spellCheck: false } }}
    autosize
    minRows={3}
    defaultValue={
      props.defaultValue === null || props.defaultValue === undefined ? '' : JSON.stringify(props.defaultValue, null, 2)
    }
    onChange={(event) => {
      const typed = event.currentTarget.value
      try {
        props.onChange(typed.trim() === '' ? null : JSON.parse(typed))
      } catch {
        props.onChange(typed)
      }
    }}
  />
)

const Lookup: FieldInput = (props) => {
  const t = useT('kit-screens')
  const waiting =
    props.field.dependsOn !== undefined && (props.parent === null || props.parent === undefined || props.parent === '')
  return (
    <LookupInput
      {...common(props)}
      resource={props.field.to!}
      defaultValue={(props.defaultValue as number | null) ?? null}
      known={props.row?.[refName(props.name)] as Ref | null | undefined}
      filters={props.field.dependsOn ? { [props.field.dependsOn]: props.parent } : undefined}
      disabled={props.disabled || waiting}
      placeholder={waiting && props.parentLabel ? t('lookup_first', { field: props.parentLabel }) : props.placeholder}
      onChange={props.onChange}
      clearable={!props.required}
    />
  )
}

/** A missing kind does not compile. */
export const INPUTS: { readonly [K in FieldKind]: FieldInput } = {
  text: line({ dir: 'auto', className: css.auto }),
  localText: line({ dir: 'rtl', lang: 'ar', className: css.arabic }),
  longText: LongText,
  richText: RichTextInput,
  code: line({ dir: 'ltr', className: css.ltr, autoComplete: 'off' }, (typed) => orNull(latinDigits(typed).trim())),
  email: line({ dir: 'ltr', inputMode: 'email', className: css.ltr, autoComplete: 'off' }),
  phone: line({ dir: 'ltr', inputMode: 'tel', className: css.ltr, autoComplete: 'off' }, (typed) =>
    orNull(
      latinDigits(typed)
        .trim()
        .replace(/^00/, '+')
        .replace(/[\s().-]/g, ''),
    ),
  ),
  nationalId: line(
    { dir: 'ltr', inputMode: 'numeric', className: `${css.ltr} ${css.number}`, autoComplete: 'off' },
    (typed) => orNull(latinDigits(typed).replace(/\s/g, '')),
  ),
  passport: line({ dir: 'ltr', className: css.ltr, autoComplete: 'off' }, (typed) => orNull(latinDigits(typed).trim())),
  integer: number(wholeNumber),
  decimal: number(
    (typed) => decimalText(typed) ?? typed.trim(),
    (value) => decimalAsWritten(text(value)),
  ),
  number: number(plainNumber, (value) => decimalAsWritten(text(value))),
  money: number(
    (typed) => minorUnits(typed) ?? typed.trim(),
    (value) => (typeof value === 'number' ? majorText(value) : text(value)),
  ),
  date: DateInput,
  instant: InstantInput,
  time: line(
    { dir: 'ltr', inputMode: 'numeric', className: `${css.ltr} ${css.number}`, autoComplete: 'off' },
    (typed) => (typed.trim() === '' ? null : (parseTime(typed) ?? typed.trim())),
  ),
  flag: Flag,
  choice: ChoiceInput,
  choices: ChoicesInput,
  flags: line({ dir: 'ltr', inputMode: 'numeric', className: `${css.ltr} ${css.number}` }, (typed) =>
    orNull(latinDigits(typed).trim()),
  ),
  lookup: Lookup,
  lookups: (props) => (
    <LookupsInput
      {...common(props)}
      resource={props.field.to!}
      defaultValue={((props.defaultValue as number[] | null) ?? []).map(
        (id) => ((props.row?.[props.name] ?? []) as Ref[]).find((r) => r.id === id) ?? id,
      )}
      onChange={props.onChange}
    />
  ),
  rows: rowsInput((kind) => INPUTS[kind]),
  file: FileField,
  json: JsonField,
}
