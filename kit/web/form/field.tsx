/* oxlint-disable jsx-a11y/no-autofocus -- the focus goes where the screen asks for it */
import { useEffect, useId, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import type { Field as FieldKindOf } from '#kit/contract/field.ts'
import { INPUTS } from '../fields/inputs.tsx'
import { formatNumber, problemText, useLabel, useT } from '../i18n/index.ts'
import type { T } from '../i18n/index.ts'
import { at, checkField, withText } from './changes.ts'
import { useFormState } from './form-state.ts'
import { afterPress } from './pressed.ts'
import css from './form.module.css'

const WIDE = new Set<FieldKindOf['kind']>(['longText', 'richText', 'json', 'lookups', 'choices', 'rows'])

/** Limits of a technical kind are nobody's rule. */
const TOLD_BELOW = 1_000_000
/** One after the other; a dot stands between them where the first does not end as a sentence does. */
function sentences(help: string | undefined, rule: string | undefined): string | undefined {
  if (!help || !rule) return help || rule
  return `${help}${/[.!?؟]$/.test(help) ? ' ' : ' · '}${rule}`
}
/** What may be typed, beside the field before anything is sent; undefined: nothing that would need saying. */
function ruleOf({ kind, min, max, year }: FieldKindOf, t: T<'kit-screens'>): string | undefined {
  if (kind === 'text' || kind === 'longText')
    return min !== undefined && min > 1 ? t('least_letters', { count: min }) : undefined
  if (!['integer', 'decimal', 'number'].includes(kind) || year || min === undefined || max === undefined)
    return undefined
  return max < TOLD_BELOW ? t('rule_between', { least: formatNumber(min), most: formatNumber(max) }) : undefined
}

/**
 * One field of a form, by its name among the form's fields or with an own definition (`field`), also for nested names
 * such as `slots.0.quota`. Checked when it is left.
 */
export function Field({
  name,
  field: own,
  label: ownLabel,
  wide,
  disabled,
  autoFocus,
}: {
  name: string
  field?: FieldKindOf
  label?: string
  wide?: boolean
  disabled?: boolean
  autoFocus?: boolean
}) {
  const state = useFormState()
  const say = useLabel()
  const t = useT('kit-screens')
  const id = useId()
  const { form, values } = state
  const field = own ?? state.fields[name]
  if (!field) throw new Error(`the form has no field ${name}`)
  const label = ownLabel ?? say(field.label)
  const { shown } = state
  useEffect(() => {
    shown.set(name, { label, field })
    return () => void shown.delete(name)
  }, [shown, name, label, field])
  const parent = useSyncExternalStore(values.subscribe, () =>
    field.dependsOn ? at(values.get(), field.dependsOn) : undefined,
  )
  const Input = state.inputs[name] ?? INPUTS[field.kind]
  const props = form.getInputProps(name)
  const onBlur = () => {
    const value = at(form.getValues(), name)
    const reason = checkField(field, name, value)
    // Nothing is asked for before somebody wrote something: an empty required field waits for saving.
    if (reason ? reason.code === 'required' : value === null || value === '') return
    const text = reason
      ? problemText(withText(reason, state.errors))
      : state.check?.(form.getValues()).find((one) => one.name === name)?.text
    if (text) afterPress(() => form.setFieldError(name, text))
  }
  return (
    <div className={(wide ?? (WIDE.has(field.kind) && !field.paired)) ? css.wide : undefined} data-field={name}>
      <Input
        key={form.key(name)}
        id={id}
        field={field}
        name={name}
        label={
          field.required || field.later || field.kind === 'flag' ? (
            label
          ) : (
            <>
              {label} <span className={css.optional}>{t('optional')}</span>
            </>
          )
        }
        description={
          state.locked.has(name) && !state.disabled
            ? state.lockedWhy
            : sentences(field.help && say(field.help), ruleOf(field, t))
        }
        error={props.error as ReactNode}
        required={field.required}
        disabled={disabled || state.disabled || state.locked.has(name)}
        defaultValue={at(form.getValues(), name) ?? null}
        onChange={props.onChange as (value: unknown) => void}
        onBlur={onBlur}
        row={state.row ?? undefined}
        parent={parent}
        parentLabel={
          field.dependsOn && state.fields[field.dependsOn] ? say(state.fields[field.dependsOn]!.label) : undefined
        }
        autoFocus={autoFocus}
      />
    </div>
  )
}
