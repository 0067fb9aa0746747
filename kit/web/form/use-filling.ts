import { useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useForm } from '@mantine/form'
import type { UseFormReturnType } from '@mantine/form'
import type { ErrorTexts } from '#kit/contract/errors.ts'
import type { Field as FieldKindOf, Fields } from '#kit/contract/field.ts'
import { reasonsOfZod } from '#kit/contract/issues.ts'
import type { Section } from '#kit/contract/resource.ts'
import type { Problem } from '#kit/contract/schema.ts'
import type { z } from 'zod'
import { ApiError } from '../api/index.ts'
import { confirm, notify, useShortcut } from '../feedback/index.ts'
import type { ConfirmOptions } from '../feedback/index.ts'
import { wasTold } from '../feedback/notify.tsx'
import { isTyped, labelToConfirm, wantedFor } from '../feedback/weight.tsx'
import type { Weight } from '../feedback/weight.tsx'
import type { FieldInput } from '../fields/inputs.tsx'
import { errorText, problemText, useT } from '../i18n/index.ts'
import { forgetUnsaved, useUnsaved } from '../router/index.ts'
import { createStore } from '../store.ts'
import type { Store } from '../store.ts'
import { at, changesOf, checkField, inputValue, shownName, withText } from './changes.ts'
import type { Values } from './changes.ts'
import type { Conflict } from './conflict.tsx'
import type { FormState } from './form-state.ts'

/** Given as it is, or by what is typed. */
type Following<T> = T | ((values: Readonly<Values>) => T)
const follow = <T>(given: Following<T>, values: Readonly<Values>): T =>
  typeof given === 'function' ? (given as (values: Readonly<Values>) => T)(values) : given
/** Where the number or name is typed that a heavy act asks for. */
export const CONFIRMED = '$confirmed'

/** Another button that sends what is filled in. */
export interface AnotherSend<Answer = unknown> {
  readonly label: string
  readonly onSave: FormProps<Answer>['onSave']
  /** Only looked at: nothing is saved, and what was typed stays as changed as it was. */
  readonly looks?: boolean
}

export interface FormProps<Answer = unknown> {
  /** What is asked, by name: kinds of the contract. By what is typed where one field changes another (a note that is then required). */
  readonly fields: Following<Fields>
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
  /** What rules of the screen say of what is typed, in sentences: told when the field is left, and before sending. */
  readonly check?: FormState['check']
  /** Word on the button. */
  readonly submit?: Following<string | undefined>
  /** The button is red: it takes away or hurts. */
  readonly danger?: boolean
  /** More buttons that send, before the first. */
  readonly also?: readonly AnotherSend<Answer>[]
  /** Beside the fields where there is room for it: what follows from what is typed. */
  readonly aside?: ReactNode
  /** Buttons that send nothing, before those that do. */
  readonly beside?: ReactNode
  /** Asked before it is sent: what is unusual and may be meant. Whoever says no goes on filling in. */
  readonly ask?: (values: Readonly<Values>) => Promise<ConfirmOptions | null>
  /** Whom it concerns: from many on their number is typed. */
  readonly weight?: Following<Weight>
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
  /** What stands against sending besides the fields, in sentences: told when it is pressed. */
  readonly missing?: Following<readonly (string | false | null | undefined)[]>
  /** A name under which what is typed is kept on this device and offered again; absent: leaving asks. */
  readonly draft?: string
}

interface Wrong {
  readonly name: string | null
  readonly label: string | null
  readonly text: string
  /** As the server refused it: with the step that unblocks it. */
  readonly problem?: Problem
}

/** What the fields of a form are told. */
function useShared<Answer>(
  props: FormProps<Answer>,
  fields: Fields,
  form: UseFormReturnType<Values>,
  values: Store<Values>,
  shown: FormState['shown'],
): FormState {
  const t = useT('kit-screens')
  return useMemo(
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
      check: props.check,
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
      props.check,
      props.disabled,
    ],
  )
}

