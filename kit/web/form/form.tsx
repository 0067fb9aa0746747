/* oxlint-disable jsx-a11y/no-autofocus -- the focus goes where the screen asks for it */
import { createContext, use, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { UseFormReturnType } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import type { ErrorTexts } from '#kit/contract/errors.ts'
import type { Field as FieldKindOf, Fields } from '#kit/contract/field.ts'
import { reasonsOfZod } from '#kit/contract/issues.ts'
import type { Section } from '#kit/contract/resource.ts'
import type { z } from 'zod'
import { ApiError } from '../api/index.ts'
import { notify, useShortcut } from '../feedback/index.ts'
import { INPUTS } from '../fields/inputs.tsx'
import type { FieldInput } from '../fields/inputs.tsx'
import { errorText, problemText, useLabel, useT } from '../i18n/index.ts'
import { forgetUnsaved, useUnsaved } from '../router/index.ts'
import { createStore } from '../store.ts'
import type { Store } from '../store.ts'
import { at, changesOf, checkField, inputValue, shownName, withText } from './changes.ts'
import type { Values } from './changes.ts'
import { ConflictDialog } from './conflict.tsx'
import type { Conflict } from './conflict.tsx'
import { afterPress } from './pressed.ts'
import css from './form.module.css'

interface FormState {
  readonly form: UseFormReturnType<Values>
  readonly fields: Fields
  readonly values: Store<Values>
  readonly row: Readonly<Values> | null
  readonly inputs: Readonly<Record<string, FieldInput>>
  readonly locked: ReadonlySet<string>
  readonly lockedWhy: string
  readonly shown: Map<string, { label: string; field: FieldKindOf }>
  readonly errors: ErrorTexts
  readonly disabled: boolean
}
const FormContext = createContext<FormState | null>(null)
const useFormState = (): FormState => {
  const state = use(FormContext)
  if (!state) throw new Error('a Field stands outside a Form')
  return state
}

/** What is typed under a name, followed as it changes. */
export function useFormValue(name: string): unknown {
  const { values } = useFormState()
  return useSyncExternalStore(values.subscribe, () => at(values.get(), name))
}
const WIDE = new Set<FieldKindOf['kind']>(['longText', 'richText', 'json', 'lookups', 'choices', 'rows'])

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
    const reason = checkField(field, name, at(form.getValues(), name))
    // Nothing is asked for before somebody wrote something: an empty required field waits for saving.
    if (reason && reason.code !== 'required')
      afterPress(() => form.setFieldError(name, problemText(withText(reason, state.errors))))
  }
  return (
    <div className={(wide ?? WIDE.has(field.kind)) ? css.wide : undefined} data-field={name}>
      <Input
        key={form.key(name)}
        id={id}
        field={field}
        name={name}
        label={
          field.required || field.kind === 'flag' ? (
            label
          ) : (
            <>
              {label} <span className={css.optional}>{t('optional')}</span>
            </>
          )
        }
        description={state.locked.has(name) && !state.disabled ? state.lockedWhy : field.help && say(field.help)}
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

export interface FormProps<Answer = unknown> {
  /** What is asked, by name: kinds of the contract. */
  readonly fields: Fields
  /** The row being changed, or what stands there at first. */
  readonly values?: Readonly<Values> | null
  /** Saves. `values`: all; `changed`: what differs. A thrown `ApiError` lands at its fields. `version`: of the row, newer after a conflict. */
  readonly onSave: (values: Values, changed: Values, version: number | undefined) => Promise<Answer>
  readonly onSaved?: (answer: Answer) => void
  readonly sections?: readonly Section[]
  /** Fields that may not be changed here. */
  readonly locked?: readonly string[]
  /** Why they cannot; that they are fixed since they were added unless told. */
  readonly lockedWhy?: string
  /** Shown only when this holds for what is typed. Hidden fields are neither checked nor saved. */
  readonly visible?: Readonly<Record<string, (values: Readonly<Values>) => boolean>>
  readonly inputs?: Readonly<Record<string, FieldInput>>
  /** Checks over several fields, besides each field's own. */
  readonly schema?: z.ZodType
  /** Texts of codes that `schema` or the fields name. */
  readonly errors?: ErrorTexts
  /** Word on the button. */
  readonly submit?: string
  /** Can be saved without a change (a new record, a dialog). */
  readonly always?: boolean
  /** `dialog`: plain buttons at the end instead of the bar. */
  readonly bar?: 'page' | 'dialog'
  readonly onCancel?: () => void
  /** Own layout of `<Field>`s instead of sections. */
  readonly children?: ReactNode
  /** Beneath the fields: what follows from what is typed (`useFormValue`). */
  readonly below?: ReactNode
  readonly disabled?: boolean
}

interface Wrong {
  readonly name: string | null
  readonly label: string | null
  readonly text: string
}

/** A form over fields of the contract: see look.md "Form". */
export function Form<Answer = unknown>(props: FormProps<Answer>) {
  const { fields, onSave, visible, bar = 'page' } = props
  const t = useT('kit-screens')
  const say = useLabel()
  const box = useRef<HTMLFormElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const start = useMemo(
    (): Values => ({
      ...props.values,
      ...Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, inputValue(field, props.values?.[name])]),
      ),
    }),
    // The row a form began with stays until it is saved: a newer one arrives through the conflict dialog.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/memo-dependencies
    [],
  )
  const [initial, setInitial] = useState(start)
  const [version, setVersion] = useState(props.values?.version as number | undefined)
  const values = useMemo(() => createStore<Values>(start), [start])
  const count = useMemo(() => createStore(0), [])
  const initialRef = useRef(initial)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: start,
    clearInputErrorOnChange: true,
    onValuesChange: (now) => {
      values.set({ ...now })
      count.set(Object.keys(changesOf(initialRef.current, now, fields)).length)
    },
  })
  const [wrong, setWrong] = useState<readonly Wrong[]>([])
  const [busy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const shown = useMemo(() => new Map<string, { label: string; field: FieldKindOf }>(), [])
  const state = useMemo(
    (): FormState => ({
      form,
      fields,
      values,
      row: props.values ?? null,
      inputs: props.inputs ?? {},
      locked: new Set(props.locked),
      lockedWhy: props.lockedWhy ?? t('field_fixed'),
      shown,
      errors: props.errors ?? {},
      disabled: props.disabled ?? false,
    }),
    // `form` is a new object at every draw; its errors are what fields show.
    [
      form,
      fields,
      values,
      props.values,
      props.inputs,
      props.locked,
      props.lockedWhy,
      t,
      shown,
      props.errors,
      props.disabled,
    ],
  )
  const changes = count.use()
  // Also while it is being saved: until it is, it can be lost.
  useUnsaved(changes > 0)

  const isVisible = (name: string, now: Values) => visible?.[name]?.(now) ?? true
  const focusField = (name: string) => {
    const place = box.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`)
    place?.scrollIntoView({ block: 'center' })
    place
      ?.querySelector<HTMLElement>(
        'input:not([type="hidden"]):not([hidden]), textarea, select, [contenteditable="true"], button',
      )
      ?.focus({ preventScroll: true })
  }
  const show = (list: readonly Wrong[]) => {
    setWrong(list)
    form.setErrors(Object.fromEntries(list.filter((w) => w.name).map((w) => [w.name!, w.text])))
    requestAnimationFrame(() => {
      if (list.length === 1 && list[0]!.name) focusField(list[0]!.name)
      else summary.current?.focus()
    })
  }
  const wrongOf = (reasons: readonly { name: string | null; text: string }[]): Wrong[] =>
    reasons.map((r) => ({ ...r, label: r.name ? (shown.get(r.name)?.label ?? null) : null }))

  const save = async (override?: Values, newer?: number) => {
    if (busy || props.disabled) return
    // What is being typed right now is taken as it stands.
    const now = { ...form.getValues(), ...override }
    const hidden = Object.keys(fields).filter((name) => !isVisible(name, now))
    const reasons = [...shown].flatMap(([name, { field }]) => {
      if (hidden.includes(name) || field.readOnly) return []
      const reason = checkField(field, name, at(now, name))
      return reason ? [reason] : []
    })
    if (!reasons.length && props.schema) {
      const result = props.schema.safeParse(now, { reportInput: true })
      if (!result.success) reasons.push(...reasonsOfZod(result.error))
    }
    if (reasons.length) {
      const names = new Set(shown.keys())
      const order = [...(box.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].map((e) => e.dataset.field)
      return show(
        wrongOf(
          reasons.map((r) => ({
            name: r.field ? shownName(r.field, names) : null,
            text: problemText(withText(r, props.errors)),
          })),
        ).sort((a, b) => order.indexOf(a.name ?? '') - order.indexOf(b.name ?? '')),
      )
    }
    setBusy(true)
    setWrong([])
    form.clearErrors()
    try {
      const kept = Object.fromEntries(Object.entries(now).filter(([name]) => !hidden.includes(name)))
      const answer = await onSave(kept, changesOf(initial, kept, fields), newer ?? version)
      setInitial(now)
      initialRef.current = now
      count.set(0)
      forgetUnsaved()
      setConflict(null)
      props.onSaved?.(answer)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const changed = error.errors.find((p) => p.code === 'changed_meanwhile')
      if (changed?.data?.changed) {
        setConflict({ ...(changed.data as unknown as Omit<Conflict, 'problem'>), problem: changed })
        return
      }
      setConflict(null)
      const names = new Set(shown.keys())
      const placed = error.errors.filter((p) => p.field !== null || error.errors.length > 1 || error.status === 422)
      if (placed.length)
        show(wrongOf(placed.map((p) => ({ name: p.field ? shownName(p.field, names) : null, text: problemText(p) }))))
      else if (error.errors.length === 0 || error.status >= 500) notify.error(error)
      else show([{ name: null, label: null, text: errorText(error) }])
    } finally {
      setBusy(false)
    }
  }
  const discard = () => {
    form.setValues(initial)
    form.clearErrors()
    setWrong([])
    count.set(0)
  }
  useShortcut('mod+s', () => void save(), t('shortcut_save'))
  useShortcut('mod+Enter', () => void save(), t('shortcut_save'))

  const sections = props.sections ?? [{ title: ['', ''] as const, fields: Object.keys(fields) }]
  const now = visible ? values.use() : values.get()
  const errorsIn = (names: readonly string[]) => names.filter((name) => Boolean(form.errors[name])).length
  // What has been corrected since is no longer told, and what is wrong in another way as it is now.
  const open = wrong
    .filter((w) => !w.name || Boolean(form.errors[w.name]))
    .map((w) => (w.name ? { ...w, text: String(form.errors[w.name]) } : w))
  const withIndex = !props.children && sections.length >= 4
  const firstId = useId()
  const canSave = props.always || changes > 0
  return (
    <FormContext value={state}>
      <form
        ref={box}
        className={css.form}
        data-index={withIndex || undefined}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {open.length > 0 && (
          <div className={css.summary} ref={summary} tabIndex={-1} role="alert">
            <p>{t('form_wrong', { count: open.length })}</p>
            <ul>
              {open.map((w, i) => (
                <li key={i}>
                  {w.name ? (
                    <button type="button" onClick={() => focusField(w.name!)}>
                      {w.label}
                    </button>
                  ) : null}
                  {w.name ? ': ' : ''}
                  {w.text}
                </li>
              ))}
            </ul>
          </div>
        )}
        {props.disabled && <p className={css.readOnly}>{t('form_read_only')}</p>}
        <div className={css.sections}>
          {props.children ??
            sections.map((section, i) => (
              <fieldset className={css.section} key={i} id={`${firstId}-${i}`}>
                {section.title[0] && <legend>{say(section.title)}</legend>}
                {section.text && <p className={css.sectionText}>{say(section.text)}</p>}
                <div className={css.grid}>
                  {section.fields
                    .filter((name) => fields[name] && isVisible(name, now))
                    .map((name) => (
                      <Field key={name} name={name} />
                    ))}
                </div>
              </fieldset>
            ))}
          {props.below}
        </div>
        {withIndex && (
          <nav aria-label={t('sections')} style={{ position: 'sticky', insetBlockStart: 84 }}>
            <ul className={css.index}>
              {sections.map((section, i) => {
                const errors = errorsIn(section.fields)
                return (
                  <li key={i}>
                    <button
                      type="button"
                      onClick={() => document.getElementById(`${firstId}-${i}`)?.scrollIntoView({ block: 'start' })}
                    >
                      <span>{say(section.title)}</span>
                      {errors > 0 && (
                        <span className={css.indexErrors} aria-label={t('form_wrong', { count: errors })}>
                          {errors}
                        </span>
                      )}
                    </button>
                  </li>
                )
              })}
            </ul>
          </nav>
        )}
        {bar === 'dialog' ? (
          <div className={css.buttons}>
            {props.onCancel && (
              <Button variant="default" onClick={props.onCancel} disabled={busy}>
                {t('cancel')}
              </Button>
            )}
            <Button type="submit" loading={busy} disabled={!canSave || props.disabled}>
              {props.submit ?? t('save')}
            </Button>
          </div>
        ) : (
          (canSave || busy) && (
            <section className={`${css.bar} no-print`} data-save-bar aria-label={t('unsaved_changes')}>
              <span className={css.barText} aria-live="polite">
                {changes > 0 ? t('changes', { count: changes }) : ''}
              </span>
              {props.onCancel && changes === 0 && (
                <Button variant="default" onClick={props.onCancel} disabled={busy}>
                  {t('cancel')}
                </Button>
              )}
              {changes > 0 && (
                <Button variant="default" onClick={discard} disabled={busy}>
                  {t('discard')}
                </Button>
              )}
              <Button
                type="submit"
                loading={busy}
                disabled={props.disabled}
                leftSection={<IconCheck size={16} aria-hidden />}
              >
                {props.submit ?? t('save')}
              </Button>
            </section>
          )
        )}
      </form>
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          fields={fields}
          busy={busy}
          onChoose={(chosen) => {
            for (const [name, value] of Object.entries(chosen)) form.setFieldValue(name, value)
            setVersion(conflict.version)
            void save(chosen, conflict.version)
          }}
          onClose={() => setConflict(null)}
        />
      )}
    </FormContext>
  )
}