/** Takes the keyboard to a field. */
function focusIn(box: HTMLElement | null, name: string): void {
  const place = box?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`)
  place?.scrollIntoView({ block: 'center' })
  place
    ?.querySelector<HTMLElement>(
      'input:not([type="hidden"]):not([hidden]), textarea, select, [contenteditable="true"], button',
    )
    ?.focus({ preventScroll: true })
}

/** What the inputs hold at first. */
const startOf = (fields: Fields, values: Readonly<Values> | null | undefined): Values => ({
  ...values,
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inputValue(field, values?.[name])])),
})

const never = () => () => {}

/** A form while it is filled in: what is typed, what is wrong with it, saving, and what somebody else saved meanwhile. */
export function useFilling<Answer>(props: FormProps<Answer>) {
  const { visible } = props
  const t = useT('kit-screens')
  const tk = useT('kit')
  const box = useRef<HTMLFormElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const start = useMemo(
    () => startOf(follow(props.fields, props.values ?? {}), props.values),
    // The row a form began with stays until it is saved: a newer one arrives through the conflict dialog.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/memo-dependencies
    [],
  )
  const [initial, setInitial] = useState(start)
  const [version, setVersion] = useState(props.values?.version as number | undefined)
  const values = useMemo(() => createStore<Values>(start), [start])
  const count = useMemo(() => createStore(0), [])
  // Only forms in which something depends on what is typed are drawn again with each letter.
  const { submit, weight, missing } = props
  const follows = Boolean(visible) || [props.fields, submit, weight, missing].some((one) => typeof one === 'function')
  const followed = useSyncExternalStore(follows ? values.subscribe : never, values.get, values.get)
  const fields = follow(props.fields, followed)
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
  const state = useShared(props, fields, form, values, shown)
  const [confirmed, setConfirmed] = useState('')
  const changes = count.use()
  // Also while it is being saved: until it is, it can be lost.
  useUnsaved(changes > 0 && props.draft === undefined)
  const sentRef = useRef<() => void>(() => {})

  const isVisible = (name: string, now: Values) => visible?.[name]?.(now) ?? true
  const focusField = (name: string) => focusIn(box.current, name)
  const show = (list: readonly Wrong[]) => {
    setWrong(list)
    form.setErrors(Object.fromEntries(list.filter((w) => w.name).map((w) => [w.name!, w.text])))
    // All of it is told at the top; the keyboard goes on where the first is mended.
    requestAnimationFrame(() => {
      const first = list.find((one) => one.name)
      if (first) focusField(first.name!)
      else summary.current?.focus()
    })
  }
  const wrongOf = (reasons: readonly Omit<Wrong, 'label'>[]): Wrong[] =>
    reasons.map((r) => ({ ...r, label: r.name ? (shown.get(r.name)?.label ?? null) : null }))

  const save = async (override?: Values, newer?: number, by?: AnotherSend) => {
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
    const checked = (props.check?.(now) ?? []).filter(({ name }) => !reasons.some((one) => one.field === name))
    if (reasons.length || checked.length) {
      const names = new Set(shown.keys())
      const order = [...(box.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].map((e) => e.dataset.field)
      return show(
        wrongOf([
          ...reasons.map((r) => ({
            name: r.field ? shownName(r.field, names) : null,
            text: problemText(withText(r, props.errors)),
          })),
          ...checked,
        ]).sort((a, b) => order.indexOf(a.name ?? '') - order.indexOf(b.name ?? '')),
      )
    }
    const against = (follow(props.missing, now) ?? []).filter((one): one is string => typeof one === 'string')
    if (against.length) return show(against.map((text) => ({ name: null, label: null, text })))
    const heavy = follow(props.weight, now)
    if (heavy && !by?.looks && !isTyped(wantedFor(heavy), confirmed))
      return show([{ name: CONFIRMED, label: null, text: labelToConfirm(tk, heavy) ?? tk('fill_in') }])
    setBusy(true)
    setWrong([])
    form.clearErrors()
    try {
      const kept = Object.fromEntries(Object.entries(now).filter(([name]) => !hidden.includes(name)))
      const question = by?.looks ? null : await props.ask?.(kept)
      if (question && !(await confirm(question))) return
      const answer = await ((by?.onSave ?? props.onSave) as FormProps<Answer>['onSave'])(
        kept,
        changesOf(initial, kept, fields),
        newer ?? version,
      )
      if (by?.looks) return
      setInitial(now)
      initialRef.current = now
      count.set(0)
      forgetUnsaved()
      setConflict(null)
      sentRef.current()
      props.onSaved?.(answer)
    } catch (error) {
      if (wasTold(error)) return
      if (!(error instanceof ApiError)) {
        show([{ name: null, label: null, text: errorText(error) }])
        throw error
      }
      const changed = error.errors.find((p) => p.code === 'changed_meanwhile')
      if (changed?.data?.changed) {
        setConflict({ ...(changed.data as unknown as Omit<Conflict, 'problem'>), problem: changed })
        return
      }
      setConflict(null)
      const names = new Set(shown.keys())
      const placed = error.errors.filter((p) => p.field !== null || error.errors.length > 1 || error.status === 422)
      if (placed.length)
        show(
          wrongOf(
            placed.map((p) => ({ name: p.field ? shownName(p.field, names) : null, text: problemText(p), problem: p })),
          ),
        )
      else if (error.errors.length === 0 || error.status >= 500) notify.error(error)
      else {
        const [problem] = error.errors
        show([{ name: null, label: null, text: errorText(error), ...(problem && { problem }) }])
      }
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
  // What has been corrected since is no longer told, and what is wrong in another way as it is now.
  const open = wrong
    .filter((w) => !w.name || Boolean(form.errors[w.name]))
    .map((w) => (w.name ? { ...w, text: String(form.errors[w.name]) } : w))
  return {
    box,
    summary,
    state,
    form,
    busy,
    changes,
    canSave: props.always || changes > 0,
    open,
    errorsIn: (names: readonly string[]) => names.filter((name) => Boolean(form.errors[name])).length,
    focusField,
    isVisible,
    fields,
    now: followed,
    submit: follow(submit, followed),
    missing: follow(missing, followed) ?? [],
    weight: follow(weight, followed),
    confirmed,
    confirm: (typed: string) => {
      setConfirmed(typed)
      form.clearFieldError(CONFIRMED)
    },
    save,
    discard,
    /** Puts values into the fields, as if they were typed. */
    fill: (kept: Readonly<Values>) => {
      for (const [name, value] of Object.entries(kept)) form.setFieldValue(name, value)
    },
    /** What is done as soon as it was sent. */
    afterSent: (work: () => void) => {
      sentRef.current = work
    },
    conflict,
    choose: (chosen: Values) => {
      for (const [name, value] of Object.entries(chosen)) form.setFieldValue(name, value)
      setVersion(conflict!.version)
      void save(chosen, conflict!.version)
    },
    closeConflict: () => setConflict(null),
  }
}
export type Filling = ReturnType<typeof useFilling<unknown>>
